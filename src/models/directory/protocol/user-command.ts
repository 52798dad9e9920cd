/** PATCH of a user as typed commands: paths are resolved and values are read before a command is applied. */
import { isAbsent } from "../../../base/absent.ts";
import { ok } from "../../../base/result.ts";
import { findSubAttribute } from "./attribute.ts";
import { type AttributeTarget, isTarget, parseAttributePath, resolvePath } from "./attribute-path.ts";
import { booleanOf, type Condition, resolveValueFilter } from "./condition.ts";
import { type OperationPath, parseOperationPath } from "./filter.ts";
import { Omissions } from "./omissions.ts";
import { type Operation, readPatch } from "./patch-body.ts";
import { readSingle, readValue } from "./read-values.ts";
import { type Schema, USER_TYPE } from "./schemas.ts";
import { isRecord, type Json } from "./scim-json.ts";
import { type ScimResult, scimError } from "./scim-problem.ts";
import { memberOf } from "./user-document.ts";

export type UserCommand =
  | {
      readonly kind: "set";
      /** `add` appends to a list, and `replace` replaces the list. */
      readonly op: "add" | "replace";
      readonly target: AttributeTarget;
      /** Selects values of a multi-valued attribute. */
      readonly condition: Condition | undefined;
      readonly value: Json;
    }
  | {
      readonly kind: "remove";
      readonly target: AttributeTarget;
      readonly condition: Condition | undefined;
      /** The values to remove; undefined: all. */
      readonly values: readonly Json[] | undefined;
    }
  /** The request names an id, which must be the id of the resource. */
  | { readonly kind: "confirm_id"; readonly id: Json };

/** The commands of an operation or member, or the problem of the operation or member. */
type Translated = ScimResult<readonly UserCommand[]>;

/**
 * Translates the body of PATCH, or returns the first problem. Attributes of unknown schemas yield no command. The
 * problem of another value never refuses a deactivation: a request with `active: false` leaves the value out.
 */
export function translateUserPatch(body: unknown, omissions = new Omissions()): ScimResult<UserCommand[]> {
  const operations = readPatch(body);
  if (!operations.ok) return operations;
  const translated = operations.value.flatMap((operation) => translateOperation({ ...operation, omissions }));
  const commands = translated.flatMap((each) => (each.ok ? each.value : []));
  const problems = translated.flatMap((each) => (each.ok ? [] : [each]));
  const [problem] = problems;
  if (problem && !commands.some(isDeactivation)) return problem;
  for (const { error } of problems) omissions.add("an operation", error.detail);
  return ok(commands);
}

/** Whether the body of PUT or PATCH ends the access of a user, however the other values are written. */
export function requestsDeactivation(body: unknown): boolean {
  if (!isRecord(body)) return false;
  const operations = [memberOf(body, "Operations") ?? []].flat().filter(isRecord);
  return [body, ...operations].some((each) => {
    const value = memberOf(each, "value") ?? null;
    const path = String(memberOf(each, "path") ?? "").trim();
    const members = isRecord(value) ? Object.entries(value) : [];
    return [...Object.entries(each), ...members, [path, value] as const].some(
      ([name, flag]) => ACTIVE.test(name) && isFalse(flag),
    );
  });
}

/** The name of the attribute, bare or after the URN of the schema. */
const ACTIVE = /(?:^|[:.])active$/i;

/** Also a list of one, and an object with the flag as `value`. */
function isFalse(flag: Json): boolean {
  return [flag].flat().some((each) => booleanOf(isRecord(each) ? memberOf(each, "value") : each) === false);
}

/** An operation of a request, with the record of what the request leaves out. */
interface RecordedOperation extends Operation {
  readonly omissions: Omissions;
}

export function isDeactivation(command: UserCommand): boolean {
  return command.kind === "set" && command.target.attribute.name === "active" && command.value === false;
}

function translateOperation(operation: RecordedOperation): readonly Translated[] {
  const { path } = operation;
  return path === undefined ? translateMembers(operation, undefined) : translatePath(operation, path, "path");
}

/** An operation without path: one command for each member of the value, whose names may be paths (Entra ID). */
function translateMembers(
  { op, value, omissions }: RecordedOperation,
  schema: Schema | undefined,
): readonly Translated[] {
  if (!isRecord(value)) return [scimError("invalidValue", "The value of an operation without path must be an object.")];
  const prefix = schema && schema !== USER_TYPE.core ? `${schema.id}:` : "";
  return Object.entries(value).flatMap(([name, member]) =>
    translatePath({ op, path: undefined, value: member, omissions }, `${prefix}${name}`, "member"),
  );
}

/**
 * `source`: the path of an operation, or the name of a member. Members that are unknown or read-only are ignored, as in
 * the body of POST and PUT (RFC 7644, sections 3.3 and 3.5.1); a path to such an attribute is a problem (section
 * 3.5.2).
 */
