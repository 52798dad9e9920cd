/** Applies the commands of a PATCH to the document of a user: all commands, or the first problem. */
import { isDeepStrictEqual } from "node:util";
import { isAbsent } from "../../../base/absent.ts";
import { ok } from "../../../base/result.ts";
import type { AttributeTarget } from "./attribute-path.ts";
import type { Condition } from "./condition.ts";
import { fulfils } from "./evaluate-condition.ts";
import { Omissions } from "./omissions.ts";
import { isRecord, type Json, type JsonRecord, listOf } from "./scim-json.ts";
import { type ScimResult, scimError } from "./scim-problem.ts";
import { isDeactivation, type UserCommand } from "./user-command.ts";
import { type UserDocument, validateUser } from "./user-document.ts";

type SetCommand = UserCommand & { readonly kind: "set" };
type RemoveCommand = UserCommand & { readonly kind: "remove" };

/**
 * The changed document. An unchanged document is returned as such, so that the version stays. With a deactivation, a
 * command with a problem, or after which the document would be invalid, is left out; the deactivation never is.
 */
export function applyCommands(
  document: UserDocument,
  commands: readonly UserCommand[],
  id: string,
  omissions = new Omissions(),
): ScimResult<UserDocument> {
  if (commands.some(isDeactivation)) return applyEach(document, commands, id, omissions);
  let changed: JsonRecord = document;
  for (const command of commands) {
    const next = applyCommand(changed, command, id);
    if (!next.ok) return next;
    changed = next.value;
  }
  if (isDeepStrictEqual(changed, document)) return ok(document);
  return validateUser(changed);
}

function applyEach(
  document: UserDocument,
  commands: readonly UserCommand[],
  id: string,
  omissions: Omissions,
): ScimResult<UserDocument> {
  let changed = document;
  for (const command of commands) {
    const next = applyCommand(changed, command, id);
    if (!next.ok && command.kind === "confirm_id") return next;
    // Without the bounds: the stored document may be at a bound, and the user must lose the access.
    if (isDeactivation(command)) {
      changed = { ...changed, active: false };
      continue;
    }
    const valid = next.ok ? validateUser(next.value) : next;
    if (valid.ok) changed = valid.value;
    else omissions.add(command.kind === "confirm_id" ? "id" : command.target.attribute.name, valid.error.detail);
  }
  return ok(isDeepStrictEqual(changed, document) ? document : changed);
}

function applyCommand(document: JsonRecord, command: UserCommand, id: string): ScimResult<JsonRecord> {
  if (command.kind === "confirm_id") {
    return command.id === id ? ok(document) : scimError("mutability", "The id of a resource cannot be changed.");
  }
  const { attribute } = command.target;
  if (command.kind === "remove" && attribute.required) {
    return scimError("mutability", `${attribute.name} is required and cannot be removed.`);
  }
  // A user without the attribute is active: the removal must not activate the user.
  if (command.kind === "remove" && attribute.name === "active") return ok(document);
  const value = command.kind === "set" ? setValue(document, command) : ok(removeValue(document, command));
  return value.ok ? ok(write(document, command.target, value.value)) : value;
}

function read(document: JsonRecord, { extension, attribute }: AttributeTarget): Json | undefined {
  const container = extension ? document[extension.id] : document;
  return isRecord(container) ? container[attribute.name] : undefined;
}

/** Empty lists and objects count as absent. */
function write(document: JsonRecord, target: AttributeTarget, value: Json | undefined): JsonRecord {
  const { extension, attribute } = target;
  if (!extension) return withMember(document, attribute.name, value);
  const container = document[extension.id];
  return withMember(document, extension.id, withMember(isRecord(container) ? container : {}, attribute.name, value));
}

function withMember(record: JsonRecord, name: string, value: Json | undefined): JsonRecord {
  const { [name]: _, ...rest } = record;
  const isEmpty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
  return value === undefined || isEmpty ? rest : { ...record, [name]: value };
}

function setValue(document: JsonRecord, command: SetCommand): ScimResult<Json> {
  const { op, target, condition, value } = command;
  const { attribute, sub } = target;
  const current = read(document, target);
  if (condition && attribute.multiValued) return setSelected(listOf(current), command, condition);
  if (attribute.multiValued) {
    if (sub) return ok(setInAll(listOf(current), sub.name, value));
    return ok(op === "add" ? appendAll(listOf(current), listOf(value)) : value);
  }
  if (sub) return ok({ ...(isRecord(current) ? current : {}), [sub.name]: value });
  // Sub-attributes that the request does not name remain unchanged (RFC 7644, section 3.5.2.3).
  return ok(isRecord(value) && isRecord(current) ? { ...current, ...value } : value);
}

