/**
 * `npm run test:directories`: cycles of a directory over two replicas against a model. Requests are reordered, doubled
 * and sent at once; the next cycle ends in the state of the directory. The number of sequences is `MODEL_RUNS` (default
 * 40), the first seed `MODEL_SEED`.
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

type Deployment = Awaited<ReturnType<typeof cycleDeployment>>;

const RUNS = Number(process.env.MODEL_RUNS ?? 40);
const SEED = Number(process.env.MODEL_SEED ?? 2026);

let at: Deployment;
beforeAll(async () => {
  at = await cycleDeployment();
}, 120_000);

describe("requests that are reordered, doubled and sent at once to two replicas", () => {
  const person = fc.option(fc.record({ active: fc.boolean(), isAdmin: fc.boolean() }), { nil: undefined });
  const states = fc.array(person, { minLength: 5, maxLength: 5 });

  /** Every request of a cycle toward a state, in any order and twice, whatever the responses are. */
  async function chaos(directory: AdminDirectory, wanted: Wanted, order: readonly number[]) {
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
    const directory = await adminDirectory(at);
    const other = scimClient(at.other.url, directory.key);
    const sequence = fc.record({
      wanted: states,
      order: fc.array(fc.nat({ max: 40 }), { minLength: 16, maxLength: 16 }),
    });
    for (const { wanted, order } of fc.sample(sequence, { numRuns: RUNS, seed: SEED })) {
      await chaos(directory, wanted, order);
      expect((await stateOf(at, directory)).broken).toEqual(NOTHING_BROKEN);
      await cycle(directory, directory.scim, wanted);
      expect(await stateOf(at, directory)).toEqual({ users: modelOf(directory, wanted), broken: NOTHING_BROKEN });
      expect(await cycle(directory, other, wanted)).toBe(0);
    }
  }, 3_600_000);
});

describe("forty parallel requests for one user", () => {
  test("end in one record and one membership at most, as after a sequence; one cycle converges", async () => {
    for (let run = 0; run < RUNS / 4; run += 1) {
      const directory = await adminDirectory(at);
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
      const { users, broken } = await stateOf(at, directory);
      expect([users.length <= 1, broken]).toEqual([true, NOTHING_BROKEN]);
      await expectRolesOfGroups(at, directory);
      const wanted = [{ active: true, isAdmin: true }];
      await cycle(directory, directory.scim, wanted);
      expect(await stateOf(at, directory)).toEqual({ users: modelOf(directory, wanted), broken: NOTHING_BROKEN });
    }
  }, 3_600_000);
});
