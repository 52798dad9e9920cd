import type { Refusal } from "../../../base/problem.ts";
import { ok, type Result } from "../../../base/result.ts";
import type { Deps, SignInDeps } from "../../../deps.ts";
import { grantPlatformRole } from "../../../flows/platform/grant-role.ts";
import { authorizeRoleGrant } from "../../../flows/steps/authorization/authorize-role-grant.ts";

import {
  administerUser,
  endSessionOf,
  endSessionsOf,
  findSessionOf,
  readUser,
  resetUserMfa,
} from "../../../flows/users/administer.ts";
import { sendPasswordResetTo, sendVerificationTo } from "../../../flows/users/send-link.ts";
import type { PlatformRole } from "../../../models/user/platform-role.ts";
import type { Profile } from "../../../models/user/profile.ts";
import { deviceName } from "../../components/device.ts";
import type { Question } from "../../components/question.tsx";
import { NOTHING_THERE, type Page, seeResult, textAt, uuidIn } from "../../page.ts";
import { askSelection, selectionResult } from "../../selection.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import type { View } from "../../view.tsx";
import { auditSection } from "../audit/section.tsx";
import { type ConsoleCall, confirmationPage, consolePage, mayAct, refuseConsole, showConsole } from "../console.tsx";
import { postSelection } from "../selection.tsx";
import { readGrants, readOrganizations } from "./access.tsx";
import { readFactors, readProviders } from "./credentials.tsx";
import { USERS } from "./list.ts";
import { readOverview } from "./overview.tsx";
import {
  nameOf,
  type ReadSection,
  sectionName,
  UserFrame,
  type UserSection,
  userPath,
  userSectionIn,
} from "./sections.tsx";
import { sessionNames, sessionSelection } from "./selections.tsx";
import { readSessions } from "./sessions.tsx";

type UserDeps = SignInDeps & SignedInUserDeps & Pick<Deps, "reads">;

const READ_SECTION: Readonly<Record<UserSection, ReadSection>> = {
  overview: readOverview,
  sessions: readSessions,
  factors: readFactors,
  providers: readProviders,
  applications: readGrants,
  organizations: readOrganizations,
  audit: ({ deps, call, user: { userId } }) => auditSection(deps, call, { user_id: userId }, userPath(userId)),
};

/** A step without an entry belongs to the overview. */
const SECTION_OF_STEP: Readonly<Record<string, UserSection>> = {
  "end-session": "sessions",
  "end-selected": "sessions",
  "end-sessions": "sessions",
  "reset-factor": "factors",
};

function sectionOfStep(step: string): UserSection {
  return Object.hasOwn(SECTION_OF_STEP, step) ? (SECTION_OF_STEP[step] ?? "overview") : "overview";
}

function resultOf(view: View, done: string): string | undefined {
  const { t } = view;
  const texts = {
    role: t.users.roleSaved,
    ended: t.users.ended,
    "session-ended": t.directory.sessionEnded,
    disabled: t.users.disabledNow,
    enabled: t.users.enabledNow,
    reset: t.users.resetDone,
    verification: t.lists.verificationSent,
    "password-reset": t.lists.resetSent,
  };
  return textAt(texts, done) ?? selectionResult(view, done);
}

/**
 * `/admin/users/:id`: overview, sessions, passkeys and second factors, linked providers, applications, organizations,
 * audit trail.
 */
export function userPage(deps: UserDeps): Page {
  return consolePage(deps, {
    path: "/admin/users/:id",
    async get(call) {
      const { admin: caller, params, query, view } = call;
      const found = await readUser(deps, caller, params.id ?? "");
      if (!found.ok) return refuseConsole(call, found.error, USERS);
      const user = found.value;
      const section = userSectionIn(query);
      const isSelf = user.userId === caller.session.userId;
      const content = await READ_SECTION[section]({ deps, call, user, acts: mayAct(caller) && !isSelf });
      const name = nameOf(user);
      const title = section === "overview" ? name : view.t.directory.titleOf(sectionName(view.t, section), name);
      const body = (
        <UserFrame user={user} section={section} isSelf={isSelf}>
          {content}
        </UserFrame>
      );
      const islands = ["confirm", "local-times", "selection"] as const;
      const done = resultOf(view, call.result);
      return showConsole(call, { at: USERS, inside: true, title, body, done, islands });
    },
    async post(call) {
      const found = await readUser(deps, call.admin, call.params.id ?? "");
      if (!found.ok) return refuseConsole(call, found.error, USERS);
      const step = call.form.text("step");
      const place = userPath(found.value.userId, sectionOfStep(step));
      if (step === "end-selected") {
        const selection = sessionSelection(deps, call, found.value.userId);
        return await postSelection(call, { selection, at: USERS, place });
      }
      const outcome = await act(deps, call, found.value);
      if (outcome.ok) return seeResult(place, outcome.value);
      const { higherRole, roleConflict } = call.view.t.users;
      return refuseConsole(
        call,
        outcome.error,
        place,
        step === "role" ? { conflict: roleConflict } : { forbidden: higherRole },
      );
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
    case "end-session":
      return after(await endSessionOf(deps, { ...input, sessionId: uuidIn(form.text("id")) }), "session-ended");
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

/** `/admin/users/:id/confirm`: requires confirmation before sessions, the access or the second factor of a user end. */
export function confirmUserPage(deps: SignedInUserDeps): Page {
  return consolePage(deps, {
    path: "/admin/users/:id/confirm",
    async get(call) {
      const found = await readUser(deps, call.admin, call.params.id ?? "");
      if (!found.ok) return refuseConsole(call, found.error, USERS);
      const step = call.query.text("step");
      const place = userPath(found.value.userId, sectionOfStep(step));
      const question = await questionOf(deps, call, found.value, step);
      if (!question) return refuseConsole(call, NOTHING_THERE, place);
      const id = step === "end-session" ? uuidIn(call.query.text("id")) : undefined;
      return confirmationPage(call, { at: USERS, place, step, id, ...question });
    },
  });
}

/** Undefined for an unknown step or session. */
async function questionOf(
  deps: SignedInUserDeps,
  call: ConsoleCall,
  user: Profile,
  step: string,
): Promise<Question | undefined> {
  const { admin: caller, query, view } = call;
  const { t } = view;
  const name = nameOf(user);
  const { endTitle, endText, endSessions, resetTitle, resetText, reset, disableTitle, disableText, disable } = t.users;
  switch (step) {
    case "end-session": {
      const sessionId = uuidIn(query.text("id"));
      const session = await findSessionOf(deps, { caller, userId: user.userId, sessionId });
      if (!session) return undefined;
      const { endSessionTitle, endSessionText, endSession } = t.directory;
      const title = endSessionTitle(deviceName(t, session.userAgent));
      return { title, text: endSessionText, action: endSession };
    }
    case "end-selected":
      return await askSelection(view, query, { step, nameOf: sessionNames(deps, call, user.userId) });
    case "end-sessions":
      return { title: endTitle(name), text: endText, action: endSessions };
    case "reset-factor":
      return { title: resetTitle(name), text: resetText, action: reset };
    case "disable":
      return { title: disableTitle(name), text: disableText, action: disable, typedName: name };
    default:
      return undefined;
  }
}
