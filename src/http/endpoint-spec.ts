/**
 * The declaration of an endpoint: documentation, guards, input and handler as types. The compiler checks the handler
 * against the declared input, path parameters and responses.
 */
import type { Static, TObject, TSchema } from "@sinclair/typebox";
import type { ProblemCode, Refusal } from "../base/problem.ts";
import type { RequestContext } from "../base/request-context.ts";
import type { Result } from "../base/result.ts";
import type { ServedSession } from "../flows/steps/sessions/organization-rules.ts";
import type { Admission } from "../flows/steps/sign-in/admission.ts";
import type { StepUpReason } from "../vocabulary/assurance.ts";
import type { EndpointPermission } from "../vocabulary/key-scope.ts";
import type { Cookies } from "./cookies.ts";
import type { Authentication } from "./guards/any-caller.ts";
import type { KeyCaller } from "./guards/api-key.ts";
import type { BoundSessionRule } from "./guards/bound-session.ts";
import type { Caller } from "./guards/caller.ts";
import type { AddressLimit } from "./guards/limit.ts";
import type { Versioned } from "./guards/version.ts";
import type { Input } from "./input/read-input.ts";
import type { Upload } from "./input/upload.ts";
import type { RequestDocumentation, ResponseHeader } from "./openapi-parts.ts";
import type { Reply } from "./reply.ts";

export interface Response_ {
  readonly description: string;
  readonly schema?: TSchema;
  /** Content type, if the response is not JSON, with an example for the documentation. */
  readonly contentType?: string;
  readonly example?: string;
  /** Headers for the documentation, beside the headers of every response. */
  readonly headers?: readonly ResponseHeader[];
}

export type ResponseSpecs = Readonly<Record<number, Response_>>;

/** The JSON value of a schema: a handler may use readonly parts. */
type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;

/** The replies that the declared responses allow: for each status the body of the schema, or no body. */
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

export interface CallBase extends Pick<Input, "largeForm" | "parameters"> {
  readonly request: Request;
  readonly cookies: Cookies;
  readonly client: RequestContext;
  /** The limit that counts this request, for an endpoint with `countsItself`; undefined while limits are off. */
  readonly admission: Admission | undefined;
  /** The limit of a user, for an endpoint without a caller that learns the user from a token. */
  readonly callerAdmission: (userId: string) => Admission | undefined;
  /** Counts the request against a further limit of the client address, for the expensive requests of an endpoint. */
  readonly admitBy: (limit: AddressLimit) => Promise<Result<void, Refusal<"rate_limited">>>;
  /** Counts the request against the limit of the directory of an organization. */
  readonly admitDirectory: (organizationId: string) => Promise<Result<void, Refusal<"rate_limited">>>;
  /** Counts a batch of a program as several requests; a batch of a person counts as one. */
  readonly admitBatch: (requests: number) => Promise<Result<void, Refusal<"rate_limited">>>;
  /** Keeps the connection open for longer than usual while nothing is sent. */
  readonly waitAtMost: (seconds: number) => void;
}

type CallerOf<Auth extends Authentication> = Auth extends CallerRequired
  ? { readonly caller: CallerKind<Auth> }
  : Auth extends "optional"
    ? { readonly caller: Caller | undefined }
    : unknown;

/** The caller that `authorize` receives. */
export type CallerKind<Auth extends Authentication> = Auth extends "administrative" | "own_or_program"
  ? Caller | KeyCaller
  : Caller;

type CallerRequired = Exclude<Authentication, "none" | "optional">;

/**
 * The permission of an administrative endpoint: exactly one (docs/contract.md, section 35.1). Declarations of other
 * kinds name none.
 */
export type PermissionOf<Auth extends Authentication, Access extends EndpointPermission | undefined> = Auth extends
  | "administrative"
  | "people"
  ? { readonly permission: Access & EndpointPermission }
  : { readonly permission?: undefined };

type ParamsOf<Path extends string> = ParamNames<Path> extends never ? unknown : { readonly params: PathParams<Path> };
type BodyOf<Body> = Body extends TObject ? { readonly body: Static<Body> } : unknown;
type QueryOf<Query> = Query extends TObject ? { readonly query: Static<Query> } : unknown;
type FileOf<File> = File extends Upload ? { readonly file: Uint8Array } : unknown;
type AuthorizedOf<Authorized> = Authorized extends undefined ? unknown : { readonly authorized: Authorized };

