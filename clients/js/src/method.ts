/** Input and result of a client method. The shapes of the operations are in `generated/types.gen.ts`. */
import type { Error as ErrorEnvelope } from "./generated/types.gen.ts";

/** Codes of the service: docs/errors.md of the identity service lists the remedy for every code. */
export type ServiceErrorCode = ErrorEnvelope["error"]["code"];

/** A member of the request, and the rule that the value breaks (docs/contract.md, section 2.6). */
export type InvalidField = NonNullable<ErrorEnvelope["error"]["fields"]>[number];
/** The closed set of rules. */
export type InputRule = InvalidField["rule"];

interface ErrorDetails {
  /** A text for users and logs that may change. Branch on `code`. */
  readonly message: string;
  /** HTTP status; 0 where no response arrived. */
  readonly status: number;
  /** `X-Request-Id` of the response: finds the request in the service's log and audit trail. */
  readonly requestId?: string;
}

/**
 * The reason for missing data. `network_error`, `timeout` and `aborted`: no response arrived, and the service may have
 * executed a changing request. `unexpected_answer`: the response did not come from the service, but for example from a
 * proxy.
 */
export type ClientError = ErrorDetails &
  (
    | { readonly code: Exclude<ServiceErrorCode, "invalid_input" | "rate_limited" | "sso_required"> }
    /** `fields`: all invalid fields of the request. */
    | { readonly code: "invalid_input"; readonly fields: readonly InvalidField[] }
    /** `retryAfter`: seconds until the request may be sent again. */
    | { readonly code: "rate_limited"; readonly retryAfter: number }
    /** `continueAt`: the path that starts single sign-on, where the organization has an active connection. */
    | { readonly code: "sso_required"; readonly continueAt?: string }
    | { readonly code: "network_error" | "timeout" | "aborted" | "unexpected_answer" }
  );

export type Result<Data> =
  | { readonly ok: true; readonly data: Data }
  | { readonly ok: false; readonly error: ClientError };

export interface CallOptions {
  /** Aborts the request; the result is then the error `aborted`. */
  readonly signal?: AbortSignal;
  /** Milliseconds until the error `timeout`, in place of the client's own. */
  readonly timeoutMs?: number;
  /** Headers in addition to the headers of the client, such as `X-Request-Id`. */
  readonly headers?: Readonly<Record<string, string>>;
}

interface OperationData {
  readonly body?: unknown;
  readonly path?: unknown;
  readonly query?: unknown;
}

/**
 * The members of path, query and body in a single object: names of an operation are unique across path, query and body.
 */
type InputOf<Data extends OperationData> = Part<Data["path"]> & Part<Data["query"]> & Part<Data["body"]>;
type Part<Of> = [NonNullable<Of>] extends [never] ? unknown : NonNullable<Of>;

/** openapi-ts writes void for a response without a body. */
type DataOf<Responses> = Responses[keyof Responses] extends infer Body
  ? // biome-ignore lint/suspicious/noConfusingVoidType: the generated types use void.
    [Body] extends [void]
    ? undefined
    : Body
  : never;

/** An operation. The input is optional without required members. */
export type Method<Data extends OperationData, Responses> =
  unknown extends InputOf<Data>
    ? (input?: undefined, options?: CallOptions) => Promise<Result<DataOf<Responses>>>
    : Record<never, never> extends InputOf<Data>
      ? (input?: InputOf<Data>, options?: CallOptions) => Promise<Result<DataOf<Responses>>>
      : (input: InputOf<Data>, options?: CallOptions) => Promise<Result<DataOf<Responses>>>;
