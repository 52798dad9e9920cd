/** Live sessions of a user. */
import { clampPage, type Listing } from "../../../database/listing.ts";
import { listSessionsOf } from "../../../flows/users/administer.ts";
import type { SessionListItem } from "../../../models/session/session.ts";
import { confirmPath } from "../../action.ts";
import { useDevice } from "../../components/device.ts";
import { EmptyBox, Pages, Time } from "../../components/lists.tsx";
import { Cell, MenuCell, Table } from "../../components/table.tsx";
import { pageNumber } from "../../page.ts";
import { SelectBox, SelectionBar } from "../../shared/selection-boxes.tsx";
import { useView } from "../../view.tsx";
import { USERS } from "./list.ts";
import { nameOf, type ReadSection, userPath } from "./sections.tsx";
import { endSelectedSessions, endSessions, endUserSession } from "./user-actions.ts";

const SESSIONS_PER_PAGE = 25;

export const readSessions: ReadSection = async ({ deps, call, user, acts }) => {
  const page = clampPage(pageNumber(call.query), SESSIONS_PER_PAGE);
  const sessions = await listSessionsOf(deps, { caller: call.admin, userId: user.userId, page });
  return <Sessions userId={user.userId} name={nameOf(user)} sessions={sessions} acts={acts} />;
};

interface SessionsProps {
  readonly userId: string;
  readonly name: string;
  readonly sessions: Listing<SessionListItem>;
  readonly acts: boolean;
}

function Sessions({ userId, name, sessions, acts }: SessionsProps) {
  const { t } = useView();
  const { device, network, method, lastActive, signedIn, actions } = t.directory;
  return (
    <section class="stack" aria-label={t.directory.sessions}>
      {sessions.items.length === 0 ? (
        <EmptyBox icon="laptop" text={t.users.noSessions} />
      ) : (
        <Table
          label={`${t.directory.sessions}, ${name}`}
          columns={[device, network, method, lastActive, signedIn]}
          actions={acts ? actions : undefined}
        >
          {sessions.items.map((session) => (
            <SessionRow key={session.id} userId={userId} session={session} acts={acts} />
          ))}
        </Table>
      )}
      {acts && (
        <SelectionBar form="select-sessions" action={`${USERS}/${userId}/confirm`} actions={[endSelectedSessions]} />
      )}
      <Pages {...sessions} path={userPath(userId, "sessions")} />
      {acts && sessions.total > 0 && (
        <p>
          <a class="button bad" href={confirmPath(`${USERS}/${userId}`, endSessions)} data-confirm="yes">
            {t.users.endSessions}
          </a>
        </p>
      )}
    </section>
  );
}

interface SessionRowProps {
  readonly userId: string;
  readonly session: SessionListItem;
  readonly acts: boolean;
}

function SessionRow({ userId, session, acts }: SessionRowProps) {
  const { t } = useView();
  const { id, userAgent, ipAddress, authMethod, lastUsedAt, createdAt } = session;
  const device = useDevice()(userAgent);
  return (
    <tr>
      <Cell>
        {acts && <SelectBox form="select-sessions" id={id} name={device} />}
        <strong>{device}</strong>
      </Cell>
      <Cell label={t.directory.network}>
        <span class="mono">{ipAddress}</span>
      </Cell>
      <Cell label={t.directory.method}>{t.directory.methods[authMethod]}</Cell>
      <Cell label={t.directory.lastActive}>
        <Time at={lastUsedAt} />
      </Cell>
      <Cell label={t.directory.signedIn}>
        <Time at={createdAt} />
      </Cell>
      {acts && (
        <MenuCell label={t.directory.actionsFor({ name: device })}>
          <a class="bad" href={confirmPath(`${USERS}/${userId}`, endUserSession, { id })} data-confirm="yes">
            {t.directory.endSession}
          </a>
        </MenuCell>
      )}
    </tr>
  );
}