/** The input of a handler. Members that the endpoint did not declare are absent. */
export type Call<Auth extends Authentication, Path extends string, Body, Query, File, Authorized> = CallBase &
  CallerOf<Auth> &
  ParamsOf<Path> &
  BodyOf<Body> &
  QueryOf<Query> &
  FileOf<File> &
  AuthorizedOf<Authorized>;

/** Refusals of the guards and of validation (`problemsOf`); an endpoint declares the refusals of its handler. */
export type ImpliedProblem<Auth extends Authentication, Path extends string> =
  | "internal_error"
  | "invalid_input"
  | "rate_limited"
  | (Auth extends CallerRequired ? "authentication_required" | "csrf_failed" | "forbidden" | "mfa_required" : never)
  | OrganizationProblem<Path>;

type OrganizationProblem<Path> = string extends Path ? RuleProblem : NamedIn<Path>;
type NamedIn<Path> = Path extends `${string}:org_id${string}` ? RuleProblem : never;
type RuleProblem = "mfa_required" | "sso_required";

/** The place of an endpoint in the client and in the documents. */
export interface EndpointDocs {
  /**
   * The method of `clients/js` for the endpoint: `sessions.list` is `client.sessions.list()`. Null: the client omits
   * the endpoint, because a browser navigates to it, or providers, OAuth libraries and directories call it.
   */
  readonly clientMethod: string | null;
  /** The sections of the contract that describe the endpoint; null: the catalogue (chapter 6) has no row. */
  readonly section: string | null;
  /** The caller in the catalogue, where `auth` and `permission` do not tell; `key`: an API key alone. */
  readonly access?: string;
  /** Schemas of path parameters that are no UUID, for the documentation. */
  readonly params?: Readonly<Record<string, TSchema>>;
  /** Describes what the handler reads itself; `none`: the OpenAPI document omits the endpoint. */
  readonly request?: "none" | RequestDocumentation;
  /** True: the documentation names If-None-Match. */
  readonly conditional?: boolean;
  /** A further credential beside the credential of the caller, for the documentation: the refresh cookie. */
  readonly credential?: "refresh_cookie";
}

/** Which callers an endpoint serves beyond the default. */
export interface SessionRules {
  /** Whom the endpoint serves without the permission: `self` a user's own data, `member` any member of the path. */
  readonly servesWithout?: "member" | "self";
  /** True: a cookie caller with a wrong CSRF header is anonymous, if the contract requires no caller. */
  readonly csrfOptional?: boolean;
  /** True: serves an account without a verified address, also if operators require verified addresses. */
  readonly servesUnverified?: boolean;
  readonly boundSession?: BoundSessionRule;
  /** What the endpoint serves beyond complete sessions (docs/contract.md, section 33.4). */
  readonly servesSession?: ServedSession;
}

/** The limits that count a request. */
export interface LimitRules {
  /** The limit of the client address. */
  readonly address?: AddressLimit;
  /** True: the handler counts the request against `address`, by `call.admission`. */
  readonly countsItself?: boolean;
  /**
   * True: counts against the limit of the caller although the method is GET, or although the caller is known from a
   * token only.
   */
  readonly countsCaller?: boolean;
  /** True: the handler waits for events, so the request of a program takes no turn of writes. */
  readonly isLongPoll?: boolean;
}

/** What an endpoint reads. */
export interface EndpointInput<
  Body extends TObject | undefined = TObject | undefined,
  Query extends TObject | undefined = TObject | undefined,
  File extends Upload | undefined = Upload | undefined,
