/**
 * Expressions of claim mappings in CEL (docs/decisions/0042). Every bound is checked on the syntax tree when a mapping
 * is saved, so that an evaluation needs no clock.
 */
import { Environment, EvaluationError, Optional, ParseError, type ParseResult } from "@marcbachmann/cel-js";
import type { InputFlaw } from "../../base/invalid-input.ts";
import { err, ok, type Result } from "../../base/result.ts";
import {
  EXPRESSION_ARGUMENTS_MAX,
  EXPRESSION_DEPTH_MAX,
  EXPRESSION_ELEMENTS_MAX,
  EXPRESSION_MAX_CHARACTERS,
  EXPRESSION_NODES_MAX,
  EXPRESSION_PROBLEM_MAX_CHARACTERS,
  EXPRESSION_WORK_MAX_BYTES,
} from "../../limits/claim-limits.ts";
import type { JsonValue } from "../../vocabulary/claim-mapping.ts";
import { type ClaimSourceName, SOURCE_VARIABLES } from "../../vocabulary/claim-sources.ts";
import { estimateWork } from "./expression-work.ts";
import { inspectTree } from "./inspect-tree.ts";

export interface Expression {
  /** The sources that the tree names; an object as a whole with every member. */
  readonly sources: readonly ClaimSourceName[];
  /** The value; undefined: null, no value, or an integer beyond JSON. Throws `ExpressionFailure`. */
  evaluate(read: (name: ClaimSourceName) => JsonValue | undefined): JsonValue | undefined;
}

/** An evaluation failed, such as by a key that does not exist. The message is for an administrator of the mapping. */
export class ExpressionFailure extends Error {}

const ENVIRONMENT = createEnvironment();

function createEnvironment(): Environment {
  const environment = new Environment({
    unlistedVariablesAreDyn: false,
    homogeneousAggregateLiterals: false,
    enableOptionalTypes: true,
    limits: {
      maxAstNodes: EXPRESSION_NODES_MAX,
      maxDepth: EXPRESSION_DEPTH_MAX,
      maxListElements: EXPRESSION_ELEMENTS_MAX,
      maxMapEntries: EXPRESSION_ELEMENTS_MAX,
      maxCallArguments: EXPRESSION_ARGUMENTS_MAX,
    },
  });
  for (const [variable, names] of SOURCE_VARIABLES) {
    environment.registerVariable(variable, names.includes(variable as ClaimSourceName) ? "list<string>" : "map");
  }
  return environment;
}

/** Parses an expression, and checks the bounds, the names and the types. */
export function compileExpression(text: string): Result<Expression, InputFlaw> {
  if (text.length > EXPRESSION_MAX_CHARACTERS) {
    return err({ rule: "malformed", text: `at most ${EXPRESSION_MAX_CHARACTERS} characters` });
  }
  const parsed = parse(text);
  if (!parsed.ok) return parsed;
  const inspected = inspectTree(parsed.value.ast);
  if (!inspected.ok) return inspected;
  if (estimateWork(parsed.value.ast) > EXPRESSION_WORK_MAX_BYTES) {
    return err({ rule: "malformed", text: "the expression could create too large values over the longest lists" });
  }
  const { valid, error } = parsed.value.check();
  if (!valid) return err({ rule: "malformed", text: problemOf(error) });
  const { sources } = inspected.value;
  return ok({ sources, evaluate: (read) => evaluate(parsed.value, contextOf(sources, read)) });
}

function parse(text: string): Result<ParseResult, InputFlaw> {
  try {
    return ok(ENVIRONMENT.parse(text));
  } catch (error) {
    if (error instanceof ParseError || error instanceof EvaluationError) {
      return err({ rule: "malformed", text: problemOf(error) });
    }
    throw error;
  }
}

/** The first line of a problem: the further lines repeat the expression. */
function problemOf(error: Error | undefined): string {
  const [line = ""] = (error?.message ?? "").split("\n");
  return (line || "the expression failed").slice(0, EXPRESSION_PROBLEM_MAX_CHARACTERS);
}

type Context = Record<string, unknown>;

/** The variables of an evaluation. A source without a value is no key: reading the key fails, and `.?` does not. */
function contextOf(
  sources: readonly ClaimSourceName[],
  read: (name: ClaimSourceName) => JsonValue | undefined,
): Context {
  const context: Context = {};
  for (const variable of SOURCE_VARIABLES.keys()) context[variable] = {};
  for (const name of sources) {
    const [variable = "", member] = name.split(".");
    const value = read(name);
    if (member === undefined) context[variable] = value ?? [];
    else if (value !== undefined) (context[variable] as Context)[member] = toCel(value);
  }
  return context;
}

/** JSON has one type of numbers; an integer of JSON is an integer of CEL. */
function toCel(value: JsonValue): unknown {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return value.map(toCel);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toCel(member)]));
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function evaluate(run: ParseResult, context: Context): JsonValue | undefined {
  let value: unknown;
  try {
    value = run(context);
  } catch (error) {
    throw new ExpressionFailure(problemOf(error instanceof Error ? error : undefined), { cause: error });
  }
  return fromCel(value) ?? undefined;
}

/** The JSON value; undefined: a number that JSON does not have, at any level, or an empty optional. */
function fromCel(value: unknown): JsonValue | undefined {
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : undefined;
  }
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value === "boolean" || value === null) return value;
  if (value instanceof Optional) return value.hasValue() ? fromCel(value.value()) : undefined;
  if (Array.isArray(value)) return allOf(value.map(fromCel));
  if (isPlainObject(value)) {
    const entries = Object.entries(value).map(([name, member]) => [name, fromCel(member)] as const);
    const members = allOf(entries.map(([, member]) => member));
    return members && Object.fromEntries(entries.map(([name], index) => [name, members[index] ?? null]));
  }
  throw new ExpressionFailure("the value has no form in JSON");
}

function allOf(values: readonly (JsonValue | undefined)[]): JsonValue[] | undefined {
  const present = values.filter((value) => value !== undefined);
  return present.length === values.length ? present : undefined;
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
