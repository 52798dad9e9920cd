/** Actions on selected users, and on selected sessions of a user. */
import type { SessionDeps, StoreDeps } from "../../../deps.ts";
import {
  administerUser,
  endSessionOf,
  endSessionsOf,
  findSessionOf,
  readUser,
} from "../../../flows/users/administer.ts";
import { deviceName } from "../../components/device.ts";
import { NOTHING_THERE, type Page } from "../../page.ts";
import { askSelection, type Selection } from "../../selection.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import { type ConsoleCall, confirmationPage, consolePage, refuseConsole } from "../console.tsx";
import { USERS } from "./list.ts";

export const USER_STEPS = ["sign-out-selected", "disable-selected"] as const;
type UserStep = (typeof USER_STEPS)[number];

export function isUserStep(step: string): step is UserStep {
  return (USER_STEPS as readonly string[]).includes(step);
}

function userNames(deps: StoreDeps, { admin, caller: { session } }: ConsoleCall): Selection["nameOf"] {
  return async (userId) => {
    // The own account is in no selection.
    if (userId === session.userId) return undefined;
    const found = await readUser(deps, admin, userId);
    return found.ok ? (found.value.displayName ?? found.value.email) : undefined;
  };
}

export function userSelection(deps: SessionDeps, call: ConsoleCall, step: UserStep): Selection {
  const { admin: caller, client, view } = call;
  return {
    step,
    nameOf: userNames(deps, call),
    async act(userId) {
      if (userId === caller.session.userId) return { ok: false, error: NOTHING_THERE };
      const input = { caller, userId, client };
      return step === "disable-selected"
        ? await administerUser(deps, { ...input, disabled: true })
        : await endSessionsOf(deps, input);
    },
    messages: { forbidden: view.t.users.higherRole },
  };
}

/** The sessions of a user, by device. */
export function sessionNames(
  deps: StoreDeps,
  { admin: caller, view: { t } }: ConsoleCall,
  userId: string,
): Selection["nameOf"] {
  return async (sessionId) => {
    const session = await findSessionOf(deps, { caller, userId, sessionId });
    return session && deviceName(t, session.userAgent);
  };
}

export function sessionSelection(deps: SessionDeps, call: ConsoleCall, userId: string): Selection {
  const { admin: caller, client, view } = call;
  return {
    step: "end-selected",
    nameOf: sessionNames(deps, call, userId),
    act: (sessionId) => endSessionOf(deps, { caller, userId, sessionId, client }),
    messages: { forbidden: view.t.users.higherRole },
  };
}

/** `/admin/users/confirm`: requires confirmation before an action on selected users. */
export function confirmUsersPage(deps: SignedInUserDeps): Page {
  return consolePage(deps, {
    path: "/admin/users/confirm",
    async get(call) {
      const step = call.query.text("step");
      const names = { nameOf: userNames(deps, call) };
      const question = isUserStep(step) ? await askSelection(call.view, call.query, { ...names, step }) : undefined;
      if (!question) return refuseConsole(call, NOTHING_THERE, USERS);
      return confirmationPage(call, { at: USERS, place: USERS, step, ...question });
    },
  });
}
