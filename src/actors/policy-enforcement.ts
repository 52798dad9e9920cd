/**
 * Owns: the end of sessions that the rules of organizations no longer admit, by the rules in memory (`ssoDirectory`).
 * Started by: a timer on every replica. A new revision of the rules and the begin of a rule start a round for the
 * organization; a second round follows for sign-ins that overlapped with the first, then one every
 * `POLICY_ENFORCEMENT_REPEAT_MS`, for lifetimes and for members who became covered by a new address.
 * Bound: one organization at a time; batches of `ENFORCEMENT_BATCH` sessions. A failure for one organization delays no
 * other organization.
 * A crash loses: no data; the next replica to look does the work. Refusals never wait for this actor: session checks
 * read the rules.
 */
import type { Clock } from "../base/clock.ts";
import { type Loop, startLoop } from "../base/loop.ts";
import {
  POLICY_ENFORCEMENT_LOOK_MS,
  POLICY_ENFORCEMENT_REPEAT_MS,
  POLICY_ENFORCEMENT_SECOND_MS,
} from "../limits/policy-limits.ts";
import type { EnforcedRules } from "../models/organization-policy/organization-policy.ts";
import type { Logger } from "../telemetry/log.ts";

export interface PolicyEnforcement {
  start(): void;
  stop(): Promise<void>;
}

export interface PolicyEnforcementDeps {
  readonly clock: Clock;
  readonly log: Logger;
  readonly ssoDirectory: { readonly enforcing: () => readonly EnforcedRules[] };
  /** Ends the sessions of an organization without access. */
  readonly endWithoutAccess: (organizationId: string, isStopped: () => boolean) => Promise<void>;
}

/** The last rounds for an organization. */
interface Rounds {
  /** The revision, and the number of rules that had begun. */
  readonly state: string;
  readonly firstAt: number;
  readonly lastAt: number;
}

interface Failure {
  readonly organizationId: string;
  readonly error: unknown;
}

export function policyEnforcement(deps: PolicyEnforcementDeps): PolicyEnforcement {
  const { clock, log, ssoDirectory, endWithoutAccess } = deps;
  let rounds: ReadonlyMap<string, Rounds> = new Map();
  let loop: Loop | undefined;

  async function round(isStopped: () => boolean): Promise<void> {
    const now = clock.now();
    const inForce = ssoDirectory.enforcing().filter((rules) => begunBy(rules, now) > 0);
    // Rules that are not in force have no rounds: the next begin starts anew.
    const next = new Map(inForce.flatMap(({ organizationId: id }) => entryOf(rounds, id)));
    rounds = next;
    const failures: Failure[] = [];
    for (const rules of inForce) {
      if (isStopped()) break;
      const state = `${rules.revision} ${begunBy(rules, now)}`;
      const earlier = next.get(rules.organizationId);
      if (!isDue(state, earlier, now)) continue;
      const failure = await attempt(rules.organizationId, isStopped);
      if (failure) failures.push(failure);
      // A failed round is repeated as if a second round were due.
      const firstAt = !failure && earlier?.state === state ? earlier.firstAt : now;
      next.set(rules.organizationId, { state, firstAt, lastAt: now });
    }
    report(failures);
  }

  async function attempt(organizationId: string, isStopped: () => boolean): Promise<Failure | undefined> {
    try {
      await endWithoutAccess(organizationId, isStopped);
      return undefined;
    } catch (error) {
      return { organizationId, error };
    }
  }

  /** One line for a round: an unavailable database fails the round of every organization. */
  function report(failures: readonly Failure[]): void {
    const [first] = failures;
    if (!first) return;
    const details = { err: first.error, organization_id: first.organizationId, failed_organizations: failures.length };
    log.warn(details, "policies: sessions could not be ended; a later round will");
  }

  return {
    start() {
      loop = startLoop({
        pauseMs: POLICY_ENFORCEMENT_LOOK_MS,
        round,
        onFailure: (error) => log.warn({ err: error }, "policies: sessions could not be ended; the next round will"),
      });
    },
    async stop() {
      await loop?.stop();
    },
  };
}

function begunBy({ begins }: EnforcedRules, now: number): number {
  return begins.filter((at) => at <= now).length;
}

function entryOf(rounds: ReadonlyMap<string, Rounds>, id: string): readonly (readonly [string, Rounds])[] {
  const found = rounds.get(id);
  return found ? [[id, found]] : [];
}

function isDue(state: string, earlier: Rounds | undefined, now: number): boolean {
  if (earlier?.state !== state) return true;
  const isOnlyRound = earlier.firstAt === earlier.lastAt;
  return now - earlier.lastAt >= (isOnlyRound ? POLICY_ENFORCEMENT_SECOND_MS : POLICY_ENFORCEMENT_REPEAT_MS);
}
