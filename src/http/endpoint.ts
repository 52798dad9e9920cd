/**
 * One endpoint of the contract: its documentation, its guards, what it accepts, and what it does. Routes are lists of
 * these; `server.ts` mounts them, `openapi.ts` describes them. Guards run in one order for all (docs/contract.md,
 * section 2.8). The compiler holds the handler to what the endpoint declares: input, path parameters, answers.
 */
import type { Static, TObject, TSchema } from "@sinclair/typebox";
import { type ProblemCode, type Refusal, refusal } from "../base/problem.ts";
import { isUuid } from "../base/random.ts";
import type { RequestContext } from "../base/request-context.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { Admission } from "../flows/steps/sign-in/admission.ts";
import type { Cookies } from "./cookies.ts";
import type { KeyCaller, RequiredScope } from "./guards/api-key.ts";
import type { Caller } from "./guards/caller.ts";
import type { AddressLimit } from "./guards/limit.ts";
import type { ResponseHeader } from "./openapi-parts.ts";
import { type Input, inputReader } from "./read-input.ts";
import type { Reply } from "./reply.ts";
import type { Upload } from "./upload.ts";

/**
 * `caller`: a person must be signed in. `caller_or_key`: that, or an API key with the scope that the endpoint names; no
 * other endpoint accepts keys. `optional`: a valid caller is recognised, anything else is a stranger.
 */
export type Authentication = "none" | "optional" | "caller" | "caller_or_key";

export interface Response_ {
  readonly description: string;
  readonly schema?: TSchema;
  /** Content type, where it is not JSON, with an example for the documentation. */
  readonly contentType?: string;
  readonly example?: string;
  /** Headers for the documentation, beside those of every answer. */
  readonly headers?: readonly ResponseHeader[];
}

type ResponseSpecs = Readonly<Record<number, Response_>>;

/** A value as the wire shows it: a handler may build it of readonly parts. */
type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;

/** The replies that the declared answers allow: of each status the body of its schema, or none. */
type ReplyTo<Declared extends ResponseSpecs> = {
  [Status in keyof Declared & number]: Declared[Status] extends { readonly schema: infer Schema extends TSchema }
    ? Reply<Status, DeepReadonly<Static<Schema>>>
    : Reply<Status, undefined>;
}[keyof Declared & number];

type ParamNames<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Name | ParamNames<Tail>
    : Rest
  : never;

/** The parameters of a path literal such as `/orgs/:org_id/members/:user_id`. */
export type PathParams<Path extends string> = { readonly [Name in ParamNames<Path>]: string };

export interface CallBase {
  readonly request: Request;
  readonly cookies: Cookies;
  readonly client: RequestContext;
  /** The fields of a form as they were sent, so that one that is given twice can be told; empty for other bodies. */
  readonly parameters: URLSearchParams;
  /** The limit to count this request against, for an endpoint that counts itself; undefined while limits are off. */
  readonly admission: Admission | undefined;
  /** The limit of a user, for an endpoint without a caller that learns from a token whose request it is. */
  readonly callerAdmission: (userId: string) => Admission | undefined;
  /** Counts the request against one more limit of its client address, where only some of the requests cost so much. */
  readonly admitBy: (limit: AddressLimit) => Promise<Result<void, Refusal<"rate_limited">>>;
  /** Keeps the connection open for longer than usual while nothing is sent. */
  readonly waitAtMost: (seconds: number) => void;
}

type CallerOf<Auth extends Authentication> = Auth extends "caller" | "caller_or_key"
  ? { readonly caller: CallerKind<Auth> }
  : Auth extends "optional"
    ? { readonly caller: Caller | undefined }
    : unknown;

/** Whom an endpoint authorizes. */
type CallerKind<Auth extends Authentication> = Auth extends "caller_or_key" ? Caller | KeyCaller : Caller;

type ParamsOf<Path extends string> = ParamNames<Path> extends never ? unknown : { readonly params: PathParams<Path> };
type BodyOf<Body> = Body extends TObject ? { readonly body: Static<Body> } : unknown;
type QueryOf<Query> = Query extends TObject ? { readonly query: Static<Query> } : unknown;
type FileOf<File> = File extends Upload ? { readonly file: Uint8Array } : unknown;
type AuthorizedOf<Authorized> = Authorized extends undefined ? unknown : { readonly authorized: Authorized };

