import type { Bound } from "../limits/bounds.ts";
import type { Counters, LimitState, Refusal } from "./problem.ts";

/**
 * The error codes of the OAuth endpoints, which have separate registries: RFC 6749, sections 4.1.2.1 and 5.2; RFC 6750,
 * section 3.1; RFC 7591, section 3.2.2; RFC 8628, section 3.5; RFC 8707, section 2; RFC 9101, section 7; RFC 9449,
 * section 12.2; OpenID Connect Core, section 3.1.2.6.
 */
export type OAuthErrorCode =
  | "access_denied"
  | "authorization_pending"
  | "consent_required"
  | "expired_token"
  | "interaction_required"
  | "insufficient_scope"
  | "invalid_client"
  | "invalid_client_metadata"
  | "invalid_dpop_proof"
  | "invalid_grant"
  | "invalid_redirect_uri"
  | "invalid_request"
  | "invalid_request_object"
  | "invalid_request_uri"
  | "invalid_scope"
  | "invalid_target"
  | "invalid_token"
  | "login_required"
  | "registration_not_supported"
  | "request_not_supported"
  | "request_uri_not_supported"
  | "server_error"
  | "slow_down"
  | "temporarily_unavailable"
  | "unauthorized_client"
  | "unmet_authentication_requirements"
  | "unsupported_grant_type"
  | "unsupported_response_type"
  | "use_dpop_nonce";

/** Why an OAuth endpoint refuses. A value, like `Refusal`. */
export interface OAuthRefusal<Code extends OAuthErrorCode = OAuthErrorCode> {
  readonly oauth: Code;
  /** `error_description`, for developers: printable ASCII without quotes and backslash (RFC 6749, section 5.2). */
  readonly description: string;
  /** The cause for the log only. */
  readonly cause?: string;
  readonly retryAfterSeconds?: number;
  /** A dependency is unavailable: `temporarily_unavailable` with 503 in place of 429. */
  readonly isUnavailable?: boolean;
  /** As in `Refusal`. */
  readonly isRoutine?: boolean;
  readonly limit?: LimitState;
  /** Limits and bounds as in `Refusal`: counted, and recorded for `explain`. */
  readonly bound?: Bound;
  readonly counters?: Counters;
}

export function oauthRefusal<Code extends OAuthErrorCode>(
  oauth: Code,
  description: string,
  cause?: string,
): OAuthRefusal<Code> {
  return cause === undefined ? { oauth, description } : { oauth, description, cause };
}

/** The signing pool or a limit refuses: the client may come back (RFC 6749, section 4.1.2.1). */
export function busy({
  retryAfterSeconds,
  limit,
  cause,
  bound,
  counters,
}: Refusal): OAuthRefusal<"temporarily_unavailable"> {
  return {
    oauth: "temporarily_unavailable",
    description: "Too many requests. Try again later.",
    ...(cause === undefined ? {} : { cause }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(limit ? { limit } : {}),
    ...(bound ? { bound } : {}),
    ...(counters ? { counters } : {}),
  };
}
