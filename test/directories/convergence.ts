/**
 * `npm run test:directories`: cycles of a directory over two replicas against a model. Requests are reordered, doubled
 * and sent at once, and a replica is killed during an import; the next cycle ends in the state of the directory. The
 * number of sequences is `MODEL_RUNS` (default 40), the first seed `MODEL_SEED`.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { ownDeployment, race } from "../support/deployment.ts";
import {
  directoryOf,
  groupBody,
  type ScimClient,
  scimClient,
  userBody,
  verifyDomainOf,
} from "../support/directories.ts";
import { startReplica } from "../support/replica.ts";

type Deployment = Awaited<ReturnType<typeof ownDeployment>>;
type Directory = Awaited<ReturnType<typeof directoryOf>>;

const RUNS = Number(process.env.MODEL_RUNS ?? 40);
const SEED = Number(process.env.MODEL_SEED ?? 2026);
const IMPORTED = 400;
const CLIENTS = 16;
const KILLS = 3;
const UNAVAILABLE = { status: 0, headers: new Headers(), body: undefined };

let at: Deployment;
beforeAll(async () => {
  at = await ownDeployment({ SERVICE_RATE_LIMITS: "off" });
}, 120_000);

/** What the directory product knows of a user. */
interface Person {
  readonly active: boolean;
  readonly isAdmin: boolean;
}
type Wanted = readonly (Person | undefined)[];

async function adminDirectory(): Promise<Directory & { readonly group: string }> {
  const directory = await directoryOf(at);
  await verifyDomainOf(at, directory);
  const group = (await directory.scim("POST", "/Groups", groupBody("Admins"))).body.id;
  const mapped = await directory.client.patch(`${directory.place}/groups/${group}`, { role: "admin" });
  expect(mapped.status).toBe(200);
  return { ...directory, group };
}

const nameOf = ({ address }: Directory, index: number) => address(`user-${index}`);
const patch = (op: string, path: string, value: unknown) => ({ Operations: [{ op, path, value }] });

async function recordOf(scim: ScimClient, userName: string): Promise<{ id: string; active: boolean } | undefined> {
  const { body } = await scim("GET", `/Users?filter=${encodeURIComponent(`userName eq "${userName}"`)}`);
  return body?.Resources?.[0];
}

/** One cycle in the manner of Entra ID: lookup, POST or PATCH, DELETE, and then the members of the group. */
async function cycle(directory: Directory & { readonly group: string }, scim: ScimClient, wanted: Wanted) {
  const members: { readonly value: string }[] = [];
  let changes = 0;
  const send = async (...request: Parameters<ScimClient>) => {
    changes += 1;
    const { status, body } = await scim(...request);
    expect([request[0], request[1], status, body?.detail]).toEqual([
      request[0],
      request[1],
      status < 300 ? status : 200,
      undefined,
    ]);
    return body;
  };
  for (const [index, person] of wanted.entries()) {
    const userName = nameOf(directory, index);
    const known = await recordOf(scim, userName);
    if (!person) {
      if (known) await send("DELETE", `/Users/${known.id}`);
      continue;
    }
    const record = known ?? (await send("POST", "/Users", userBody(userName, { active: person.active })));
    if (record.active !== person.active)
      await send("PATCH", `/Users/${record.id}`, patch("Replace", "active", person.active));
    if (person.isAdmin) members.push({ value: record.id });
  }
  const { body } = await scim("GET", `/Groups/${directory.group}`);
  const values = (list: readonly { readonly value: string }[]) => list.map(({ value }) => value).sort();
  if (values(body.members ?? []).join() !== values(members).join()) {
    await send("PATCH", `/Groups/${directory.group}`, patch("Replace", "members", members));
  }
  return changes;
}

/** Every record with the membership behind it, and everything that must not exist. */
async function stateOf({ organizationId }: Directory) {
  const users = await at.sql<{ name: string; active: boolean; role: string | null }[]>`
    select r.user_name as name, r.active, m.role from directories d join directory_users r on r.directory_id = d.id
    left join members m on m.organization_id = d.organization_id and m.user_id = r.user_id
    where d.organization_id = ${organizationId} order by r.user_name`;
  const [broken] = await at.sql<Record<string, number>[]>`
    select
      (select count(*)::int from directory_users r where r.directory_id = d.id and r.active and r.user_id is null)
        as unlinked,
      (select count(*)::int from directory_users r where r.directory_id = d.id and not exists (
        select 1 from audit_logs a where a.resource_id = r.id::text and a.action = 'directory_user.created'))
        as unrecorded,
      (select count(*)::int from members m join users u on u.id = m.user_id
       where m.organization_id = d.organization_id and u.managed_by = d.organization_id and not exists (
         select 1 from directory_users r where r.directory_id = d.id and r.user_id = m.user_id and r.active))
        as strangers,
      (select count(*)::int from users u where u.managed_by = d.organization_id and not exists (
         select 1 from user_emails e where e.user_id = u.id and e."primary"))
        as halves,
      (select d.user_count - count(*)::int from directory_users r where r.directory_id = d.id) as miscounted
    from directories d where d.organization_id = ${organizationId}`;
  return { users: [...users], broken };
}