/** What a handler is given. Members that the endpoint did not declare are not there. */
export type Call<Auth extends Authentication, Path extends string, Body, Query, File, Authorized> = CallBase &
  CallerOf<Auth> &
  ParamsOf<Path> &
  BodyOf<Body> &
  QueryOf<Query> &
  FileOf<File> &
  AuthorizedOf<Authorized>;

/**
 * Refusals that follow from the guards and from validation (`problemsOf`); an endpoint declares what its handler adds.
 */
type ImpliedProblem<Auth extends Authentication> =
  | "internal_error"
  | "invalid_input"
  | "rate_limited"
  | (Auth extends "caller" | "caller_or_key" ? "authentication_required" | "csrf_failed" | "forbidden" : never);

export interface EndpointSpec<
  Auth extends Authentication = Authentication,
  Path extends string = string,
  Problem extends ProblemCode = ProblemCode,
  Declared extends ResponseSpecs = ResponseSpecs,
  Body extends TObject | undefined = TObject | undefined,
  Query extends TObject | undefined = TObject | undefined,
  File extends Upload | undefined = Upload | undefined,
  Authorized = unknown,
> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With `:name` for parameters; without the route prefix. */
  readonly path: Path;
  /** False for the paths that stay outside the route prefix (docs/contract.md, section 1). */
  readonly prefixed?: boolean;
  /**
   * True: a probe or a file that is the same for everyone. What is not refused there is not sampled for `explain`, and
   * a drain does not wait for it.
   */
  readonly unsampled?: boolean;
  /** True: browsers are led here. While the pages are on, what is refused is a page where Accept prefers HTML. */
  readonly navigated?: boolean;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly auth: Auth;
  /** With `caller_or_key`: the scope that a key needs. */
  readonly scope?: Auth extends "caller_or_key" ? RequiredScope : never;
  /**
   * True: a cookie caller whose CSRF header does not fit counts as a stranger and is not refused, where the contract
   * asks for no caller.
   */
  readonly csrfOptional?: boolean;
  /**
   * True: serves the session of an account whose address is not verified, also where operators require verified
   * addresses.
   */
  readonly servesUnverified?: boolean;
  /** Other credentials than the caller's, for the documentation: the refresh cookie. */
  readonly credential?: "refresh_cookie";
  readonly limit?: AddressLimit;
  /** True: the handler counts the request against `limit`, by `call.admission`. */
  readonly countsItself?: boolean;
  /** True: counts against the limit of the caller although it is a GET, or although it knows no caller but a token. */
  readonly countsCaller?: boolean;
  /**
   * Decides whether the caller may, before the input is read: role, membership, entitlement, step-up
   * (docs/contract.md, section 2.8). What it returns is `call.authorized`.
   */
  readonly authorize?: (
    caller: CallerKind<Auth>,
    params: PathParams<Path>,
  ) => Promise<Result<Authorized, Refusal<NoInfer<Problem> | ImpliedProblem<Auth>>>>;
  readonly body?: Body;
  /** `oauth`: refusals have the form of RFC 6749, section 5.2, in place of the error envelope. */
  readonly refusals?: "oauth";
  /** `form`: the body is `application/x-www-form-urlencoded`, its values texts. */
  readonly bodyType?: "form";
  /** `empty`: a body that is none counts as one without members, where every request is answered alike. */
  readonly malformedBody?: "empty";
  /** The file that is taken in place of a JSON body. */
  readonly upload?: File;
  /** True: path parameters are texts that the flow validates. */
  readonly textParameters?: boolean;
  /** True: the last parameter is the rest of the path, with its slashes. */
  readonly restOfPath?: boolean;
  /** What path parameters are that are no UUID, for the documentation. */
  readonly params?: Readonly<Record<string, TSchema>>;
  /** True: the documentation names If-None-Match. */
  readonly conditional?: boolean;
  readonly query?: Query;
  readonly responses: Declared;
  /** Refusals beyond those that the guards and the shape of the request imply. */
  readonly problems: readonly Problem[];
  readonly handle: (
    call: Call<Auth, Path, Body, Query, File, Authorized>,
  ) => Handled<Declared, NoInfer<Problem> | ImpliedProblem<Auth>>;
}