> {
  readonly body?: Body;
  /** `form`: the body is `application/x-www-form-urlencoded`, and every value is text; `form_or_json`: or JSON. */
  readonly bodyType?: "form" | "form_or_json";
  /** The fields of a form with large values, in place of `body`. A malformed form counts as empty. */
  readonly largeForm?: TObject;
  /** The bound of the body; default: `JSON_BODY_MAX_BYTES`. */
  readonly bodyMaxBytes?: number;
  /** `empty`: a malformed body counts as a body without members, for endpoints with one response for all requests. */
  readonly malformedBody?: "empty";
  /** Members of a JSON body that settings require beyond the schema; absent ones are listed first. */
  readonly alsoRequired?: (body: Readonly<Record<string, unknown>>) => readonly string[];
  /** The accepted file in place of a JSON body. */
  readonly upload?: File;
  /** True: the flow validates path parameters as text. */
  readonly textParameters?: boolean;
  /** True: the last parameter is the rest of the path, including slashes. */
  readonly restOfPath?: boolean;
  readonly query?: Query;
}

export interface EndpointSpec<
  Auth extends Authentication = Authentication,
  Path extends string = string,
  Problem extends ProblemCode = ProblemCode,
  Declared extends ResponseSpecs = ResponseSpecs,
  Body extends TObject | undefined = TObject | undefined,
  Query extends TObject | undefined = TObject | undefined,
  File extends Upload | undefined = Upload | undefined,
  Authorized = unknown,
  Access extends EndpointPermission | undefined = EndpointPermission | undefined,
> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With `:name` for parameters; without the route prefix. */
  readonly path: Path;
  /** False for the paths that stay outside the route prefix (docs/contract.md, section 1). */
  readonly prefixed?: boolean;
  /**
   * True: a probe, or a file that is identical for every client. Successful requests are not sampled for `explain`, and
   * a drain does not wait for the requests.
   */
  readonly unsampled?: boolean;
  /** True: a probe of a load balancer, which may send OPTIONS. */
  readonly probe?: boolean;
  /** True: browsers navigate to this endpoint. While the pages are on, a refusal is a page if Accept prefers HTML. */
  readonly navigated?: boolean;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly docs: EndpointDocs;
  /** Tells the kind of the endpoint: public, own or administrative (`KINDS`). */
  readonly auth: Auth;
  readonly session?: SessionRules;
  readonly limits?: LimitRules;
  /** The resource whose version is the `ETag`, and which `If-Match` compares (docs/contract.md, section 36.5). */
  readonly version?: Versioned<NoInfer<keyof PathParams<Path> & string>>;
  readonly input?: EndpointInput<Body, Query, File>;
  /** The permission of an administrative endpoint; the third parameter of `authorize`. */
  readonly permission?: Access;
  /** A second name of the permission for keys, from before chapter 35. */
  readonly keyPermission?: EndpointPermission;
  /** `any`: pages of every origin may read the response, without cookies (docs/contract.md, section 2.10). */
  readonly crossOrigin?: "any";
  /**
   * Authorizes the caller before the input is read: role, membership, entitlement, step-up (docs/contract.md, section
   * 2.8). The returned value is `call.authorized`.
   */
  readonly authorize?: (
    caller: CallerKind<Auth>,
    params: PathParams<Path>,
    permission: NoInfer<Access>,
  ) => Promise<Result<Authorized, Refusal<NoInfer<Problem> | ImpliedProblem<Auth, Path>>>>;
  /** A step-up is required (docs/contract.md, section 3.9), with `stepUpFor` only for the bodies that it accepts. */
  readonly stepUp?: StepUpReason;
  readonly stepUpFor?: (body: NoInfer<Body extends TObject ? Static<Body> : undefined>) => boolean;
  /** Refusals in place of the error envelope: `oauth` (RFC 6749, section 5.2), `scim` (RFC 7644, section 3.12). */
  readonly refusals?: "oauth" | "scim";
  readonly responses: Declared;
  /** Refusals beyond the refusals that the guards and the shape of the request imply. */
  readonly problems: readonly Problem[];
  readonly handle: (
    call: Call<Auth, Path, Body, Query, File, Authorized>,
  ) => Handled<Declared, NoInfer<Problem> | ImpliedProblem<Auth, Path>>;
}

type Handled<Declared extends ResponseSpecs, Problem extends ProblemCode> =
  | Promise<Result<ReplyTo<Declared>, Refusal<Problem>>>
  | Result<ReplyTo<Declared>, Refusal<Problem>>;
