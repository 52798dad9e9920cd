/**
 * `npm run test:directories`: cycles of a directory over two replicas against a model. Requests are reordered, doubled
 * and sent at once, beside sign-ins of the users by single sign-on; the next cycle ends in the state of the directory.
 * The number of sequences is `MODEL_RUNS` (default 40), the first seed `MODEL_SEED`.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { race } from "../support/deployment.ts";
import { groupBody, type ScimClient, scimClient, userBody } from "../support/directories.ts";
import {
  type AdminDirectory,
  adminDirectory,
  cycle,
  cycleDeployment,
  expectRolesOfGroups,
  modelOf,
  NOTHING_BROKEN,
  nameOf,
  patch,
  recordOf,
  stateOf,
  type Wanted,
} from "../support/directory-cycles.ts";
import { type SignIn, signInsOfDirectories } from "../support/directory-sign-ins.ts";
import { ssoSettings } from "../support/sso.ts";

type Deployment = Awaited<ReturnType<typeof cycleDeployment>>;

const RUNS = Number(process.env.MODEL_RUNS ?? 40);
const SEED = Number(process.env.MODEL_SEED ?? 2026);

let at: Deployment;
let connect: Awaited<ReturnType<typeof signInsOfDirectories>>;
beforeAll(async () => {
  at = await cycleDeployment(ssoSettings());
  connect = await signInsOfDirectories(at, 1 + Math.ceil(RUNS / 4));
}, 120_000);

/** Sends a request, by one of the replicas; returns the status. */
type Send = (scim: ScimClient, index: number) => Promise<number>;
const send =
  (...request: Parameters<ScimClient>): Send =>
  async (scim) =>
    (await scim(...request)).status;

/** The addresses of the accounts that the directory has created, also of deactivated and deleted users. */
async function accountsOf({ organizationId }: AdminDirectory): Promise<readonly string[]> {
  const rows = await at.sql<{ email: string }[]>`
    select email from users where managed_by = ${organizationId} order by email`;
  return rows.map(({ email }) => email);
}