type Handled<Declared extends ResponseSpecs, Problem extends ProblemCode> =
  | Promise<Result<ReplyTo<Declared>, Refusal<Problem>>>
  | Result<ReplyTo<Declared>, Refusal<Problem>>;

type Params = Readonly<Record<string, string>>;
/** A call as the pipeline builds it; a handler sees the members that its endpoint declared. */
export type AnyCall = CallBase &
  Input & { readonly caller: Caller | KeyCaller | undefined; readonly params: Params; readonly authorized: unknown };

/** What people see of a refusal: a page in place of the error envelope. */
export type ShowRefusal = (refusal: Refusal, request: Request, requestId: string) => Reply;

/** What is decided for a page before its body is read (docs/contract.md, section 2.8). */
export interface PageChecks {
  /** Refuses a form that no page of this origin sent. */
  readonly checkOrigin: (request: Request) => Result<void, Refusal<"csrf_failed">>;
  /** The response that needs neither limits nor the body, such as the way of an anonymous visitor to the sign-in. */
  readonly replyEarly: (request: Request, caller: Caller | undefined) => Reply | undefined;
}

/** An endpoint with its types settled and its schemas compiled. */
export interface Endpoint extends Omit<EndpointSpec, "handle" | "authorize" | "scope"> {
  /** The scope that a key needs; undefined where no key is accepted. */
  readonly scope?: RequiredScope;
  /** Set for a page: it shows refusals itself, and the CSRF value is a field of its form. */
  readonly showRefusal?: ShowRefusal;
  /** Set for a page. */
  readonly page?: PageChecks;
  /** Set for what is `navigated`: for browsers alone. */
  readonly showToBrowser?: ShowRefusal | undefined;
  /** Path parameters in their canonical form: UUIDs in lower case, as Postgres returns them. */
  readonly validateParams: (params: Params) => Result<Params, Refusal<"not_found">>;
  readonly authorize: (
    caller: Caller | KeyCaller | undefined,
    params: Params,
  ) => MaybePromise<Result<unknown, Refusal>>;
  /** Undefined where the endpoint takes no input. */
  readonly readInput: ((request: Request, caller?: Caller | KeyCaller) => Promise<Result<Input, Refusal>>) | undefined;
  readonly handle: (call: AnyCall) => MaybePromise<Result<Reply, Refusal>>;
}

/** A value, where nothing has to be waited for: each promise costs a session check a twentieth of its time. */
type MaybePromise<T> = Promise<T> | T;

/**
 * Declares an endpoint. Everything that differs from one to the next is data; the types of the handler follow from it.
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
>(spec: EndpointSpec<Auth, Path, Problem, Declared, Body, Query, File, Authorized>): Endpoint {
  const { handle, authorize, ...rest } = spec;
  return {
    ...(rest as Omit<Endpoint, "handle" | "authorize" | "validateParams" | "readInput">),
    handle: handle as unknown as Endpoint["handle"],
    validateParams: (params) => (spec.textParameters ? ok(params) : canonicalUuids(params)),
    authorize: (caller, params) =>
      caller && authorize ? authorize(caller as CallerKind<Auth>, params as PathParams<Path>) : ok(undefined),
    readInput: inputReader(spec as Pick<EndpointSpec, "body" | "bodyType" | "malformedBody" | "query" | "upload">),
  };
}

function canonicalUuids(params: Params): Result<Params, Refusal<"not_found">> {
  const entries = Object.entries(params);
  if (!entries.every(([, value]) => isUuid(value))) return err(refusal("not_found", "There is nothing here."));
  return ok(Object.fromEntries(entries.map(([name, value]) => [name, value.toLowerCase()])));
}

/**
 * Whether requests count against the limit of the user: whatever writes, signs, hashes or mails. Session checks do not.
 */
export function countsAgainstCaller({ auth, method, countsCaller }: Endpoint): boolean {
  return countsCaller ?? (auth !== "none" && method !== "GET");
}
