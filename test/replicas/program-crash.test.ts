/** Writes of programs beside kill -9 of the replica (docs/contract.md, section 36.1). */
import { beforeAll, describe, expect, test } from "bun:test";
import { registered } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { type Program, program, programAt } from "../support/programs.ts";
import { type Replica, startReplica } from "../support/replica.ts";
import { redisUrl } from "../support/services.ts";
import { until } from "../support/waiting.ts";

const BATCH = "/v1/admin/users/batch";
const ROUNDS = 3;

let at: Deployment;
let robot: Program;
let organizationId: string;
beforeAll(async () => {
  at = await deployment();
  robot = await program(at, ["users.write", "members.add"]);
  organizationId = (await registered(at.one.url)).organizationId;
});

/** A replica that the test kills; the other replicas of the deployment go on. */
const startVictim = async (): Promise<Replica> =>
  startReplica({ DATABASE_URL: at.databaseUrl, REDIS_URL: await redisUrl() });

const storedIn = async (prefix: string): Promise<number> => {
  const [row] = await at.sql`select count(*)::int as count from users where external_id like ${`${prefix}/%`}`;
  return row?.count ?? 0;
};

/** The users of a prefix with the number of memberships and of records of the creation. */
const wholeUsers = (prefix: string) => at.sql`
  select distinct count(distinct m.organization_id)::int as members, count(distinct a.id)::int as created
  from users u
  left join members m on m.user_id = u.id
  left join audit_logs a on a.resource_id = u.id::text and a.action = 'user.created'
  where u.external_id like ${`${prefix}/%`} group by u.id`;

describe("kill -9 of a replica (G525)", () => {
  test("beside a batch leaves every user whole or absent, and the repetition completes the batch", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const prefix = `crash-${crypto.randomUUID()}`;
      const users = Array.from({ length: 100 }, (_, index) => ({
        email: `${index}@${prefix}.test`,
        external_id: `${prefix}/${index}`,
        memberships: [{ organization_id: organizationId }],
      }));
      const victim = await startVictim();
      const sent = programAt(victim.url, { id: robot.keyId, key: robot.key })
        .post(BATCH, { users })
        .catch(() => undefined);
      await until("the batch stores users", async () => (await storedIn(prefix)) > 10 * round);
      await victim.kill();
      const response = await sent;
      expect([undefined, 200]).toContain(response?.status);
      const stored = await storedIn(prefix);
      if (response) expect(stored).toBe(100);
      expect([...(await wholeUsers(prefix))]).toEqual([{ members: 1, created: 1 }]);
      const repeated = await robot.post(BATCH, { users });
      const outcomes: string[] = repeated.body.results.map(({ outcome }: { outcome: string }) => outcome);
      expect(outcomes.filter((outcome) => outcome === "exists").length).toBeGreaterThanOrEqual(stored);
      expect(new Set([...outcomes, "created", "exists"])).toEqual(new Set(["created", "exists"]));
      expect([await storedIn(prefix), [...(await wholeUsers(prefix))]]).toEqual([100, [{ members: 1, created: 1 }]]);
    }
  }, 120_000);

  test("beside upserts leaves one whole user, and the repetition changes nothing", async () => {
    const prefix = `crash-${crypto.randomUUID()}`;
    const victim = await startVictim();
    const doomed = programAt(victim.url, { id: robot.keyId, key: robot.key });
    const upsert = (by: Program, index: number) =>
      by.put(`/v1/admin/users/by-external-id/${encodeURIComponent(`${prefix}/${index}`)}`, {
        email: `${index}@${prefix}.test`,
        memberships: [{ organization_id: organizationId }],
      });
    const sent = Array.from({ length: 40 }, (_, index) => upsert(doomed, index).catch(() => undefined));
    await until("a user is stored", async () => (await storedIn(prefix)) > 0);
    await victim.kill();
    const acknowledged = (await Promise.all(sent)).filter((response) => response?.status === 201).length;
    expect(await storedIn(prefix)).toBeGreaterThanOrEqual(acknowledged);
    for (let index = 0; index < 40; index += 1) expect([200, 201]).toContain((await upsert(robot, index)).status);
    const before = await at.sql`select id, updated_at from users where external_id like ${`${prefix}/%`} order by id`;
    for (let index = 0; index < 40; index += 1) expect((await upsert(robot, index)).status).toBe(200);
    const after = await at.sql`select id, updated_at from users where external_id like ${`${prefix}/%`} order by id`;
    expect([...after]).toEqual([...before]);
    expect([before.length, [...(await wholeUsers(prefix))]]).toEqual([40, [{ members: 1, created: 1 }]]);
  }, 60_000);
});
