import type { TObject, TSchema } from "@sinclair/typebox";
import type { ProblemCode } from "../base/problem.ts";
import type { Config } from "../config/config.ts";
import { ACCESS_COOKIE, CSRF_COOKIE, REFRESH_COOKIE } from "./cookies.ts";
import type { Endpoint } from "./endpoint.ts";
import { statusOf } from "./problem-status.ts";
import { ErrorEnvelope } from "./schemas/common.ts";

type JsonSchemaObject = Record<string, unknown>;

export const API_INFO = {
  title: "Identity and Access Service",
  version: "0.1.0",
  description:
    "Multi-tenant authentication and account administration. Clients branch on `error.code`, never on the message.",
} as const;

/** Shared parts of the document, referred to by every operation. */
export const API_COMPONENTS = {
  schemas: { Error: ErrorEnvelope },
  securitySchemes: {
    bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
    cookie: {
      type: "apiKey",
      in: "cookie",
      name: ACCESS_COOKIE,
      description: `With a cookie, POST, PUT and PATCH repeat the value of \`${CSRF_COOKIE}\` in the header X-Service-CSRF.`,
    },
    refresh_cookie: { type: "apiKey", in: "cookie", name: REFRESH_COOKIE },
  },
} as const;

/** The path under which an endpoint is mounted (contract, section 1, rule 3). */
export function mountedPath(config: Config, { path, prefixed = true }: Endpoint): string {
  return prefixed ? `${config.urls.routePrefix}${path}` : path;
}

/** Every refusal an endpoint can answer: its own, and those of its guards and of the shape of its input. */
export function problemsOf(endpoint: Endpoint): ReadonlySet<ProblemCode> {
  const problems = new Set<ProblemCode>([...endpoint.problems, "internal_error"]);
  if (endpoint.limit) problems.add("rate_limited");
  if (endpoint.auth === "caller") problems.add("authentication_required");
  if (endpoint.auth !== "none" && !endpoint.csrfOptional && endpoint.method !== "GET" && endpoint.method !== "DELETE")
    problems.add("csrf_failed");
  if (endpoint.auth !== "none" && !endpoint.servesUnverified) problems.add("forbidden");
  if ((endpoint.body && !endpoint.malformedBody) || endpoint.query) problems.add("invalid_input");
  return problems;
}

/** The OpenAPI 3.1 operation object of an endpoint. */
export function describeOperation(endpoint: Endpoint): JsonSchemaObject {
  return {
    operationId: endpoint.operationId,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...(endpoint.description ? { description: endpoint.description } : {}),
    security: securityOf(endpoint),
    parameters: [...pathParameters(endpoint), ...queryParameters(endpoint.query)],
    ...(endpoint.upload ? { requestBody: { required: true, content: multipartContent(endpoint.upload.part) } } : {}),
    ...(endpoint.body ? { requestBody: { required: true, content: bodyContent(endpoint, endpoint.body) } } : {}),
    responses: { ...answersOf(endpoint), ...refusalsOf(endpoint) },
  };
}

function securityOf(endpoint: Endpoint): JsonSchemaObject[] {
  if (endpoint.credential) return [{ [endpoint.credential]: [] }];
  if (endpoint.auth === "none") return [];
  const caller = [{ bearer: [] }, { cookie: [] }];
  return endpoint.auth === "optional" ? [{}, ...caller] : caller;
}

function pathParameters({ path, textParameters }: Endpoint): JsonSchemaObject[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: textParameters ? { type: "string" } : { type: "string", format: "uuid" },
  }));
}

function queryParameters(query: TObject | undefined): JsonSchemaObject[] {
  const required = new Set(query?.required ?? []);
  return Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.has(name),
    schema,
  }));
}

function answersOf(endpoint: Endpoint): JsonSchemaObject {
  return Object.fromEntries(
    Object.entries(endpoint.answers).map(([status, answer]) => [
      status,
      {
        description: answer.description,
        ...(answer.schema ? { content: jsonContent(answer.schema) } : {}),
        ...(answer.contentType ? { content: { [answer.contentType]: { schema: { type: "string" } } } } : {}),
      },
    ]),
  );
}

/** Refusals by status; several codes can share one. */
function refusalsOf(endpoint: Endpoint): JsonSchemaObject {
  const codes = [...problemsOf(endpoint)];
  return Object.fromEntries(
    codes.map((code) => {
      const same = codes.filter((other) => statusOf(other) === statusOf(code));
      const description = same.map((each) => `\`${each}\``).join(" or ");
      return [statusOf(code), { description, content: jsonContent({ $ref: "#/components/schemas/Error" } as never) }];
    }),
  );
}

function multipartContent(part: string): JsonSchemaObject {
  const file = { type: "string", format: "binary" };
  return { "multipart/form-data": { schema: { type: "object", required: [part], properties: { [part]: file } } } };
}

function bodyContent({ bodyType }: Endpoint, schema: TSchema): JsonSchemaObject {
  return bodyType === "form" ? { "application/x-www-form-urlencoded": { schema } } : jsonContent(schema);
}

function jsonContent(schema: TSchema): JsonSchemaObject {
  return { "application/json": { schema } };
}
