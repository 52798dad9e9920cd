/** The actions of `/team/sessions`. */
import type { SessionDeps } from "../../deps.ts";
import { endMemberSession, findEndableSession } from "../../flows/members/sessions.ts";
import { type ActionInput, actionsOf, permission } from "../action.ts";
import { deviceName } from "../components/device.ts";
import { MEMBER_SESSIONS } from "./paths.ts";

export interface SessionsInput extends ActionInput {
  readonly deps: SessionDeps & ActionInput["deps"];
}

const { confirmed, selection } = actionsOf<SessionsInput>();
const mayEnd = permission("members.remove");
const at = () => MEMBER_SESSIONS;

export const endSession = confirmed({
  step: "end-session",
  may: mayEnd,
  at,
  async question({ deps, caller, id, view: { t } }) {
    const found = await findEndableSession(deps, caller, id);
    if (!found) return undefined;
    const title = t.memberSessions.endTitle({
      name: found.displayName ?? found.email,
      device: deviceName(t, found.userAgent),
    });
    return { title, text: t.directory.endSessionText, action: t.directory.endSession };
  },
  run: ({ deps, caller, client, id }) => endMemberSession(deps, { caller, id, client }),
  done: ["ended", ({ t }) => t.directory.sessionEnded],
});

export const endSelected = selection({
  step: "end-selected",
  may: mayEnd,
  at,
  async nameOf({ deps, caller, id, view: { t, dates } }) {
    const found = await findEndableSession(deps, caller, id);
    return found && dates.list([found.displayName ?? found.email, deviceName(t, found.userAgent)]);
  },
  run: ({ deps, caller, client, id }) => endMemberSession(deps, { caller, id, client }),
});

export const sessionActions = { endSession, endSelected };
