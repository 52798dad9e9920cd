import { oauthRefusal } from "../../base/oauth-problem.ts";
import { err, ok } from "../../base/result.ts";
import { DEVICE_POLL_INTERVAL_MAX_SECONDS, DEVICE_POLL_SLOWER_BY_SECONDS } from "../../limits/oauth-limits.ts";
import { type DevicePoll, pollDeviceCode } from "../../models/oauth-device/device-code.ts";
import { hashHandle } from "../../models/oauth-request/oauth-request.ts";
import { issueForCode } from "../oauth-provider/exchange-code.ts";
import type { TokenDeps, TokenOutcome, TokenRequest } from "../oauth-provider/token-request.ts";

const BAD_CODE = oauthRefusal("invalid_grant", "The device code is invalid or used, or the access has ended.");

/** RFC 8628, section 3.5. */
const WAITING = {
  pending: oauthRefusal("authorization_pending", "The user has not decided yet."),
  slow_down: oauthRefusal("slow_down", "Poll 5 seconds less often from now on."),
  expired: oauthRefusal("expired_token", "The device code has expired."),
  denied: oauthRefusal("access_denied", "The user did not allow this."),
} as const satisfies Record<Exclude<DevicePoll, "approved">, ReturnType<typeof oauthRefusal>>;

/**
 * The grant of a device (RFC 8628, section 3.4): the state until the decision of the user, then tokens once. Parallel
 * polls are no sign of a stolen code, so a repeated poll ends no tokens.
 */
export async function exchangeDeviceCode(deps: TokenDeps, request: TokenRequest): TokenOutcome {
  const code = request.parameters.one("device_code");
  if (code === undefined) return err(oauthRefusal("invalid_request", "device_code is missing."));
  const codeHash = hashHandle(code);
  if (!codeHash) return err(BAD_CODE);
  const poll = {
    deviceCodeHash: codeHash,
    clientId: request.client.id,
    at: new Date(deps.clock.now()),
    longerBySeconds: DEVICE_POLL_SLOWER_BY_SECONDS,
    intervalMaxSeconds: DEVICE_POLL_INTERVAL_MAX_SECONDS,
  };
  const state = await deps.database.run("oauth_device.poll", (sql) => pollDeviceCode(sql, poll));
  if (state === undefined) return err(BAD_CODE);
  if (state !== "approved") return err(WAITING[state]);
  const issued = await issueForCode(deps, request, { codeHash, redirectUri: null, codeChallenge: null });
  if (!issued.ok) return issued;
  return issued.value ? ok(issued.value) : err(BAD_CODE);
}
