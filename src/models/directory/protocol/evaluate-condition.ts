/** Conditions on values in memory, as PostgreSQL evaluates the conditions of lists. */
import { addressSpellings } from "../../../base/ascii-domain.ts";
import type { Attribute } from "./attribute.ts";
import type { AttributeTarget } from "./attribute-path.ts";
import type { ComparedValue, Condition, Operator } from "./condition.ts";
import { isRecord, type Json, type JsonRecord, listOf } from "./scim-json.ts";

/** Whether a resource or a value of a multi-valued attribute fulfils a condition. */
export function fulfils(condition: Condition, resource: JsonRecord): boolean {
  switch (condition.kind) {
    case "and":
      return fulfils(condition.left, resource) && fulfils(condition.right, resource);
    case "or":
      return fulfils(condition.left, resource) || fulfils(condition.right, resource);
    case "not":
      return !fulfils(condition.condition, resource);
    case "present":
      return isPresent(read(resource, condition.target));
    case "some":
      return elementsOf(read(resource, condition.target)).some((each) => fulfils(condition.condition, each));
    case "compare": {
      const { attribute, sub } = condition.target;
      return compares(sub ?? attribute, read(resource, condition.target), condition.operator, condition.value);
    }
  }
}

function read(resource: JsonRecord, { extension, attribute, sub }: AttributeTarget): Json | undefined {
  const parent = extension ? recordOf(resource[extension.id]) : resource;
  const value = parent?.[attribute.name];
  return sub ? recordOf(value)?.[sub.name] : value;
}

function recordOf(value: Json | undefined): JsonRecord | undefined {
  return isRecord(value) ? value : undefined;
}

function elementsOf(value: Json | undefined): JsonRecord[] {
  return listOf(value).filter(isRecord);
}

function isPresent(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === "") return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}

function compares(
  { caseExact }: Attribute,
  value: Json | undefined,
  operator: Operator,
  expected: ComparedValue,
): boolean {
  if (typeof expected === "boolean") return value === expected;
  if (typeof value !== "string") return false;
  if (expected instanceof Date) return ordered(Date.parse(value), operator, expected.getTime());
  const [left, right] = caseExact ? [value, expected] : [value.toLowerCase(), expected.toLowerCase()];
  switch (operator) {
    case "co":
      return left.includes(right);
    case "sw":
      return left.startsWith(right);
    case "ew":
      return left.endsWith(right);
    case "eq":
      return (caseExact ? [right] : addressSpellings(right)).includes(left);
    default:
      // UTF-8 orders as code points do: the order of the collation "C".
      return ordered(Buffer.compare(Buffer.from(left), Buffer.from(right)), operator, 0);
  }
}

function ordered(left: number, operator: Operator, right: number): boolean {
  switch (operator) {
    case "gt":
      return left > right;
    case "ge":
      return left >= right;
    case "lt":
      return left < right;
    case "le":
      return left <= right;
    default:
      return left === right;
  }
}
