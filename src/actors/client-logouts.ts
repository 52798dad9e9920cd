/**
 * Owns: telling the clients of the OpenID provider that a session ended (OpenID Connect Back-Channel Logout 1.0).
 * Woken by: a poll. The database writes what is to be sent, in the transaction that ends the session.
 * Bound: `OUTBOX_BATCH` logout tokens at once, each leased for longer than its delivery may take.
 * A crash loses: nothing. Any replica sends a leased one after the lease has ended; a client takes a second logout
 * token of a session for what it is.
 */
import { backoffMs } from "../base/backoff.ts";
import { type Clock, unixSeconds } from "../base/clock.ts";
import type { Database } from "../base/database.ts";
import { OUTBOX_BATCH, OUTBOX_LEASE_MS, OUTBOX_RETRY_MAX_MS, OUTBOX_RETRY_MIN_MS } from "../base/limits.ts";
import type { Logger } from "../base/log.ts";
import { type Loop, startLoop } from "../base/loop.ts";
import { CLIENT_LOGOUT_POLL_MS, OAUTH_LOGOUT_TOKEN_SECONDS } from "../base/oauth-limits.ts";
import type { Random } from "../base/random.ts";
import type { Telemetry } from "../base/telemetry.ts";
import { type DueLogout, deleteLogout, leaseDueLogouts, postponeLogout } from "../models/oauth-logout/oauth-logout.ts";
import { encodeProviderHeader, signHere, signingInput } from "../models/token/compact.ts";
import type { LogoutClaims } from "../models/token/provider-claims.ts";
import type { SigningKey } from "../pool/protocol.ts";
import type { GuardedPost } from "../providers/guarded-post.ts";

export interface ClientLogouts {
  start(): void;
  stop(): Promise<void>;
}

export interface ClientLogoutsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly telemetry: Telemetry;
  /** The key that signs now. */
  readonly activeKey: () => SigningKey;
  readonly issuer: string;
  readonly post: GuardedPost;
}

export function clientLogouts(deps: ClientLogoutsDeps): ClientLogouts {
  let loop: Loop | undefined;
  return {
    start() {
      loop = startLoop({
        pauseMs: CLIENT_LOGOUT_POLL_MS,
        round: () => sendDueLogouts(deps),
        onFailure: (error) => deps.log.warn({ err: error }, "client logouts: a round failed; the next one continues"),
      });
    },
    async stop() {
      await loop?.stop();
    },
  };
}

/** One round: sends all that are due, batch by batch. Exported for the tests. */
export async function sendDueLogouts(deps: ClientLogoutsDeps): Promise<void> {
  for (;;) {
    const now = deps.clock.now();
    const leaseEnds = new Date(now + OUTBOX_LEASE_MS);
    const due = await deps.database.run("oauth_logout.lease_due", (sql) =>
      leaseDueLogouts(sql, new Date(now), leaseEnds, OUTBOX_BATCH),
    );
    await Promise.all(due.map((logout) => deliver(deps, logout)));
    if (due.length < OUTBOX_BATCH) return;
  }
}

async function deliver(deps: ClientLogoutsDeps, due: DueLogout): Promise<void> {
  const { familyId, clientId, attempts } = due;
  const outcome = due.uri === null ? "refused" : await sendTo(due.uri, deps, due);
  deps.telemetry.metrics.clientLogout(outcome);
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
 * `refused`: the client says that it cannot take this one (OpenID Connect Back-Channel Logout 1.0, section 2.8);
 * sending it again would change nothing.
 */
async function sendTo(url: string, deps: ClientLogoutsDeps, due: DueLogout): Promise<"sent" | "refused" | "failed"> {
  const answer = await deps.post({
    url,
    headers: { "content-type": "application/x-www-form-urlencoded", "cache-control": "no-store" },
    body: new URLSearchParams({ logout_token: await logoutToken(deps, due) }).toString(),
  });
  if (!answer.ok) {
    deps.log.debug({ client_id: due.clientId, cause: answer.error.cause }, "client logouts: not reached");
    return "failed";
  }
  const { status } = answer.value;
  if (status >= 200 && status < 300) return "sent";
  return status === 400 ? "refused" : "failed";
}

/** Signed on this thread: logouts are rare beside sign-ins, and no request waits for them. */
async function logoutToken(deps: ClientLogoutsDeps, due: DueLogout): Promise<string> {
  const { kid, privateKeyPem } = deps.activeKey();
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
  const input = signingInput(encodeProviderHeader("logout", kid), claims);
  return `${input}.${await signHere(privateKeyPem, input)}`;
}
