/** Requests below `/scim/v2` by path and method (RFC 7644, section 3.2). */
import { err, ok, type Result } from "../../base/result.ts";
import {
  type DirectoryCaller,
  type DirectoryDeps,
  NO_SUCH_RESOURCE,
} from "../../flows/directories/directory-caller.ts";
import {
  describeDirectoryGroup,
  describeDirectoryUser,
  getDirectoryGroup,
  getDirectoryUser,
  type ListParameters,
  listGroupResources,
  listUserResources,
  type ResourceList,
  type VersionedResource,
} from "../../flows/directories/read-resources.ts";
import { searchEverything } from "../../flows/directories/search-everything.ts";
import {
  createDirectoryGroup,
  patchDirectoryGroup,
  removeDirectoryGroup,
  replaceDirectoryGroup,
} from "../../flows/directories/write-groups.ts";
import {
  createDirectoryUser,
  patchDirectoryUser,
  type RecordAddress,
  removeDirectoryUser,
  replaceDirectoryUser,
} from "../../flows/directories/write-users.ts";
import {
  findResourceType,
  findSchema,
  listResourceTypes,
  listSchemas,
  serviceProviderConfig,
} from "../../models/directory/protocol/discovery.ts";
import { matchesEntityTag } from "../../models/directory/protocol/entity-tag.ts";
import { LIST_SCHEMA } from "../../models/directory/protocol/resources.ts";
import type { JsonRecord } from "../../models/directory/protocol/scim-json.ts";
import { type ScimProblem, type ScimResult, scimProblem } from "../../models/directory/protocol/scim-problem.ts";
import { hasScope } from "../../models/service-account/api-key.ts";
import { emptyReply, type Reply } from "../reply.ts";
import { notModifiedReply, resourceReply, scimListReply, scimReply } from "./scim-reply.ts";
import { parseScimPath, queryParameters, readScimBody, resourceId, searchParameters } from "./scim-request.ts";

export type ScimMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface ScimCall {
  readonly caller: DirectoryCaller;
  readonly method: ScimMethod;
  /** Below `/scim/v2/`. */
  readonly path: string;
  readonly request: Request;
}

export interface ScimRefused {
  readonly problem: ScimProblem;
  readonly headers?: Readonly<Record<string, string>>;
}

type Outcome = Result<Reply, ScimRefused>;
type Handler = (deps: DirectoryDeps, call: ScimCall, id: string) => Promise<ScimResult<Reply>> | ScimResult<Reply>;
type Handlers = Partial<Record<ScimMethod, Handler>>;

const NO_SUCH_PATH: ScimProblem = {
  status: 404,
  detail: "There is no such path. The base URL of the service ends in /scim/v2.",
  unknownPath: true,
};
const READ_ONLY = scimProblem(403, "This API key lacks the scope scim.write.");
const NOT_IMPLEMENTED = scimProblem(501, "The service does not support this operation.");

/** Handles a request, or returns the problem. */
export async function handleScim(deps: DirectoryDeps, call: ScimCall): Promise<Outcome> {
  const path = parseScimPath(call.path);
  const handlers = path && findHandlers(path.name, path.id);
  if (!handlers) return refuse(NO_SUCH_PATH);
  const handler = handlers[call.method];
  if (!handler) {
    const allow = Object.keys(handlers).join(", ");
    return refuse({ status: 405, detail: "The path does not support the method." }, { allow });
  }
  const reply = await handler(deps, call, path.id ?? "");
  return reply.ok ? reply : refuse(reply.error);
}

function refuse(problem: ScimProblem, headers?: Readonly<Record<string, string>>): Outcome {
  return err(headers ? { problem, headers } : { problem });
}

/** Names have no case: clients write `/users` too. */
function findHandlers(given: string, id: string | undefined): Handlers | undefined {
  const name = NAMES.get(given.toLowerCase()) ?? given;
  if (name === "Bulk" || name === "Me") return EVERY_METHOD;
  if (id === ".search" && (name === "Users" || name === "Groups"))
    return name === "Users" ? SEARCH_USERS : SEARCH_GROUPS;
  const key = id === undefined ? name : `${name}/:id`;
  return Object.hasOwn(PATHS, key) ? PATHS[key] : undefined;
}

const notImplemented: Handler = () => NOT_IMPLEMENTED;
const EVERY_METHOD: Handlers = {
  GET: notImplemented,
  POST: notImplemented,
  PUT: notImplemented,
  PATCH: notImplemented,
  DELETE: notImplemented,
};

const SEARCH_USERS: Handlers = { POST: search(listUserResources) };
const SEARCH_GROUPS: Handlers = { POST: search(listGroupResources) };

/** The response of a write: the written resource. */
type Describe<Item> = (
  deps: DirectoryDeps,
  caller: DirectoryCaller,
  item: Item,
  parameters: ListParameters,
) => Promise<ScimResult<VersionedResource>> | ScimResult<VersionedResource>;

function describeUser(_deps: DirectoryDeps, ...described: Parameters<typeof describeDirectoryUser>) {
  return describeDirectoryUser(...described);
}

