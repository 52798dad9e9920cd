/**
 * One endpoint of the contract: its documentation, its guards, what it accepts, and what it does. Routes are lists of these;
 * `server.ts` mounts them, `openapi.ts` describes them. Guards run in one order for all: limit, caller, CSRF, authorization, input.
 */
import type { Static, TObject, TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import type { ClientFacts } from "../base/client-facts.ts";
import { type ProblemCode, refusal } from "../base/problem.ts";
import { isUuid } from "../base/random.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { Admission } from "../flows/steps/admission.ts";
import type { Cookies } from "./cookies.ts";
import { readForm } from "./form-body.ts";
import type { Caller } from "./guards/caller.ts";
import type { AddressLimit } from "./guards/limit.ts";
import { type JsonObject, readJsonObject } from "./json-body.ts";
import type { AnswerHeader } from "./openapi-parts.ts";
import type { Reply } from "./reply.ts";
import { readUpload, type Upload } from "./upload.ts";
import { validationMessage } from "./validation-message.ts";

/** `caller`: must be signed in. `optional`: a valid caller is recognised, anything else is a stranger. */
export type Authentication = "none" | "optional" | "caller";

export interface Answer {
  readonly description: string;
  readonly schema?: TSchema;
  /** Content type, where it is not JSON, with an example for the documentation. */
  readonly contentType?: string;
  readonly example?: string;
  /** Headers for the documentation, beside those of every answer. */
  readonly headers?: readonly AnswerHeader[];
}

/** What a handler is given. Members that the endpoint did not declare are not there to be read by mistake. */
export interface Call<Auth extends Authentication, Body, Query, Authorized = undefined> {
  readonly request: Request;
  readonly cookies: Cookies;
  readonly client: ClientFacts;
  /** The limit to count this request against, for an endpoint that counts itself; undefined while limits are off. */
  readonly admission: Admission | undefined;
  /** The limit of a user, for an endpoint without a caller that learns from a token whose request it is. */
  readonly callerAdmission: (userId: string) => Admission | undefined;
  readonly caller: Auth extends "caller" ? Caller : Auth extends "optional" ? Caller | undefined : undefined;
  /** What `authorize` returned. */
  readonly authorized: Authorized;
  readonly body: Body;
  readonly query: Query;
  /** What was uploaded; empty for an endpoint that takes no file. */
  readonly file: Uint8Array;
  /** Keeps the connection open for longer than usual while nothing is sent. */
  readonly waitAtMost: (seconds: number) => void;
  /** Path parameters: UUIDs, unless the endpoint says otherwise. */
  readonly params: Readonly<Record<string, string>>;
}

export interface EndpointSpec<
  Auth extends Authentication,
  Body extends TObject,
  Query extends TObject,
  Authorized = undefined,
> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With `:name` for parameters; without the route prefix. */
  readonly path: string;
  /** False for the paths that stay outside the route prefix (contract, section 1, rule 3). */
  readonly prefixed?: boolean;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly auth: Auth;
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
   * Decides whether the caller may, before the input is read: role, membership, entitlement, step-up (docs/contract.md, "Order of
   * checks"). What it returns is `call.authorized`.
   */
  readonly authorize?: (caller: Caller, params: Params) => Promise<Result<Authorized>>;
  readonly body?: Body;
  /** `form`: the body is `application/x-www-form-urlencoded`, its values texts. */
  readonly bodyType?: "form";
  /** `empty`: a body that is none counts as one without members, where every request is answered alike. */
  readonly malformedBody?: "empty";
  /** The file that is taken in place of a JSON body. */
  readonly upload?: Upload;
  /** True: path parameters are texts that the flow judges. */
  readonly textParameters?: boolean;
  /** What path parameters are that are no UUID, for the documentation. */
  readonly params?: Readonly<Record<string, TSchema>>;
  /** True: the documentation names If-None-Match. */
  readonly conditional?: boolean;
  readonly query?: Query;
  readonly answers: Readonly<Record<number, Answer>>;
  /** Refusals beyond those that the guards and the shape of the request imply. */
  readonly problems: readonly ProblemCode[];
  readonly handle: (
    call: Call<Auth, Static<Body>, Static<Query>, Authorized>,
  ) => Promise<Result<Reply>> | Result<Reply>;
}

/** An endpoint with its types settled and its schemas compiled. */
export interface Endpoint
  extends Omit<EndpointSpec<Authentication, TObject, TObject, unknown>, "handle" | "authorize"> {
  /** Path parameters in their canonical form: UUIDs in lower case, as Postgres returns them. */
  readonly validateParams: (params: Params) => Result<Params>;
  readonly authorize: (caller: Caller | undefined, params: Params) => Promise<Result<unknown>>;
  readonly readInput: (request: Request, query: URLSearchParams) => Promise<Result<Input>>;
  readonly handle: (call: Call<Authentication, unknown, unknown, unknown>) => Promise<Result<Reply>> | Result<Reply>;
}

export interface Input {
  readonly body: unknown;
  readonly query: unknown;
  readonly file: Uint8Array;
}

const NO_FILE = new Uint8Array();

type Params = Readonly<Record<string, string>>;

export function endpoint<
  Auth extends Authentication,
  Body extends TObject,
  Query extends TObject,
  Authorized = undefined,
>(spec: EndpointSpec<Auth, Body, Query, Authorized>): Endpoint {
  const body = spec.body && TypeCompiler.Compile(spec.body);
  const query = spec.query && TypeCompiler.Compile(spec.query);
  return {
    ...(spec as unknown as Omit<Endpoint, "validateParams" | "authorize" | "readInput" | "handle">),
    handle: spec.handle as Endpoint["handle"],
    validateParams: (params) => (spec.textParameters ? ok(params) : canonicalUuids(params)),
    authorize: async (caller, params) =>
      caller && spec.authorize ? await spec.authorize(caller, params) : ok(undefined),
    async readInput(request, search) {
      const checkedQuery = query ? validate(query, readQuery(query, search)) : ok(undefined);
      if (!checkedQuery.ok) return checkedQuery;
      const checkedBody = body ? await readBody(body, request, spec) : ok(undefined);
      const admitted = !checkedBody.ok && spec.malformedBody === "empty" ? ok({}) : checkedBody;
      if (!admitted.ok) return admitted;
      const file = spec.upload ? await readUpload(request, spec.upload) : ok(NO_FILE);
      if (!file.ok) return file;
      return ok({ body: admitted.value, query: checkedQuery.value, file: file.value });
    },
  };
}

function canonicalUuids(params: Params): Result<Params> {
  const entries = Object.entries(params);
  if (!entries.every(([, value]) => isUuid(value))) return err(refusal("not_found", "There is nothing here."));
  return ok(Object.fromEntries(entries.map(([name, value]) => [name, value.toLowerCase()])));
}

/** Whether requests count against the limit of the user: whatever writes, signs, hashes or mails. Session checks do not. */
export function countsAgainstCaller({ auth, method, countsCaller }: Endpoint): boolean {
  return countsCaller ?? (auth !== "none" && method !== "GET");
}

/** Where every member is optional, no body at all counts as an empty one. */
async function readBody(
  schema: TypeCheck<TObject>,
  request: Request,
  { bodyType }: Pick<EndpointSpec<"none", TObject, TObject>, "bodyType">,
): Promise<Result<unknown>> {
  if (bodyType === "form") {
    const form = await readForm(request);
    return form.ok ? validate(schema, readQuery(schema, form.value)) : form;
  }
  if (!schema.Schema().required?.length && request.body === null) return ok({});
  const body = await readJsonObject(request);
  return body.ok ? validate(schema, dropNulls(schema, body.value)) : body;
}

/**
 * An optional member given as null counts as absent, unless null means something: clients of several languages cannot leave one
 * out.
 */
function dropNulls(schema: TypeCheck<TObject>, body: JsonObject): JsonObject {
  const { required = [], properties } = schema.Schema();
  const keeps = (name: string) =>
    required.includes(name) || takesNull(properties[name]) || properties[name]?.refusesNull === true;
  return Object.fromEntries(Object.entries(body).filter(([name, value]) => value !== null || keeps(name)));
}

function takesNull(schema: TSchema | undefined): boolean {
  return schema?.anyOf?.some((each: TSchema) => each.type === "null") ?? false;
}

function validate(schema: TypeCheck<TObject>, value: unknown): Result<unknown> {
  if (schema.Check(value)) return ok(value);
  return err(refusal("invalid_input", validationMessage(schema.Errors(value).First())));
}

/** Query values by the types that the schema names; what does not convert stays text and fails the check. */
function readQuery(schema: TypeCheck<TObject>, search: Pick<URLSearchParams, "get">): JsonObject {
  const found: JsonObject = {};
  for (const [name, property] of Object.entries(schema.Schema().properties)) {
    const text = search.get(name);
    if (text !== null) found[name] = convert(text, property.type);
  }
  return found;
}

function convert(text: string, type: unknown): unknown {
  if (type === "integer" && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}
