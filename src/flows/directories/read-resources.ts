/** Reads of /scim/v2 (docs/contract.md, section 31.4). */
import { ok } from "../../base/result.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import { DIRECTORY_GROUP_MEMBERS_MAX } from "../../limits/directory-limits.ts";
import {
  countGroupMembers,
  type DirectoryGroup,
  findDirectoryGroup,
  listDirectoryGroups,
  listGroupMembers,
} from "../../models/directory/directory-group.ts";
import {
  type DirectoryUser,
  findDirectoryUser,
  listDirectoryUsers,
  listGroupsOf,
} from "../../models/directory/directory-user.ts";
import { groupCondition, userCondition } from "../../models/directory/filter-sql.ts";
import { type Condition, parseCondition } from "../../models/directory/protocol/condition.ts";
import type { JsonRecord } from "../../models/directory/protocol/json.ts";
import { makeCursor, type Paging, type PagingParameters, readPaging } from "../../models/directory/protocol/paging.ts";
import {
  includesAttribute,
  type Projection,
  type ProjectionParameters,
  project,
  readProjection,
} from "../../models/directory/protocol/projection.ts";
import { groupResource, LIST_SCHEMA, userResource } from "../../models/directory/protocol/resources.ts";
import { GROUP_TYPE, type ResourceType, USER_TYPE } from "../../models/directory/protocol/schemas.ts";
import { type ScimResult, scimError } from "../../models/directory/protocol/scim-problem.ts";
import { type DirectoryCaller, type DirectoryDeps, NO_SUCH_RESOURCE } from "./directory-caller.ts";

/** The parameters of a list, from the query or the body of `.search`. */
export type ListParameters = PagingParameters & ProjectionParameters;

/** A resource with its version, for ETag and If-None-Match. */
export interface VersionedResource {
  readonly body: JsonRecord;
  readonly id: string;
  readonly version: number;
}

type Reader = Pick<DirectoryDeps, "database" | "clock">;

export async function getDirectoryUser(
  deps: Reader,
  caller: DirectoryCaller,
  id: string,
  parameters: ProjectionParameters,
): Promise<ScimResult<VersionedResource>> {
  const record = await deps.database.run("directory_user.find", (sql) =>
    findDirectoryUser(sql, caller.directory.id, id),
  );
  return record ? await describeDirectoryUser(deps, caller, record, parameters) : NO_SUCH_RESOURCE;
}

/** The resource of a record, also after a write. */
export async function describeDirectoryUser(
  deps: Reader,
  caller: DirectoryCaller,
  record: DirectoryUser,
  parameters: ProjectionParameters,
): Promise<ScimResult<VersionedResource>> {
  const projection = readProjection(parameters, USER_TYPE);
  if (!projection.ok) return projection;
  const [body = {}] = await userBodies(deps, caller, [record], projection.value);
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
  const [body = {}] = await groupBodies(deps, caller, [group], projection.value);
  return ok({ body, id: group.id, version: group.version });
}

export async function listUserResources(
  deps: Reader,
  caller: DirectoryCaller,
  parameters: ListParameters,
): Promise<ScimResult<JsonRecord>> {
  return await listResources(deps, parameters, USER_TYPE, {
    compile: userCondition,
    list: (matches, paging) =>
      deps.database.run("directory_user.list", (sql) =>
        listDirectoryUsers(sql, caller.directory.id, matches(sql), paging),
      ),
    describe: (items, projection) => userBodies(deps, caller, items, projection),
  });
}

export async function listGroupResources(
  deps: Reader,
  caller: DirectoryCaller,
  parameters: ListParameters,
): Promise<ScimResult<JsonRecord>> {
  return await listResources(deps, parameters, GROUP_TYPE, {
    compile: groupCondition,
    list: (matches, paging) =>
      deps.database.run("directory_group.list", (sql) =>
        listDirectoryGroups(sql, caller.directory.id, matches(sql), paging),
      ),
    describe: (items, projection) => groupBodies(deps, caller, items, projection),
  });
}

