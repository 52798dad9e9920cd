/** The states of domains over all histories of DNS, claims, transfers and time (G143, P8). */
import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  nextDomainState,
  type RecordSighting,
  sightingOf,
  verifiedState,
} from "../../../src/models/organization-domain/domain-state.ts";
import type { DomainState } from "../../../src/models/organization-domain/organization-domain.ts";

const DAY_MS = 24 * 3600 * 1000;
const PENDING: DomainState = {
  status: "pending",
  verifiedAt: null,
  checkedAt: null,
  seenAt: null,
  missingSince: null,
  warnings: 0,
};
const holds = ({ status }: DomainState) => status === "verified" || status === "failing";

test("all servers must have the record, and only a definite response without the record counts as its absence", () => {
  expect(sightingOf([["a"], ["b", "a"]], "a")).toBe("found");
  expect(sightingOf([["a"], []], "a")).toBe("partial");
  expect(sightingOf([["a"], undefined], "a")).toBe("partial");
  expect(sightingOf([["A"], undefined], "a")).toBe("missing");
  // Consoles store a pasted record with the white space around.
  expect(sightingOf([[" a\n"], ["a"]], "a")).toBe("found");
  expect(sightingOf([["x a"], []], "a")).toBe("missing");
  expect(sightingOf([undefined, undefined], "a")).toBe("unknown");
  expect(sightingOf([], "a")).toBe("unknown");
});

const sightings = fc.constantFrom<RecordSighting[]>("found", "partial", "missing", "unknown");
const steps = fc.oneof(
  fc.record({ kind: fc.constant("check" as const), claimant: fc.nat(2), sighting: sightings }),
  fc.record({ kind: fc.constant("transfer" as const), claimant: fc.nat(2) }),
  fc.record({ kind: fc.constant("remove" as const), claimant: fc.nat(2) }),
  fc.record({ kind: fc.constant("time" as const), hours: fc.integer({ min: 1, max: 72 }) }),
);

test("no history of 10,000 has two holders, a loss before seven days, or a loss without a response", () => {
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 30 }), (history) => {
      const claims: DomainState[] = [PENDING, PENDING, PENDING];
      let at = new Date("2026-01-01T00:00:00Z");
      for (const step of history) {
        if (step.kind === "time") {
          at = new Date(at.getTime() + step.hours * 3600 * 1000);
          continue;
        }
        const { claimant } = step;
        const before = claims[claimant] ?? PENDING;
        const holder = claims.findIndex(holds);
        const mustWait = holder !== -1 && holder !== claimant;
        if (step.kind === "remove") claims[claimant] = PENDING;
        if (step.kind === "transfer" && mustWait) {
          claims[holder] = { ...(claims[holder] ?? PENDING), status: "lost" };
          claims[claimant] = verifiedState(before, at);
        }
        if (step.kind !== "check") continue;
        const { state, event } = nextDomainState(before, { sighting: step.sighting, mustWait, at });
        claims[claimant] = state;
        if (event === "verified") expect([step.sighting, mustWait]).toEqual(["found", false]);
        if (state.status !== before.status && before.status === "verified") expect(step.sighting).toBe("missing");
        if (event === "lost") {
          expect(step.sighting).toBe("missing");
          expect(at.getTime() - (before.missingSince?.getTime() ?? at.getTime())).toBeGreaterThanOrEqual(7 * DAY_MS);
        }
        expect(claims.filter(holds).length).toBeLessThanOrEqual(1);
      }
    }),
    { numRuns: 10_000 },
  );
}, 60_000);