const PATHS: Readonly<Record<string, Handlers>> = {
  ServiceProviderConfig: { GET: (_deps, { caller }) => ok(scimReply(200, serviceProviderConfig(caller.baseUrl))) },
  ResourceTypes: { GET: (_deps, { caller }) => ok(listReply(listResourceTypes(caller.baseUrl))) },
  "ResourceTypes/:id": { GET: (_deps, { caller }, id) => found(findResourceType(id, caller.baseUrl)) },
  Schemas: { GET: (_deps, { caller }) => ok(listReply(listSchemas(caller.baseUrl))) },
  "Schemas/:id": { GET: (_deps, { caller }, id) => found(findSchema(id, caller.baseUrl)) },
  // The base URL lists all resources (RFC 7644, section 3.4.2.1).
  "": { GET: list(searchEverything) },
  ".search": { POST: search(searchEverything) },
  Users: { GET: list(listUserResources), POST: create(createDirectoryUser, describeUser) },
  "Users/:id": {
    GET: get(getDirectoryUser),
    PUT: change(replaceDirectoryUser, describeUser),
    PATCH: change(patchDirectoryUser, describeUser),
    DELETE: remove(removeDirectoryUser),
  },
  Groups: { GET: list(listGroupResources), POST: create(createDirectoryGroup, describeDirectoryGroup) },
  "Groups/:id": {
    GET: get(getDirectoryGroup),
    PUT: change(replaceDirectoryGroup, describeDirectoryGroup),
    PATCH: change(patchDirectoryGroup),
    DELETE: remove(removeDirectoryGroup),
  },
};

const NAMES: ReadonlyMap<string, string> = new Map(
  [...Object.keys(PATHS).map((path) => path.replace("/:id", "")), "Bulk", "Me"].map((name) => [
    name.toLowerCase(),
    name,
  ]),
);

function listReply(resources: readonly JsonRecord[]): Reply {
  const totalResults = resources.length;
  const body = {
    schemas: [LIST_SCHEMA],
    totalResults,
    itemsPerPage: totalResults,
    startIndex: 1,
    Resources: resources,
  };
  return scimReply(200, body);
}

function found(body: JsonRecord | undefined): ScimResult<Reply> {
  return body ? ok(scimReply(200, body)) : NO_SUCH_RESOURCE;
}

function list(
  read: (deps: DirectoryDeps, caller: DirectoryCaller, parameters: ListParameters) => Promise<ScimResult<ResourceList>>,
): Handler {
  return async (deps, { caller, request }) => {
    const listed = await read(deps, caller, queryParameters(request));
    return listed.ok ? ok(scimListReply(listed.value)) : listed;
  };
}

function search(
  read: (deps: DirectoryDeps, caller: DirectoryCaller, parameters: ListParameters) => Promise<ScimResult<ResourceList>>,
): Handler {
  return async (deps, { caller, request }) => {
    const body = await readScimBody(request);
    const parameters = body.ok ? searchParameters(body.value) : body;
    const listed = parameters.ok ? await read(deps, caller, parameters.value) : parameters;
    return listed.ok ? ok(scimListReply(listed.value)) : listed;
  };
}

function get(
  read: (
    deps: DirectoryDeps,
    caller: DirectoryCaller,
    id: string,
    parameters: ListParameters,
  ) => Promise<ScimResult<VersionedResource>>,
): Handler {
  return async (deps, { caller, request }, text) => {
    const id = resourceId(text);
    if (id === undefined) return NO_SUCH_RESOURCE;
    const resource = await read(deps, caller, id, queryParameters(request));
    if (!resource.ok) return resource;
    const known = request.headers.get("if-none-match");
    const isCurrent = known !== null && matchesEntityTag(known, resource.value.version);
    return ok(isCurrent ? notModifiedReply(resource.value) : resourceReply(200, resource.value));
  };
}

function create<Item>(
  write: (deps: DirectoryDeps, caller: DirectoryCaller, body: JsonRecord) => Promise<ScimResult<Item>>,
  describe: Describe<Item>,
): Handler {
  return async (deps, { caller, request }) => {
    if (!hasScope(caller.key, "scim.write")) return READ_ONLY;
    const body = await readScimBody(request);
    const written = body.ok ? await write(deps, caller, body.value) : body;
    const created = written.ok ? await describe(deps, caller, written.value, queryParameters(request)) : written;
    return created.ok ? ok(resourceReply(201, created.value)) : created;
  };
}

/** A write without a resource in the response is 204. */
function change<Item>(
  write: (
    deps: DirectoryDeps,
    caller: DirectoryCaller,
    address: RecordAddress,
    body: JsonRecord,
  ) => Promise<ScimResult<Item>>,
  describe?: Describe<Item>,
): Handler {
  return async (deps, { caller, request }, text) => {
    const id = resourceId(text);
    if (id === undefined) return NO_SUCH_RESOURCE;
    const body = await readScimBody(request);
    if (!body.ok) return body;
    const written = await write(deps, caller, { id, ifMatch: request.headers.get("if-match") }, body.value);
    if (!written.ok) return written;
    if (!describe) return ok(emptyReply(204));
    const changed = await describe(deps, caller, written.value, queryParameters(request));
    return changed.ok ? ok(resourceReply(200, changed.value)) : changed;
  };
}

function remove(
  write: (deps: DirectoryDeps, caller: DirectoryCaller, address: RecordAddress) => Promise<ScimResult<void>>,
): Handler {
  return async (deps, { caller, request }, text) => {
    const id = resourceId(text);
    if (id === undefined) return NO_SUCH_RESOURCE;
    const removed = await write(deps, caller, { id, ifMatch: request.headers.get("if-match") });
    return removed.ok ? ok(emptyReply(204)) : removed;
  };
}
