/**
 * Owns: the deletion of expired rows (session events, API keys, deliveries, codes, challenges, states, e-mails,
 * requests for addresses, reserved addresses, counts of failed attempts, exports, requests, messages, tests and
 * attempts of single sign-on, refused requests of directories, records of erased users; sessions, trusted browsers,
 * deleted passkeys, tombstones of erasures and decisions about requests past their retention),
 * the end of deliveries past their deadline, and the maintenance of the audit trail (partitions of coming months,
 * hourly counts, partitions past their retention).
 * Started by: a timer, and at once while rows remain after a round.
 * Bound: `SWEEP_BATCHES_MAX` batches of `SWEEP_BATCH` rows of each kind a round, so a backlog holds no lock for long
 * and delays no further kind. One replica at a time, by a lease.
 * A crash loses: no data; the next round continues, on any replica.
 */
import type { Clock } from "../base/clock.ts";
import { type Loop, startLoop } from "../base/loop.ts";
import type { Random } from "../base/random.ts";
import type { Database, Sql } from "../database/database.ts";
import { AVATAR_ORPHAN_RETENTION_MS } from "../limits/avatar-limits.ts";
import { RELEASED_SLUG_MS } from "../limits/claim-limits.ts";
import { TOMBSTONE_RETENTION_MS } from "../limits/credential-limits.ts";
import { DECISION_ROWS_MAX, DECISION_SWEEP_BATCH } from "../limits/decision-limits.ts";
import { ERASURE_TOMBSTONE_MS } from "../limits/deletion-limits.ts";
import { DIRECTORY_REQUEST_LIFETIME_MS, ERASED_RECORD_RETENTION_MS } from "../limits/directory-limits.ts";
import { MISSES_DAY_MS } from "../limits/factor-limits.ts";
import { API_KEY_RETENTION_MS, WEBHOOK_DELIVERY_RETENTION_MS } from "../limits/machine-limits.ts";
import {
  DEVICE_CODE_KEPT_MS,
  OAUTH_DOCUMENT_UNUSED_MS,
  OAUTH_DYNAMIC_UNUSED_MS,
  OAUTH_REQUEST_KEPT_MS,
} from "../limits/oauth-limits.ts";
import {
  AUDIT_PARTITIONS_AHEAD_MONTHS,
  SESSION_RETENTION_MS,
  SWEEP_BATCH,
  SWEEP_BATCHES_MAX,
  SWEEP_INTERVAL_MS,
  SWEEP_LEASE_MS,
} from "../limits/process-limits.ts";
import { SETUP_LINK_RETENTION_MS } from "../limits/setup-link-limits.ts";
import { MEMBER_REMOVAL_LIFETIME_MS, SSO_ATTEMPT_LIFETIME_MS } from "../limits/sso-limits.ts";
import { EMAIL_CHANGE_LIFETIME_MS } from "../limits/user-email-limits.ts";
import { countAuditHours, dropAuditPartitions, ensureAuditPartitions } from "../models/audit/audit.ts";
import { deleteOrphanedAvatars } from "../models/avatar/avatar.ts";
import { deleteExpiredReviewLinks } from "../models/credential-review/review-link.ts";
import { deleteEndedExports } from "../models/data-export/data-export.ts";
import { deleteOldDecisions, deleteOldestDecisions, deleteSurplusDecisions } from "../models/decision/decision.ts";
import { deleteTombstones } from "../models/deletion/deletion.ts";
import {
  deleteErasedRecords,
  deleteOldRequests,
  deleteSurplusRequests,
} from "../models/directory/directory-retention.ts";
import { deleteExpiredEmails } from "../models/email/email.ts";
import { deleteExpiredEmailLog } from "../models/email/email-allowance.ts";
import { deleteExpiredEmailCodes } from "../models/email-code/email-code.ts";
import { deleteEndedAttempts } from "../models/failed-attempt/failed-attempt.ts";
import { acquireLease } from "../models/lease/lease.ts";
import { deleteEndedMailedTokens } from "../models/mailed-token/mailed-token.ts";
import { deleteOldRemovals } from "../models/member/removal.ts";
import { deleteExpiredAssertions } from "../models/oauth-client/client-assertion.ts";
import { deleteUnusedDocuments } from "../models/oauth-client/document-client.ts";
import { deleteUnusedClients } from "../models/oauth-client/dynamic-client.ts";
import { deleteExpiredRegistrationTokens } from "../models/oauth-client/registration-token.ts";
import { deleteExpiredDeviceCodes } from "../models/oauth-device/device-code.ts";
import { endAccessToDisabled } from "../models/oauth-grant/api-access.ts";
import { deleteEndedFamilies, queueExpiredLogouts } from "../models/oauth-grant/family-state.ts";
import { deleteExpiredCodes } from "../models/oauth-grant/oauth-grant.ts";
import { deleteExpiredLogouts } from "../models/oauth-logout/oauth-logout.ts";
import { deleteExpiredRequests, emptyExpiredRequests } from "../models/oauth-request/oauth-request.ts";
import { deleteExpiredPushedRequests } from "../models/oauth-request/pushed-request.ts";
import { deleteExpiredOauthStates } from "../models/oauth-state/oauth-state.ts";
import { deleteReleasedSlugs } from "../models/organization/organization.ts";
import { deleteExpiredChallenges, deletePasskeyTombstones } from "../models/passkey/passkey.ts";
import { deleteEndedKeys } from "../models/service-account/api-key.ts";
import { deleteExpiredFederationUses } from "../models/service-account/trust.ts";
import { deleteExpiredEvents } from "../models/session/revocation.ts";
import { deleteEndedSessions } from "../models/session/session.ts";
import { deleteExpiredNotices } from "../models/session/sign-in-notice.ts";
import { deleteOldSetupLinks } from "../models/setup-link/setup-link.ts";
import { deleteExpiredOf, deleteOldAttempts, deleteSurplusAttempts } from "../models/sso-connection/sso-retention.ts";
import { deleteEndedTrustedBrowsers } from "../models/trusted-browser/trusted-browser.ts";
import { deleteExpiredChanges } from "../models/user-email/email-change.ts";
import { deleteExpiredReservations, deletePendingEmails } from "../models/user-email/user-email.ts";
import { deleteEndedDeliveries, deleteOrphanedDeliveries, failExpiredDeliveries } from "../models/webhook/delivery.ts";
import type { Logger } from "../telemetry/log.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";

