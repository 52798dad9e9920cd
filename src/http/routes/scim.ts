/** SCIM 2.0 for the directories of organizations (docs/contract.md, chapter 31). */
import { type TSchema, Type } from "@sinclair/typebox";
import { NOT_SIGNED_IN } from "../../base/problem.ts";
import { err, ok } from "../../base/result.ts";
import { authorizeDirectory, type DirectoryDeps } from "../../flows/directories/directory-caller.ts";
import { recordOmissions, recordRefusedRequest } from "../../flows/directories/record-refused-request.ts";
import { type AnyCall, type Endpoint, endpoint } from "../endpoint.ts";
import type { Response_ } from "../endpoint-spec.ts";
import type { KeyCaller } from "../guards/api-key.ts";
import type { Caller } from "../guards/caller.ts";
import type { RequestDocumentation, ResponseHeader } from "../openapi-parts.ts";
import type { Reply } from "../reply.ts";
import { ScimErrorBody, ScimListQuery, ScimPatch, ScimProjection, ScimResource, ScimSearch } from "../schemas/scim.ts";
import { handleScim, type ScimMethod } from "../scim/scim-handlers.ts";
import { scimProblemReply, scimRefusalReply } from "../scim/scim-reply.ts";
import { resourceIdIn, scimPathIn } from "../scim/scim-request.ts";

export type ScimDeps = DirectoryDeps;

const CONTENT_TYPE = "application/scim+json";
const resource = (description: string, headers: readonly ResponseHeader[] = []) => ({
  description,
  schema: ScimResource,
  contentType: CONTENT_TYPE,
  headers,
});
const problem = (description: string) => ({ description, schema: ScimErrorBody, contentType: CONTENT_TYPE });

const PROBLEMS = {
  400: problem("Invalid input, with `scimType`"),
  401: problem("No API key of an organization"),
  403: problem("The key lacks the scope, or the organization has no directory"),
  404: problem("No such resource"),
  405: problem("The path does not support the method"),
  409: problem("`uniqueness`"),
  412: problem("The version differs from If-Match"),
  413: problem("The body, record or request is too large"),
  415: problem("Neither application/scim+json nor application/json"),
  429: problem("The limit `scim` of the organization is exhausted"),
  500: problem("Internal error"),
  501: problem("Bulk operations and `/Me`"),
  503: problem("The directory is paused, or the database is unavailable; with `Retry-After`"),
} as const;

const READ = {
  200: resource("The resource", ["ETag"]),
  304: { description: "The version equals If-None-Match", headers: ["ETag"] },
} as const;
const LIST = { 200: resource("ListResponse") } as const;
const CREATED = { 201: resource("The resource", ["ETag", "Location"]) } as const;
const CHANGED = { 200: resource("The resource", ["ETag"]) } as const;
const NO_CONTENT = { 204: { description: "No content" } } as const;

