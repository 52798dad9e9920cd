/** Groups as responses contain them. Many members are read in pages while the response is sent. */
import { DIRECTORY_GROUP_MEMBERS_MAX, SCIM_MEMBERS_AT_ONCE } from "../../limits/directory-limits.ts";
import {
  countGroupMembers,
  type DirectoryGroup,
  type GroupMember,
  listGroupMembers,
  listGroupMembersAfter,
} from "../../models/directory/directory-group.ts";
import { includesAttribute, type Projection, project } from "../../models/directory/protocol/projection.ts";
import { groupResource } from "../../models/directory/protocol/resources.ts";
import { type Json, type JsonRecord, listOf } from "../../models/directory/protocol/scim-json.ts";
import type { DirectoryCaller, DirectoryDeps } from "./directory-caller.ts";

/** A group without its members, and the members in pages. */
export class StreamedGroup {
  readonly head: JsonRecord;
  readonly pages: () => AsyncGenerator<readonly Json[]>;
  constructor(head: JsonRecord, pages: () => AsyncGenerator<readonly Json[]>) {
    this.head = head;
    this.pages = pages;
  }
}

export type ResourceBody = JsonRecord | StreamedGroup;

type Reader = Pick<DirectoryDeps, "database" | "clock">;
type MemberOfGroup = Pick<GroupMember, "recordId" | "userName">;

/**
 * A response has at most `DIRECTORY_GROUP_MEMBERS_MAX` members: a page of groups ends before the bound. More than
 * `SCIM_MEMBERS_AT_ONCE` members are never in memory.
 */
export async function describeGroups(
  { database }: Reader,
  { baseUrl }: DirectoryCaller,
  groups: readonly DirectoryGroup[],
  projection: Projection,
): Promise<ResourceBody[]> {
  if (groups.length === 0 || !includesAttribute(projection, "members")) {
    return groups.map((group) => project(groupResource(group, undefined, baseUrl), projection));
  }
  const ids = groups.map(({ id }) => id);
  const counts = await database.run("directory_group.count_members", (sql) => countGroupMembers(sql, ids));
  const { page, sum } = withinBound(groups, counts);
  if (sum > SCIM_MEMBERS_AT_ONCE) return page.map((group) => streamed(database, baseUrl, group, projection));
  const pageIds = page.map(({ id }) => id);
  const members = await database.run("directory_group.list_members", (sql) => listGroupMembers(sql, pageIds));
  const byGroup = Map.groupBy(members, ({ groupId }) => groupId);
  return page.map((group) => whole(group, byGroup.get(group.id) ?? [], baseUrl, projection));
}

function withinBound(groups: readonly DirectoryGroup[], counts: ReadonlyMap<string, number>) {
  const page: DirectoryGroup[] = [];
  let sum = 0;
  for (const group of groups) {
    const count = counts.get(group.id) ?? 0;
    if (page.length > 0 && sum + count > DIRECTORY_GROUP_MEMBERS_MAX) break;
    page.push(group);
    sum += count;
  }
  return { page, sum };
}

function whole(
  group: DirectoryGroup,
  members: readonly MemberOfGroup[],
  baseUrl: string,
  projection: Projection,
): JsonRecord {
  const references = members.map(({ recordId, userName }) => ({ id: recordId, display: userName }));
  return project(groupResource(group, references, baseUrl), projection);
}

/** By keyset: a member that exists throughout the response is neither skipped nor repeated. */
function streamed(
  database: Reader["database"],
  baseUrl: string,
  group: DirectoryGroup,
  projection: Projection,
): StreamedGroup {
  const { members: _, ...head } = whole(group, [], baseUrl, projection);
  const read = (after: string | null): Promise<MemberOfGroup[]> =>
    database.run("directory_group.list_members_after", (sql) =>
      listGroupMembersAfter(sql, group.id, after, SCIM_MEMBERS_AT_ONCE),
    );
  return new StreamedGroup(head, async function* () {
    let page: readonly MemberOfGroup[] = [];
    do {
      page = await read(page.at(-1)?.recordId ?? null);
      if (page.length > 0) yield listOf(whole(group, page, baseUrl, projection).members);
    } while (page.length === SCIM_MEMBERS_AT_ONCE);
  });
}
