/** POST /oauth2/device_authorization (RFC 8628, section 3.1; docs/contract.md, section 23.15). */

import { busy, type OAuthRefusal, oauthRefusal } from "../../../base/oauth-problem.ts";
import { hashOpaqueToken, makeOpaqueToken } from "../../../base/opaque-token.ts";
import { rateLimited } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import {
  DEVICE_CODE_LIFETIME_MS,
  DEVICE_CODES_PER_CLIENT_MAX,
  DEVICE_CODES_PER_NETWORK_MAX,
  DEVICE_POLL_INTERVAL_SECONDS,
  USER_CODE_ATTEMPTS_MAX,
} from "../../../limits/oauth-limits.ts";
import { type AuditEntry, insertAudit } from "../../../models/audit/audit.ts";
import type { OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import { provenanceOf } from "../../../models/oauth-client/provenance.ts";
import { insertDeviceCode } from "../../../models/oauth-device/device-code.ts";
import { displayedUserCode, makeUserCode } from "../../../models/oauth-device/user-code.ts";
import type { Acr } from "../../../vocabulary/assurance.ts";
import { DEVICE_GRANT } from "../../../vocabulary/grant-type.ts";
import { admitsAnonymousRecord } from "../../steps/audit/anonymous-record.ts";
import {
  type AuthenticateClientDeps,
  authenticateClient,
  type ClientCredentials,
} from "../request/authenticate-client.ts";
import { availableResources, requestedResources, requestedScopes } from "../request/requested.ts";
import { readAcr } from "../request/required-assurance.ts";

export type RequestDeviceCodesDeps = AuthenticateClientDeps & Pick<Deps, "oauthResources" | "random">;

/** RFC 8628, section 3.2. */
export interface DeviceCodes {
  readonly deviceCode: string;
  /** With the hyphen of the display. */
  readonly userCode: string;
  readonly verificationUri: string;
  readonly verificationUriComplete: string;
  readonly expiresInSeconds: number;
  readonly intervalSeconds: number;
}

const NOT_ALLOWED = oauthRefusal("unauthorized_client", "The client may not use the device grant.");

const BOUNDS = { perClient: DEVICE_CODES_PER_CLIENT_MAX, perNetwork: DEVICE_CODES_PER_NETWORK_MAX };

/** Issues the codes of a device. Too many waiting devices of the client are `temporarily_unavailable`. */
export async function requestDeviceCodes(
  deps: RequestDeviceCodesDeps,
  { requestContext, ...presented }: ClientCredentials,
): Promise<Result<DeviceCodes, OAuthRefusal>> {
  const client = await authenticateClient(deps, { ...presented, requestContext });
  if (!client.ok) return client;
  if (!client.value.grantTypes.includes(DEVICE_GRANT)) return err(NOT_ALLOWED);
  const { parameters } = presented;
  const scopes = requestedScopes(deps, client.value, parameters, "user");
  if (!scopes.ok) return scopes;
  const resources = requestedResources(availableResources(deps, client.value), parameters);
  if (!resources.ok) return resources;
  const acr = readAcr(parameters, undefined);
  if (!acr.ok) return acr;
  const requested = { scopes: scopes.value, resources: resources.value ?? [], acr: acr.value?.value ?? null };
  return await persistCodes(deps, client.value, requested, requestContext);
}

interface RequestedAccess {
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
  readonly acr: Acr | null;
}

async function persistCodes(
  deps: RequestDeviceCodesDeps,
  client: OAuthClient,
  { scopes, resources, acr }: RequestedAccess,
  requestContext: RequestContext,
): Promise<Result<DeviceCodes, OAuthRefusal>> {
  const deviceCode = makeOpaqueToken(deps.random);
  const deviceCodeHash = hashOpaqueToken(deviceCode);
  if (!deviceCodeHash) throw new Error("a handle of this service has no hash");
  const createdAt = new Date(deps.clock.now());
  const event = requestedEvent(deps, client, requestContext, createdAt);
  const isRecorded = await isRequestRecorded(deps, client, requestContext);
  for (let attempt = 0; attempt < USER_CODE_ATTEMPTS_MAX; attempt += 1) {
    const userCode = makeUserCode(deps.random);
    const code = {
      id: deps.random.uuid(),
      deviceCodeHash,
      userCode,
      clientId: client.id,
      scopes: [...scopes],
      resources: [...resources],
      secondFactor: acr === "aal2" || acr === "phr",
      acr,
      ipAddress: requestContext.ipAddress,
      network: requestContext.network,
      intervalSeconds: DEVICE_POLL_INTERVAL_SECONDS,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + DEVICE_CODE_LIFETIME_MS),
    };
    const outcome = await deps.database.run("oauth_device.insert", (sql) =>
      insertDeviceCode(sql, code, BOUNDS, (inserted) =>
        insertAudit(sql, event, sql`from ${inserted} where ${isRecorded}::boolean`),
      ),
    );
    if (outcome === "full") return err(busy(TOO_MANY_DEVICES));
    if (outcome === "taken") continue;
    return ok(codesOf(deps, deviceCode, displayedUserCode(userCode)));
  }
  throw new Error("no free user code was found");
}

/** Every request of a client that an administrator registered with credentials; else a bounded number of requests. */
async function isRequestRecorded(
  deps: RequestDeviceCodesDeps,
  client: OAuthClient,
  requestContext: RequestContext,
): Promise<boolean> {
  if (client.tokenAuthMethod !== "none" && provenanceOf(client) === "administrator") return true;
  return await admitsAnonymousRecord(deps, { action: "oauth.device.requested", subject: client.id, requestContext });
}

const TOO_MANY_DEVICES = rateLimited("device_codes", DEVICE_POLL_INTERVAL_SECONDS, "too many devices wait");

function codesOf({ config }: Pick<Deps, "config">, deviceCode: string, userCode: string): DeviceCodes {
  const verificationUri = `${config.urls.publicBaseUrl}/device`;
  return {
    deviceCode,
    userCode,
    verificationUri,
    verificationUriComplete: `${verificationUri}?${new URLSearchParams({ user_code: userCode })}`,
    expiresInSeconds: DEVICE_CODE_LIFETIME_MS / 1000,
    intervalSeconds: DEVICE_POLL_INTERVAL_SECONDS,
  };
}

function requestedEvent(
  { random }: Pick<Deps, "random">,
  client: OAuthClient,
  requestContext: RequestContext,
  at: Date,
): AuditEntry {
  return {
    eventId: random.uuid(),
    at,
    action: "oauth.device.requested",
    outcome: "success",
    organizationId: null,
    actorId: null,
    actorType: "system",
    resourceType: "oauth_client",
    resourceId: client.id,
    metadata: {},
    client: requestContext,
  };
}
