import { busy, oauthRefusal } from "../../../base/oauth-problem.ts";
import { err, ok } from "../../../base/result.ts";
import { requiresBoundTokens } from "../../../models/oauth-client/oauth-client.ts";
import { ASSERTION_GRANT, DEVICE_GRANT, EXCHANGE_GRANT, type GrantType } from "../../../vocabulary/grant-type.ts";
import { acquireSigningSlot } from "../../steps/tokens/issue-session-tokens.ts";
import { ownResourceOf } from "../../steps/tokens/own-resource.ts";
import { type AuthenticatedProgram, authenticateProgram } from "../programs/authenticate-program.ts";
import { issueProgramToken } from "../programs/issue-program-token.ts";
import { authenticateClient, type ClientCredentials } from "../request/authenticate-client.ts";
import {
  availableResources,
  findResource,
  needsProof,
  requestedResources,
  requestedScopes,
} from "../request/requested.ts";
import { offeredScopes } from "../request/role-scopes.ts";
import { PROOF_REQUIRED, type PresentedProof, proofClientOf, verifyProof } from "../request/verify-proof.ts";
import { grantByAssertion } from "./assertion-grant.ts";
import { exchangeAuthorizationCode } from "./exchange-code.ts";
import { exchangeDeviceCode } from "./exchange-device-code.ts";
import { exchangeToken } from "./exchange-token.ts";
import { issueClientToken } from "./issue-tokens.ts";
import { refreshTokens } from "./refresh-tokens.ts";
import type { TokenDeps, TokenOutcome, TokenRequest } from "./token-request.ts";

const GRANTS: Record<GrantType, (deps: TokenDeps, request: TokenRequest) => TokenOutcome> = {
  authorization_code: exchangeAuthorizationCode,
  refresh_token: refreshTokens,
  client_credentials: grantClientCredentials,
  [DEVICE_GRANT]: exchangeDeviceCode,
  [EXCHANGE_GRANT]: exchangeToken,
  [ASSERTION_GRANT]: grantByAssertion,
};

/**
 * POST /oauth2/token (docs/contract.md, section 23.5). Authentication of the client, the proof of possession and
 * acquisition of a signing slot precede every change, so a consumed code or refresh token always yields tokens.
 */
export async function issueTokensByGrant(deps: TokenDeps, presented: ClientCredentials & PresentedProof): TokenOutcome {
  const grantType = presented.parameters.one("grant_type");
  if (grantType === undefined) return err(oauthRefusal("invalid_request", "grant_type is missing."));
  const program = await authenticateProgram(deps, presented);
  if (program) return program.ok ? await issueToProgram(deps, presented, program.value, grantType) : program;
  const client = await authenticateClient(deps, presented);
  if (!client.ok) return client;
  if (!isGrantType(grantType)) return err(oauthRefusal("unsupported_grant_type", "This grant_type is not supported."));
  if (!client.value.grantTypes.includes(grantType)) {
    return err(oauthRefusal("unauthorized_client", "The client may not use this grant_type."));
  }
  const thumbprint = await verifyProof(deps, presented, { client: client.value });
  if (!thumbprint.ok) return thumbprint;
  if (requiresBoundTokens(client.value) && thumbprint.value === undefined) return err(PROOF_REQUIRED);
  const slot = acquireSigningSlot(deps, client.value.id);
  if (!slot.ok) return err(busy(slot.error));
  using _slot = slot.value;
  const issued = await GRANTS[grantType](deps, {
    client: client.value,
    parameters: presented.parameters,
    requestContext: presented.requestContext,
    thumbprint: thumbprint.value,
  });
  deps.telemetry.metrics.oauthToken(grantType, outcomeOf(issued));
  return issued;
}

/** A service account has the grant `client_credentials` alone. */
async function issueToProgram(
  deps: TokenDeps,
  presented: ClientCredentials & PresentedProof,
  program: AuthenticatedProgram,
  grantType: string,
): TokenOutcome {
  if (grantType !== "client_credentials") {
    return err(oauthRefusal("unauthorized_client", "A service account uses the grant client_credentials."));
  }
  const { serviceAccountId } = program.credential;
  const thumbprint = await verifyProof(deps, presented, { client: proofClientOf(serviceAccountId) });
  if (!thumbprint.ok) return thumbprint;
  const slot = acquireSigningSlot(deps, serviceAccountId);
  if (!slot.ok) return err(busy(slot.error));
  using _slot = slot.value;
  const { parameters, requestContext } = presented;
  const request = { program, parameters, requestContext, thumbprint: thumbprint.value };
  const issued = await issueProgramToken(deps, request);
  if (issued.ok) deps.keyUsage.record(program.credential);
  deps.telemetry.metrics.oauthToken("client_credentials", issued.ok ? "success" : "failure");
  return issued;
}

function outcomeOf(issued: Awaited<TokenOutcome>): "success" | "failure" | "waiting" {
  if (issued.ok) return "success";
  return issued.error.isRoutine ? "waiting" : "failure";
}

function isGrantType(text: string): text is GrantType {
  return Object.hasOwn(GRANTS, text);
}

const OF_PROGRAMS = oauthRefusal("invalid_target", "Service accounts alone receive tokens of their own for this API.");
const NOT_OFFERED = oauthRefusal("invalid_scope", "The resource has none of these scopes.");

/** RFC 6749, section 4.4: tokens for a client in its own name. Scopes of users have no effect here. */
async function grantClientCredentials(deps: TokenDeps, { client, parameters, thumbprint }: TokenRequest): TokenOutcome {
  if (client.tokenAuthMethod === "none") {
    return err(oauthRefusal("unauthorized_client", "A public client may not use this grant_type."));
  }
  const scopes = requestedScopes(deps, client, parameters, "client");
  if (!scopes.ok) return scopes;
  const resources = requestedResources(availableResources(deps, client), parameters);
  if (!resources.ok) return resources;
  const named = resources.value ?? [];
  // An application acts at this API for a person alone (docs/contract.md, section 35.10).
  if (findResource(named, ownResourceOf(deps)) !== undefined) return err(OF_PROGRAMS);
  const offered = offeredScopes(deps, { scopes: scopes.value, resources: named });
  if (offered.length === 0 && scopes.value.length > 0) return err(NOT_OFFERED);
  if (thumbprint === undefined && needsProof(deps, named)) return err(PROOF_REQUIRED);
  return ok(await issueClientToken(deps, { client, scopes: offered, resources: named, thumbprint }));
}
