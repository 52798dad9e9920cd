/** The response of the authorization endpoint to an application. */
import { unixSeconds } from "../../../base/clock.ts";
import type { OAuthRefusal } from "../../../base/oauth-problem.ts";
import type { Deps } from "../../../deps.ts";
import { AUTHORIZATION_RESPONSE_SECONDS } from "../../../limits/oauth-limits.ts";
import { clientIdOf } from "../../../models/oauth-client/oauth-client.ts";
import { type ProvenanceRules, rulesOf } from "../../../models/oauth-client/provenance.ts";
import type { AuthorizationParameters } from "../../../models/oauth-request/oauth-request.ts";
import { signProviderToken } from "../../steps/tokens/sign-provider-token.ts";
import type { ResponseTarget } from "./validate-authorization.ts";

export type AuthorizationResponseDeps = Pick<
  Deps,
  "clock" | "config" | "keyRing" | "oauthClients" | "signing" | "telemetry"
>;

/** The response to the application: parameters of the redirect URI, or of a form posted to the redirect URI. */
export interface AuthorizationResponse {
  readonly target: ResponseTarget;
  readonly parameters: Readonly<Record<string, string>>;
  /** How the response leaves the service: no party vouches for the address of an unregistered application. */
  readonly leavesBy: ProvenanceRules["leavesBy"];
  /** The refusal behind an error, for the record of decisions. */
  readonly refused?: OAuthRefusal;
}

export async function errorResponse(
  deps: AuthorizationResponseDeps,
  { parameters }: { readonly parameters: ResponseTarget },
  refused: OAuthRefusal,
): Promise<AuthorizationResponse> {
  deps.telemetry.metrics.oauthAuthorization("error");
  const { oauth, description } = refused;
  const response = await responseOf(deps, parameters, { error: oauth, error_description: description });
  const client = deps.oauthClients.find(parameters.clientId);
  return { ...response, leavesBy: client ? rulesOf(client).leavesBy : "page", refused };
}

/** Includes `iss`, so a client with several providers detects a mix-up (RFC 9207). */
export async function responseOf(
  deps: AuthorizationResponseDeps,
  request: AuthorizationParameters | ResponseTarget,
  parameters: Readonly<Record<string, string>>,
): Promise<AuthorizationResponse> {
  const { clientId, redirectUri, responseMode, state, isSigned = false } = request;
  const target = { clientId, redirectUri, responseMode, state, isSigned };
  const plain = { ...parameters, ...(state === null ? {} : { state }), iss: deps.config.urls.publicBaseUrl };
  return {
    target,
    leavesBy: "redirect",
    parameters: isSigned ? { response: await signResponse(deps, clientId, plain) } : plain,
  };
}

/** JARM, section 2.1: a JWT for the client, by the algorithm of the ID tokens of the client. */
async function signResponse(
  deps: AuthorizationResponseDeps,
  clientId: string,
  parameters: Readonly<Record<string, string>>,
): Promise<string> {
  const exp = unixSeconds(deps.clock.now()) + AUTHORIZATION_RESPONSE_SECONDS;
  const client = deps.oauthClients.find(clientId);
  const algorithm = client?.idTokenSignedResponseAlg ?? "RS256";
  const claims = { ...parameters, aud: client ? clientIdOf(client) : clientId, exp };
  return await signProviderToken(deps, clientId, { kind: "authorization_response", algorithm, claims });
}

/** The address of a response by query: the query of the redirect URI is kept (RFC 6749, section 3.1.2). */
export function responseLocation({ target, parameters }: AuthorizationResponse): string {
  const separator = target.redirectUri.includes("?") ? "&" : "?";
  return `${target.redirectUri}${separator}${new URLSearchParams(parameters)}`;
}