export interface Sweeper {
  start(): void;
  stop(): Promise<void>;
}

export interface SweeperDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly telemetry: Telemetry;
  /** How long audit records are kept; `undefined`: without limit. */
  readonly auditRetentionMs: number | undefined;
  /** How long decisions about requests are kept. */
  readonly decisionRetentionMs: number;
}

export function sweeper(deps: SweeperDeps): Sweeper {
  const holder = deps.random.uuid();
  let loop: Loop | undefined;
  return {
    start() {
      loop = startLoop({
        pauseMs: SWEEP_INTERVAL_MS,
        round: async (isStopped) => {
          const leasedAt = await acquireSweepLease(deps, holder);
          if (!leasedAt) return;
          // A replica whose clock is ahead deletes no row early.
          const now = Math.min(deps.clock.now(), leasedAt.getTime());
          const sweeping = { ...deps, clock: { ...deps.clock, now: () => now } };
          if (await sweep(sweeping, (count) => recordGivenUp(deps, count), isStopped)) loop?.wake();
        },
        onFailure: (error) => deps.log.warn({ err: error }, "sweeper: a round failed; the next one continues"),
      });
    },
    async stop() {
      await loop?.stop();
    },
  };
}

/** One replica holds the lease; another replica acquires the lease after expiry. Returns PostgreSQL's time. */
function acquireSweepLease({ database }: SweeperDeps, holder: string): Promise<Date | undefined> {
  return database.run("lease.take", (sql) => acquireLease(sql, { name: "sweeper", holder, ms: SWEEP_LEASE_MS }));
}

/**
 * Counts deliveries whose three days ended between attempts or without an attempt: no attempt has recorded their end.
 */
function recordGivenUp({ telemetry, log }: SweeperDeps, count: number): void {
  telemetry.metrics.webhook("given_up", count);
  log.warn({ deliveries: count }, "webhooks: deliveries were given up, their time has ended");
}

type SweepDeps = Pick<SweeperDeps, "database" | "clock" | "auditRetentionMs" | "decisionRetentionMs">;
type Work = () => Promise<boolean>;