describe("requests that are reordered, doubled and sent at once to two replicas", () => {
  const person = fc.option(fc.record({ active: fc.boolean(), isAdmin: fc.boolean() }), { nil: undefined });
  const states = fc.array(person, { minLength: 5, maxLength: 5 });

  /** Every request of a cycle toward a state, and sign-ins, in any order and twice, whatever the responses are. */
  async function chaos(directory: AdminDirectory, signIn: SignIn, wanted: Wanted, order: readonly number[]) {
    const clients = [directory.scim, scimClient(at.other.url, directory.key)];
    const ids = await Promise.all(wanted.map((_, index) => recordOf(directory.scim, nameOf(directory, index))));
    const requests = wanted.flatMap((each, index): Send[] => {
      const id = ids[index]?.id;
      if (!each) return id ? [send("DELETE", `/Users/${id}`)] : [];
      if (!id) return [send("POST", "/Users", userBody(nameOf(directory, index), { active: each.active }))];
      const member = patch(each.isAdmin ? "Add" : "Remove", "members", [{ value: id }]);
      return [
        send("PATCH", `/Users/${id}`, patch("Replace", "active", each.active)),
        send("PUT", `/Users/${id}`, userBody(nameOf(directory, index), { active: each.active, title: "Guide" })),
        send("PATCH", `/Groups/${directory.group}`, member),
      ];
    });
    const admins = wanted.flatMap((each, index) => (each?.isAdmin && ids[index] ? [ids[index].id] : []));
    requests.push(send("PUT", `/Groups/${directory.group}`, groupBody("Admins", admins)));
    const { body } = await directory.scim("GET", "/Groups?filter=displayName%20eq%20%22Team%22");
    const team = body.Resources[0]?.id;
    requests.push(team ? send("DELETE", `/Groups/${team}`) : send("POST", "/Groups", groupBody("Team", admins)));
    const accounts = await accountsOf(directory);
    for (const email of accounts) requests.push((_, index) => signIn(email, index));
    const responses = await Promise.all(
      order.map(async (place, index) => {
        const scim = clients[index % 2] ?? directory.scim;
        return (await requests[place % requests.length]?.(scim, index)) ?? 200;
      }),
    );
    expect(responses.filter((status) => status >= 500)).toEqual([]);
  }

  /** A sign-in succeeds for active users alone, and changes no record, membership or role. */
  async function expectSignIns(directory: AdminDirectory, signIn: SignIn, wanted: Wanted) {
    const accounts = await accountsOf(directory);
    const statuses = await Promise.all(accounts.map(signIn));
    const users = modelOf(directory, wanted);
    const active = new Set(users.flatMap((user) => (user.active ? [user.name] : [])));
    expect(accounts.filter((_, index) => statuses[index] === 200)).toEqual(accounts.filter((each) => active.has(each)));
    expect(await stateOf(at, directory)).toEqual({ users, broken: NOTHING_BROKEN });
  }

  test("leave no half person and no lost role; one cycle converges, and the next changes nothing", async () => {
    const directory = await adminDirectory(at);
    const signIn = await connect(directory);
    const other = scimClient(at.other.url, directory.key);
    const sequence = fc.record({
      wanted: states,
      order: fc.array(fc.nat({ max: 40 }), { minLength: 16, maxLength: 16 }),
    });
    for (const { wanted, order } of fc.sample(sequence, { numRuns: RUNS, seed: SEED })) {
      await chaos(directory, signIn, wanted, order);
      expect((await stateOf(at, directory)).broken).toEqual(NOTHING_BROKEN);
      await cycle(directory, directory.scim, wanted);
      await expectSignIns(directory, signIn, wanted);
      expect(await cycle(directory, other, wanted)).toBe(0);
    }
  }, 3_600_000);
});

describe("forty parallel requests for one user, with invitations and sign-ins", () => {
  test("end in one record and one membership at most, as after a sequence; one cycle converges", async () => {
    for (let run = 0; run < RUNS / 4; run += 1) {
      const directory = await adminDirectory(at);
      const signIn = await connect(directory);
      const userName = nameOf(directory, 0);
      const clients = [directory.scim, scimClient(at.other.url, directory.key)];
      if (run % 2 === 0) await directory.scim("POST", "/Users", userBody(userName));
      const known = (await recordOf(directory.scim, userName))?.id ?? randomUUID();
      const member = [{ value: known }];
      const invite = { email: userName, role: "member" };
      const kinds: Send[] = [
        send("POST", "/Users", userBody(userName)),
        send("PATCH", `/Users/${known}`, patch("Replace", "active", run % 3 === 0)),
        send("PUT", `/Users/${known}`, userBody(userName, { active: true })),
        send("DELETE", `/Users/${known}`),
        send("PATCH", `/Groups/${directory.group}`, patch("Add", "members", member)),
        async () => (await directory.client.post(`/v1/orgs/${directory.organizationId}/invitations`, invite)).status,
        (_, index) => signIn(userName, index),
      ];
      const statuses = await race(async (index) => {
        const scim = clients[index % 2] ?? directory.scim;
        return (await kinds[(index * 5 + run) % kinds.length]?.(scim, index)) ?? 500;
      }, 40);
      expect(statuses.filter((status) => status >= 500)).toEqual([]);
      const { users, broken } = await stateOf(at, directory);
      expect([users.length <= 1, broken]).toEqual([true, NOTHING_BROKEN]);
      await expectRolesOfGroups(at, directory);
      const wanted = [{ active: true, isAdmin: true }];
      await cycle(directory, directory.scim, wanted);
      expect(await stateOf(at, directory)).toEqual({ users: modelOf(directory, wanted), broken: NOTHING_BROKEN });
    }
  }, 3_600_000);
});
