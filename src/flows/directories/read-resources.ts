/** Reads of /scim/v2 (docs/contract.md, section 31.4). */
import { ok } from "../../base/result.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import {
  type DirectoryGroup,
  findDirectoryGroup,
  listDirectoryGroups,
} from "../../models/directory/directory-group.ts";
import { type DescribedUser, findDescribedUser, listDirectoryUsers } from "../../models/directory/directory-user.ts";
import { groupCondition, userCondition } from "../../models/directory/filter-sql.ts";
import { type Condition, parseCondition } from "../../models/directory/protocol/condition.ts";
import { makeCursor, type Paging, type PagingParameters, readPaging } from "../../models/directory/protocol/paging.ts";
import {
  includesAttribute,
  type Projection,
  type ProjectionParameters,
  project,
  readProjection,
} from "../../models/directory/protocol/projection.ts";
import { LIST_SCHEMA, userResource } from "../../models/directory/protocol/resources.ts";
import { GROUP_TYPE, type ResourceType, USER_TYPE } from "../../models/directory/protocol/schemas.ts";
import type { JsonRecord } from "../../models/directory/protocol/scim-json.ts";
import { type ScimResult, scimError, scimRetry } from "../../models/directory/protocol/scim-problem.ts";
import { describeGroups, type ResourceBody } from "./describe-groups.ts";
import { type DirectoryCaller, type DirectoryDeps, NO_SUCH_RESOURCE } from "./directory-caller.ts";

/** The parameters of a list, from the query or the body of `.search`. */
export type ListParameters = PagingParameters & ProjectionParameters;

/** A resource with its version, for ETag and If-None-Match. */
export interface VersionedResource {
  readonly body: ResourceBody;
  readonly id: string;
  readonly version: number;
}

/** A ListResponse. */
export interface ResourceList {
  /** Without `Resources`. */
  readonly head: JsonRecord;
  readonly totalResults: number;
  readonly resources: readonly ResourceBody[];
}

type Reader = Pick<DirectoryDeps, "database" | "clock" | "directoryRequests">;

const BUSY = scimRetry(429, "Too many lists wait. Try again later.", 5);

export async function getDirectoryUser(
  deps: Reader,
  caller: DirectoryCaller,
  id: string,
  parameters: ProjectionParameters,
): Promise<ScimResult<VersionedResource>> {
  const record = await deps.database.run("directory_user.find", (sql) =>
    findDescribedUser(sql, caller.directory.id, id),
  );
  return record ? describeDirectoryUser(caller, record, parameters) : NO_SUCH_RESOURCE;
}

/** The resource of a record, also after a write. */
export function describeDirectoryUser(
  { baseUrl }: DirectoryCaller,
  record: DescribedUser,
  parameters: ProjectionParameters,
): ScimResult<VersionedResource> {
  const projection = readProjection(parameters, USER_TYPE);
  if (!projection.ok) return projection;
  const body = project(userResource(record, record.groups ?? [], baseUrl), projection.value);
  return ok({ body, id: record.id, version: record.version });
}

export async function getDirectoryGroup(
  deps: Reader,
  caller: DirectoryCaller,
  id: string,
  parameters: ProjectionParameters,
): Promise<ScimResult<VersionedResource>> {
  const group = await deps.database.run("directory_group.find", (sql) =>
    findDirectoryGroup(sql, caller.directory.id, id),
  );
  return group ? await describeDirectoryGroup(deps, caller, group, parameters) : NO_SUCH_RESOURCE;
}

export async function describeDirectoryGroup(
  deps: Reader,
  caller: DirectoryCaller,
  group: DirectoryGroup,
  parameters: ProjectionParameters,
): Promise<ScimResult<VersionedResource>> {
  const projection = readProjection(parameters, GROUP_TYPE);
  if (!projection.ok) return projection;
  const [body = {}] = await describeGroups(deps, caller, [group], projection.value);
  return ok({ body, id: group.id, version: group.version });
}

