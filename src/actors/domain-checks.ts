/**
 * Owns: the start of the daily checks of domains, and the metric of domains by status.
 * Started by: a timer, every minute on every replica; one replica at a time checks, by a lease.
 * Bound: `DOMAIN_CHECK_BATCH` checks of a round.
 * A crash loses: no data; another replica continues after the end of the lease.
 */
import { type Loop, startLoop } from "../base/loop.ts";
import type { Random } from "../base/random.ts";
import type { Database } from "../database/database.ts";
import { DOMAIN_CHECK_JITTER_MS, DOMAIN_CHECK_LEASE_MS, DOMAIN_CHECK_LOOK_MS } from "../limits/sso-limits.ts";
import { acquireLease, releaseLease } from "../models/lease/lease.ts";
import {
  countDomainsByStatus,
  DOMAIN_STATUSES,
  type DomainStatus,
} from "../models/organization-domain/organization-domain.ts";
import type { DomainGauge } from "../telemetry/gauges.ts";
import type { Logger } from "../telemetry/log.ts";

export interface DomainChecks {
  start(): void;
  stop(): Promise<void>;
  /** One gauge for each status; empty before the first reading. */
  gauges(): readonly DomainGauge[];
}

export interface DomainChecksDeps {
  readonly database: Database;
  readonly random: Random;
  readonly log: Logger;
  /** Checks the domains that are due. */
  readonly checkDue: (isStopped: () => boolean) => Promise<unknown>;
}

const LEASE = "organization_domains";

export function domainChecks({ database, random, log, checkDue }: DomainChecksDeps): DomainChecks {
  const lease = { name: LEASE, holder: random.uuid(), ms: DOMAIN_CHECK_LEASE_MS };
  let counts: Partial<Record<DomainStatus, number>> | undefined;
  let loop: Loop | undefined;

  async function checkAsHolder(isStopped: () => boolean): Promise<void> {
    if (!(await database.run("lease.take", (sql) => acquireLease(sql, lease)))) return;
    try {
      await checkDue(isStopped);
    } finally {
      await database.run("lease.release", (sql) => releaseLease(sql, lease));
    }
  }

  return {
    start() {
      loop = startLoop({
        // Different for each replica, so that replicas do not search at once.
        pauseMs: DOMAIN_CHECK_LOOK_MS - (random.bytes(2).readUInt16BE() / 0x10000) * DOMAIN_CHECK_JITTER_MS,
        async round(isStopped) {
          await checkAsHolder(isStopped);
          counts = await database.run("domain.count", countDomainsByStatus);
        },
        onFailure: (error) => log.warn({ err: error }, "domains: a round of checks failed; the next one continues"),
      });
    },
    async stop() {
      await loop?.stop();
    },
    gauges: () => (counts ? DOMAIN_STATUSES.map((status) => ({ status, domains: counts?.[status] ?? 0 })) : []),
  };
}
