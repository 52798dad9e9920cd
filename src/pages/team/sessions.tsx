/** `/team/sessions`: the live sessions of members in the session's organization. */

import { clampPage, type Listing } from "../../database/listing.ts";
import type { Deps } from "../../deps.ts";
import { listMemberSessions, type SessionOfOrganization } from "../../flows/members/sessions.ts";
import { authorizePermission } from "../../flows/steps/authorization/authorize-member.ts";
import type { Profile } from "../../models/user/profile.ts";
import { locationText } from "../../vocabulary/location.ts";
import { confirmPath, resultText } from "../action.ts";
import { actionPage, shellFrame } from "../action-page.tsx";
import { useDevice } from "../components/device.ts";
import { SubPageHead } from "../components/item-head.tsx";
import { Shell } from "../components/layout.tsx";
import { Pages, Tag, Time } from "../components/lists.tsx";
import { AddressBelowName, Cell, MenuCell, Table } from "../components/table.tsx";
import { refusedPage } from "../error.tsx";
import { showPage } from "../html.tsx";
import { titleOfList } from "../list-title.ts";
import { type Page, pageNumber } from "../page.ts";
import { NoSelectBox, SelectBox, SelectionBar } from "../shared/selection-boxes.tsx";
import { signedInUser } from "../signed-in-user.ts";
import { useView } from "../view.tsx";
import { MEMBER_SESSIONS, TEAM } from "./paths.ts";
import { endSelected, endSession, type SessionsInput, sessionActions } from "./session-actions.ts";

const SESSIONS_PER_PAGE = 25;

export function teamSessionsPage(deps: SessionsInput["deps"] & Pick<Deps, "geolocation" | "reads">): Page {
  const page = {
    frame: shellFrame<SessionsInput>(TEAM),
    actions: sessionActions,
    place: () => MEMBER_SESSIONS,
    defaultStep: endSession.step,
  };
  return actionPage(deps, page, {
    path: MEMBER_SESSIONS,
    ofOrganization: true,
    async get(call) {
      const { session } = call.caller;
      const [{ profile, view }, caller] = await Promise.all([
        signedInUser(deps, call),
        authorizePermission(deps, session, session.organizationId, "members.list"),
      ]);
      const { t } = view;
      if (!caller.ok) return refusedPage(view, caller.error, { forbidden: t.memberSessions.notYours });
      const listed = clampPage(pageNumber(call.query), SESSIONS_PER_PAGE);
      const sessions = await listMemberSessions(deps, { caller: caller.value, page: listed });
      const title = titleOfList({ view, query: call.query }, t.security.sessions);
      const done = resultText(view, sessionActions, call.result);
      const body = <SessionsBody profile={profile} sessions={sessions} />;
      return showPage(view, { title, body, done, islands: ["confirm", "selection"] });
    },
  });
}

interface SessionsProps {
  readonly profile: Profile;
  readonly sessions: Listing<SessionOfOrganization>;
}

function SessionsBody({ profile, sessions }: SessionsProps) {
  const { t } = useView();
  const { person, device, network, method, lastActive, actions } = t.directory;
  return (
    <Shell at={TEAM} inside profile={profile}>
      <SubPageHead
        above={[{ href: TEAM, text: t.team.title }]}
        title={t.security.sessions}
        lead={t.memberSessions.lead}
      />
      <Table label={t.security.sessions} columns={[person, device, network, method, lastActive]} actions={actions}>
        {sessions.items.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </Table>
      <SelectionBar form="select-sessions" action={`${TEAM}/confirm`} actions={[endSelected]} />
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
        <MenuCell label={t.directory.actionsFor({ name })}>
          <a class="bad" href={confirmPath(TEAM, endSession, { id })} data-confirm="yes">
            {t.directory.endSession}
          </a>
        </MenuCell>
      ) : (
        <td />
      )}
    </tr>
  );
}