export async function listUserResources(
  deps: Reader,
  caller: DirectoryCaller,
  parameters: ListParameters,
): Promise<ScimResult<ResourceList>> {
  return await listInTurn(deps, caller, parameters, USER_TYPE, {
    compile: userCondition,
    list: (matches, paging, projection) =>
      deps.database.run("directory_user.list", (sql) =>
        listDirectoryUsers(sql, caller.directory.id, matches(sql), paging, {
          hasGroups: includesAttribute(projection, "groups"),
        }),
      ),
    describe: async (items, projection) =>
      items.map((record) => project(userResource(record, record.groups ?? [], caller.baseUrl), projection)),
  });
}

export async function listGroupResources(
  deps: Reader,
  caller: DirectoryCaller,
  parameters: ListParameters,
): Promise<ScimResult<ResourceList>> {
  return await listInTurn(deps, caller, parameters, GROUP_TYPE, {
    compile: groupCondition,
    list: (matches, paging) =>
      deps.database.run("directory_group.list", (sql) =>
        listDirectoryGroups(sql, caller.directory.id, matches(sql), paging),
      ),
    describe: (items, projection) => describeGroups(deps, caller, items, projection),
  });
}

/** The condition of a filter; undefined without a filter. */
type Matches = (sql: Sql) => Fragment | undefined;

interface Listed<Item> {
  readonly compile: (sql: Sql, condition: Condition) => ScimResult<Fragment>;
  readonly list: (
    matches: Matches,
    paging: Paging,
    projection: Projection,
  ) => Promise<{ items: Item[]; total: number }>;
  /** Returns fewer resources than items if the response would have too many members. */
  readonly describe: (items: readonly Item[], projection: Projection) => Promise<ResourceBody[]>;
}

/** The condition is compiled for the connection; the problem of an unsupported attribute is thrown through the run. */
class UnsupportedFilter extends Error {}

async function listInTurn<Item extends { readonly id: string }>(
  deps: Reader,
  { organizationId }: DirectoryCaller,
  ...rest: readonly [ListParameters, ResourceType, Listed<Item>]
): Promise<ScimResult<ResourceList>> {
  return (await deps.directoryRequests.list(organizationId, () => listResources(deps, ...rest))) ?? BUSY;
}

async function listResources<Item extends { readonly id: string }>(
  deps: Reader,
  parameters: ListParameters,
  type: ResourceType,
  { compile, list, describe }: Listed<Item>,
): Promise<ScimResult<ResourceList>> {
  const now = deps.clock.now();
  const [paging, projection] = [readPaging(parameters, now), readProjection(parameters, type)];
  if (!paging.ok) return paging;
  if (!projection.ok) return projection;
  const { filter } = parameters;
  const condition = filter === undefined ? ok(undefined) : parseCondition(filter, type);
  if (!condition.ok) return condition;
  const { value: parsed } = condition;
  const matches: Matches = (sql) => {
    if (!parsed) return undefined;
    const compiled = compile(sql, parsed);
    if (!compiled.ok) throw new UnsupportedFilter(compiled.error.detail);
    return compiled.value;
  };
  try {
    const { items, total } = await list(matches, paging.value, projection.value);
    const resources = await describe(items, projection.value);
    const last = items[resources.length - 1];
    const isComplete = resources.length === items.length && items.length < paging.value.count;
    const next = last && !isComplete ? makeCursor(last.id, filter, now) : undefined;
    return ok(listResponse(resources, total, paging.value, next));
  } catch (error) {
    if (error instanceof UnsupportedFilter) return scimError("invalidFilter", error.message);
    throw error;
  }
}

function listResponse(
  resources: readonly ResourceBody[],
  totalResults: number,
  paging: Paging,
  nextCursor: string | undefined,
): ResourceList {
  const position =
    paging.method === "index" ? { startIndex: paging.startIndex } : nextCursor === undefined ? {} : { nextCursor };
  return { head: listHead(totalResults, resources.length, position), totalResults, resources };
}

export function listHead(totalResults: number, itemsPerPage: number, position: JsonRecord): JsonRecord {
  return { schemas: [LIST_SCHEMA], totalResults, itemsPerPage, ...position };
}
