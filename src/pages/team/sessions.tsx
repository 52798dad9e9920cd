/** `/team/sessions`: the live sessions of members in the session's organization. */
import { locationText } from "../../base/location.ts";
import { clampPage, type Listing } from "../../database/listing.ts";
import type { Deps, SessionDeps } from "../../deps.ts";
import { endMemberSession, listMemberSessions, type SessionOfOrganization } from "../../flows/members/sessions.ts";
import { authorizePermission } from "../../flows/steps/authorization/authorize-member.ts";
import type { Profile } from "../../models/user/profile.ts";
import { useDevice } from "../components/device.ts";
import { SubPageHead } from "../components/item-head.tsx";
import { Shell } from "../components/layout.tsx";
import { Pages, Tag, Time } from "../components/lists.tsx";
import { Cell, MenuCell, Table } from "../components/table.tsx";
import { refusedPage } from "../error.tsx";
import { showPage } from "../html.tsx";
import { titleOfList } from "../list-title.ts";
import { authenticatedPage, type Page, pageNumber, pathWith, seeResult, textAt, uuidIn } from "../page.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import { useView } from "../view.tsx";

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
      const done = textAt({ ended: t.directory.sessionEnded }, call.result);
      const body = <SessionsBody profile={profile} sessions={sessions} />;
      return showPage(view, { title, body, done, islands: ["confirm"] });
    },
    async post(call) {
      const { session } = call.caller;
      const caller = await authorizePermission(deps, session, session.organizationId, "members.remove");
      const id = uuidIn(call.form.text("id"));
      const outcome = caller.ok
        ? await endMemberSession(deps, { caller: caller.value, id, client: call.client })
        : caller;
      if (outcome.ok) return seeResult(MEMBER_SESSIONS, "ended");
      return refusedPage((await signedInUser(deps, call)).view, outcome.error);
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
      <Pages {...sessions} path={MEMBER_SESSIONS} />
    </Shell>
  );
}

function SessionRow({ session }: { readonly session: SessionOfOrganization }) {
  const { t } = useView();
  const { id, email, displayName, userAgent, lastIpAddress, location, authMethod, lastUsedAt, current } = session;
  const device = useDevice()(userAgent);
  return (
    <tr>
      <Cell>
        <strong>{displayName ?? email}</strong> {displayName && <small>{email}</small>}
      </Cell>
      <Cell label={t.directory.device}>
        {device} {current && <Tag>{t.common.thisDevice}</Tag>}
      </Cell>
      <Cell label={t.directory.network}>
        <span class="mono">{lastIpAddress}</span> {location && <small>{locationText(location)}</small>}
      </Cell>
      <Cell label={t.directory.method}>{t.directory.methods[authMethod]}</Cell>
      <Cell label={t.directory.lastActive}>
        <Time at={lastUsedAt} />
      </Cell>
      {session.canEnd && !current ? (
        <MenuCell label={t.directory.actionsFor(`${displayName ?? email}, ${device}`)}>
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
