/**
 * Owns: the logout notices to clients of the OpenID provider at the end of a session (OpenID Connect Back-Channel
 * Logout 1.0).
 * Woken by: a poll, and the end of a batch. The transaction that ends the session writes the notices to send.
 * Bound: `OAUTH_LOGOUTS_IN_PROGRESS_MAX` logout tokens at once, `OAUTH_LOGOUT_BATCH` for each client, leased for longer
 * than the maximum duration of a delivery. Clients take turns, so an unresponsive client delays no other client by more
 * than this duration.
 * A crash loses: nothing. Any replica sends a leased notice after the end of the lease; a client recognizes a second
 * logout token of a session.
 */
import { backoffMs } from "../base/backoff.ts";
import { type Batches, sendInBatches } from "../base/batches.ts";
import { type Clock, unixSeconds } from "../base/clock.ts";
import { type Loop, startLoop } from "../base/loop.ts";
import type { Random } from "../base/random.ts";
import type { Database } from "../database/database.ts";
import { OUTBOX_LEASE_MS, OUTBOX_RETRY_MAX_MS, OUTBOX_RETRY_MIN_MS } from "../limits/email-limits.ts";
import {
  CLIENT_LOGOUT_POLL_MS,
  OAUTH_CLIENTS_MAX,
  OAUTH_LOGOUT_BATCH,
  OAUTH_LOGOUT_TOKEN_SECONDS,
  OAUTH_LOGOUTS_IN_PROGRESS_MAX,
} from "../limits/oauth-limits.ts";
import { type DueLogout, deleteLogout, leaseDueLogouts, postponeLogout } from "../models/oauth-logout/oauth-logout.ts";
import { encodeProviderHeader, signHere, signingInput, signProviderClaims } from "../models/token/compact.ts";
import type { LogoutClaims } from "../models/token/provider-claims.ts";
import type { SigningKey } from "../pool/protocol.ts";
import type { GuardedPost } from "../providers/guarded-post.ts";
import type { Logger } from "../telemetry/log.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { DerivedAlgorithm, DerivedSigningKey } from "../vocabulary/provider-algorithm.ts";

export interface ClientLogouts {
  start(): void;
  /** Waits for deliveries in progress. */
  stop(): Promise<void>;
}

export interface ClientLogoutsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly telemetry: Telemetry;
  /** The current signing keys. */
  readonly keyRing: {
    active(): SigningKey;
    activeProvider(algorithm: DerivedAlgorithm): DerivedSigningKey;
  };
  readonly issuer: string;
  readonly post: GuardedPost;
}

export function clientLogouts(deps: ClientLogoutsDeps): ClientLogouts {
  let loop: Loop | undefined;
  const batches = logoutBatches(deps, () => loop?.wake());
  return {
    start() {
      loop = startLoop({
        pauseMs: CLIENT_LOGOUT_POLL_MS,
        round: async () => void (await batches.begin()),
        onFailure: (error) => deps.log.warn({ err: error }, "client logouts: a round failed; the next one continues"),
      });
    },
    async stop() {
      await loop?.stop();
      await batches.ended();
    },
  };
}

function logoutBatches(deps: ClientLogoutsDeps, wake: () => void): Batches {
  return sendInBatches<DueLogout>({
    clock: deps.clock,
    leaseMs: OUTBOX_LEASE_MS,
    inProgressMax: OAUTH_LOGOUTS_IN_PROGRESS_MAX,
    batch: OAUTH_LOGOUT_BATCH,
    turnsMax: OAUTH_CLIENTS_MAX,
    lease: (lease) => deps.database.run("oauth_logout.lease_due", (sql) => leaseDueLogouts(sql, lease)),
    receiverOf: ({ clientId }) => clientId,
    send: (_, batch) => Promise.all(batch.map((logout) => deliverInSpan(deps, logout))),
    onFailure: (error, clientId) =>
      deps.log.warn({ err: error, client_id: clientId }, "client logouts: an outcome was not recorded"),
    onEnd: wake,
  });
}

/** The trace is a root with a link to the request that ended the session. The client gets no `traceparent`. */
async function deliverInSpan(deps: ClientLogoutsDeps, due: DueLogout): Promise<void> {
  const attributes = { "service.oauth.client.id": due.clientId, "service.logout.attempt": due.attempts };
  const span = { name: "back-channel logout", attributes, cause: due.traceparent ?? undefined };
  await deps.telemetry.inLinkedSpan(span, () => deliver(deps, due));
}

async function deliver(deps: ClientLogoutsDeps, due: DueLogout): Promise<void> {
  const { familyId, clientId, attempts } = due;
  const outcome = due.uri === null ? "refused" : await sendTo(due.uri, deps, due);
  deps.telemetry.metrics.clientLogout(outcome);
  if (outcome !== "sent") deps.telemetry.annotate({ "error.type": outcome });
  if (outcome !== "failed") {
    await deps.database.run("oauth_logout.delete", (sql) => deleteLogout(sql, familyId));
    return;
  }
  deps.log.warn({ client_id: clientId, attempt: attempts }, "client logouts: not delivered; it is retried later");
  const pause = backoffMs(attempts, { minMs: OUTBOX_RETRY_MIN_MS, maxMs: OUTBOX_RETRY_MAX_MS });
  const until = new Date(deps.clock.now() + pause);
  await deps.database.run("oauth_logout.postpone", (sql) => postponeLogout(sql, familyId, until));
}

/**
 * `refused`: the client reports that the logout failed (OpenID Connect Back-Channel Logout 1.0, section 2.8); a retry
 * would have the same result.
 */
async function sendTo(url: string, deps: ClientLogoutsDeps, due: DueLogout): Promise<"sent" | "refused" | "failed"> {
  const response = await deps.post({
    url,
    headers: { "content-type": "application/x-www-form-urlencoded", "cache-control": "no-store" },
    body: new URLSearchParams({ logout_token: await logoutToken(deps, due) }).toString(),
  });
  if (!response.ok) {
    deps.log.debug({ client_id: due.clientId, cause: response.error.cause }, "client logouts: not reached");
    return "failed";
  }
  const { status } = response.value;
  if (status >= 200 && status < 300) return "sent";
  return status === 400 ? "refused" : "failed";
}

/** Signs on this thread: logouts are rare compared with sign-ins, and no request waits for the signature. */
async function logoutToken(deps: ClientLogoutsDeps, due: DueLogout): Promise<string> {
  const iat = unixSeconds(deps.clock.now());
  const claims: LogoutClaims = {
    iss: deps.issuer,
    sub: due.subject,
    aud: due.clientId,
    sid: due.familyId,
    iat,
    exp: iat + OAUTH_LOGOUT_TOKEN_SECONDS,
    jti: deps.random.uuid(),
    events: { "http://schemas.openid.net/event/backchannel-logout": {} },
  };
  if (due.algorithm !== "RS256")
    return signProviderClaims(deps.keyRing.activeProvider(due.algorithm), "logout", claims);
  const { kid, privateKeyPem } = deps.keyRing.active();
  const input = signingInput(encodeProviderHeader("logout", "RS256", kid), claims);
  return `${input}.${await signHere(privateKeyPem, input)}`;
}