/** Changes the selected values. A missing value is created, with what the path compares by `eq`. */
function setSelected(
  list: readonly Json[],
  { op, target: { attribute, sub }, value }: SetCommand,
  condition: Condition,
): ScimResult<Json> {
  const implied = equalitiesOf(condition);
  const change = sub ? { [sub.name]: value } : value;
  if (!isRecord(change)) return scimError("invalidValue", `A value of ${attribute.name} must be an object.`);
  const isSelected = list.map((each) => isRecord(each) && fulfils(condition, each));
  if (isSelected.includes(true)) {
    const isMerged = sub !== undefined || op === "add";
    const changed = list.map((each, index) =>
      isSelected[index] ? { ...(isMerged && isRecord(each) ? each : implied), ...change } : each,
    );
    return ok(withOnePrimary(changed, isSelected));
  }
  if (!implied) return scimError("noTarget", "The path selects no value.");
  return ok(appendAll(list, [{ ...implied, ...change }]));
}

/**
 * The sub-attributes that a value must have to fulfil the condition; undefined for any other condition. A condition on
 * `value` names an existing value, which no request creates by another sub-attribute.
 */
function equalitiesOf(condition: Condition): JsonRecord | undefined {
  if (condition.kind === "and") {
    const [left, right] = [equalitiesOf(condition.left), equalitiesOf(condition.right)];
    return left && right && { ...left, ...right };
  }
  if (condition.kind !== "compare" || condition.operator !== "eq" || condition.value instanceof Date) return undefined;
  const { name } = condition.target.attribute;
  return name === "value" || isAbsent(condition.value) ? undefined : { [name]: condition.value };
}

function setInAll(list: readonly Json[], name: string, value: Json): Json {
  if (list.length === 0) return [{ [name]: value }];
  return list.map((each) => (isRecord(each) ? { ...each, [name]: value } : each));
}

/** Appends values. A value with the type and value of an existing value changes the existing value. */
function appendAll(list: readonly Json[], added: readonly Json[]): Json {
  const values = [...list];
  const isAdded = values.map(() => false);
  for (const each of added) {
    const index = values.findIndex((existing) => isSameValue(existing, each));
    const existing = values[index];
    if (isRecord(existing) && isRecord(each)) values[index] = { ...existing, ...each };
    else if (index < 0) values.push(each);
    isAdded[index < 0 ? values.length - 1 : index] = true;
  }
  return withOnePrimary(values, isAdded);
}

function isSameValue(left: Json, right: Json): boolean {
  if (!isRecord(left) || !isRecord(right) || left.value === undefined) return isDeepStrictEqual(left, right);
  return left.value === right.value && left.type === right.type;
}

/** A new primary value ends the old one (RFC 7644, section 3.5.2). */
function withOnePrimary(list: readonly Json[], isChanged: readonly boolean[]): Json {
  const isPrimary = (each: Json) => isRecord(each) && each.primary === true;
  if (!list.some((each, index) => isChanged[index] && isPrimary(each))) return list;
  return list.map((each, index) =>
    isRecord(each) && isPrimary(each) && !isChanged[index] ? { ...each, primary: false } : each,
  );
}

function removeValue(document: JsonRecord, { target, condition, values }: RemoveCommand): Json | undefined {
  const { attribute, sub } = target;
  const current = read(document, target);
  if (!attribute.multiValued) {
    // A condition selects the single value, or nothing.
    if (condition && !(isRecord(current) && fulfils(condition, current))) return current;
    return sub && isRecord(current) ? withMember(current, sub.name, undefined) : undefined;
  }
  if (values) return listOf(current).filter((each) => !values.some((removed) => isRemoved(each, removed)));
  if (!condition && !sub) return undefined;
  return listOf(current).flatMap((each) => {
    if (condition && !(isRecord(each) && fulfils(condition, each))) return [each];
    const rest = sub && isRecord(each) ? withMember(each, sub.name, undefined) : {};
    return Object.keys(rest).length > 0 ? [rest] : [];
  });
}

/** A value to remove names the value, and may omit type and display name. */
function isRemoved(each: Json, removed: Json): boolean {
  if (!isRecord(each) || !isRecord(removed) || removed.value === undefined) return isDeepStrictEqual(each, removed);
  return each.value === removed.value && (removed.type === undefined || removed.type === each.type);
}
