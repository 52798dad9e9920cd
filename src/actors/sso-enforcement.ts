/**
 * Owns: the end of sessions in organizations that require single sign-on, by the policies in memory (`ssoDirectory`).
 * Started by: a timer on every replica. A new revision of a policy, `required_at` and the end of a pause begin a round
 * for the organization; a second round follows for sign-ins that overlapped with the first, then one every
 * `SSO_ENFORCEMENT_REPEAT_MS` for members who became covered by a new address.
 * Bound: one organization at a time; batches of `SUSPENSION_BATCH` sessions.
 * A crash loses: no data; the next replica to look does the work. Refusals never wait for this actor: session checks
 * read the rule.
 */
import type { Clock } from "../base/clock.ts";
import { type Loop, startLoop } from "../base/loop.ts";
import { SSO_ENFORCEMENT_LOOK_MS, SSO_ENFORCEMENT_REPEAT_MS, SSO_ENFORCEMENT_SECOND_MS } from "../limits/sso-limits.ts";
import { type HeldPolicy, isSsoRequired } from "../models/sso-policy/sso-policy.ts";
import type { Logger } from "../telemetry/log.ts";

export interface SsoEnforcement {
  start(): void;
  stop(): Promise<void>;
}

export interface SsoEnforcementDeps {
  readonly clock: Clock;
  readonly log: Logger;
  readonly ssoDirectory: { readonly requiring: () => readonly HeldPolicy[] };
  /** Ends the sessions of an organization without access. */
  readonly endCovered: (organizationId: string, isStopped: () => boolean) => Promise<void>;
}

/** The last rounds for an organization. */
interface Rounds {
  readonly revision: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

export function ssoEnforcement({ clock, log, ssoDirectory, endCovered }: SsoEnforcementDeps): SsoEnforcement {
  let rounds: ReadonlyMap<string, Rounds> = new Map();
  let loop: Loop | undefined;

  async function round(isStopped: () => boolean): Promise<void> {
    const now = clock.now();
    const inForce = ssoDirectory.requiring().filter((policy) => isSsoRequired(policy, now));
    // A policy that is not in force has no rounds: the next begin of the requirement starts anew.
    const next = new Map(inForce.flatMap(({ organizationId: id }) => entryOf(rounds, id)));
    rounds = next;
    for (const policy of inForce) {
      if (isStopped()) return;
      const earlier = next.get(policy.organizationId);
      if (!isDue(policy, earlier, now)) continue;
      await endCovered(policy.organizationId, isStopped);
      const isNew = earlier?.revision !== policy.revision;
      const firstAt = isNew ? now : earlier.firstAt;
      next.set(policy.organizationId, { revision: policy.revision, firstAt, lastAt: now });
    }
  }

  return {
    start() {
      loop = startLoop({
        pauseMs: SSO_ENFORCEMENT_LOOK_MS,
        round,
        onFailure: (error) =>
          log.warn({ err: error }, "single sign-on: sessions could not be ended; the next round will"),
      });
    },
    async stop() {
      await loop?.stop();
    },
  };
}

function entryOf(rounds: ReadonlyMap<string, Rounds>, id: string): readonly (readonly [string, Rounds])[] {
  const found = rounds.get(id);
  return found ? [[id, found]] : [];
}

function isDue({ revision }: HeldPolicy, earlier: Rounds | undefined, now: number): boolean {
  if (earlier?.revision !== revision) return true;
  const isOnlyRound = earlier.firstAt === earlier.lastAt;
  return now - earlier.lastAt >= (isOnlyRound ? SSO_ENFORCEMENT_SECOND_MS : SSO_ENFORCEMENT_REPEAT_MS);
}
