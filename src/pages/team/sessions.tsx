/** `/team/sessions`: the live sessions of members in the session's organization. */
import { locationText } from "../../base/location.ts";
import { clampPage, type Listing } from "../../database/listing.ts";
import type { Deps, SessionDeps, StoreDeps } from "../../deps.ts";
import {
  endMemberSession,
  findEndableSession,
  listMemberSessions,
  type SessionOfOrganization,
} from "../../flows/members/sessions.ts";
import { authorizePermission, type MemberCaller } from "../../flows/steps/authorization/authorize-member.ts";
import type { Profile } from "../../models/user/profile.ts";
import { deviceName, useDevice } from "../components/device.ts";
import { SubPageHead } from "../components/item-head.tsx";
import { Shell } from "../components/layout.tsx";
import { Pages, Tag, Time } from "../components/lists.tsx";
import { NoSelectBox, SelectBox, SelectionBar } from "../components/selection.tsx";
import { AddressBelowName, Cell, MenuCell, Table } from "../components/table.tsx";
import { refusedPage } from "../error.tsx";
import { showPage } from "../html.tsx";
import { titleOfList } from "../list-title.ts";
import { authenticatedPage, type Page, pageNumber, pathWith, seeResult, textAt, uuidIn } from "../page.ts";
import { type Selection, selectionResult } from "../selection.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import { useView, type View } from "../view.tsx";
import { postSelection } from "./selection.tsx";

export const MEMBER_SESSIONS = "/team/sessions";
const SESSIONS_PER_PAGE = 25;

export function teamSessionsPage(deps: SessionDeps & SignedInUserDeps & Pick<Deps, "geolocation" | "reads">): Page {
  return authenticatedPage({
    path: "/team/sessions",
    ofOrganization: true,
    async get(call) {
      const { session } = call.caller;
      const [{ profile, view }, caller] = await Promise.all([
        signedInUser(deps, call),
        authorizePermission(deps, session, session.organizationId, "members.list"),
      ]);
      const { t } = view;
      if (!caller.ok) return refusedPage(view, caller.error, { forbidden: t.memberSessions.notYours });
      const page = clampPage(pageNumber(call.query), SESSIONS_PER_PAGE);
      const sessions = await listMemberSessions(deps, { caller: caller.value, page });
      const title = titleOfList({ view, query: call.query }, t.security.sessions);
      const done = textAt({ ended: t.directory.sessionEnded }, call.result) ?? selectionResult(view, call.result);
      const body = <SessionsBody profile={profile} sessions={sessions} />;
      return showPage(view, { title, body, done, islands: ["confirm", "selection"] });
    },
    async post(call) {
      const { session } = call.caller;
      const caller = await authorizePermission(deps, session, session.organizationId, "members.remove");
      const { view } = await signedInUser(deps, call);
      if (!caller.ok) return refusedPage(view, caller.error);
      const act = (id: string) => endMemberSession(deps, { caller: caller.value, id, client: call.client });
      if (call.form.text("step") === END_SELECTED) {
        const selection = { step: END_SELECTED, nameOf: sessionNames(deps, caller.value, view), act };
        return await postSelection(deps, call, { place: MEMBER_SESSIONS, selection });
      }
      const outcome = await act(uuidIn(call.form.text("id")));
      return outcome.ok ? seeResult(MEMBER_SESSIONS, "ended") : refusedPage(view, outcome.error);
    },
  });
}

const END_SELECTED = "end-selected" as const;

/** `caller`: holds `members.remove`. A session is named by its user and device. */
export function sessionNames(deps: StoreDeps, caller: MemberCaller, { t, dates }: View): Selection["nameOf"] {
  return async (id) => {
    const found = await findEndableSession(deps, caller, id);
    return found && dates.list([found.displayName ?? found.email, deviceName(t, found.userAgent)]);
  };
}

interface SessionsProps {
  readonly profile: Profile;
  readonly sessions: Listing<SessionOfOrganization>;
}

function SessionsBody({ profile, sessions }: SessionsProps) {
  const { t } = useView();
  const { person, device, network, method, lastActive, actions } = t.directory;
  return (
    <Shell at="/team" inside profile={profile}>
      <SubPageHead
        above={[{ href: "/team", text: t.team.title }]}
        title={t.security.sessions}
        lead={t.memberSessions.lead}
      />
      <Table label={t.security.sessions} columns={[person, device, network, method, lastActive]} actions={actions}>
        {sessions.items.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </Table>
      <SelectionBar form="select-sessions" action="/team/confirm" steps={[END_SELECTED]} />
      <Pages {...sessions} path={MEMBER_SESSIONS} />
    </Shell>
  );
}

function SessionRow({ session }: { readonly session: SessionOfOrganization }) {
  const { t } = useView();
  const { id, email, displayName, userAgent, lastIpAddress, location, authMethod, lastUsedAt, current } = session;
  const device = useDevice()(userAgent);
  const name = `${displayName ?? email}, ${device}`;
  const isEndable = session.canEnd && !current;
  return (
    <tr>
      <Cell>
        <div class="person">
          {isEndable ? <SelectBox form="select-sessions" id={id} name={name} /> : <NoSelectBox />}
          <div class="what">
            <strong>{displayName ?? email}</strong>
            {displayName && <AddressBelowName email={email} />}
          </div>
        </div>
      </Cell>
      <Cell label={t.directory.device}>
        {device} {current && <Tag>{t.common.thisDevice}</Tag>}
      </Cell>
      <Cell label={t.directory.network}>
        <span class="mono cut" title={lastIpAddress ?? undefined}>
          {lastIpAddress}
        </span>
        {location && <small>{locationText(location)}</small>}
      </Cell>
      <Cell label={t.directory.method}>{t.directory.methods[authMethod]}</Cell>
      <Cell label={t.directory.lastActive}>
        <Time at={lastUsedAt} />
      </Cell>
      {isEndable ? (
        <MenuCell label={t.directory.actionsFor(name)}>
          <a class="bad" href={pathWith("/team/confirm", { step: "end-session", id })} data-confirm="yes">
            {t.directory.endSession}
          </a>
        </MenuCell>
      ) : (
        <td />
      )}
    </tr>
  );
}
