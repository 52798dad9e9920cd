/** The daily checks of domains on one replica of several (G144). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { domainChecks } from "../../src/actors/domain-checks.ts";
import { eventually } from "../support/deployment.ts";
import { type Flows, openFlows } from "../support/flows.ts";

let flows: Flows;
beforeAll(async () => {
  flows = await openFlows();
});
afterAll(() => flows.close());

test("two replicas check in turn, and each replica knows the domains by status", async () => {
  const { database, random, log } = flows.deps;
  const release = Promise.withResolvers<void>();
  let checks = 0;
  const open = () =>
    domainChecks({
      database,
      random,
      log,
      async checkDue() {
        checks += 1;
        await release.promise;
      },
    });
  const [first, second] = [open(), open()];
  expect(first.gauges()).toEqual([]);
  first.start();
  await eventually("the first replica checks", 5_000, async () => checks === 1);
  second.start();
  // Without the lease the second replica only reads the counts.
  await eventually("the second replica knows the counts", 5_000, async () => second.gauges().length > 0);
  expect(checks).toBe(1);
  release.resolve();
  await Promise.all([first.stop(), second.stop()]);
  expect(first.gauges()).toEqual(["pending", "verified", "failing", "lost"].map((status) => ({ status, domains: 0 })));
  // The lease ends with the round: a restarted replica checks at once.
  const third = open();
  third.start();
  await eventually("the third replica checks", 5_000, async () => checks === 2);
  await third.stop();
});
