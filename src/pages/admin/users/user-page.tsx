import { readUser } from "../../../flows/users/administer.ts";
import { resultText } from "../../action.ts";
import type { DisplayedParts } from "../../html.tsx";
import type { Page } from "../../page.ts";
import { auditSection } from "../audit/section.tsx";
import { mayAct, showConsole } from "../console.tsx";
import { consoleFrame, targetPages } from "../console-actions.tsx";
import { readGrants, readOrganizations } from "./access.tsx";
import { creationText } from "./account-form.tsx";
import { readFactors, readProviders } from "./credentials.tsx";
import { USERS } from "./list.ts";
import { metadataSection } from "./metadata.tsx";
import { saveMetadata } from "./metadata-actions.ts";
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
import { readSessions } from "./sessions.tsx";
import { type UserDeps, type UserInput, userActions } from "./user-actions.ts";

const READ_SECTION: Readonly<Record<UserSection, ReadSection>> = {
  overview: readOverview,
  sessions: readSessions,
  factors: readFactors,
  providers: readProviders,
  applications: readGrants,
  organizations: readOrganizations,
  metadata: metadataSection(),
  audit: ({ deps, call, user: { userId } }) => auditSection(deps, call, { user_id: userId }, userPath(userId)),
};

const actions = { ...userActions, saveMetadata };

/**
 * `/admin/users/:id`: overview, sessions, passkeys and second factors, linked providers, applications, organizations,
 * metadata, audit trail.
 */
export function userPages(deps: UserDeps): readonly Page[] {
  return targetPages(deps, {
    path: "/admin/users/:id",
    confirm: { path: "/admin/users/:id/confirm" },
    list: USERS,
    read: ({ call: { admin, params } }) => readUser(deps, admin, params.id ?? ""),
    frame: consoleFrame(USERS),
    actions,
    place: ({ target }) => userPath(target.userId),
    get: (input) => show(input, userSectionIn(input.call.query)),
    // The form of the metadata alone is displayed again.
    show: (input, state, parts) => show(input, "metadata", metadataSection(state), parts),
  });
}

async function show(
  { deps, call, target: user }: UserInput,
  section: UserSection,
  read = READ_SECTION[section],
  parts: DisplayedParts = {},
) {
  const { admin: caller, view } = call;
  const isSelf = user.userId === caller.session.userId;
  const content = await read({ deps, call, user, acts: mayAct(caller) && !isSelf });
  const name = nameOf(user);
  const title =
    section === "overview" ? name : view.t.directory.titleOf({ section: sectionName(view.t, section), name });
  const body = (
    <UserFrame user={user} section={section} isSelf={isSelf}>
      {content}
    </UserFrame>
  );
  const islands = ["confirm", "local-times", "selection"] as const;
  const done = resultText(view, actions, call.result) ?? creationText(view, call.result);
  return showConsole(call, { at: USERS, inside: true, title, body, done, islands, ...parts });
}
