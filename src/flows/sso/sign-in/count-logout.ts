import { createHash } from "node:crypto";
import { type Refusal, rateLimited } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { SSO_LOGOUTS_MAX, SSO_LOGOUTS_WINDOW_MS } from "../../../limits/sso-sign-in-limits.ts";
import type { SsoDeps } from "./connection.ts";

/**
 * Counts a verified logout message once against the limit of the connection: a replayed message uses up no share of
 * further messages. Redis keys `service:sso-logout:<connection id>:<hash of the id>` and
 * `service:sso-logouts:<connection id>`; after a loss of the keys the counts start at zero.
 */
export async function countLogout(
  { state }: Pick<SsoDeps, "state">,
  connectionId: string,
  messageId: string,
): Promise<Result<void, Refusal<"rate_limited">>> {
  const hash = createHash("sha256").update(messageId).digest("base64url");
  const seen = await state.count(`service:sso-logout:${connectionId}:${hash}`, SSO_LOGOUTS_WINDOW_MS);
  if (seen.count > 1) return ok(undefined);
  const { count, resetMs } = await state.count(`service:sso-logouts:${connectionId}`, SSO_LOGOUTS_WINDOW_MS);
  if (count <= SSO_LOGOUTS_MAX) return ok(undefined);
  return err(
    rateLimited("sso_logouts", resetMs / 1000, "too many logout messages of a connection", {
      counters: { count, limit: SSO_LOGOUTS_MAX, window_seconds: SSO_LOGOUTS_WINDOW_MS / 1000 },
    }),
  );
}
