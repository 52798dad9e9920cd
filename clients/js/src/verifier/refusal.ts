/** The reasons to refuse a token, and the response of a protected API. */

export type RefusalCode =
  | "missing_token"
  /** Malformed, forged, of another issuer or type: not a token of this service. */
  | "invalid_token"
  | "expired_token"
  | "revoked_session"
  /** The session has a single factor, and the API or the organization of the session requires a second factor. */
  | "insufficient_aal"
  | "insufficient_role"
  | "insufficient_permission"
  /** The access token lacks a scope of the operation. */
  | "insufficient_scope"
  /** The sign-in is too weak or too old (RFC 9470). */
  | "insufficient_authentication"
  /** The proof of possession (DPoP) is missing, malformed, repeated, or for another request. */
  | "invalid_dpop_proof"
  /** The proof needs the nonce of the refusal, also where the clock of the client is wrong. */
  | "use_dpop_nonce"
  /** Neither accepted nor refused: the revocation feed, the keys or the service could not be asked. */
  | "cannot_tell";

export interface Refusal {
  readonly code: RefusalCode;
  readonly message: string;
  /** `WWW-Authenticate` of a resource verifier; default: the challenge of the code. */
  readonly challenge?: string;
  /** `DPoP-Nonce` for the next proof. */
  readonly nonce?: string;
}

export interface RefusalResponse {
  readonly status: 401 | 403 | 503;
  readonly headers: Readonly<Record<string, string>>;
  /** The error envelope of the service. */
  readonly body: { readonly error: { readonly code: string; readonly message: string; readonly type: string } };
}

interface Row {
  readonly message: string;
  readonly status: 401 | 403 | 503;
  /** Code and type of the envelope. */
  readonly error: readonly [code: string, type: string];
  /** RFC 6750, section 3.1, and RFC 9470, section 3. */
  readonly challenge?: string;
}

const UNAUTHENTICATED = { status: 401, error: ["authentication_required", "authentication_error"] } as const;
const INVALID = 'Bearer error="invalid_token"';

const ROWS: Readonly<Record<RefusalCode, Row>> = {
  missing_token: { message: "An access token is required.", ...UNAUTHENTICATED, challenge: "Bearer" },
  invalid_token: { message: "The access token is not valid.", ...UNAUTHENTICATED, challenge: INVALID },
  expired_token: { message: "The access token has expired.", ...UNAUTHENTICATED, challenge: INVALID },
  revoked_session: { message: "The session has ended.", ...UNAUTHENTICATED, challenge: INVALID },
  insufficient_aal: {
    message: "A second factor is required.",
    status: 401,
    error: ["mfa_required", "mfa_required"],
    challenge: 'Bearer error="insufficient_user_authentication", acr_values="aal2"',
  },
  insufficient_role: {
    message: "Your role does not permit this.",
    status: 403,
    error: ["forbidden", "authorization_error"],
  },
  insufficient_permission: {
    message: "You do not have the permission for this.",
    status: 403,
    error: ["forbidden", "authorization_error"],
  },
  insufficient_scope: {
    message: "The access token lacks a scope.",
    status: 403,
    error: ["forbidden", "authorization_error"],
  },
  insufficient_authentication: {
    message: "A stronger or newer sign-in is required.",
    status: 401,
    error: ["mfa_required", "mfa_required"],
  },
  invalid_dpop_proof: { message: "The proof of possession is not valid.", ...UNAUTHENTICATED },
  use_dpop_nonce: { message: "The proof of possession needs a nonce.", ...UNAUTHENTICATED },
  // Not a 401: a client would sign the user out.
  cannot_tell: {
    message: "Whether the session is live cannot be told now.",
    status: 503,
    error: ["internal_error", "internal_error"],
  },
};

const RETRY_AFTER_SECONDS = "1";

export function refusal(code: RefusalCode): Refusal {
  return { code, message: ROWS[code].message };
}

/** The response of the adapters. The message only repeats the code: details would help a forger. */
export function refusalResponse({ code, challenge: specific, nonce }: Refusal): RefusalResponse {
  const { message, status, error, challenge: common } = ROWS[code];
  const challenge = specific ?? common;
  const headers = {
    "cache-control": "no-store",
    ...(challenge === undefined ? {} : { "www-authenticate": challenge }),
    ...(nonce === undefined ? {} : { "dpop-nonce": nonce }),
    ...(status === 503 ? { "retry-after": RETRY_AFTER_SECONDS } : {}),
  };
  return { status, headers, body: { error: { code: error[0], message, type: error[1] } } };
}