interface Listed<Item> {
  readonly compile: (sql: Sql, condition: Condition) => ScimResult<Fragment>;
  readonly list: (matches: (sql: Sql) => Fragment, paging: Paging) => Promise<{ items: Item[]; total: number }>;
  /** Returns fewer resources than items if the response would have too many members. */
  readonly describe: (items: readonly Item[], projection: Projection) => Promise<JsonRecord[]>;
}

/** The condition is compiled for the connection; the problem of an unsupported attribute is thrown through the run. */
class UnsupportedFilter extends Error {}

async function listResources<Item extends { readonly id: string }>(
  deps: Reader,
  parameters: ListParameters,
  type: ResourceType,
  { compile, list, describe }: Listed<Item>,
): Promise<ScimResult<JsonRecord>> {
  const now = deps.clock.now();
  const [paging, projection] = [readPaging(parameters, now), readProjection(parameters, type)];
  if (!paging.ok) return paging;
  if (!projection.ok) return projection;
  const { filter } = parameters;
  const condition = filter === undefined ? ok(undefined) : parseCondition(filter, type);
  if (!condition.ok) return condition;
  const { value: parsed } = condition;
  const matches = (sql: Sql): Fragment => {
    if (!parsed) return sql`true`;
    const compiled = compile(sql, parsed);
    if (!compiled.ok) throw new UnsupportedFilter(compiled.error.detail);
    return compiled.value;
  };
  try {
    const { items, total } = await list(matches, paging.value);
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
  resources: readonly JsonRecord[],
  totalResults: number,
  paging: Paging,
  nextCursor: string | undefined,
): JsonRecord {
  const position =
    paging.method === "index" ? { startIndex: paging.startIndex } : nextCursor === undefined ? {} : { nextCursor };
  return {
    schemas: [LIST_SCHEMA],
    totalResults,
    itemsPerPage: resources.length,
    ...position,
    Resources: resources,
  };
}

async function userBodies(
  { database }: Reader,
  { baseUrl }: DirectoryCaller,
  records: readonly DirectoryUser[],
  projection: Projection,
): Promise<JsonRecord[]> {
  const ids = records.map(({ id }) => id);
  const isWanted = ids.length > 0 && includesAttribute(projection, "groups");
  const groups = isWanted ? await database.run("directory_group.list_of_users", (sql) => listGroupsOf(sql, ids)) : [];
  const byRecord = Map.groupBy(groups, ({ recordId }) => recordId);
  return records.map((record) => {
    const own = byRecord.get(record.id) ?? [];
    const references = own.map(({ id, displayName }) => ({ id, display: displayName }));
    return project(userResource(record, references, baseUrl), projection);
  });
}

/** A response has at most `DIRECTORY_GROUP_MEMBERS_MAX` members: a page of groups ends before the bound. */
async function groupBodies(
  { database }: Reader,
  { baseUrl }: DirectoryCaller,
  groups: readonly DirectoryGroup[],
  projection: Projection,
): Promise<JsonRecord[]> {
  if (groups.length === 0 || !includesAttribute(projection, "members")) {
    return groups.map((group) => project(groupResource(group, undefined, baseUrl), projection));
  }
  const ids = groups.map(({ id }) => id);
  const counts = await database.run("directory_group.count_members", (sql) => countGroupMembers(sql, ids));
  const page = withinBound(groups, counts);
  const pageIds = page.map(({ id }) => id);
  const members = await database.run("directory_group.list_members", (sql) => listGroupMembers(sql, pageIds));
  const byGroup = Map.groupBy(members, ({ groupId }) => groupId);
  return page.map((group) => {
    const own = byGroup.get(group.id) ?? [];
    const references = own.map(({ recordId, userName }) => ({ id: recordId, display: userName }));
    return project(groupResource(group, references, baseUrl), projection);
  });
}

function withinBound(groups: readonly DirectoryGroup[], counts: ReadonlyMap<string, number>): DirectoryGroup[] {
  let sum = 0;
  return groups.filter(({ id }, index) => {
    sum += counts.get(id) ?? 0;
    return index === 0 || sum <= DIRECTORY_GROUP_MEMBERS_MAX;
  });
}
