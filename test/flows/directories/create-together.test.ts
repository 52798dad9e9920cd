/** Creations of users that one transaction makes together, against the same creations alone (G268). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomBytes, randomUUID } from "node:crypto";
import type { DirectoryCaller } from "../../../src/flows/directories/directory-caller.ts";
import { createDirectoryUser } from "../../../src/flows/directories/write-users.ts";
import { DIRECTORY_CREATIONS_AT_ONCE } from "../../../src/limits/directory-limits.ts";
import { HOUR_MS, registerAccount } from "../../support/accounts.ts";
import { eventually } from "../../support/deployment.ts";
import { type FlowDirectory, flowDirectory } from "../../support/flow-directory.ts";
import { type Flows, openFlows } from "../../support/flows.ts";

const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
let flows: Flows;
beforeAll(async () => {
  flows = await openFlows();
});
afterAll(() => flows.close());

const directory = () => flowDirectory(flows);

const create = (caller: DirectoryCaller, userName: string, fields: object = {}) =>
  createDirectoryUser(flows.deps, caller, { schemas: [USER], userName, ...fields });

/** An account with the address and without a membership in the organization. */
async function existingAccount(email: string): Promise<void> {
  const { userId } = await registerAccount(flows);
  await flows.sql`update users set email = ${email} where id = ${userId}`;
}

async function inviteTo({ organizationId }: FlowDirectory, email: string): Promise<void> {
  const [at, end] = [new Date(flows.clock.now()), new Date(flows.clock.now() + HOUR_MS)];
  await flows.sql`
    insert into invitations (id, organization_id, email, role, token_hash, created_at, expires_at)
    values (${randomUUID()}, ${organizationId}, ${email}, 'admin', ${randomBytes(32)}, ${at}, ${end})`;
}

/** Ordinary users, and users whose creation has a condition or a further effect. */
function bodiesOf({ address }: FlowDirectory): readonly (readonly [userName: string, fields: object])[] {
  const emails = (value: string) => ({ emails: [{ value, primary: true }] });
  return [
    [address("ada"), { displayName: "Ada", locale: "de-DE", externalId: "external-1" }],
    [address("grace"), { active: false }],
    [address("known"), {}],
    [address("invited"), {}],
    [`outside@${randomUUID()}.test`, {}],
    [address("barbara"), { name: { givenName: "Barbara", familyName: "Liskov" } }],
    ["without an address", {}],
    ["katherine", { ...emails(address("Katherine")), title: '\u{1f680} "quoted" \\ {text}' }],
    [address("ada").toUpperCase(), {}],
    [address("second-of-ada"), emails(address("ada"))],
    [address("joan"), { active: "True" }],
  ];
}

/** Everything that a creation writes, without ids; the domain of the directory as `domain`. */
async function stateOf({ id, organizationId, domain }: FlowDirectory) {
  const users = await flows.sql`
    select r.user_name, r.user_name_key, r.external_id, r.active, r.document, r.email_keys, r.link, r.version,
           m.role, m.joined_at = r.created_at as joined, u.email, u.display_name, u.locale,
           u.managed_by = ${organizationId} as managed, u.controlled_at is not null as controlled,
           u.password_hash is null as passwordless, e.verified_at is not null as verified, e."primary"
    from directory_users r left join users u on u.id = r.user_id
    left join user_emails e on e.user_id = u.id and e.email = u.email
    left join members m on m.user_id = r.user_id and m.organization_id = ${organizationId}
    where r.directory_id = ${id} order by r.user_name`;
  const records = await flows.sql`
    select action, outcome, actor_type, resource_type, metadata, user_agent, host(ip_address::inet) as address,
           request_id is not null as requested, count(*)::int
    from audit_logs where organization_id = ${organizationId} and actor_type = 'api_key'
    group by 1, 2, 3, 4, 5, 6, 7, 8 order by 1, 5::text`;
  const [counted] = await flows.sql`select user_count from directories where id = ${id}`;
  return JSON.parse(JSON.stringify({ users, records, counted }).replaceAll(new RegExp(domain, "gi"), "domain"));
}

async function prepared(): Promise<FlowDirectory> {
  const made = await directory();
  await existingAccount(made.address("known"));
  await inviteTo(made, made.address("invited"));
  return made;
}

const outcomeOf = (result: Awaited<ReturnType<typeof create>>) =>
  result.ok ? [201, result.value.link, result.value.active] : [result.error.status, result.error.scimType];

