import type { Refusal } from "../../base/problem.ts";
import { type AvatarDeps, uploadAvatar } from "../../flows/avatars/change.ts";
import { AVATAR_BYTES_MAX } from "../../limits/avatar-limits.ts";
import { refusedPage } from "../error.tsx";
import { type AuthenticatedCall, authenticatedPage, type Page, seeOther, seeResult } from "../page.ts";
import { refusedParts } from "../problem-messages.ts";
import { signedInUser } from "../signed-in-user.ts";
import type { AccountViewDeps } from "./account-actions.ts";
import { showAccount } from "./page.tsx";

/**
 * `/account/picture`: receives the form of `/account`, and displays `/account` with a refusal. A GET leads back to
 * `/account`.
 */
export function accountPicturePage(deps: AvatarDeps & AccountViewDeps): Page {
  const refused = async (call: AuthenticatedCall, refusal: Refusal) => {
    const { view } = await signedInUser(deps, call);
    if (refusal.code !== "invalid_input") return refusedPage(view, refusal);
    return await showAccount(deps, call, { errors: { file: view.t.account.pictureRefused } }, refusedParts(refusal));
  };
  return authenticatedPage({
    path: "/account/picture",
    upload: { part: "file", maxBytes: AVATAR_BYTES_MAX },
    get: () => seeOther("/account"),
    tooLarge: refused,
    async post(call) {
      const { caller, client, file } = call;
      const outcome = await uploadAvatar(deps, { caller: caller.session, client, file });
      return outcome.ok ? seeResult("/account", "saved") : await refused(call, outcome.error);
    },
  });
}
