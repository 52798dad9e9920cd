/** The request of a device, as a user finds the request by the code on the display (RFC 8628, section 3.3). */

import { type Refusal, rateLimited, refusal } from "../../../base/problem.ts";
import { isUuid } from "../../../base/random.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import { USER_CODE_MISSES_MAX, USER_CODE_MISSES_WINDOW_MS } from "../../../limits/oauth-limits.ts";
import type { OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import { claimDeviceRequest, type DeviceRequest, findDeviceRequest } from "../../../models/oauth-device/device-code.ts";
import { readUserCode } from "../../../models/oauth-device/user-code.ts";
import type { SessionView } from "../../../models/session/session.ts";
import { DEVICE_GRANT } from "../../../vocabulary/grant-type.ts";
import { isStillPermitted } from "../request/requested.ts";
import { grantableScopes } from "../request/role-scopes.ts";

export type FindDeviceRequestDeps = Pick<Deps, "clock" | "database" | "oauthClients" | "oauthResources" | "state">;

/** A waiting device and its application. */
export interface FoundDevice {
  readonly request: DeviceRequest;
  readonly client: OAuthClient;
}

export const NO_DEVICE = refusal("not_found", "No device waits with this code.");

/**
 * Finds the device of a typed code for the user. Wrong codes count for the user and for the client network on all
 * replicas; beyond `USER_CODE_MISSES_MAX` a right code is refused too.
 */
export async function findDeviceByCode(
  deps: FindDeviceRequestDeps,
  { session, userCode: text, client }: FindInput,
): Promise<Result<FoundDevice, Refusal<"not_found" | "rate_limited">>> {
  const userCode = readUserCode(text);
  if (userCode === undefined) return err(NO_DEVICE);
  const scopes = [`user:${session.userId}`, `network:${client.network}`].map((key) => ({
    key: `service:user-codes:${key}`,
    limit: USER_CODE_MISSES_MAX,
    windowMs: USER_CODE_MISSES_WINDOW_MS,
  }));
  const claim = await deps.state.claim(scopes);
  if (claim.outcome !== "granted") {
    const retryAfterMs = "retryAfterMs" in claim ? claim.retryAfterMs : USER_CODE_MISSES_WINDOW_MS;
    return err(rateLimited("user_code_misses", retryAfterMs / 1000, "too many wrong user codes"));
  }
  let isWrong = false;
  try {
    const found = await claimByCode(deps, userCode, session.userId);
    isWrong = found === undefined;
    return found ? ok(found) : err(NO_DEVICE);
  } finally {
    // A failed lookup is released too: a failure of the database is no guess.
    await deps.state.endClaim(scopes, isWrong);
  }
}

export interface FindInput {
  readonly session: SessionView;
  /** As typed. */
  readonly userCode: string;
  readonly client: RequestContext;
}

async function claimByCode(
  deps: FindDeviceRequestDeps,
  userCode: string,
  userId: string,
): Promise<FoundDevice | undefined> {
  const at = new Date(deps.clock.now());
  const request = await deps.database.run("oauth_device.claim", (sql) =>
    claimDeviceRequest(sql, { userCode, userId, at }),
  );
  return await withClient(deps, request);
}

/** The device that the user has found by its code before. */
export async function findClaimedDevice(
  deps: FindDeviceRequestDeps,
  { session, id }: { readonly session: SessionView; readonly id: string },
): Promise<Result<FoundDevice, Refusal<"not_found">>> {
  if (!isUuid(id)) return err(NO_DEVICE);
  const at = new Date(deps.clock.now());
  const request = await deps.database.run("oauth_device.find", (sql) =>
    findDeviceRequest(sql, { id, userId: session.userId, at }),
  );
  const found = await withClient(deps, request);
  return found ? await narrowToRoles(deps, found, session) : err(NO_DEVICE);
}

/** The request with the scopes that the user may grant; without such a scope no device waits for the user. */
async function narrowToRoles(
  deps: FindDeviceRequestDeps,
  { request, client }: FoundDevice,
  session: SessionView,
): Promise<Result<FoundDevice, Refusal<"not_found">>> {
  const scopes = await grantableScopes(deps, client, request, session);
  return scopes.ok ? ok({ client, request: { ...request, scopes: [...scopes.value] } }) : err(NO_DEVICE);
}

/** No device waits for a disabled client, or for a grant, scope or resource server withdrawn meanwhile. */
async function withClient(
  deps: FindDeviceRequestDeps,
  request: DeviceRequest | undefined,
): Promise<FoundDevice | undefined> {
  if (!request) return undefined;
  const client = await deps.oauthClients.load(request.clientId);
  if (!client?.grantTypes.includes(DEVICE_GRANT) || !isStillPermitted(deps, client, request)) return undefined;
  return { request, client };
}