describe("creations of a directory at once", () => {
  test("have the responses, rows and records of equal creations in sequence", async () => {
    const [together, alone] = [await prepared(), await prepared()];
    const caller = await together.callerOf();
    const outcomes = (await Promise.all(bodiesOf(together).map((body) => create(caller, ...body)))).map(outcomeOf);
    const expected: ReturnType<typeof outcomeOf>[] = [];
    for (const body of bodiesOf(alone)) {
      expected.push(outcomeOf(await create(await alone.callerOf(), ...body)));
    }
    const outside = (state: string) => state.replaceAll(/outside@[0-9a-f-]+/g, "outside");
    const text = async (made: FlowDirectory) => outside(JSON.stringify(await stateOf(made)));
    expect(outcomes).toEqual(expected);
    expect(JSON.parse(await text(together))).toEqual(JSON.parse(await text(alone)));
    const [{ transactions } = {}] = await flows.sql`
      select count(distinct xmin::text)::int as transactions from directory_users
      where directory_id = ${together.id} and link = 'domain' and user_name like any(array['ada@%', 'bar%', 'joan%'])`;
    expect(transactions).toBe(1);
  });

  test("of many users are all whole, each with the record of its own request", async () => {
    const { id, organizationId, callerOf, address } = await directory();
    const callers = await Promise.all(Array.from({ length: 150 }, () => callerOf()));
    const created = await Promise.all(callers.map((caller, index) => create(caller, address(`user-${index}`))));
    expect(new Set(created.map(({ ok }) => ok))).toEqual(new Set([true]));
    const [state] = await flows.sql`
      select count(distinct r.xmin::text)::int as transactions, count(m.user_id)::int as members,
             count(distinct a.request_id)::int as requests
      from directory_users r join members m on m.user_id = r.user_id and m.organization_id = ${organizationId}
      join audit_logs a on a.resource_id = r.id::text and a.action = 'directory_user.created'
      where r.directory_id = ${id}`;
    const transactions = Math.ceil(callers.length / DIRECTORY_CREATIONS_AT_ONCE);
    expect(state).toEqual({ transactions, members: callers.length, requests: callers.length });
  });

  test("share no transaction with a request whose trace is sampled", async () => {
    const { id, callerOf, address } = await directory();
    const sampled = await callerOf("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    const [first, second] = [await callerOf(), await callerOf()];
    const created = await Promise.all(
      [first, sampled, second].map((caller, index) => create(caller, address(`user-${index}`))),
    );
    expect(created.map(({ ok }) => ok)).toEqual([true, true, true]);
    const transactions = await flows.sql`
      select array_agg(user_name order by user_name) as names from directory_users
      where directory_id = ${id} group by xmin::text order by count(*)`;
    expect(transactions.map(({ names }) => names)).toEqual([
      [address("user-1")],
      [address("user-0"), address("user-2")],
    ]);
  });

  test("continue alone if an address is registered meanwhile: the account joins, and no user is lost", async () => {
    const { id, callerOf, address } = await directory();
    const { userId } = await registerAccount(flows);
    const registered = Promise.withResolvers<void>();
    const registration = flows.sql.begin(async (sql) => {
      await sql`update users set email = ${address("ada")} where id = ${userId}`;
      registered.resolve();
      await eventually("the creations wait for the address", 30_000, async () => {
        const [waiting] = await flows.sql`
          select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        return waiting !== undefined;
      });
    });
    await registered.promise;
    const caller = await callerOf();
    const created = await Promise.all(["grace", "ada", "joan"].map((name) => create(caller, address(name))));
    await registration;
    expect(created.map(outcomeOf)).toEqual(Array.from({ length: 3 }, () => [201, "domain", true]));
    const records = await flows.sql`
      select user_id = ${userId} as known from directory_users where directory_id = ${id} order by user_name`;
    expect(records.map(({ known }) => known)).toEqual([true, false, false]);
  });

  test("are all refused after the end of the key or a pause, and leave nothing behind", async () => {
    const { id, key, callerOf, address } = await directory();
    const caller = await callerOf();
    const statusesOf = async () =>
      (await Promise.all(["ada", "grace"].map((name) => create(caller, address(name))))).map(outcomeOf);
    await flows.sql`update directories set status = 'paused' where id = ${id}`;
    expect(await statusesOf()).toEqual([
      [503, undefined],
      [503, undefined],
    ]);
    await flows.sql`update directories set status = 'active' where id = ${id}`;
    await flows.sql`update api_keys set revoked_at = ${new Date(flows.clock.now())} where id = ${key}`;
    expect(await statusesOf()).toEqual([
      [401, undefined],
      [401, undefined],
    ]);
    expect([...(await flows.sql`select 1 from directory_users where directory_id = ${id}`)]).toEqual([]);
  });

  test("beyond the number of users of a directory are refused one by one", async () => {
    const { id, callerOf, address } = await directory();
    await flows.sql`update directories set user_count = 99998 where id = ${id}`;
    const caller = await callerOf();
    const created = await Promise.all(["a", "b", "c"].map((name) => create(caller, address(name))));
    expect(created.map((each) => outcomeOf(each)[0])).toEqual([201, 201, 413]);
  });
});