function translatePath(operation: RecordedOperation, text: string, source: "path" | "member"): readonly Translated[] {
  const unless = (problem: Translated): readonly Translated[] => (source === "member" ? [] : [problem]);
  const path = parseOperationPath(text);
  const parsed = path.ok ? parseAttributePath(path.value.path, USER_TYPE) : undefined;
  if (!path.ok || !parsed) return unless(scimError("invalidPath", "The path is invalid."));
  const resolved = resolvePath(parsed, USER_TYPE);
  if (resolved === "foreign" || resolved === "dropped") return [];
  if (resolved === undefined) return unless(scimError("invalidPath", "The path names an unknown attribute."));
  if (!isTarget(resolved)) return translateSchema(operation, resolved);
  if (resolved.attribute.name === "id" && operation.op !== "remove") {
    return [ok([{ kind: "confirm_id", id: operation.value ?? null }])];
  }
  if (resolved.attribute.name === SCHEMAS_ATTRIBUTE) return [];
  const target = selectValues(path.value, resolved);
  if (!target.ok) return [target];
  return isWritable(target.value.target) ? [translateTarget(operation, target.value)] : unless(READ_ONLY);
}

/** The attributes of a record decide about `schemas`: clients add the URN before the attributes of an extension. */
const SCHEMAS_ATTRIBUTE = "schemas";
const READ_ONLY = scimError("mutability", "The attribute is read-only.");

/** A path that names a schema: the members of the value, or all attributes of the extension. */
function translateSchema(operation: RecordedOperation, schema: Schema): readonly Translated[] {
  if (operation.op !== "remove") return translateMembers(operation, schema);
  if (schema === USER_TYPE.core) return [scimError("noTarget", "The path must name an attribute.")];
  const targets = schema.attributes.map((attribute) => ({ extension: schema, attribute, sub: undefined }));
  return [ok(targets.map((target) => ({ kind: "remove", target, condition: undefined, values: undefined }) as const))];
}

interface Selection {
  readonly target: AttributeTarget;
  readonly condition: Condition | undefined;
}

/** Resolves the filter and the sub-attribute after the filter. */
function selectValues({ filter, sub }: OperationPath, target: AttributeTarget): ScimResult<Selection> {
  if (!filter) return ok({ target, condition: undefined });
  const { attribute } = target;
  const subAttribute = sub === undefined ? undefined : findSubAttribute(attribute, sub);
  if (!attribute.subAttributes || target.sub || (sub !== undefined && !subAttribute)) {
    return scimError("invalidPath", "The path selects no values of an attribute.");
  }
  const condition = resolveValueFilter(filter, attribute);
  if (!condition.ok) return scimError("invalidPath", condition.error.detail);
  return ok({ target: { ...target, sub: subAttribute }, condition: condition.value });
}

function isWritable({ attribute, sub }: AttributeTarget): boolean {
  return attribute.mutability === "readWrite" && (sub === undefined || sub.mutability === "readWrite");
}

function translateTarget(operation: RecordedOperation, { target, condition }: Selection): ScimResult<UserCommand[]> {
  const { op, value, omissions } = operation;
  if (op === "remove") return translateRemoval(operation, { target, condition });
  const read = readTarget(value ?? null, target, condition, omissions);
  if (!read.ok) return read;
  const removals = op === "add" || condition ? [] : emptyParts(value, target);
  if (read.value !== undefined) return ok([{ kind: "set", op, target, condition, value: read.value }, ...removals]);
  if (removals.length > 0) return ok(removals);
  return ok(op === "add" ? [] : [removal({ target, condition })]);
}

/** Removals of the sub-attributes that a replacement names without a value (RFC 7643, section 2.5). */
function emptyParts(value: Json | undefined, target: AttributeTarget): UserCommand[] {
  const { attribute, sub } = target;
  if (!isRecord(value) || sub || attribute.multiValued) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const found = findSubAttribute(attribute, name);
    if (found?.mutability !== "readWrite" || !isAbsent(part)) return [];
    return [removal({ target: { ...target, sub: found }, condition: undefined })];
  });
}

/** A value path receives one value, and an attribute with several values a list. */
function readTarget(
  value: Json,
  { attribute, sub }: AttributeTarget,
  condition: Condition | undefined,
  omissions: Omissions,
): ScimResult<Json | undefined> {
  const options = { problem: "invalidValue", omissions } as const;
  if (value === null) return ok(undefined);
  if (sub) return readValue(sub, value, options);
  if (!condition) return readValue(attribute, value, options);
  const single = Array.isArray(value) && value.length === 1 ? ((value as readonly Json[])[0] ?? null) : value;
  return readSingle(attribute, single, options);
}

/** Entra ID lists the values to remove in `value`. */
function translateRemoval({ value, omissions }: RecordedOperation, selection: Selection): ScimResult<UserCommand[]> {
  const { target, condition } = selection;
  if (value === undefined || value === null || condition || target.sub || !target.attribute.multiValued) {
    return ok([removal(selection)]);
  }
  const read = readValue(target.attribute, value, { problem: "invalidValue", omissions });
  if (!read.ok) return read;
  const values = (read.value ?? []) as readonly Json[];
  return ok([{ kind: "remove", target, condition, values }]);
}

function removal(selection: Selection): UserCommand {
  return { kind: "remove", ...selection, values: undefined };
}
