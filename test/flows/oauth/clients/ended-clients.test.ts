/** The writes at the end of token families, and the end of a client in several statements (G76). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import type { Database } from "../../../../src/database/database.ts";
import { changeClient, removeClient } from "../../../../src/flows/oauth/clients/administer-clients.ts";
import { deleteAllOfClient, endTokensOfClient } from "../../../../src/flows/oauth/clients/end-client.ts";
import { endTokenFamily } from "../../../../src/flows/oauth/clients/end-families.ts";
import { revokeOwnGrant } from "../../../../src/flows/oauth/consents/grants.ts";
import type { IssuedTokens } from "../../../../src/flows/oauth/token/issue-tokens.ts";
import { administerOrganization } from "../../../../src/flows/organizations/administer.ts";
import { endSession } from "../../../../src/flows/steps/sessions/end-sessions.ts";
import { SUSPENSION_BATCH } from "../../../../src/limits/session-limits.ts";
import { type Account, clientAt, MINUTE_MS, registerAccount, SECOND_MS, unwrap } from "../../../support/accounts.ts";
import { type Flows, openFlows } from "../../../support/flows.ts";
import { exchangeIn, type FlowClient, flowClient, flowCode, refreshIn } from "../../../support/oauth-flows.ts";

let flows: Flows;
let administrator: Account;
beforeAll(async () => {
  flows = await openFlows();
  administrator = await registerAccount(flows);
});
afterAll(() => flows.close());

/** The longest validity of an access token after the issue: the lifetime, plus the difference of two clocks. */
const ACCESS_MS = 15 * MINUTE_MS + 5 * SECOND_MS;

interface Issued extends IssuedTokens {
  readonly familyId: string;
}

async function issue(application: FlowClient, account: Account): Promise<Issued> {
  const issued = await exchangeIn(flows, application, await flowCode(flows, application, account));
  if (typeof issued === "string") throw new Error(issued);
  return { ...issued, familyId: String(decodeJwt(issued.accessToken).sid) };
}

/** Returns the session of an account; the access token of the session may have expired. */
const sessionOf = ({ signedIn, userId, organizationId }: Account) => ({ ...signedIn.session, userId, organizationId });

function byAdministrator({ client: { id } }: FlowClient) {
  const caller = { session: sessionOf(administrator), role: "admin" } as never;
  return { id, caller, client: clientAt() };
}

async function eventsOf(families: readonly Issued[]): Promise<string[]> {
  const ids = families.map(({ familyId }) => familyId);
  const rows = await flows.sql`select session_id as id from session_events where session_id = any(${ids}::uuid[])`;
  return rows.map(({ id }) => id);
}

describe("the end of a token family", () => {
  type Ending = (account: Account, application: FlowClient, families: readonly Issued[]) => Promise<unknown>;
  const endings: [string, Ending][] = [
    [
      "its session",
      async ({ signedIn, userId }) => {
        const end = { userId, reason: "logout", auditAction: "auth.logout", client: clientAt() } as const;
        await endSession(flows.deps, signedIn.session.id, end);
        // Every application receives a logout, independent of the age of the tokens.
        expect(await flows.sql`select 1 from oauth_logouts where subject = ${userId}`).toHaveLength(2);
      },
    ],
    [
      "its application",
      async (_, application) =>
        unwrap(await changeClient(flows.deps, { ...byAdministrator(application), change: { disabled: true } })),
    ],
    [
      "its grant",
      async (account) => {
        const caller = sessionOf(account) as never;
        const [grant] = await flows.sql`select id from oauth_grants where user_id = ${account.userId}`;
        unwrap(await revokeOwnGrant(flows.deps, { caller, id: grant?.id, client: clientAt() }));
      },
    ],
    [
      "its revocation",
      async (_, __, families) => {
        const end = { reason: "token_revoked", action: "oauth.token.revoked", client: clientAt() } as const;
        for (const { familyId } of families) await endTokenFamily(flows.deps, familyId, end);
        const ids = families.map(({ familyId }) => familyId);
        expect(await flows.sql`select 1 from audit_logs where resource_id = any(${ids})`).toHaveLength(2);
      },
    ],
  ];
  test.each(endings)("with %s writes an event only while an access token may be valid (G76)", async (_, end) => {
    const account = await registerAccount(flows);
    const application = await flowClient(flows, account);
    const early = await issue(application, account);
    flows.clock.advance(1);
    const late = await issue(application, account);
    flows.clock.advance(ACCESS_MS - 1);
    await end(account, application, [early, late]);
    expect(await eventsOf([early, late])).toEqual([late.familyId]);
    for (const { refreshToken } of [early, late]) {
      expect(await refreshIn(flows, application, refreshToken)).toMatch(/^invalid_(client|grant)$/);
    }
    const live = await flows.sql`
      select 1 from oauth_token_families where user_id = ${account.userId} and revoked_at is null`;
    expect(live).toHaveLength(0);
  });

  test("with the suspension of its organization goes on past a batch of families without a write (G76)", async () => {
    const account = await registerAccount(flows);
    const { familyId } = await issue(await flowClient(flows, account), account);
    // The family belongs to a session that has switched organizations.
    await flows.sql`update oauth_token_families set session_id = gen_random_uuid() where id = ${familyId}`;
    await flows.sql`
      insert into oauth_token_families
      select copy.* from oauth_token_families f, generate_series(1, ${SUSPENSION_BATCH}) n,
        jsonb_populate_record(f, jsonb_build_object('id', md5(f.id::text || n)::uuid,
          'code_hash', '\\x' || md5(f.id::text || n), 'access_expires_at', f.created_at)) copy
      where f.id = ${familyId}`;
    flows.clock.advance(MINUTE_MS);
    const { organizationId, userId } = account;
    const change = { organizationId, name: undefined, tier: undefined, suspended: true, client: clientAt() };
    const caller = { session: sessionOf(administrator), role: "owner" } as never;
    unwrap(await administerOrganization(flows.deps, { ...change, caller }));
    const [counted] = await flows.sql`
      select count(*) filter (where revoked_at is null)::int as live, count(e.session_id)::int as events
      from oauth_token_families f left join session_events e on e.session_id = f.id where f.user_id = ${userId}`;
    expect(counted).toEqual({ live: 0, events: 1 });
  });
});

