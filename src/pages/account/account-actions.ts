/** The actions of `/account`. */
import { ok } from "../../base/result.ts";
import type { Deps, SignInDeps, StoreDeps } from "../../deps.ts";
import { switchOrganization } from "../../flows/auth/switch-organization.ts";
import { type AvatarDeps, deleteOwnAvatar } from "../../flows/avatars/change.ts";
import { type JoinDeps, joinByDomain } from "../../flows/domain-join/join-organization.ts";
import { updateOwnProfile } from "../../flows/users/profile.ts";
import { freshCookies } from "../../http/signed-in.ts";
import { type ActionInput, actionsOf, ownAccount } from "../action.ts";
import { SWITCH } from "../components/account-menu.tsx";
import { declinedOfferCookie } from "../cookies.ts";
import { seeOther, seeResult, uuidIn } from "../page.ts";
import { refusedForm } from "../problem-messages.ts";
import type { SignedInUserDeps } from "../signed-in-user.ts";
import type { SiteDeps } from "../view.tsx";
import { mayJoin } from "./joinable.ts";

export const ACCOUNT = "/account";
export type AccountViewDeps = SignedInUserDeps & StoreDeps & Pick<Deps, "addressKey" | "reads">;

export interface AccountInput extends ActionInput {
  readonly deps: SignInDeps & AccountViewDeps & AvatarDeps & JoinDeps & SiteDeps & Pick<Deps, "ssoDirectory">;
}

const { action } = actionsOf<AccountInput>();

export const renameAccount = action({
  step: "rename",
  may: ownAccount,
  run: ({ deps, caller, client, fields }) =>
    updateOwnProfile(deps, { caller, displayName: fields.text("display_name").trim() || null, client }),
  done: ["saved", ({ t }) => t.account.saved],
  refused: ({ fields, view }, refusal) =>
    refusedForm(view, refusal, { display_name: fields.text("display_name").trim() }),
});

export const removePicture = action({
  step: "remove-picture",
  may: ownAccount,
  run: async ({ deps, caller, client }) => ok(await deleteOwnAvatar(deps, { caller, client })),
  done: ["saved", ({ t }) => t.account.saved],
});

export const saveTimeZone = action({
  step: "time-zone",
  may: ownAccount,
  run: ({ deps, caller, client, fields }) =>
    updateOwnProfile(deps, { caller, timeZone: fields.text("time_zone") || null, client }),
  done: ["time_zone", ({ t }) => t.account.timeZoneChanged],
});

/** The result names the organization of the new session (page.tsx). */
export const switchTo = action({
  step: SWITCH,
  may: ownAccount,
  run: ({ deps, caller, client, fields }) =>
    switchOrganization(deps, { caller, organizationId: uuidIn(fields.text("organization_id")), client }),
  reply: ({ deps }, { session, tokens }) => seeResult(ACCOUNT, "switched", freshCookies(deps, session.id, tokens)),
});

/** Joins, or asks to join (docs/contract.md, section 34.3). */
export const joinOrganization = action({
  step: "join",
  may: mayJoin,
  run: ({ deps, caller: session, client, fields }) =>
    joinByDomain(deps, { session, organizationId: uuidIn(fields.text("organization_id")), client }),
  done: ["joined", ({ t }) => t.account.joined],
  reply: (_, { status }) => seeResult(ACCOUNT, status === "joined" ? "joined" : "join_requested"),
  problems: ({ t: { joining } }) => ({ conflict: joining.unavailable, not_found: joining.unavailable }),
});

export const declinePasskey = action({
  step: "decline-passkey",
  may: ownAccount,
  run: () => ok(undefined),
  reply: ({ deps }) => seeOther(ACCOUNT, [declinedOfferCookie(deps.config)]),
});

export const accountActions = {
  ...{ renameAccount, removePicture, saveTimeZone },
  ...{ switchTo, joinOrganization, declinePasskey },
};
