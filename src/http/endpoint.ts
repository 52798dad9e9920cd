/**
 * One endpoint of the contract: documentation, guards, input and handler. `server.ts` mounts, and
 * `openapi/openapi.ts` describes the endpoints. Guards run in one order for all (docs/contract.md, section 2.8).
 */
import type { TObject } from "@sinclair/typebox";
import type { ProblemCode, Refusal } from "../base/problem.ts";
import { ok, type Result } from "../base/result.ts";
import type { EndpointPermission } from "../vocabulary/key-scope.ts";
import type {
  CallBase,
  CallerKind,
  EndpointInput,
  EndpointSpec,
  LimitRules,
  PathParams,
  PermissionOf,
  ResponseSpecs,
  SessionRules,
} from "./endpoint-spec.ts";
import type { Authentication } from "./guards/any-caller.ts";
import type { KeyCaller } from "./guards/api-key.ts";
import type { Caller } from "./guards/caller.ts";
import type { AddressLimit } from "./guards/limit.ts";
import { type Input, type InputSpec, inputReader } from "./input/read-input.ts";
import type { Upload } from "./input/upload.ts";
import { canonicalUuids } from "./path-parameters.ts";
import type { Reply } from "./reply.ts";

type Params = Readonly<Record<string, string>>;
/** A call in the pipeline; the type of a handler contains only the members that the endpoint declared. */
export type AnyCall = CallBase &
  Input & { readonly caller: Caller | KeyCaller | undefined; readonly params: Params; readonly authorized: unknown };

/** A refusal for people: a page in place of the error envelope. `back`: the page of the refused form. */
export type ShowRefusal = (refusal: Refusal, request: Request, requestId: string, back?: string) => Reply;

/** The page of an unknown path, which may read the session. */
export type ShowMissing = (refusal: Refusal, request: Request, requestId: string) => Promise<Reply>;

/** Checks of a page before the body is read (docs/contract.md, section 2.8). */
export interface PageChecks {
  /** Refuses a form that was not sent from a page of this origin. */
  readonly checkOrigin: (request: Request) => Result<void, Refusal<"csrf_failed">>;
  /** A response without limits and without the body, such as the redirect of an anonymous visitor to the sign-in. */
  readonly replyEarly: (request: Request, caller: Caller | undefined) => Reply | undefined;
}

type DeclaredParts = Omit<EndpointSpec, "authorize" | "handle" | "input" | "limits" | "session" | "stepUpFor">;

/** An endpoint with resolved types and the reader of the input, without the groups of the declaration. */
export interface Endpoint extends DeclaredParts, SessionRules, Omit<LimitRules, "address">, EndpointInput {
  /** The limit of the client address. */
  readonly limit?: AddressLimit;
  readonly stepUpFor?: (body: unknown) => boolean;
  /** Set for a page: the page displays refusals, and the CSRF value is a field of the form. */
  readonly showRefusal?: ShowRefusal;
  /** Set for a page. */
  readonly page?: PageChecks;
  /** Set for a `navigated` endpoint: the page for browsers. */
  readonly showToBrowser?: ShowRefusal | undefined;
  /** Path parameters in canonical form: UUIDs in lower case, as Postgres returns UUIDs. */
  readonly validateParams: (params: Params) => Result<Params, Refusal<"not_found">>;
  readonly authorize: (
    caller: Caller | KeyCaller | undefined,
    params: Params,
  ) => MaybePromise<Result<unknown, Refusal>>;
  /** Undefined where the endpoint takes no input. */
  readonly readInput: ((request: Request, caller?: Caller | KeyCaller) => Promise<Result<Input, Refusal>>) | undefined;
  readonly handle: (call: AnyCall) => MaybePromise<Result<Reply, Refusal>>;
}

/** A plain value avoids a wait: a promise costs a session check a twentieth of the time. */
type MaybePromise<T> = Promise<T> | T;

/**
 * Declares an endpoint. All differences between endpoints are data; the types of the handler follow from the
 * declaration.
 */
export function endpoint<
  Auth extends Authentication,
  const Path extends string,
  const Problem extends ProblemCode,
  const Declared extends ResponseSpecs,
  Body extends TObject | undefined = undefined,
  Query extends TObject | undefined = undefined,
  File extends Upload | undefined = undefined,
  Authorized = undefined,
  const Access extends EndpointPermission | undefined = undefined,
>(
  spec: EndpointSpec<Auth, Path, Problem, Declared, Body, Query, File, Authorized, Access> & PermissionOf<Auth, Access>,
): Endpoint {
  const { handle, authorize, session, limits: { address, ...counting } = {}, input = {}, ...rest } = spec;
  return {
    ...(rest as Omit<Endpoint, "handle" | "authorize" | "validateParams" | "readInput">),
    ...session,
    ...counting,
    ...(address === undefined ? {} : { limit: address }),
    ...(input as EndpointInput),
    handle: handle as unknown as Endpoint["handle"],
    validateParams: (params) => (input.textParameters ? ok(params) : canonicalUuids(params)),
    authorize: (caller, params) =>
      caller && authorize
        ? authorize(caller as CallerKind<Auth>, params as PathParams<Path>, spec.permission as Access)
        : ok(undefined),
    readInput: inputReader(input as InputSpec),
  };
}

/**
 * Whether requests count against the limit of the user: requests that write, sign, hash or send email. Session checks
 * do not count.
 */
export function countsAgainstCaller({ auth, method, countsCaller }: Endpoint): boolean {
  return countsCaller ?? (auth !== "none" && method !== "GET");
}
