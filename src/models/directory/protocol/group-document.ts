/** Groups in requests: the name, and changes of the members as sets, so that no group is read as a whole. */

import { readMembers } from "../../../base/partial-list.ts";
import { isUuid } from "../../../base/random.ts";
import { err, ok } from "../../../base/result.ts";
import { SCIM_GROUP_NAME_MAX_CHARACTERS, SCIM_REQUEST_MEMBERS_MAX } from "../../../limits/directory-limits.ts";
import { parseAttributePath, resolvePath } from "./attribute-path.ts";
import { type Filter, type OperationPath, parseOperationPath } from "./filter.ts";
import { Omissions } from "./omissions.ts";
import { type Operation, readPatch } from "./patch-body.ts";
import { readAttributes } from "./read-values.ts";
import { COMMON_ATTRIBUTES, GROUP_SCHEMA, GROUP_TYPE } from "./schemas.ts";
import { isRecord, type Json, listOf } from "./scim-json.ts";
import { type ScimResult, scimError, scimProblem } from "./scim-problem.ts";
import { memberOf, requireSchema, validateExternalId } from "./user-document.ts";

/** A change of the members: `replaces` empties the group first. Ids of users in lower case. */
export interface MemberChange {
  readonly replaces: boolean;
  readonly added: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
}

/** A change of a group; undefined members remain. `externalId` null removes the id. */
export interface GroupChange {
  readonly displayName?: string;
  readonly externalId?: string | null;
  readonly members: MemberChange;
}

const NO_MEMBERS: ReadonlySet<string> = new Set();
const UNCHANGED: MemberChange = { replaces: false, added: NO_MEMBERS, removed: NO_MEMBERS };
const SCALARS = [...GROUP_TYPE.core.attributes, ...COMMON_ATTRIBUTES].filter(({ name }) => name !== "members");

/** Reads the body of POST or PUT, as a change of all attributes. */
export function readGroup(
  body: unknown,
  omissions = new Omissions(),
): ScimResult<GroupChange & { readonly displayName: string }> {
  const named = requireSchema(body, GROUP_SCHEMA);
  const scalars = named.ok ? readAttributes(named.value, SCALARS, { problem: "invalidSyntax", omissions }) : named;
  if (!scalars.ok) return scalars;
  const { displayName, externalId } = scalars.value;
  if (displayName === undefined) return scimError("invalidValue", "displayName is required.");
  const scalar = readScalars({ displayName, externalId: externalId ?? null }, omissions);
  if (!scalar.ok) return scalar;
  const members = readMemberIds(named.ok ? memberOf(named.value, "members") : undefined, omissions);
  if (!members.ok) return members;
  const name = String(displayName);
  return ok({ ...scalar.value, displayName: name, members: { ...UNCHANGED, replaces: true, added: members.value } });
}

/** Translates the body of PATCH. `id`: of the group, which the request may repeat. */
export function translateGroupPatch(body: unknown, id: string, omissions = new Omissions()): ScimResult<GroupChange> {
  const operations = readPatch(body);
  if (!operations.ok) return operations;
  let change: GroupChange = { members: UNCHANGED };
  const request = { id, omissions };
  for (const operation of operations.value) {
    const apply = operation.path === undefined ? applyObject : applyPath;
    const next = apply(change, operation, request);
    if (!next.ok) return next;
    change = next.value;
  }
  const { added, removed } = change.members;
  return added.size + removed.size > SCIM_REQUEST_MEMBERS_MAX ? TOO_MANY_MEMBERS : ok(change);
}

const TOO_MANY_MEMBERS = scimProblem(413, `A request has at most ${SCIM_REQUEST_MEMBERS_MAX} members.`);

/** The addressed group, and the record of what the request leaves out. */
interface GroupRequest {
  readonly id: string;
  readonly omissions: Omissions;
}

