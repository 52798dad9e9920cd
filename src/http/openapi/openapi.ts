/** Generates the OpenAPI 3.1 document from the mounted endpoints: their schemas, guards and problems. */
import type { TObject, TSchema } from "@sinclair/typebox";
import type { ProblemCode } from "../../base/problem.ts";
import type { Config } from "../../config/config.ts";
import type { EndpointPermission } from "../../vocabulary/key-scope.ts";
import { sendsChallenge } from "../challenge.ts";
import { countsAgainstCaller, type Endpoint } from "../endpoint.ts";
import type { Response_, SessionRules } from "../endpoint-spec.ts";
import { requiresCaller, servesPrograms } from "../guards/any-caller.ts";
import { refusesConditions } from "../guards/version.ts";
import { oauthStatusOf } from "../oauth-reply.ts";
import {
  EXAMPLE_MESSAGES,
  HEADERS,
  INFO,
  REQUEST_HEADERS,
  type ResponseHeader,
  SECURITY_SCHEMES,
  TAGS,
} from "../openapi-parts.ts";
import { statusOf, typeOf } from "../problem-status.ts";
import { repliesUnavailable } from "../reference-endpoints.ts";
import { ErrorEnvelope, Uuid } from "../schemas/common.ts";
import { OAuthError } from "../schemas/oauth-provider.ts";
import { exampleOf, examplesOf, type Json, type SchemaWriter, schemaWriter } from "./openapi-schema.ts";

/** The mounted path of an endpoint (docs/contract.md, section 2.1). */
export function mountedPath(config: Config, { path, prefixed = true }: Endpoint): string {
  return prefixed ? `${config.urls.routePrefix}${path}` : path;
}

