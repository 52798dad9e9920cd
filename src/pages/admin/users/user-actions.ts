/** The actions of `/admin/users/:id`. */
import type { Deps, SignInDeps } from "../../../deps.ts";
import { requestExportFor } from "../../../flows/data-exports/request.ts";
import { grantPlatformRole } from "../../../flows/platform/grant-role.ts";
import { authorizeRoleGrant } from "../../../flows/steps/authorization/authorize-role-grant.ts";
import { endSessionOf, endSessionsOf, findSessionOf, resetUserMfa } from "../../../flows/users/administer.ts";
import { changeAccount } from "../../../flows/users/change-account.ts";
import { sendPasswordResetTo, sendVerificationTo } from "../../../flows/users/send-link.ts";
import type { PlatformRole } from "../../../models/user/platform-role.ts";
import type { Profile } from "../../../models/user/profile.ts";
import { actionsOf } from "../../action.ts";
import { deviceName } from "../../components/device.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import type { View } from "../../view.tsx";
import { platformCaller, type TargetInput } from "../console-actions.tsx";
import { nameOf, userPath } from "./sections.tsx";

export type UserDeps = SignInDeps & SignedInUserDeps & Pick<Deps, "dataRequests" | "reads">;
export type UserInput = TargetInput<UserDeps, Profile>;

const { action, confirmed, selection } = actionsOf<UserInput>();
export const higherRole = ({ t }: View) => ({ forbidden: t.users.higherRole });
const inSessions = ({ target }: UserInput) => userPath(target.userId, "sessions");
const inFactors = ({ target }: UserInput) => userPath(target.userId, "factors");

export const grantRole = action({
  step: "role",
  may: ({ deps, call }) => authorizeRoleGrant(deps, call.caller.session),
  run: ({ deps, caller, client, fields, target: { userId } }) =>
    grantPlatformRole(deps, { caller, userId, role: roleIn(fields.text("role")), client }),
  done: ["role", ({ t }) => t.users.roleSaved],
  problems: ({ t }) => ({ conflict: t.users.roleConflict }),
});

export const endUserSession = confirmed({
  step: "end-session",
  may: platformCaller,
  at: inSessions,
  async question({ deps, caller, id, target: { userId }, view: { t } }) {
    const session = await findSessionOf(deps, { caller, userId, sessionId: id });
    const { endSessionTitle, endSessionText, endSession } = t.directory;
    return (
      session && {
        title: endSessionTitle({ device: deviceName(t, session.userAgent) }),
        text: endSessionText,
        action: endSession,
      }
    );
  },
  run: ({ deps, caller, client, id, target: { userId } }) =>
    endSessionOf(deps, { caller, userId, sessionId: id, client }),
  done: ["session-ended", ({ t }) => t.directory.sessionEnded],
  problems: higherRole,
});

export const endSelectedSessions = selection({
  step: "end-selected",
  may: platformCaller,
  at: inSessions,
  async nameOf({ deps, caller, id, target: { userId }, view: { t } }) {
    const session = await findSessionOf(deps, { caller, userId, sessionId: id });
    return session && deviceName(t, session.userAgent);
  },
  run: ({ deps, caller, client, id, target: { userId } }) =>
    endSessionOf(deps, { caller, userId, sessionId: id, client }),
  problems: higherRole,
});

export const endSessions = confirmed({
  step: "end-sessions",
  may: platformCaller,
  at: inSessions,
  question({ target, view: { t } }) {
    const { endTitle, endText, endSessions } = t.users;
    return { title: endTitle({ name: nameOf(target) }), text: endText, action: endSessions };
  },
  run: ({ deps, caller, client, target: { userId } }) => endSessionsOf(deps, { caller, userId, client }),
  done: ["ended", ({ t }) => t.users.ended],
  problems: higherRole,
});

export const resetFactor = confirmed({
  step: "reset-factor",
  may: platformCaller,
  at: inFactors,
  question({ target, view: { t } }) {
    const { resetTitle, resetText, reset } = t.users;
    return { title: resetTitle({ name: nameOf(target) }), text: resetText, action: reset };
  },
  run: ({ deps, caller, client, target: { userId } }) => resetUserMfa(deps, { caller, userId, client }),
  done: ["reset", ({ t }) => t.users.resetDone],
  problems: higherRole,
});

export const sendVerification = action({
  step: "send-verification",
  may: platformCaller,
  run: ({ deps, caller, client, target: { userId } }) => sendVerificationTo(deps, { caller, userId, client }),
  done: ["verification", ({ t }) => t.lists.verificationSent],
  problems: higherRole,
});

export const sendReset = action({
  step: "send-reset",
  may: platformCaller,
  run: ({ deps, caller, client, target: { userId } }) => sendPasswordResetTo(deps, { caller, userId, client }),
  done: ["password-reset", ({ t }) => t.lists.resetSent],
  problems: higherRole,
});

export const disableUser = confirmed({
  step: "disable",
  may: platformCaller,
  question({ target, view: { t } }) {
    const { disableTitle, disableText, disable } = t.users;
    const name = nameOf(target);
    return { title: disableTitle({ name }), text: disableText, action: disable, typedName: name };
  },
  run: ({ deps, caller, client, target: { userId } }) =>
    changeAccount(deps, { caller, userId, fields: { disabled: true }, client }),
  done: ["disabled", ({ t }) => t.users.disabledNow],
  problems: higherRole,
});

export const enableUser = action({
  step: "enable",
  may: platformCaller,
  run: ({ deps, caller, client, target: { userId } }) =>
    changeAccount(deps, { caller, userId, fields: { disabled: false }, client }),
  done: ["enabled", ({ t }) => t.users.enabledNow],
  problems: higherRole,
});

/** The user, and no administrator, receives the copy. */
export const requestExport = action({
  step: "request-export",
  may: platformCaller,
  run: ({ deps, caller, client, target: { userId } }) => requestExportFor(deps, { caller, userId, client }),
  done: ["export-requested", ({ t }) => t.users.exportRequested],
  problems: higherRole,
});

export const userActions = {
  ...{ grantRole, sendVerification, sendReset, requestExport, disableUser, enableUser },
  ...{ endUserSession, endSelectedSessions, endSessions, resetFactor },
};

/** Any unknown value revokes the role: a forged form grants nothing. */
function roleIn(text: string): PlatformRole | null {
  return text === "viewer" || text === "admin" || text === "owner" ? text : null;
}
