/** The end of sessions by the rules of organizations, on every replica (G213). */
import { expect, test } from "bun:test";
import { policyEnforcement } from "../../src/actors/policy-enforcement.ts";
import { POLICY_ENFORCEMENT_SECOND_MS } from "../../src/limits/policy-limits.ts";
import { createLogger } from "../../src/telemetry/log.ts";
import { movableClock } from "../support/clock.ts";
import { until } from "../support/waiting.ts";

test("A failure for one organization delays no further organization, and the round is repeated.", async () => {
  const log = await createLogger({ level: "silent", pretty: false, traceIds: () => undefined });
  const clock = movableClock();
  const rounds: string[] = [];
  const roundsOf = (id: string) => rounds.filter((each) => each === id).length;
  const enforcing = () => ["broken", "other"].map((organizationId) => ({ organizationId, revision: 1, begins: [0] }));
  const enforcement = policyEnforcement({
    clock,
    log,
    ssoDirectory: { enforcing },
    async endWithoutAccess(organizationId) {
      rounds.push(organizationId);
      if (organizationId === "broken") throw new Error("the statement took too long");
    },
  });
  enforcement.start();
  try {
    await until("the other organization has a round", async () => roundsOf("other") > 0);
    expect(rounds).toEqual(["broken", "other"]);
    clock.advance(POLICY_ENFORCEMENT_SECOND_MS);
    await until("the round of the failure is repeated", async () => roundsOf("broken") === 2);
  } finally {
    await enforcement.stop();
  }
});
