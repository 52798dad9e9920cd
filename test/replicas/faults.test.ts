/**
 * The short form of `npm run test:faults`: every fault for half a second, over two replicas behind HAProxy, under a
 * load that leaves CPU time to parallel tests.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { FaultDeployment } from "../faults/deployment.ts";
import { play, SCENARIOS } from "../faults/scenarios.ts";

const PACE = { holdMs: 500, pauseMs: 40 };
/** A new machine installs HAProxy first. */
const INSTALL_DEADLINE_MS = 300_000;
const SEED = 2611;

let stage: FaultDeployment;
beforeAll(async () => {
  stage = await FaultDeployment.set();
}, INSTALL_DEADLINE_MS);
afterAll(() => stage.teardown());

describe("no acknowledged write is lost, no revoked token comes back, no request hangs (G25, G26, G27, G27a)", () => {
  let refusals = 0;
  let deactivated = 0;
  for (const [index, scenario] of SCENARIOS.entries()) {
    const title = scenario.unnoticed
      ? `${scenario.fault}: not one request fails`
      : `${scenario.fault}: and it recovers`;
    test(title, async () => {
      const report = await play(stage, scenario, PACE, SEED + index);
      expect(report.lost).toEqual([]);
      expect(report.violations).toEqual([]);
      if (scenario.unnoticed) expect([report.failed, report.unknown]).toEqual([0, 0]);
      expect(report.sent).toBeGreaterThan(50);
      expect(report.slowestMs).toBeLessThan(10_000);
      expect(report.recoveryMs).toBeLessThan(5_000);
      refusals += report.verified.refused;
      deactivated += report.deactivated;
    });
  }

  test("verifiers refused every revoked token of the ledger, at every replica (G44)", () => {
    expect(refusals).toBeGreaterThan(0);
  });

  test("a directory ended sessions of the ledger, and no replica or verifier accepted one again (G173)", () => {
    expect(deactivated).toBeGreaterThan(SCENARIOS.length);
  });

  test("of all that, no acknowledged event is lost to a webhook; each person's come in order (G57)", async () => {
    const { acknowledged, lost, violations } = await stage.webhook.findings();
    expect(lost).toEqual([]);
    expect(violations).toEqual([]);
    expect(acknowledged).toBeGreaterThan(50);
  });
});
