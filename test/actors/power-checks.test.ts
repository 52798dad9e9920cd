/** The turns of organizations whose sessions are compared after a change of power (G427). */
import { expect, test } from "bun:test";
import { pageTurns, powerChecks } from "../../src/actors/power-checks.ts";
import { checkPower } from "../../src/flows/sso/check-power.ts";
import { POWER_CHECK_MEMBERS } from "../../src/limits/power-limits.ts";
import { openFlows } from "../support/flows.ts";
import { adminsOfConnection } from "../support/uncovered-sessions.ts";
import { eventually } from "../support/waiting.ts";

const LARGE = 3_000;

test("A page waits for one page of each earlier organization, not for the end of a large organization.", async () => {
  const turn = pageTurns(2);
  const order: string[] = [];
  const organization = async (name: string, pages: number) => {
    for (let page = 0; page < pages; page += 1) await turn(async () => void order.push(name));
  };
  await Promise.all([organization("a", 50), organization("b", 50), organization("c", 50), organization("d", 1)]);
  expect(order.indexOf("d")).toBeLessThan(8);
  expect(order).toHaveLength(151);
});

test("A failure of a page frees its lane.", async () => {
  const turn = pageTurns(1);
  await expect(turn(() => Promise.reject(new Error("lost connection")))).rejects.toThrow("lost connection");
  expect(await turn(async () => "next")).toBe("next");
});

test("The sessions of a small organization end beside three organizations of 3,000 admins (G427).", async () => {
  const flows = await openFlows();
  const { sql, deps } = flows;
  const large: string[] = [];
  for (let index = 0; index < 3; index += 1) large.push((await adminsOfConnection(flows, LARGE, 0)).organizationId);
  const small = await adminsOfConnection(flows, POWER_CHECK_MEMBERS, 1);
  await sql`update members set role = 'member' where organization_id = ${small.organizationId}
            and user_id = ${small.activator.userId}`;
  await sql`delete from power_checks`;
  // The small organization is the last to be read.
  for (const id of large) await sql`insert into power_checks (organization_id) values (${id})`;
  await sql`insert into power_checks (organization_id) values (${small.organizationId})`;
  const waiting = async () => (await sql`select 1 from power_checks`).length;
  const actor = powerChecks({
    database: deps.database,
    log: deps.log,
    check: (check, isStopped, turn) => checkPower(deps, check, isStopped, turn),
  });
  const startedAt = performance.now();
  actor.start();
  const ended = await eventually("the sessions end", 60_000, async () => (await small.count()) === 0);
  const stillWaiting = await waiting();
  await eventually("every check ends", 120_000, async () => (await waiting()) === 0);
  const all = performance.now() - startedAt;
  await actor.stop();
  if (process.env.POWER_TIMES) console.log(`small: ${Math.round(ended)} ms; all: ${Math.round(all)} ms`);
  expect(stillWaiting).toBeGreaterThan(0);
  await flows.close();
}, 240_000);
