/** The response of the authorization endpoint to an application. */
import type { OAuthRefusal } from "../../base/oauth-problem.ts";
import type { Deps } from "../../deps.ts";
import type { AuthorizationParameters } from "../../models/oauth-request/oauth-request.ts";
import type { ResponseTarget } from "./validate-authorization.ts";

/** The response to the application: parameters of the redirect URI, or of a form posted to the redirect URI. */
export interface AuthorizationResponse {
  readonly target: ResponseTarget;
  readonly parameters: Readonly<Record<string, string>>;
  /** The refusal behind an error, for the record of decisions. */
  readonly refused?: OAuthRefusal;
}

export function errorResponse(
  deps: Pick<Deps, "config" | "telemetry">,
  { parameters }: { readonly parameters: ResponseTarget },
  refused: OAuthRefusal,
): AuthorizationResponse {
  deps.telemetry.metrics.oauthAuthorization("error");
  const { oauth, description } = refused;
  return { ...responseOf(deps, parameters, { error: oauth, error_description: description }), refused };
}

/** Includes `iss`, so a client with several providers detects a mix-up (RFC 9207). */
export function responseOf(
  { config }: Pick<Deps, "config">,
  { redirectUri, responseMode, state }: AuthorizationParameters | ResponseTarget,
  parameters: Readonly<Record<string, string>>,
): AuthorizationResponse {
  return {
    target: { redirectUri, responseMode, state },
    parameters: { ...parameters, ...(state === null ? {} : { state }), iss: config.urls.publicBaseUrl },
  };
}

/** The address of a response by query: the query of the redirect URI is kept (RFC 6749, section 3.1.2). */
export function responseLocation({ target, parameters }: AuthorizationResponse): string {
  const separator = target.redirectUri.includes("?") ? "&" : "?";
  return `${target.redirectUri}${separator}${new URLSearchParams(parameters)}`;
}