function applyObject(change: GroupChange, { op, value }: Operation, request: GroupRequest): ScimResult<GroupChange> {
  if (!isRecord(value)) return scimError("invalidValue", "The value of an operation without path must be an object.");
  let changed = change;
  for (const [name, member] of Object.entries(value)) {
    const target = findTarget({ path: name, filter: undefined, sub: undefined });
    if (target === "unknown" || target === "ignored" || target === "read_only") continue;
    const next = applyMember(changed, { op, value: member }, target, request);
    if (!next.ok) return next;
    changed = next.value;
  }
  return ok(changed);
}

function applyPath(change: GroupChange, operation: Operation, request: GroupRequest): ScimResult<GroupChange> {
  const path = parseOperationPath(operation.path ?? "");
  if (!path.ok) return path;
  const target = findTarget(path.value);
  if (target === "ignored") return ok(change);
  if (target === "read_only") return scimError("mutability", "The attribute is read-only.");
  if (target === "unknown") return scimError("invalidPath", "The path names an unknown attribute.");
  const { filter, sub } = path.value;
  if (!filter) return applyMember(change, operation, target, request);
  const selected = target === "members" && sub === undefined ? selectedMembers(filter) : undefined;
  if (!selected) return scimError("invalidPath", 'Members are selected by members[value eq "id"].');
  return ok({ ...change, members: selectMembers(change.members, operation.op, selected) });
}

type GroupAttribute = "displayName" | "externalId" | "id" | "members";

/** `schemas` is ignored, as for users. */
function findTarget({ path }: OperationPath): GroupAttribute | "ignored" | "read_only" | "unknown" {
  const parsed = parseAttributePath(path, GROUP_TYPE);
  const resolved = parsed && resolvePath(parsed, GROUP_TYPE);
  if (resolved === undefined) return "unknown";
  if (resolved === "foreign" || resolved === "dropped" || !("attribute" in resolved)) return "ignored";
  const { name } = resolved.attribute;
  if (name === "meta") return "read_only";
  if (resolved.sub) return name === "members" ? "unknown" : "ignored";
  return name === "displayName" || name === "externalId" || name === "id" || name === "members" ? name : "ignored";
}

type Change = Pick<Operation, "op" | "value">;

function applyMember(
  change: GroupChange,
  { op, value }: Change,
  target: GroupAttribute,
  { id, omissions }: GroupRequest,
): ScimResult<GroupChange> {
  if (target === "id") {
    return op !== "remove" && value === id ? ok(change) : scimError("mutability", "The id cannot be changed.");
  }
  if (target === "members") {
    const members = changeMembers(change.members, { op, value }, omissions);
    return members.ok ? ok({ ...change, members: members.value }) : members;
  }
  const isRemoved = op === "remove" || value === null;
  if (isRemoved && target === "displayName") return scimError("mutability", "displayName is required.");
  const scalar = readScalars({ [target]: isRemoved ? null : (value ?? null) }, omissions);
  return scalar.ok ? ok({ ...change, ...scalar.value }) : scalar;
}

/** Validates the name and the external id of a group. */
function readScalars(
  given: Readonly<Record<string, Json>>,
  omissions: Omissions,
): ScimResult<Omit<GroupChange, "members">> {
  const typed = readAttributes(given, SCALARS, { problem: "invalidValue", omissions });
  if (!typed.ok) return typed;
  const { displayName, externalId } = typed.value;
  if (typeof displayName === "string") {
    const length = displayName.trim().length;
    if (length === 0 || length > SCIM_GROUP_NAME_MAX_CHARACTERS) {
      return scimError("invalidValue", `displayName has 1 to ${SCIM_GROUP_NAME_MAX_CHARACTERS} characters.`);
    }
  }
  const problem = validateExternalId(externalId);
  if (problem) return problem;
  return ok({
    ...(typeof displayName === "string" ? { displayName } : {}),
    ...("externalId" in given ? { externalId: typeof externalId === "string" ? externalId : null } : {}),
  });
}

