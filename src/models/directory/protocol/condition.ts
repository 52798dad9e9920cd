/**
 * Filters resolved against the attributes of a resource type: `ne` becomes the negation of `eq`, a comparison of a
 * multi-valued attribute becomes a condition on a value, and comparison values have the type of their attribute.
 */
import { ok } from "../../../base/result.ts";
import { storableTime } from "../../../database/timestamp.ts";
import { type Attribute, findAttribute } from "./attribute.ts";
import { type AttributeTarget, isTarget, parseAttributePath, resolvePath } from "./attribute-path.ts";
import { type CompareOperator, type Filter, type FilterValue, parseFilter } from "./filter.ts";
import type { ResourceType } from "./schemas.ts";
import { type ScimResult, scimError } from "./scim-problem.ts";

export type Operator = Exclude<CompareOperator, "ne">;
export type ComparedValue = string | boolean | Date;

export type Condition =
  | { readonly kind: "and" | "or"; readonly left: Condition; readonly right: Condition }
  | { readonly kind: "not"; readonly condition: Condition }
  | { readonly kind: "present"; readonly target: AttributeTarget }
  | Comparison
  | SomeValue;

/** A comparison of a single-valued attribute. */
export interface Comparison {
  readonly kind: "compare";
  readonly target: AttributeTarget;
  readonly operator: Operator;
  readonly value: ComparedValue;
}

/** A multi-valued attribute has a value that fulfils the condition on the sub-attributes. */
export interface SomeValue {
  readonly kind: "some";
  readonly target: AttributeTarget;
  readonly condition: Condition;
}

type Resolve = (path: string) => ScimResult<AttributeTarget>;

/** Parses and resolves a filter. */
export function parseCondition(text: string, type: ResourceType): ScimResult<Condition> {
  const filter = parseFilter(text);
  return filter.ok ? resolveFilter(filter.value, (path) => resolveIn(path, type)) : filter;
}

/** Resolves the filter of a value path: the attributes are the sub-attributes of `attribute`. */
export function resolveValueFilter(filter: Filter, attribute: Attribute): ScimResult<Condition> {
  return resolveFilter(filter, (path) => {
    const found = findAttribute(attribute.subAttributes ?? [], path);
    if (!found) return scimError("invalidFilter", "The filter names an unknown sub-attribute.");
    return ok({ extension: undefined, attribute: found, sub: undefined });
  });
}

function resolveIn(path: string, type: ResourceType): ScimResult<AttributeTarget> {
  const parsed = parseAttributePath(path, type);
  const resolved = parsed && resolvePath(parsed, type);
  return isTarget(resolved) ? ok(resolved) : scimError("invalidFilter", "The filter names an unknown attribute.");
}

function resolveFilter(filter: Filter, resolve: Resolve): ScimResult<Condition> {
  switch (filter.kind) {
    case "and":
    case "or": {
      const left = resolveFilter(filter.left, resolve);
      const right = left.ok ? resolveFilter(filter.right, resolve) : left;
      return left.ok && right.ok ? ok({ kind: filter.kind, left: left.value, right: right.value }) : right;
    }
    case "not": {
      const condition = resolveFilter(filter.filter, resolve);
      return condition.ok ? ok(not(condition.value)) : condition;
    }
    case "some":
      return resolveSome(filter, resolve);
    case "present": {
      const target = resolve(filter.path);
      return target.ok ? ok(onValues(target.value, (each) => ({ kind: "present", target: each }))) : target;
    }
    case "compare": {
      const target = resolve(filter.path);
      return target.ok ? resolveComparison(target.value, filter.operator, filter.value) : target;
    }
  }
}

function resolveSome(filter: Filter & { readonly kind: "some" }, resolve: Resolve): ScimResult<Condition> {
  const target = resolve(filter.path);
  if (!target.ok) return target;
  const { attribute, sub } = target.value;
  if (!attribute.multiValued || !attribute.subAttributes || sub)
    return scimError("invalidFilter", "Brackets must follow a multi-valued attribute.");
  const { filter: within, also } = filter;
  const inverted = also?.kind === "compare" && also.operator === "ne";
  const right: Filter | undefined = inverted ? { ...also, operator: "eq" } : also;
  const whole: Filter = right ? { kind: "and", left: within, right } : within;
  const condition = resolveValueFilter(whole, attribute);
  if (!condition.ok) return condition;
  const some: Condition = { kind: "some", target: target.value, condition: condition.value };
  return ok(inverted ? not(some) : some);
}