const NOTHING_BROKEN = { unlinked: 0, unrecorded: 0, strangers: 0, halves: 0, miscounted: 0 };

function modelOf(directory: Directory, wanted: Wanted) {
  return wanted
    .flatMap((person, index) => {
      if (!person) return [];
      const role = person.active ? (person.isAdmin ? "admin" : "member") : null;
      return [{ name: nameOf(directory, index), active: person.active, role }];
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The role of a member follows from the committed groups. */
async function expectRolesOfGroups({ organizationId }: Directory) {
  const wrong = await at.sql`
    select r.user_name, m.role, min(g.role) as wanted from directories d
    join directory_users r on r.directory_id = d.id and r.active
    join members m on m.organization_id = d.organization_id and m.user_id = r.user_id and m.role <> 'owner'
    left join directory_group_members gm on gm.record_id = r.id left join directory_groups g on g.id = gm.group_id
    where d.organization_id = ${organizationId} group by r.id, m.role
    having m.role is distinct from coalesce(min(g.role), 'member')`;
  expect([...wrong]).toEqual([]);
}

describe("requests that are reordered, doubled and sent at once to two replicas", () => {
  const person = fc.option(fc.record({ active: fc.boolean(), isAdmin: fc.boolean() }), { nil: undefined });
  const states = fc.array(person, { minLength: 5, maxLength: 5 });

  /** Every request of a cycle toward a state, in any order and twice, whatever the responses are. */
  async function chaos(directory: Directory & { readonly group: string }, wanted: Wanted, order: readonly number[]) {
    const clients = [directory.scim, scimClient(at.other.url, directory.key)];
    const ids = await Promise.all(wanted.map((_, index) => recordOf(directory.scim, nameOf(directory, index))));
    const requests = wanted.flatMap((each, index): Parameters<ScimClient>[] => {
      const id = ids[index]?.id;
      if (!each) return id ? [["DELETE", `/Users/${id}`]] : [];
      if (!id) return [["POST", "/Users", userBody(nameOf(directory, index), { active: each.active })]];
      const member = patch(each.isAdmin ? "Add" : "Remove", "members", [{ value: id }]);
      return [
        ["PATCH", `/Users/${id}`, patch("Replace", "active", each.active)],
        ["PUT", `/Users/${id}`, userBody(nameOf(directory, index), { active: each.active, title: "Guide" })],
        ["PATCH", `/Groups/${directory.group}`, member],
      ];
    });
    const admins = wanted.flatMap((each, index) => (each?.isAdmin && ids[index] ? [ids[index].id] : []));
    requests.push(["PUT", `/Groups/${directory.group}`, groupBody("Admins", admins)]);
    const { body } = await directory.scim("GET", "/Groups?filter=displayName%20eq%20%22Team%22");
    const team = body.Resources[0]?.id;
    requests.push(team ? ["DELETE", `/Groups/${team}`] : ["POST", "/Groups", groupBody("Team", admins)]);
    const sent = order.map((place, index) => ({
      request: requests[place % requests.length],
      scim: clients[index % 2],
    }));
    const responses = await Promise.all(
      sent.map(async ({ request, scim }) => (request && scim ? (await scim(...request)).status : 200)),
    );
    expect(responses.filter((status) => status >= 500)).toEqual([]);
  }

  test("leave no half person and no lost role; one cycle converges, and the next changes nothing", async () => {
    const directory = await adminDirectory();
    const other = scimClient(at.other.url, directory.key);
    const sequence = fc.record({
      wanted: states,
      order: fc.array(fc.nat({ max: 40 }), { minLength: 16, maxLength: 16 }),
    });
    for (const { wanted, order } of fc.sample(sequence, { numRuns: RUNS, seed: SEED })) {
      await chaos(directory, wanted, order);
      expect((await stateOf(directory)).broken).toEqual(NOTHING_BROKEN);
      await cycle(directory, directory.scim, wanted);
      expect(await stateOf(directory)).toEqual({ users: modelOf(directory, wanted), broken: NOTHING_BROKEN });
      expect(await cycle(directory, other, wanted)).toBe(0);
    }
  }, 3_600_000);
});

describe("forty parallel requests for one user", () => {
  test("end in one record and one membership at most, as after a sequence; one cycle converges", async () => {
    for (let run = 0; run < RUNS / 4; run += 1) {
      const directory = await adminDirectory();
      const userName = nameOf(directory, 0);
      const clients = [directory.scim, scimClient(at.other.url, directory.key)];
      if (run % 2 === 0) await directory.scim("POST", "/Users", userBody(userName));
      const known = (await recordOf(directory.scim, userName))?.id ?? randomUUID();
      const member = [{ value: known }];
      const invite = { email: userName, role: "member" };
      const kinds = [
        (scim: ScimClient) => scim("POST", "/Users", userBody(userName)),
        (scim: ScimClient) => scim("PATCH", `/Users/${known}`, patch("Replace", "active", run % 3 === 0)),
        (scim: ScimClient) => scim("PUT", `/Users/${known}`, userBody(userName, { active: true })),
        (scim: ScimClient) => scim("DELETE", `/Users/${known}`),
        (scim: ScimClient) => scim("PATCH", `/Groups/${directory.group}`, patch("Add", "members", member)),
        () => directory.client.post(`/v1/orgs/${directory.organizationId}/invitations`, invite),
      ];
      const statuses = await race(async (index) => {
        const scim = clients[index % 2] ?? directory.scim;
        return (await kinds[(index * 7 + run) % kinds.length]?.(scim))?.status ?? 500;
      }, 40);
      expect(statuses.filter((status) => status >= 500)).toEqual([]);
      const { users, broken } = await stateOf(directory);
      expect([users.length <= 1, broken]).toEqual([true, NOTHING_BROKEN]);
      await expectRolesOfGroups(directory);
      const wanted = [{ active: true, isAdmin: true }];
      await cycle(directory, directory.scim, wanted);
      expect(await stateOf(directory)).toEqual({ users: modelOf(directory, wanted), broken: NOTHING_BROKEN });
    }
  }, 3_600_000);
});

describe("kill -9 of a replica during an import", () => {
  test("leaves every acknowledged user whole and no half person; the next cycle converges", async () => {
    const directory = await adminDirectory();
    const { scim: firstScim, group } = directory;
    const wanted = Array.from({ length: IMPORTED }, (_, index) => ({ active: true, isAdmin: index % 3 === 0 }));
    const other = scimClient(at.other.url, directory.key);
    let replica = at.one;
    let scim = firstScim;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const from = Math.floor((IMPORTED / KILLS) * kill);
      const until = Math.floor((IMPORTED / KILLS) * (kill + 1));
      const acknowledged = await importUntilKilled(directory, scim, () => replica.kill(), { from, until, group });
      const { users, broken } = await stateOf(directory);
      expect(broken).toEqual(NOTHING_BROKEN);
      const names = new Set(users.map(({ name }) => name));
      expect(acknowledged.filter((name) => !names.has(name))).toEqual([]);
      await expectRolesOfGroups(directory);
      await cycle(directory, other, wanted.slice(0, until));
      expect(await stateOf(directory)).toEqual({
        users: modelOf(directory, wanted.slice(0, until)),
        broken: NOTHING_BROKEN,
      });
      replica = await startReplica({ ...at.settings });
      scim = scimClient(replica.url, directory.key);
    }
    await replica.stop();
  }, 3_600_000);

  interface Part {
    readonly from: number;
    readonly until: number;
    readonly group: string;
  }

  /** Kills the replica at half of the part; returns the names of users whose creation was acknowledged. */
  async function importUntilKilled(directory: Directory, scim: ScimClient, kill: () => Promise<void>, part: Part) {
    const acknowledged: string[] = [];
    const half = (part.until - part.from) >> 1;
    let next = part.from;
    let killed: Promise<void> | undefined;
    const client = async () => {
      while (next < part.until && !killed) {
        const index = next;
        next += 1;
        const userName = nameOf(directory, index);
        const { status, body } = await scim("POST", "/Users", userBody(userName)).catch(() => UNAVAILABLE);
        if (status === 201) acknowledged.push(userName);
        if (status === 201 && index % 3 === 0) {
          await scim("PATCH", `/Groups/${part.group}`, patch("Add", "members", [{ value: body.id }])).catch(
            () => undefined,
          );
        }
        if (acknowledged.length >= half) killed ??= kill();
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    await killed;
    expect(acknowledged.length).toBeGreaterThanOrEqual(half);
    return acknowledged;
  }
});
