import { AVATAR_BYTES_MAX } from "../base/limits.ts";
import type { Refusal } from "../base/problem.ts";
import { type AvatarDeps, uploadAvatar } from "../flows/avatars/change.ts";
import { showAccount } from "./account.tsx";
import { refusedPage } from "./error.tsx";
import { type Page, type PersonCall, personPage, seeOther } from "./page.ts";
import { type PersonDeps, personOf } from "./person.ts";
import { refusedParts } from "./sentences.ts";

/** `/account/picture`: receives the form of `/account`, and shows that page with a refusal. A GET leads back there. */
export function accountPicturePage(deps: AvatarDeps & PersonDeps): Page {
  const refused = async (call: PersonCall, refusal: Refusal) => {
    const { view } = await personOf(deps, call);
    if (refusal.code !== "invalid_input") return refusedPage(view, refusal);
    return await showAccount(deps, call, { errors: { file: view.t.account.pictureRefused } }, refusedParts(refusal));
  };
  return personPage({
    path: "/account/picture",
    upload: { part: "file", maxBytes: AVATAR_BYTES_MAX },
    get: () => seeOther("/account"),
    tooLarge: refused,
    async post(call) {
      const { caller, client, file } = call;
      const outcome = await uploadAvatar(deps, { caller: caller.session, client, file });
      return outcome.ok ? seeOther("/account?done=saved") : await refused(call, outcome.error);
    },
  });
}