describe("an application with more than one statement ends", () => {
  const ONE_BY_ONE = { read: 2, grants: 1, families: 1, rows: 1 };
  const USERS = 5;

  /** Creates for each user two families with expired access tokens and a family whose access token may be valid. */
  async function crowded(): Promise<{ application: FlowClient; accounts: Account[] }> {
    const application = await flowClient(flows, administrator);
    const accounts: Account[] = [];
    for (let user = 0; user < USERS; user += 1) accounts.push(await registerAccount(flows));
    for (const account of [...accounts, ...accounts]) await issue(application, account);
    flows.clock.advance(ACCESS_MS);
    for (const account of accounts) await issue(application, account);
    return { application, accounts };
  }

  async function rowsOf({ client: { id } }: FlowClient) {
    const [row] = await flows.sql`
      select (select count(*)::int from oauth_grants where client_id = ${id}) as grants,
             (select count(*)::int from oauth_token_families where client_id = ${id} and revoked_at is null) as live,
             (select count(*)::int from oauth_token_families where client_id = ${id}) as families,
             (select count(*)::int from oauth_requests where client_id = ${id}) as requests,
             (select count(*)::int from oauth_logouts where client_id = ${id}) as logouts,
             (select count(*)::int from oauth_clients where id = ${id}) as clients`;
    return row;
  }

  /** Returns the dependencies with a callback before each statement. */
  function before(happens: (statement: string) => void) {
    const { database } = flows.deps;
    const run: Database["run"] = async (statement, work) => {
      happens(statement);
      return await database.run(statement, work);
    };
    return { ...flows.deps, database: { ...database, run } };
  }

  test("loses the tokens of all users, the usable first; a further application keeps its tokens (G76)", async () => {
    const { application, accounts } = await crowded();
    const other = await flowClient(flows, administrator);
    await issue(other, accounts[0] as Account);
    await endTokensOfClient(flows.deps, application.client.id, ONE_BY_ONE);
    expect(await rowsOf(application)).toMatchObject({ grants: USERS, families: 3 * USERS, live: 0 });
    const order = await flows.sql`
      select e.session_id is not null as usable from oauth_token_families f
      left join session_events e on e.session_id = f.id
      where f.client_id = ${application.client.id} order by f.xmin::text::bigint`;
    expect(order.map(({ usable }) => usable)).toEqual([...Array(USERS).fill(true), ...Array(2 * USERS).fill(false)]);
    expect(await rowsOf(other)).toMatchObject({ live: 1 });
  });

  test("is emptied without a statement beyond its bound (G76)", async () => {
    const { application, accounts } = await crowded();
    const { id } = application.client;
    await flows.sql`
      insert into oauth_requests select decode(md5(n::text), 'hex'), 'x', ${id}, '{}', now(), now() + interval '1 hour'
      from generate_series(1, 3) n`;
    for (const { signedIn, userId } of accounts.slice(0, 3)) {
      const end = { userId, reason: "logout", auditAction: "auth.logout", client: clientAt() } as const;
      await endSession(flows.deps, signedIn.session.id, end);
    }
    expect(await rowsOf(application)).toMatchObject({ families: 3 * USERS, requests: 3, logouts: 9 });
    const ran = new Map<string, number>();
    const deps = before((statement) => ran.set(statement, (ran.get(statement) ?? 0) + 1));
    await deleteAllOfClient(deps, id, ONE_BY_ONE);
    expect(await rowsOf(application)).toEqual({ grants: 0, live: 0, families: 0, requests: 0, logouts: 0, clients: 1 });
    // Each statement deletes a single row, and for each grant, request or logout token a further statement finds no
    // row.
    expect(Object.fromEntries(ran)).toMatchObject({
      "oauth_family.delete_of_grants": 4 * USERS,
      "oauth_grant.delete_of_client": USERS,
      "oauth_request.delete_of_client": 4,
      "oauth_logout.delete_of_client": 10,
    });
  });

  test("is deleted by a second request where the first one failed half way, and recorded once (G76)", async () => {
    const { application } = await crowded();
    const input = byAdministrator(application);
    const failing = before((statement) => {
      if (statement === "oauth_grant.delete_of_client") throw new Error("the connection is lost");
    });
    await expect(removeClient(failing, input)).rejects.toThrow("the connection is lost");
    expect(await rowsOf(application)).toMatchObject({ grants: USERS, families: 0, clients: 1 });
    unwrap(await removeClient(flows.deps, input));
    expect(await rowsOf(application)).toMatchObject({ grants: 0, clients: 0 });
    const recorded = await flows.sql`
      select 1 from audit_logs where action = 'oauth.client.deleted' and resource_id = ${input.id}`;
    expect(recorded).toHaveLength(1);
  });
});