/**
 * One round; returns whether rows remain. A failure stops no other kind and is thrown at the end. `onGivenUp`: called
 * with the deliveries that were not delivered in time. Once `isStopped` returns true, no further kind begins. Exported
 * for the tests.
 */
export async function sweep(
  deps: SweepDeps,
  onGivenUp: (deliveries: number) => void = () => undefined,
  isStopped = () => false,
): Promise<boolean> {
  const now = deps.clock.now();
  let left = false;
  const failures: unknown[] = [];
  for (const work of [...worksOfTrail(deps, now), ...worksOfRows(deps, now, onGivenUp)]) {
    if (isStopped()) break;
    try {
      left = (await work()) || left;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) {
    throw new AggregateError(failures, `sweeps failed: ${failures.length}`, { cause: failures[0] });
  }
  return left;
}

/** Partitions come first: without the partition of its month no record can be written. */
function worksOfTrail({ database, auditRetentionMs }: SweepDeps, now: number): Work[] {
  const ensure: Work = async () => {
    await database.run("audit.ensure_partitions", (sql) =>
      ensureAuditPartitions(sql, new Date(now), AUDIT_PARTITIONS_AHEAD_MONTHS),
    );
    return false;
  };
  const count: Work = () =>
    inBatches(
      async () => ((await database.run("audit.count", (sql) => countAuditHours(sql, new Date(now)))) ? 1 : 0),
      1,
    );
  if (auditRetentionMs === undefined) return [ensure, count];
  const drop: Work = async () => {
    await database.run("audit.drop", (sql) => dropAuditPartitions(sql, new Date(now), auditRetentionMs));
    return false;
  };
  return [ensure, count, drop];
}

function worksOfRows(
  { database, decisionRetentionMs }: SweepDeps,
  now: number,
  onGivenUp: (deliveries: number) => void,
): Work[] {
  const sweeps = SWEEPS.map(([statement, remove, retentionMs]): Work => {
    const before = new Date(now - retentionMs);
    return () => inBatches(() => database.run(statement, (sql) => remove(sql, before, SWEEP_BATCH)), SWEEP_BATCH);
  });
  const giveUp: Work = async () => {
    let givenUp = 0;
    const batch = async () => {
      const failed = await database.run("webhook_delivery.fail_expired", (sql) =>
        failExpiredDeliveries(sql, new Date(now), SWEEP_BATCH),
      );
      givenUp += failed;
      return failed;
    };
    try {
      return await inBatches(batch, SWEEP_BATCH);
    } finally {
      if (givenUp > 0) onGivenUp(givenUp);
    }
  };
  const oldDecisions = new Date(now - decisionRetentionMs);
  const decisions: Work[] = [
    () =>
      inBatches(
        () => database.run("decision.sweep", (sql) => deleteOldDecisions(sql, oldDecisions, DECISION_SWEEP_BATCH)),
        DECISION_SWEEP_BATCH,
      ),
    () => inBatches(() => trimDecisions(database), DECISION_SWEEP_BATCH),
  ];
  return [giveUp, ...sweeps, ...decisions];
}

/** The count by network takes too long where hundreds of thousands of networks are stored; the bound still holds. */
async function trimDecisions(database: Database): Promise<number> {
  return await database
    .run("decision.trim", (sql) => deleteSurplusDecisions(sql, DECISION_ROWS_MAX, DECISION_SWEEP_BATCH))
    .catch(() =>
      database.run("decision.trim_oldest", (sql) =>
        deleteOldestDecisions(sql, DECISION_ROWS_MAX, DECISION_SWEEP_BATCH),
      ),
    );
}

type Remove = (sql: Sql, before: Date, batch: number) => Promise<number>;

/** The kinds of deleted rows, and the retention after their end. */
const SWEEPS: readonly (readonly [statement: string, remove: Remove, retentionMs: number])[] = [
  ["session_event.sweep", deleteExpiredEvents, 0],
  ["session.sweep", deleteEndedSessions, SESSION_RETENTION_MS],
  ["email_code.sweep", deleteExpiredEmailCodes, 0],
  ["failed_attempt.sweep", deleteEndedAttempts, MISSES_DAY_MS],
  ["passkey_challenge.sweep", deleteExpiredChallenges, 0],
  ["passkey.sweep", deletePasskeyTombstones, TOMBSTONE_RETENTION_MS],
  ["trusted_browser.sweep", deleteEndedTrustedBrowsers, TOMBSTONE_RETENTION_MS],
  ["oauth_state.sweep", deleteExpiredOauthStates, 0],
  ["oauth_request.sweep_pushed", deleteExpiredPushedRequests, 0],
  ["oauth_request.empty", emptyExpiredRequests, 0],
  ["oauth_request.sweep", deleteExpiredRequests, OAUTH_REQUEST_KEPT_MS],
  ["oauth_device.sweep", deleteExpiredDeviceCodes, DEVICE_CODE_KEPT_MS],
  ["oauth_code.sweep", deleteExpiredCodes, 0],
  ["oauth_assertion.sweep", deleteExpiredAssertions, 0],
  ["federation_use.sweep", deleteExpiredFederationUses, 0],
  ["oauth_registration_token.sweep", deleteExpiredRegistrationTokens, 0],
  ["oauth_client.sweep_unused", deleteUnusedClients, OAUTH_DYNAMIC_UNUSED_MS],
  ["oauth_client.sweep_documents", deleteUnusedDocuments, OAUTH_DOCUMENT_UNUSED_MS],
  ["oauth_logout.queue_expired", queueExpiredLogouts, 0],
  ["oauth_logout.sweep", deleteExpiredLogouts, 0],
  ["oauth_family.end_disabled", endAccessToDisabled, 0],
  ["oauth_family.sweep", deleteEndedFamilies, SESSION_RETENTION_MS],
  ["email.sweep", deleteExpiredEmails, 0],
  ["email_log.sweep", deleteExpiredEmailLog, 0],
  ["mailed_token.sweep", deleteEndedMailedTokens, 0],
  ["sign_in_notice.sweep", deleteExpiredNotices, 0],
  ["credential_review_link.sweep", deleteExpiredReviewLinks, 0],
  ["email_change.sweep", deleteExpiredChanges, 0],
  ["data_export.sweep", deleteEndedExports, 0],
  ["deletion.sweep", deleteTombstones, ERASURE_TOMBSTONE_MS],
  ["email_reservation.sweep", deleteExpiredReservations, 0],
  ["released_slug.sweep", deleteReleasedSlugs, RELEASED_SLUG_MS],
  ["user_email.sweep_pending", deletePendingEmails, EMAIL_CHANGE_LIFETIME_MS],
  ["avatar.sweep", deleteOrphanedAvatars, AVATAR_ORPHAN_RETENTION_MS],
  ["api_key.sweep", deleteEndedKeys, API_KEY_RETENTION_MS],
  ["webhook_delivery.sweep", deleteEndedDeliveries, WEBHOOK_DELIVERY_RETENTION_MS],
  ["sso_request.sweep", deleteExpiredOf("sso_requests"), 0],
  ["sso_outcome.sweep", deleteExpiredOf("sso_outcomes"), 0],
  ["sso_consumed.sweep", deleteExpiredOf("sso_consumed"), 0],
  ["sso_test.sweep", deleteExpiredOf("sso_tests"), 0],
  ["setup_link.sweep", deleteOldSetupLinks, SETUP_LINK_RETENTION_MS],
  ["sso_attempt.sweep", deleteOldAttempts, SSO_ATTEMPT_LIFETIME_MS],
  ["sso_attempt.sweep_surplus", deleteSurplusAttempts, 0],
  ["member_removal.sweep", deleteOldRemovals, MEMBER_REMOVAL_LIFETIME_MS],
  ["directory_request.sweep", deleteOldRequests, DIRECTORY_REQUEST_LIFETIME_MS],
  ["directory_request.trim", deleteSurplusRequests, 0],
  ["directory_user.sweep", deleteErasedRecords, ERASED_RECORD_RETENTION_MS],
  ["webhook_delivery.sweep_orphaned", (sql, _before, batch) => deleteOrphanedDeliveries(sql, batch), 0],
];

/** Repeats while a batch was full, up to the bound of a round; returns whether the bound ended the repetition. */
async function inBatches(work: () => Promise<number>, full: number): Promise<boolean> {
  for (let batch = 0; batch < SWEEP_BATCHES_MAX; batch += 1) {
    if ((await work()) < full) return false;
  }
  return true;
}
