import { type OAuthRefusal, oauthRefusal } from "../../../base/oauth-problem.ts";
import { hashOpaqueToken } from "../../../base/opaque-token.ts";
import { err, ok } from "../../../base/result.ts";
import { DEVICE_POLL_INTERVAL_MAX_SECONDS, DEVICE_POLL_SLOWER_BY_SECONDS } from "../../../limits/oauth-limits.ts";
import { type DeviceView, deviceEventId, lengthenInterval } from "../../../models/oauth-device/device-code.ts";
import { issueForCode } from "./exchange-code.ts";
import type { TokenDeps, TokenOutcome, TokenRequest } from "./token-request.ts";

const BAD_CODE = oauthRefusal("invalid_grant", "The device code is invalid or used, or the access has ended.");

/** RFC 8628, section 3.5. Polls of devices before the decision of the user are no failures. */
const PENDING = { ...oauthRefusal("authorization_pending", "The user has not decided yet."), isRoutine: true };
const SLOW_DOWN = { ...oauthRefusal("slow_down", "Poll 5 seconds less often from now on."), isRoutine: true };
const EXPIRED = oauthRefusal("expired_token", "The device code has expired.");
const DENIED = oauthRefusal("access_denied", "The user did not allow this.");

/**
 * The grant of a device (RFC 8628, section 3.4): the state until the decision of the user, then tokens once. Parallel
 * polls are no sign of a stolen code, so a repeated poll ends no tokens. A waiting device is served from memory: the
 * decision of the user reaches the replicas by the log of session events.
 */
export async function exchangeDeviceCode(deps: TokenDeps, request: TokenRequest): TokenOutcome {
  const code = request.parameters.one("device_code");
  if (code === undefined) return err(oauthRefusal("invalid_request", "device_code is missing."));
  const codeHash = hashOpaqueToken(code);
  const device = codeHash && (await deps.revocations.device(codeHash));
  if (!codeHash || device?.clientId !== request.client.id) return err(BAD_CODE);
  if (device.codeExpiresAt <= deps.clock.now()) return err(EXPIRED);
  if (device.status === "denied") return err(DENIED);
  if (device.status === "pending") return err(await answerWaiting(deps, codeHash, device));
  const issued = await issueForCode(deps, request, { codeHash, redirectUri: null, codeChallenge: null });
  if (!issued.ok) return issued;
  return issued.value ? ok(issued.value) : err(BAD_CODE);
}

/**
 * A poll before the end of the interval makes the interval longer for good, at most eleven times. The pause is that
 * between two polls at one replica.
 */
async function answerWaiting(
  { clock, database, devicePolls }: TokenDeps,
  codeHash: Buffer,
  device: DeviceView,
): Promise<OAuthRefusal<"authorization_pending" | "slow_down">> {
  const [id, polledAt] = [deviceEventId(codeHash), clock.now()];
  const before = devicePolls.get(id);
  const known = Math.max(device.intervalSeconds, before?.intervalSeconds ?? 0);
  const isEarly = before !== undefined && polledAt < before.polledAt + known * 1000;
  const intervalSeconds = isEarly
    ? Math.min(known + DEVICE_POLL_SLOWER_BY_SECONDS, DEVICE_POLL_INTERVAL_MAX_SECONDS)
    : known;
  devicePolls.set(id, { polledAt, intervalSeconds });
  if (intervalSeconds > known) {
    await database.run("oauth_device.lengthen_interval", (sql) => lengthenInterval(sql, codeHash, intervalSeconds));
  }
  return isEarly ? SLOW_DOWN : PENDING;
}
