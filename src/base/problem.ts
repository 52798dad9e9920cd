import type { Bound } from "../limits/bounds.ts";
import type { Channel } from "../vocabulary/channels.ts";
import type { InvalidField } from "../vocabulary/input-rules.ts";

/**
 * The closed set of refusal codes (docs/contract.md, section 2.7). A refusal is a value, never a thrown class: a flow
 * returns the value, `http/problem-status.ts` maps the code to a status and a type, and a code without a row does not
 * compile.
 */
export type ProblemCode =
  | "authentication_required"
  | "conflict"
  | "csrf_failed"
  | "forbidden"
  | "internal_error"
  | "invalid_input"
  /** Reserved for premium features; no endpoint returns it (docs/contract.md, section 2.7). */
  | "license_required"
  | "mfa_required"
  | "not_found"
  | "payment_required"
  /** A condition of the request (`If-Match`, `If-None-Match`) does not hold; nothing changed. */
  | "precondition_failed"
  | "rate_limited"
  | "sso_required";

/**
 * The closed set of cases that a page distinguishes among refusals with an identical code. Pages choose the text by
 * `code`, `reason` and `fields`, never by `message`, which may change (docs/contract.md, section 2.6).
 */
export type ProblemReason =
  | "break_glass"
  | "changed_meanwhile"
  | "channels_not_covered"
  | "connection_inactive"
  | "domain_not_covered"
  | "domain_refused"
  | "email_taken"
  | "external_id_taken"
  | "flag_exists"
  | "identifier_taken"
  | "identities_linked"
  | "last_owner"
  | "last_platform_owner"
  | "organization_switched"
  | "policy_address"
  | "policy_emergency"
  | "policy_join_role"
  | "policy_kept_address"
  | "policy_method"
  | "policy_methods"
  | "policy_network"
  | "policy_owners"
  | "policy_passkey"
  | "policy_session"
  | "registration_closed"
  | "signed_out"
  | "slug_taken";

/** An organization that a refusal names. */
export interface NamedOrganization {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
}

/** A way to power that a refusal names, with the person responsible for the way. */
export interface NamedChannel {
  readonly kind: Channel;
  readonly id: string;
  readonly name: string;
  /** Null: the account of the person was deleted. */
  readonly person: { readonly id: string; readonly name: string } | null;
}

/** Why a request is refused. The type parameter is the closed set of codes that a flow can refuse with. */
export interface Refusal<Code extends ProblemCode = ProblemCode> {
  readonly code: Code;
  /** The text for the client. Never the cause, never a value that the client did not send. */
  readonly message: string;
  /** The case of the code, if a page distinguishes several cases. */
  readonly reason?: ProblemReason;
  /** All invalid fields of the request; present exactly for `invalid_input`. */
  readonly fields?: readonly InvalidField[];
  /** The organizations that keep the caller from leaving; only for `conflict`. */
  readonly organizations?: readonly NamedOrganization[];
  /** The channels whose people lack the granted power; only for `conflict`. */
  readonly channels?: readonly NamedChannel[];
  /** The organization that requires single sign-on; only for `sso_required`. */
  readonly ssoOrganizationId?: string;
  /** The local path that starts single sign-on; only for `sso_required`. */
  readonly continueAt?: string;
  /** The cause for the log only. Never sent to the client. */
  readonly cause?: string;
  /** The scope that an API key lacks: named in the challenge (RFC 6750, section 3); only for `forbidden`. */
  readonly requiredScope?: string;
  /** The problem of a proof of possession: named in the challenge (RFC 9449, section 7.1). */
  readonly proofError?: "invalid_dpop_proof" | "use_dpop_nonce";
  /**
   * Whole seconds until a retry can succeed: `rate_limited`, and an `internal_error` by an unavailable dependency (503
   * in place of 500).
   */
  readonly retryAfterSeconds?: number;
  /** The limit that refused the request, if the limit counts requests in a window. */
  readonly limit?: LimitState;
  /** The bound that turned the request away: counted, and named by `explain`. */
  readonly bound?: Bound;
  /**
   * An expected step of a protocol, such as the poll of a waiting device: the record of decisions has a sample, as of
   * accepted requests.
   */
  readonly isRoutine?: boolean;
  /** Numbers behind the decision, such as the number of waiting jobs. Only for the record of decisions. */
  readonly counters?: Counters;
}

/**
 * Names of counters and limits, with the values at the moment of the decision. Never input, an address or an account.
 */
export type Counters = Readonly<Record<string, number>>;

/** The state of a limit after a request was counted. */
export interface LimitState {
  readonly name: string;
  readonly limit: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  /** Whole seconds until the window ends. */
  readonly resetSeconds: number;
}

/** Creates a refusal. `cause` is for the log only. `invalidInput` creates refusals that name fields. */
export function refusal<Code extends Exclude<ProblemCode, "invalid_input">>(
  code: Code,
  message: string,
  cause?: string,
): Refusal<Code> {
  return cause === undefined ? { code, message } : { code, message, cause };
}

/** Creates a `conflict` of a form or request with another version of a record than the stored version. */
export function changedMeanwhile(message: string): Refusal<"conflict"> {
  return { code: "conflict", message, reason: "changed_meanwhile" };
}

/** A shared constant for unknown addresses and wrong passwords, which must be indistinguishable (G13). */
export const BAD_CREDENTIALS = refusal("authentication_required", "The email address or the password is not right.");

/** A shared constant for a missing, expired, revoked or forged session. */
export const NOT_SIGNED_IN = refusal("authentication_required", "Sign in to continue.");

/** Creates a `rate_limited` refusal; `retryAfterSeconds` is rounded up to whole seconds, at least 1. */
export function rateLimited(
  bound: Bound,
  retryAfterSeconds: number,
  cause: string,
  { limit, counters }: Pick<Refusal, "limit" | "counters"> = {},
): Refusal<"rate_limited"> {
  return {
    bound,
    code: "rate_limited",
    message: "Too many attempts. Try again later.",
    cause,
    retryAfterSeconds: Math.max(1, Math.ceil(retryAfterSeconds)),
    ...(limit ? { limit } : {}),
    ...(counters ? { counters } : {}),
  };
}
