/**
 * The closed set of refusal codes (docs/contract.md, section 4). A refusal is a value, never a thrown class: a flow returns it,
 * `http/problem-status.ts` gives its code a status and a type, and a code without a row there does not compile.
 */
export type ProblemCode =
  | "authentication_required"
  | "conflict"
  | "csrf_failed"
  | "forbidden"
  | "internal_error"
  | "invalid_input"
  | "license_required"
  | "mfa_required"
  | "not_found"
  | "payment_required"
  | "rate_limited";

/** Why a request is refused. The type parameter is the closed set of codes that a flow can refuse with. */
export interface Refusal<Code extends ProblemCode = ProblemCode> {
  readonly code: Code;
  /** What the client reads. Never the cause, never a value that the client did not send. */
  readonly message: string;
  /** What the log reads. Never goes on the wire. */
  readonly cause?: string;
  /** Whole seconds until a retry can succeed; `rate_limited` alone has it. */
  readonly retryAfterSeconds?: number;
  /** The limit that refused, where it is one of requests in a window. */
  readonly limit?: LimitState;
}

/** How a limit stands once a request has been counted against it. */
export interface LimitState {
  readonly name: string;
  readonly limit: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  /** Whole seconds until the window ends. */
  readonly resetSeconds: number;
}

/** Makes a refusal. `cause` is for the log alone. */
export function refusal<Code extends ProblemCode>(code: Code, message: string, cause?: string): Refusal<Code> {
  return cause === undefined ? { code, message } : { code, message, cause };
}

/** Constant message, so that an unknown address and a wrong password cannot be told apart (docs/contract.md, section 6.2). */
export const BAD_CREDENTIALS = refusal("authentication_required", "The e-mail address or the password is not right.");

/** No session, or one that is expired, revoked or forged: deliberately one answer for all. */
export const NOT_SIGNED_IN = refusal("authentication_required", "Sign in to continue.");

/** `rate_limited` with the seconds after which a retry can succeed; `limit`: the limit that refused, where it is one of requests. */
export function rateLimited(retryAfterSeconds: number, cause: string, limit?: LimitState): Refusal<"rate_limited"> {
  return {
    code: "rate_limited",
    message: "Too many attempts. Try again later.",
    cause,
    retryAfterSeconds: Math.max(1, Math.ceil(retryAfterSeconds)),
    ...(limit ? { limit } : {}),
  };
}