export function apiDocument(config: Config, endpoints: readonly Endpoint[]): Json {
  const schemas = schemaWriter();
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    if (endpoint.docs.request === "none") continue;
    const path = mountedPath(config, endpoint).replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: describeOperation(endpoint, schemas) };
  }
  schemas.use(ErrorEnvelope);
  return {
    openapi: "3.1.0",
    info: { ...INFO, contact: { name: "The operator of this deployment", url: config.urls.publicBaseUrl } },
    servers: [{ url: "/", description: "This deployment" }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: schemas.components,
      parameters: REQUEST_HEADERS,
      headers: HEADERS,
      examples: problemExamples(endpoints),
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

/** Every code of an endpoint: the declared codes, and the codes of the guards and of input validation. */
export function problemsOf(endpoint: Endpoint): ReadonlySet<ProblemCode> {
  // invalid_input: the Host header of every request is validated.
  const problems = new Set<ProblemCode>([...endpoint.problems, "internal_error", "invalid_input"]);
  if (endpoint.limit || countsAgainstCaller(endpoint) || servesPrograms(endpoint)) problems.add("rate_limited");
  if (requiresCaller(endpoint)) problems.add("authentication_required").add("forbidden");
  if (servesPrograms(endpoint)) problems.add("rate_limited");
  if (endpoint.auth !== "none" && !endpoint.csrfOptional && endpoint.method !== "GET") problems.add("csrf_failed");
  if (endpoint.auth !== "none" && !endpoint.servesUnverified) problems.add("forbidden");
  if (endpoint.path.includes(":") && !endpoint.textParameters) problems.add("not_found");
  if (endpoint.auth !== "none" && !endpoint.servesSession) problems.add("forbidden").add("mfa_required");
  if (endpoint.stepUp) problems.add("mfa_required");
  if (endpoint.version && endpoint.method !== "GET") problems.add("precondition_failed");
  if (refusesConditions(endpoint)) problems.add("precondition_failed");
  if (endpoint.path.startsWith("/orgs/:org_id")) problems.add("mfa_required").add("sso_required");
  return problems;
}

function describeOperation(endpoint: Endpoint, schemas: SchemaWriter): Json {
  const own = endpoint.docs.request === "none" ? undefined : endpoint.docs.request;
  return {
    operationId: endpoint.operationId,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: descriptionOf(endpoint),
    security: securityOf(endpoint),
    parameters: [
      ...pathParameters(endpoint, schemas),
      ...queryParameters(endpoint.query ?? own?.query, schemas),
      ...headerParameters(endpoint),
    ],
    ...(endpoint.upload ? { requestBody: { required: true, content: multipartContent(endpoint.upload.part) } } : {}),
    ...(own?.body ? { requestBody: { required: true, content: jsonContent(own.body, schemas, own.contentType) } } : {}),
    ...(endpoint.body ? { requestBody: requestBody(endpoint, endpoint.body, schemas) } : {}),
    ...(endpoint.largeForm ? { requestBody: formBody(endpoint.largeForm, schemas) } : {}),
    responses: allResponsesOf(endpoint, schemas),
  };
}

/** The responses of an endpoint with the refusals in their form. An endpoint of SCIM declares its refusals itself. */
function allResponsesOf(endpoint: Endpoint, schemas: SchemaWriter): Json {
  const declared = responsesOf(endpoint, schemas);
  if (endpoint.refusals === "scim") return declared;
  return endpoint.refusals
    ? { ...oauthRefusals(endpoint, schemas), ...declared }
    : { ...declared, ...refusalsOf(endpoint) };
}

function descriptionOf(endpoint: Endpoint): string {
  const { description, summary, permission, servesWithout, stepUp, stepUpFor } = endpoint;
  return [
    description ?? `${summary}.`,
    permission && permissionSentence(permission, servesWithout),
    stepUp && `Needs a step-up within five minutes${stepUpFor ? " where the body grants power or data" : ""}.`,
  ]
    .filter(Boolean)
    .join(" ");
}

const EXCEPT = { member: ", except for members of the organization", self: ", except for the caller's own" } as const;

function permissionSentence(permission: EndpointPermission, without: SessionRules["servesWithout"]): string {
  return `Needs the permission \`${permission}\`${without === undefined ? "" : EXCEPT[without]}.`;
}

function securityOf(endpoint: Endpoint): Json[] {
  if (endpoint.docs.credential) return [{ [endpoint.docs.credential]: [] }];
  if (endpoint.auth === "none") return [];
  // Directories present a key; sessions of people are refused.
  if (endpoint.refusals === "scim") return programSecurity(endpoint);
  const caller = [{ bearer: [] }, { cookie: [] }];
  if (servesPrograms(endpoint)) return [...caller, ...programSecurity(endpoint)];
  return endpoint.auth === "optional" ? [{}, ...caller] : caller;
}

/** The permission as scope of a program; a second name is a further pair (docs/contract.md, section 35.2). */
function programSecurity({ permission, keyPermission }: Endpoint): Json[] {
  const names = [permission, keyPermission].filter((name) => name !== undefined);
  if (names.length === 0) return [{ api_key: [] }, { program_token: [] }];
  return names.flatMap((name) => [{ api_key: [name] }, { program_token: [name] }]);
}

function pathParameters({ path, docs: { params = {} } }: Endpoint, schemas: SchemaWriter): Json[] {
  return [...path.matchAll(/([\w-]+)\/:(\w+)/g)].map(([, segment = "", name = ""]) => {
    const schema = params[name] ?? Uuid;
    const description = schema.description ?? `Identifier of the ${nounOf(segment)}`;
    return {
      name,
      in: "path",
      required: true,
      description,
      schema: schemas.use(schema),
      example: exampleOf(schema),
    };
  });
}

/** Singular noun of a path segment: `trusted-browsers` gives `trusted browser`. */
function nounOf(segment: string): string {
  return segment === "orgs" ? "organization" : segment.replaceAll("-", " ").replace(/s$/, "");
}

function queryParameters(query: TObject | undefined, schemas: SchemaWriter): Json[] {
  const required = new Set(query?.required ?? []);
  return Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.has(name),
    description: schema.note ?? schema.description,
    schema: schemas.use(schema),
    example: exampleOf(schema),
  }));
}