/**
 * Reads the ids of members: objects with `value`, or texts. Groups in groups and unknown users are left out; a list of
 * unknown users alone is refused, so that no group is emptied by mistake. `isStrict`: an unreadable member is a
 * problem, as a removal that is left out would leave access.
 */
function readMemberIds(value: Json | undefined, omissions: Omissions, isStrict = false): ScimResult<Set<string>> {
  const list = value === undefined || value === null ? [] : Array.isArray(value) ? listOf(value) : [value];
  if (list.length > SCIM_REQUEST_MEMBERS_MAX) return TOO_MANY_MEMBERS;
  const users = list.filter((each) => !isGroupReference(each));
  if (users.length < list.length) omissions.add("members", "Groups cannot be members of groups.");
  const { items, leftOut } = readMembers(users, readMemberId);
  const [problem] = leftOut;
  if (problem && (isStrict || items.length === 0)) return err(problem);
  for (const { detail } of leftOut) omissions.add("members", detail);
  return ok(new Set(items));
}

function isGroupReference(member: Json): boolean {
  const type = isRecord(member) ? memberOf(member, "type") : undefined;
  return typeof type === "string" && type.toLowerCase() === "group";
}

function readMemberId(member: Json): ScimResult<string> {
  const id = isRecord(member) ? memberOf(member, "value") : member;
  if (typeof id !== "string") return scimError("invalidValue", "A member must name the id of a user in value.");
  return isUuid(id) ? ok(id.toLowerCase()) : unknownMember(id);
}

/** The problem of a reference to a user that the directory does not have. */
export function unknownMember(id: string): ReturnType<typeof scimError> {
  const displayed = /^[\w.@-]{1,64}$/.test(id) ? ` ${id}` : "";
  return scimError("invalidValue", `The directory has no user${displayed}.`);
}

function changeMembers(current: MemberChange, { op, value }: Change, omissions: Omissions): ScimResult<MemberChange> {
  if (op === "remove" && (value === undefined || value === null)) return ok({ ...UNCHANGED, replaces: true });
  // The removal of an unknown user changes nothing.
  const known = op === "remove" ? knownMembers(value) : value;
  const ids = readMemberIds(known, omissions, op === "remove");
  if (!ids.ok) return ids;
  if (op === "replace") return ok({ ...UNCHANGED, replaces: true, added: ids.value });
  return ok(op === "add" ? addMembers(current, ids.value) : removeMembers(current, ids.value));
}

function knownMembers(value: Json | undefined): Json | undefined {
  const list = Array.isArray(value) ? listOf(value) : value === undefined ? [] : [value];
  return list.filter((each) => {
    const id = isRecord(each) ? memberOf(each, "value") : each;
    return typeof id !== "string" || isUuid(id);
  });
}

function addMembers({ replaces, added, removed }: MemberChange, ids: ReadonlySet<string>): MemberChange {
  return { replaces, added: added.union(ids), removed: removed.difference(ids) };
}

function removeMembers({ replaces, added, removed }: MemberChange, ids: ReadonlySet<string>): MemberChange {
  return { replaces, added: added.difference(ids), removed: replaces ? removed : removed.union(ids) };
}

function selectMembers(members: MemberChange, op: Operation["op"], ids: ReadonlySet<string>): MemberChange {
  return op === "remove" ? removeMembers(members, ids) : addMembers(members, ids);
}

const MEMBER_VALUE = "value";

/** The ids of `value eq "id"`, joined by `or`; undefined for any other filter. */
function selectedMembers(filter: Filter): ReadonlySet<string> | undefined {
  if (filter.kind === "or") {
    const [left, right] = [selectedMembers(filter.left), selectedMembers(filter.right)];
    return left && right?.union(left);
  }
  if (filter.kind !== "compare" || filter.operator !== "eq" || filter.path.toLowerCase() !== MEMBER_VALUE)
    return undefined;
  const id = String(filter.value);
  return new Set(isUuid(id) ? [id.toLowerCase()] : []);
}