/** An operation of RFC 7644. The handler reads query and body; the document describes them. */
interface Operation {
  readonly method: ScimMethod;
  /** Below `/scim/v2`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly responses: Readonly<Record<number, Response_>>;
  readonly documentation?: RequestDocumentation;
  readonly params?: Readonly<Record<string, TSchema>>;
}

const body = (schema: TSchema) => ({ body: schema, contentType: CONTENT_TYPE });
const id = (description: string, example: string) => ({ id: Type.String({ description, examples: [example] }) });
const search = (path: string, operationId: string, summary: string): Operation => ({
  method: "POST",
  path,
  operationId,
  summary,
  responses: LIST,
  documentation: body(ScimSearch),
});

/** The five operations of a resource type, and the search. `patched`: the response of PATCH. */
function resourceOperations(type: "User" | "Group", patched: Operation["responses"]): Operation[] {
  const [list, item, noun] = [`/${type}s`, `/${type}s/:id`, type.toLowerCase()];
  const read: Operation = {
    method: "GET",
    path: item,
    operationId: `getScim${type}`,
    summary: `Get a ${noun} of the directory`,
    responses: READ,
    documentation: { query: ScimProjection },
  };
  const write = (method: ScimMethod, verb: string, schema: TSchema, responses: Operation["responses"]): Operation => {
    const summary = `${verb} a ${noun} of the directory`;
    const operationId = `${verb.toLowerCase()}Scim${type}`;
    return { method, path: item, operationId, summary, responses, documentation: body(schema) };
  };
  return [
    {
      method: "GET",
      path: list,
      operationId: `listScim${type}s`,
      summary: `List ${noun}s of the directory`,
      responses: LIST,
      documentation: { query: ScimListQuery },
    },
    { ...write("POST", "Create", ScimResource, CREATED), path: list },
    read,
    write("PUT", "Replace", ScimResource, CHANGED),
    write("PATCH", "Patch", ScimPatch, patched),
    {
      method: "DELETE",
      path: item,
      operationId: `deleteScim${type}`,
      summary: `Delete a ${noun} of the directory`,
      responses: NO_CONTENT,
    },
    search(`${list}/.search`, `searchScim${type}s`, `Search ${noun}s of the directory`),
  ];
}

/** A document about the SCIM server. */
function description(path: string, operationId: string, summary: string, params?: Operation["params"]): Operation {
  const responses = { 200: resource(summary) };
  return { method: "GET", path, operationId, summary, responses, ...(params ? { params } : {}) };
}

const OPERATIONS: readonly Operation[] = [
  description("/ServiceProviderConfig", "getScimServiceProviderConfig", "Get the features of the SCIM server"),
  description("/ResourceTypes", "listScimResourceTypes", "List the resource types of the SCIM server"),
  description(
    "/ResourceTypes/:id",
    "getScimResourceType",
    "Get a resource type of the SCIM server",
    id("Name of the type", "User"),
  ),
  description("/Schemas", "listScimSchemas", "List the schemas of the SCIM server"),
  description(
    "/Schemas/:id",
    "getScimSchema",
    "Get a schema of the SCIM server",
    id("URN of the schema", "urn:ietf:params:scim:schemas:core:2.0:User"),
  ),
  ...resourceOperations("User", CHANGED),
  ...resourceOperations("Group", NO_CONTENT),
  search("/.search", "searchScim", "Search users and groups of the directory"),
];

const METHODS: readonly ScimMethod[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/**
 * The operations of RFC 7644, and for each method an endpoint of the base URL and of every other path: unknown paths
 * and wrong methods have SCIM errors too. Sessions of people are 401.
 */
export function scimRoutes(deps: ScimDeps): Endpoint[] {
  const common = { summary: "A problem of RFC 7644", responses: {}, documentation: "none" } as const;
  const others = METHODS.flatMap((method) => [
    scimEndpoint(deps, { ...common, method, path: "", operationId: `${method.toLowerCase()}ScimBase` }),
    scimEndpoint(deps, { ...common, method, path: "/:path", operationId: `${method.toLowerCase()}Scim` }),
  ]);
  return [...OPERATIONS.map((operation) => scimEndpoint(deps, operation)), ...others];
}

type ScimEndpoint = Omit<Operation, "documentation"> & { readonly documentation?: "none" | RequestDocumentation };

function scimEndpoint(
  deps: ScimDeps,
  { method, path, responses, documentation: request, params, ...operation }: ScimEndpoint,
): Endpoint {
  return endpoint({
    ...operation,
    docs: {
      clientMethod: null,
      section: request === "none" ? null : "31.4",
      access: "key",
      conditional: 304 in responses,
      ...(request ? { request } : {}),
      ...(params ? { params } : {}),
    },
    method,
    path: `/scim/v2${path}`,
    input: { textParameters: true, restOfPath: path === "/:path" },
    tag: "Directories",
    description: "RFC 7643 and 7644, for the directory of the organization of the API key.",
    auth: "administrative",
    permission: needsReading(method, path) ? "scim.read" : "scim.write",
    limits: { countsCaller: false },
    session: { csrfOptional: true },
    refusals: "scim",
    responses: { ...responses, ...PROBLEMS },
    problems: ["not_found", "forbidden", "rate_limited", "authentication_required"],
    authorize: async (caller: Caller | KeyCaller) => (caller.via === "key" ? ok(caller) : err(NOT_SIGNED_IN)),
    handle: (async (call: AnyCall & { readonly authorized: KeyCaller }) =>
      ok(await respond(deps, method, call))) as never,
  });
}

/** A POST to another path may be a search in another spelling: the handler checks the scope of a creation. */
function needsReading(method: ScimMethod, path: string): boolean {
  return method === "GET" || (method === "POST" && (path.endsWith(".search") || path === "/:path" || path === ""));
}

async function respond(
  deps: ScimDeps,
  method: ScimMethod,
  call: AnyCall & { readonly authorized: KeyCaller },
): Promise<Reply> {
  const { key } = call.authorized;
  // Directories send requests in bursts, and sessions are checked in between.
  await deps.directoryRequests.step();
  const admitted = await call.admitDirectory(key.organizationId ?? key.id);
  if (!admitted.ok) return scimRefusalReply(admitted.error);
  const caller = await authorizeDirectory(deps, key, call.client);
  if (!caller.ok) return scimProblemReply(caller.error);
  const path = scimPathIn(call.request);
  const outcome = await handleScim(deps, { caller: caller.value, method, path, request: call.request });
  const resourceId = resourceIdIn(path) ?? null;
  const request = { method, path: `/${path}`, resourceId };
  if (outcome.ok) {
    await recordOmissions(deps, caller.value, { ...request, status: outcome.value.status });
    return outcome.value;
  }
  const { problem: refused, headers } = outcome.error;
  await recordRefusedRequest(deps, caller.value, { ...request, problem: refused });
  return scimProblemReply(refused, undefined, headers);
}
