/**
 * `npm run test:directories`: the documented cycles of directory products, 1, 10 and 50 at once over two replicas,
 * beside changes of the same users in the console: settings, mappings of groups, roles, removals, invitations and
 * sign-ins.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { directoryOf, scimClient, signInAs, verifyDomainOf } from "../support/directories.ts";
import { cycleDeployment } from "../support/directory-cycles.ts";
import { type CycleStep, entraCycle, jumpCloudCycle, oktaCycle, oneLoginCycle } from "../support/scim-cycles.ts";
import { replayCycle } from "../support/scim-replay.ts";
import { memberOf } from "../support/team.ts";

type Deployment = Awaited<ReturnType<typeof cycleDeployment>>;
type Directory = Awaited<ReturnType<typeof directoryOf>>;

let at: Deployment;
beforeAll(async () => {
  at = await cycleDeployment();
}, 120_000);

interface Product {
  readonly name: string;
  readonly cycle: (domain: string) => readonly CycleStep[];
  /** The user of the documented end, and whether the user is an active member of the group. */
  readonly user: string;
  readonly isMember: boolean;
}
const PRODUCTS: readonly Product[] = [
  { name: "Entra ID", cycle: entraCycle, user: "entra-1", isMember: true },
  { name: "Okta", cycle: oktaCycle, user: "okta-1", isMember: true },
  { name: "OneLogin", cycle: oneLoginCycle, user: "onelogin-1", isMember: true },
  { name: "JumpCloud", cycle: jumpCloudCycle, user: "jumpcloud-1", isMember: false },
];

const provisioned = ({ organizationId }: Directory) => at.sql<{ id: string; email: string }[]>`
  select u.id, u.email from users u where u.managed_by = ${organizationId} order by u.email`;

/** Changes of an administrator, and sign-ins, until the cycle ends. Returns the statuses of the changes. */
async function changeInConsole(directory: Directory, isOver: () => boolean): Promise<readonly number[]> {
  const { client, place, organizationId } = directory;
  const statuses: number[] = [];
  for (let turn = 0; !isOver(); turn += 1) {
    const isEven = turn % 2 === 0;
    const sent = [await client.put(place, { default_role: isEven ? "admin" : "member" })];
    const { body } = await client.get(`${place}/groups`);
    for (const { id } of body.items) {
      sent.push(await client.patch(`${place}/groups/${id}`, { role: isEven ? "admin" : null }));
    }
    for (const { id, email } of await provisioned(directory)) {
      const invitation = { email, role: "member" };
      sent.push(await client.patch(memberOf(organizationId, id), { role: "admin" }));
      sent.push(await client.delete(memberOf(organizationId, id)));
      sent.push(await client.post(`/v1/orgs/${organizationId}/invitations`, invitation));
      await signInAs(at, directory, email, isEven ? at.one.url : at.other.url).catch(() => undefined);
    }
    statuses.push(...sent.map(({ status }) => status));
  }
  return statuses;
}

async function replayBesideConsole({ name, cycle, user, isMember }: Product, index: number) {
  const directory = await directoryOf(at);
  await verifyDomainOf(at, directory);
  const scim = index % 2 === 0 ? directory.scim : scimClient(at.other.url, directory.key);
  let isOver = false;
  const changes = changeInConsole(directory, () => isOver);
  const ids = await replayCycle(name, cycle(directory.domain), scim).finally(() => {
    isOver = true;
  });
  const statuses = await changes;
  expect(statuses.filter((status) => status >= 500)).toEqual([]);
  const { client, place, organizationId, address } = directory;
  expect((await client.put(place, { default_role: "member" })).status).toBe(200);
  expect((await client.patch(`${place}/groups/${ids.group}`, { role: "admin" })).status).toBe(200);
  const state = await at.sql`
    select r.user_name as name, r.active, m.role
    from directories d join directory_users r on r.directory_id = d.id
    left join members m on m.user_id = r.user_id and m.organization_id = d.organization_id
    where d.organization_id = ${organizationId}`;
  const expected = isMember ? { active: true, role: "admin" } : { active: false, role: null };
  expect([...state]).toEqual([{ name: address(user), ...expected }]);
  return statuses.length;
}

describe("cycles beside changes in the console", () => {
  test.each([1, 10, 50])(
    "%i at once end in the documented state, with the roles of the groups",
    async (count) => {
      const rounds = count === 1 ? PRODUCTS.length : 1;
      let changes = 0;
      for (let round = 0; round < rounds; round += 1) {
        const replays = Array.from({ length: count }, (_, index) => {
          const product = PRODUCTS[(index + round) % PRODUCTS.length];
          if (!product) throw new Error("no product");
          return replayBesideConsole(product, index);
        });
        for (const sent of await Promise.all(replays)) changes += sent;
      }
      expect(changes).toBeGreaterThan(0);
    },
    3_600_000,
  );
});