function headerParameters({ auth, method, docs: { conditional }, refusals, version }: Endpoint): Json[] {
  const guarded = auth !== "none" && refusals !== "scim" && method !== "GET" && method !== "DELETE";
  const names = ["RequestId", ...(guarded ? ["Csrf"] : []), ...(conditional ? ["IfNoneMatch"] : [])];
  if (version && method !== "GET") names.push("IfMatch");
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

function requestBody({ bodyType }: Endpoint, body: TObject, schemas: SchemaWriter): Json {
  return bodyType === "form" ? formBody(body, schemas) : bodyOfType("application/json", schemas.useBody(body), body);
}

function formBody(body: TObject, schemas: SchemaWriter): Json {
  return bodyOfType("application/x-www-form-urlencoded", schemas.use(body), body);
}

function bodyOfType(type: string, schema: Json, body: TObject): Json {
  return { required: Boolean(body.required?.length), content: { [type]: { schema, example: exampleOf(body) } } };
}

function multipartContent(part: string): Json {
  const file = { type: "string", contentMediaType: "application/octet-stream", description: "the file" };
  const schema = { type: "object", required: [part], properties: { [part]: file } };
  return { "multipart/form-data": { schema, example: { [part]: "(bytes of the file)" } } };
}

function responsesOf(endpoint: Endpoint, schemas: SchemaWriter): Json {
  return Object.fromEntries(
    Object.entries(endpoint.responses).map(([status, response]) => [
      status,
      {
        description: response.description,
        headers: headersOf(endpoint, Number(status), response.headers),
        ...contentOf(response, schemas),
      },
    ]),
  );
}

function contentOf({ schema, contentType, example }: Response_, schemas: SchemaWriter): Json {
  if (schema) return { content: jsonContent(schema, schemas, contentType) };
  if (contentType) return { content: { [contentType]: { schema: { type: "string" }, example } } };
  return {};
}

function jsonContent(schema: TSchema, schemas: SchemaWriter, contentType = "application/json"): Json {
  return { [contentType]: { schema: schemas.use(schema), ...examplesOf(schema) } };
}

function headersOf(endpoint: Endpoint, status: number, own: Response_["headers"] = []): Json {
  const limited = endpoint.limit !== undefined || countsAgainstCaller(endpoint) || servesPrograms(endpoint);
  const names = [
    "X-Request-Id",
    ...(limited ? ["RateLimit", "RateLimit-Policy"] : []),
    ...(status === 429 ? ["Retry-After"] : []),
    ...(endpoint.version && (status === 200 || status === 201) ? ["ETag"] : []),
    ...own,
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Error responses by status; several codes can share a status. */
function refusalsOf(endpoint: Endpoint): Json {
  const codes = [...problemsOf(endpoint)];
  const refusals = codes.map((code) => {
    const status = statusOf(code);
    const same = codes.filter((other) => statusOf(other) === status);
    const own = refusalHeaders(endpoint, status);
    return [status, refusal(same, headersOf(endpoint, status, own))];
  });
  return { ...Object.fromEntries(refusals), ...unavailable(endpoint), ...otherwise(endpoint) };
}

/** An endpoint that declares 503 itself describes the causes. */
function unavailable(endpoint: Endpoint): Json {
  if (!repliesUnavailable(endpoint) || 503 in endpoint.responses) return {};
  return { 503: refusal(["internal_error"], headersOf(endpoint, 503, ["Retry-After"])) };
}

function refusalHeaders(endpoint: Endpoint, status: number): readonly ResponseHeader[] {
  const challenged = status === 401 || (status === 403 && endpoint.auth === "administrative");
  return [
    ...(status === 401 && endpoint.docs.credential ? (["Set-Cookie"] as const) : []),
    ...(challenged && sendsChallenge(endpoint) ? (["WWW-Authenticate"] as const) : []),
  ];
}

function refusal(codes: readonly ProblemCode[], headers: Json): Json {
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]);
  const schema = { $ref: "#/components/schemas/Error" };
  return {
    description: codes.map((code) => `\`${code}\``).join(" or "),
    headers,
    content: { "application/json": { schema, examples: Object.fromEntries(examples) } },
  };
}

/**
 * Refusals of the guards, of validation and of failures, in the form of RFC 6749; the endpoint declares the remaining
 * refusals.
 */
function oauthRefusals(endpoint: Endpoint, schemas: SchemaWriter): Json {
  const statuses = new Set([...problemsOf(endpoint)].map((code) => oauthStatusOf(code))).add(503);
  const content = jsonContent(OAuthError, schemas);
  return Object.fromEntries(
    [...statuses].map((status) => [
      status,
      {
        description: "An error of RFC 6749",
        headers: headersOf(endpoint, status, status === 503 ? ["Retry-After"] : []),
        content,
      },
    ]),
  );
}

/** Linters require a 2xx or a default response; an operation that only redirects has no 2xx. */
function otherwise(endpoint: Endpoint): Json {
  if (Object.keys(endpoint.responses).some((status) => status.startsWith("2"))) return {};
  return { default: { ...refusal(["internal_error"], headersOf(endpoint, 500)), description: "Any other error" } };
}

/** One example per code of an endpoint. */
function problemExamples(endpoints: readonly Endpoint[]): Json {
  const used = new Set(endpoints.flatMap((each) => [...problemsOf(each)]));
  const examples = [...used].map((code) => {
    const value = { error: { code, message: EXAMPLE_MESSAGES[code], type: typeOf(code) } };
    return [code, { summary: code, value }];
  });
  return Object.fromEntries(examples);
}