function resolveComparison(
  target: AttributeTarget,
  operator: CompareOperator,
  value: FilterValue,
): ScimResult<Condition> {
  const compared = comparedAttribute(target);
  if (!compared) return scimError("invalidFilter", "A complex attribute has no value to compare.");
  if (value === null) return resolveNull(target, operator);
  const typed = typedValue(compared, operator, value);
  if (!typed.ok) return typed;
  const whole = attributeWithValue(target, compared);
  const comparison = onValues(whole, (each) => ({
    kind: "compare",
    target: each,
    operator: operator === "ne" ? "eq" : operator,
    value: typed.value,
  }));
  return ok(operator === "ne" ? not(comparison) : comparison);
}

/** A null value equals an absent attribute (RFC 7643, section 2.5). */
function resolveNull(target: AttributeTarget, operator: CompareOperator): ScimResult<Condition> {
  if (operator !== "eq" && operator !== "ne") return scimError("invalidFilter", "null has no order.");
  const present = onValues(target, (each) => ({ kind: "present", target: each }));
  return ok(operator === "eq" ? not(present) : present);
}

/** The attribute whose value is compared: `emails eq "…"` compares `emails.value`. */
function comparedAttribute({ attribute, sub }: AttributeTarget): Attribute | undefined {
  if (sub) return sub;
  if (attribute.type !== "complex") return attribute;
  return findAttribute(attribute.subAttributes ?? [], "value");
}

/** A single complex attribute is compared by its value: `manager eq "…"` compares `manager.value`. */
function attributeWithValue(target: AttributeTarget, compared: Attribute): AttributeTarget {
  const { attribute, sub } = target;
  return attribute.type === "complex" && !attribute.multiValued && !sub ? { ...target, sub: compared } : target;
}

/** The condition on the target, or on a value of a multi-valued attribute. */
function onValues(target: AttributeTarget, make: (target: AttributeTarget) => Condition): Condition {
  const { attribute, sub } = target;
  if (!attribute.multiValued || !attribute.subAttributes) return make(target);
  const compared = sub ?? comparedAttribute(target);
  if (!compared) return make(target);
  const inner = make({ extension: undefined, attribute: compared, sub: undefined });
  return { kind: "some", target: { ...target, sub: undefined }, condition: inner };
}

function not(condition: Condition): Condition {
  return { kind: "not", condition };
}

const ORDERS: ReadonlySet<CompareOperator> = new Set(["gt", "ge", "lt", "le"]);
const PARTS: ReadonlySet<CompareOperator> = new Set(["co", "sw", "ew"]);
const RFC_3339 = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?)?$/i;

function typedValue(
  { type }: Attribute,
  operator: CompareOperator,
  value: string | number | boolean,
): ScimResult<ComparedValue> {
  if (type === "boolean") {
    const isTrue = booleanOf(value);
    if (isTrue === undefined) return scimError("invalidFilter", "The attribute is compared with true or false.");
    if (ORDERS.has(operator) || PARTS.has(operator))
      return scimError("invalidFilter", "A boolean attribute has no order and no parts.");
    return ok(isTrue);
  }
  if (type !== "dateTime") return ok(String(value));
  const text = String(value);
  if (PARTS.has(operator) || !RFC_3339.test(text) || Number.isNaN(Date.parse(text)))
    return scimError("invalidFilter", "The attribute is compared with a time of RFC 3339.");
  return ok(storableTime(new Date(text)));
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...["true", "1", "yes"].map((text) => [text, true] as const),
  ...["false", "0", "no"].map((text) => [text, false] as const),
]);

/** Clients send booleans as text in any case (Entra ID), and as numbers. */
export function booleanOf(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  const isScalar = typeof value === "string" || typeof value === "number";
  return isScalar ? BOOLEANS.get(String(value).trim().toLowerCase()) : undefined;
}
