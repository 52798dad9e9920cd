import type { Refusal } from "../../../base/problem.ts";
import { ok, type Result } from "../../../base/result.ts";
import { clampPage } from "../../../database/listing.ts";
import type { Deps, SignInDeps } from "../../../deps.ts";
import { grantPlatformRole } from "../../../flows/platform/grant-role.ts";
import { authorizeRoleGrant } from "../../../flows/steps/authorization/authorize-role-grant.ts";

import {
  administerUser,
  endSessionsOf,
  listSessionsOf,
  readUser,
  resetUserMfa,
} from "../../../flows/users/administer.ts";
import { sendPasswordResetTo, sendVerificationTo } from "../../../flows/users/send-link.ts";
import type { PlatformRole } from "../../../models/user/platform-role.ts";
import type { Profile } from "../../../models/user/profile.ts";
import { NOTHING_THERE, type Page, pageNumber, seeResult, textAt } from "../../page.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import type { View } from "../../view.tsx";
import { type ConsoleCall, confirmationPage, consolePage, refuseConsole, showConsole } from "../console.tsx";
import { USERS } from "./page.tsx";
import { UserBody } from "./view.tsx";

type UserDeps = SignInDeps & SignedInUserDeps & Pick<Deps, "reads">;
const SESSIONS_PER_PAGE = 10;

function resultOf({ t }: View, done: string): string | undefined {
  const texts = {
    role: t.users.roleSaved,
    ended: t.users.ended,
    disabled: t.users.disabledNow,
    enabled: t.users.enabledNow,
    reset: t.users.resetDone,
    verification: t.lists.verificationSent,
    "password-reset": t.lists.resetSent,
  };
  return textAt(texts, done);
}

/** `/admin/users/:id`: organizations, platform role, sessions, second factor, access. */
export function userPage(deps: UserDeps): Page {
  return consolePage(deps, {
    path: "/admin/users/:id",
    async get(call) {
      const { admin: caller, params, query, view } = call;
      const found = await readUser(deps, caller, params.id ?? "");
      if (!found.ok) return refuseConsole(call, found.error, USERS);
      const user = found.value;
      const page = clampPage(pageNumber(query), SESSIONS_PER_PAGE);
      const sessions = await listSessionsOf(deps, { caller, userId: user.userId, page });
      const isSelf = user.userId === caller.session.userId;
      const done = resultOf(view, call.result);
      const body = <UserBody user={user} sessions={sessions} role={caller.role} isSelf={isSelf} />;
      const title = user.displayName ?? user.email;
      return showConsole(call, { at: USERS, inside: true, title, body, done, islands: ["confirm"] });
    },
    async post(call) {
      const found = await readUser(deps, call.admin, call.params.id ?? "");
      if (!found.ok) return refuseConsole(call, found.error, USERS);
      const place = `${USERS}/${found.value.userId}`;
      const outcome = await act(deps, call, found.value);
      if (outcome.ok) return seeResult(place, outcome.value);
      const { higherRole, roleConflict } = call.view.t.users;
      const grants = call.form.text("step") === "role";
      return refuseConsole(call, outcome.error, place, {
        conflict: roleConflict,
        ...(grants ? {} : { forbidden: higherRole }),
      });
    },
  });
}

/** Executes the action of the pressed button; returns the result to display. */
async function act(deps: UserDeps, call: ConsoleCall, { userId }: Profile): Promise<Result<string, Refusal>> {
  const { admin: caller, form, client } = call;
  const input = { caller, userId, client };
  const after = (outcome: Result<unknown, Refusal>, done: string) => (outcome.ok ? ok(done) : outcome);
  switch (form.text("step")) {
    case "role": {
      const grantor = await authorizeRoleGrant(deps, caller.session);
      if (!grantor.ok) return grantor;
      const role = roleIn(form.text("role"));
      return after(await grantPlatformRole(deps, { caller: grantor.value, userId, role, client }), "role");
    }
    case "end-sessions":
      return after(await endSessionsOf(deps, input), "ended");
    case "reset-factor":
      return after(await resetUserMfa(deps, input), "reset");
    case "send-verification":
      return after(await sendVerificationTo(deps, input), "verification");
    case "send-reset":
      return after(await sendPasswordResetTo(deps, input), "password-reset");
    case "disable":
      return after(await administerUser(deps, { ...input, disabled: true }), "disabled");
    case "enable":
      return after(await administerUser(deps, { ...input, disabled: false }), "enabled");
    default:
      return { ok: false, error: NOTHING_THERE };
  }
}

/** Any unknown value revokes the role: a forged form grants nothing. */
function roleIn(text: string): PlatformRole | null {
  return text === "viewer" || text === "admin" || text === "owner" ? text : null;
}

/**
 * `/admin/users/:id/confirm`: requires confirmation before the sessions, the access or the second factor of a user end.
 */
export function confirmUserPage(deps: SignedInUserDeps): Page {
  return consolePage(deps, {
    path: "/admin/users/:id/confirm",
    async get(call) {
      const found = await readUser(deps, call.admin, call.params.id ?? "");
      if (!found.ok) return refuseConsole(call, found.error, USERS);
      const { userId, displayName, email } = found.value;
      const t = call.view.t.users;
      const name = displayName ?? email;
      const questions = {
        "end-sessions": { title: t.endTitle(name), text: t.endText, action: t.endSessions },
        "reset-factor": { title: t.resetTitle(name), text: t.resetText, action: t.reset },
        disable: { title: t.disableTitle(name), text: t.disableText, action: t.disable, typedName: name },
      };
      const step = call.query.text("step");
      const place = `${USERS}/${userId}`;
      if (!Object.hasOwn(questions, step)) return refuseConsole(call, NOTHING_THERE, place);
      const question = questions[step as keyof typeof questions];
      return confirmationPage(call, { at: USERS, place, step, ...question });
    },
  });
}
