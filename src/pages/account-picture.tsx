import { AVATAR_BYTES_MAX } from "../base/limits.ts";
import { type AvatarDeps, uploadAvatar } from "../flows/avatars/change.ts";
import { refusedPage } from "./error.tsx";
import { type Page, personPage, seeOther } from "./page.ts";
import { type PersonDeps, personOf } from "./person.ts";

/** `/account/picture`: receives the form of `/account`. A GET leads back there. */
export function accountPicturePage(deps: AvatarDeps & PersonDeps): Page {
  return personPage({
    path: "/account/picture",
    upload: { part: "file", maxBytes: AVATAR_BYTES_MAX },
    get: () => seeOther("/account"),
    async post(call) {
      const { caller, client, file } = call;
      const outcome = await uploadAvatar(deps, { caller: caller.session, client, file });
      if (outcome.ok) return seeOther("/account?done=saved");
      const { view } = await personOf(deps, call);
      const own = { invalid_input: view.t.account.pictureRefused };
      return refusedPage(view, outcome.error, own);
    },
  });
}
