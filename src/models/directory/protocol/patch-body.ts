/** The body of PATCH (RFC 7644, section 3.5.2), before its operations are resolved. */
import { ok } from "../../../base/result.ts";
import { SCIM_OPERATIONS_MAX } from "../../../limits/directory-limits.ts";
import { isRecord, type Json } from "./scim-json.ts";
import { type ScimResult, scimError, scimProblem } from "./scim-problem.ts";
import { memberOf } from "./user-document.ts";

const OPERATIONS = ["add", "remove", "replace"] as const;

export interface Operation {
  readonly op: (typeof OPERATIONS)[number];
  readonly path: string | undefined;
  /** Undefined: the operation has no value. */
  readonly value: Json | undefined;
}

/**
 * Reads the operations. Entra ID writes `Add`, `Replace`, `Remove`; some clients omit `schemas` or name another schema,
 * and programs without lists of one element send one operation as an object.
 */
export function readPatch(body: unknown): ScimResult<Operation[]> {
  if (!isRecord(body)) return scimError("invalidSyntax", "The body is not a JSON object.");
  const given = memberOf(body, "Operations");
  const list = isRecord(given) ? [given] : given;
  if (!Array.isArray(list) || list.length === 0) return scimError("invalidSyntax", "Operations must be a list.");
  if (list.length > SCIM_OPERATIONS_MAX) {
    return scimProblem(413, `A request has at most ${SCIM_OPERATIONS_MAX} operations.`);
  }
  const operations: Operation[] = [];
  for (const each of list as readonly Json[]) {
    const operation = readOperation(each);
    if (!operation.ok) return operation;
    operations.push(operation.value);
  }
  return ok(operations);
}

function readOperation(entry: Json): ScimResult<Operation> {
  if (!isRecord(entry)) return scimError("invalidSyntax", "An operation must be an object.");
  const given = memberOf(entry, "op");
  const op = OPERATIONS.find((each) => typeof given === "string" && each === given.toLowerCase());
  if (!op) return scimError("invalidSyntax", "op must be add, remove or replace.");
  const path = memberOf(entry, "path") ?? undefined;
  if (path !== undefined && typeof path !== "string") return scimError("invalidPath", "path must be a string.");
  const value = memberOf(entry, "value");
  if (op === "remove") {
    return path ? ok({ op, path, value }) : scimError("noTarget", "An operation remove needs a path.");
  }
  if (value === undefined) return scimError("invalidValue", `An operation ${op} needs a value.`);
  return ok({ op, path: path === "" ? undefined : path, value });
}
