import type { InputFlaw } from "../../base/invalid-input.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { CLAIM_SOURCE_MAX_CHARACTERS, CLAIM_SOURCE_PATH_MAX } from "../../limits/claim-limits.ts";
import type { ClaimMapping, JsonValue } from "../../vocabulary/claim-mapping.ts";
import {
  CLAIM_SOURCES,
  type ClaimSourceName,
  type DisclosedData,
  isClaimSource,
  QUALIFIABLE_SOURCES,
  type SourcePart,
  type SourceValues,
  sourceOf,
} from "../../vocabulary/claim-sources.ts";
import { compileExpression, ExpressionFailure } from "./expression.ts";

/** A mapping in the form of an evaluation. */
export interface CompiledMapping {
  readonly mapping: ClaimMapping;
  readonly sources: readonly ClaimSourceName[];
  /** The data that the claim discloses; empty for a constant. */
  readonly data: readonly DisclosedData[];
  readonly evaluate: (values: SourceValues) => MappedValue;
}

export type MappedValue =
  | { readonly outcome: "released"; readonly value: JsonValue }
  | { readonly outcome: "absent" }
  | { readonly outcome: "error"; readonly detail: string };

/** The parts of a reading that mappings need beside the rows of user, membership and organization. */
export function partsOf(mappings: readonly CompiledMapping[]): ReadonlySet<SourcePart> {
  return new Set(mappings.flatMap(({ sources }) => sources.flatMap((name) => sourceOf(name).part ?? [])));
}

/** By the list of a client or API in memory: each list is compiled once. */
const COMPILED = new WeakMap<readonly ClaimMapping[], readonly CompiledMapping[]>();

/** The mappings of a client or API, without mappings of a newer release that this release cannot read. */
export function compiledMappings(mappings: readonly ClaimMapping[]): readonly CompiledMapping[] {
  const known = COMPILED.get(mappings);
  if (known) return known;
  const compiled = mappings.flatMap((mapping) => {
    const each = compileMapping(mapping);
    return each.ok ? [each.value] : [];
  });
  COMPILED.set(mappings, compiled);
  return compiled;
}

/** Resolves the source of a mapping. The flaw: an unknown source, or an expression that is not accepted. */
export function compileMapping(mapping: ClaimMapping): Result<CompiledMapping, InputFlaw> {
  if (mapping.expression !== undefined) return compileExpressionMapping(mapping, mapping.expression);
  if (mapping.attribute !== undefined) return compileAttribute(mapping, mapping.attribute);
  const { constant } = mapping;
  const evaluate = (): MappedValue => mappedValue(constant);
  return ok({ mapping, sources: [], data: [], evaluate });
}

function compileExpressionMapping(mapping: ClaimMapping, text: string): Result<CompiledMapping, InputFlaw> {
  const compiled = compileExpression(text);
  if (!compiled.ok) return compiled;
  const { sources, evaluate } = compiled.value;
  return ok({
    mapping,
    sources,
    data: dataOf(sources),
    evaluate: (values) => {
      try {
        return mappedValue(evaluate((name) => sourceOf(name).read(values)));
      } catch (error) {
        if (error instanceof ExpressionFailure) return { outcome: "error", detail: error.message };
        throw error;
      }
    },
  });
}

function compileAttribute(mapping: ClaimMapping, attribute: string): Result<CompiledMapping, InputFlaw> {
  const found = findSource(attribute);
  if (!found) return err({ rule: "unknown_value", text: "no such source" });
  const { name, path } = found;
  const isQualified = mapping.qualified && QUALIFIABLE_SOURCES.has(name);
  const read = (values: SourceValues) => memberAt(sourceOf(name).read(values), path);
  return ok({
    mapping,
    sources: [name],
    data: dataOf([name]),
    evaluate: (values) => mappedValue(isQualified ? qualify(read(values), values.organization?.slug) : read(values)),
  });
}

interface FoundSource {
  readonly name: ClaimSourceName;
  readonly path: readonly string[];
}

/** The source that an attribute names, with the path below the source. */
export function findSource(attribute: string): FoundSource | undefined {
  if (attribute.length > CLAIM_SOURCE_MAX_CHARACTERS) return undefined;
  if (isClaimSource(attribute)) return { name: attribute, path: [] };
  const names = attribute.split(".");
  const [name, path] = [names.slice(0, 2).join("."), names.slice(2)];
  if (!isClaimSource(name) || !("hasMembers" in CLAIM_SOURCES[name])) return undefined;
  return names.length <= CLAIM_SOURCE_PATH_MAX && path.every((each) => each !== "") ? { name, path } : undefined;
}

function memberAt(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  let found = value;
  for (const name of path) {
    if (typeof found !== "object" || found === null || Array.isArray(found) || !Object.hasOwn(found, name)) {
      return undefined;
    }
    found = (found as { readonly [name: string]: JsonValue })[name];
  }
  return found;
}

function qualify(value: JsonValue | undefined, slug: string | undefined): JsonValue | undefined {
  if (slug === undefined) return undefined;
  if (Array.isArray(value)) return value.map((name) => `${slug}:${name}`);
  return typeof value === "string" ? `${slug}:${value}` : undefined;
}

function mappedValue(value: JsonValue | undefined): MappedValue {
  return value === undefined || value === null ? { outcome: "absent" } : { outcome: "released", value };
}

function dataOf(sources: readonly ClaimSourceName[]): readonly DisclosedData[] {
  return [...new Set(sources.flatMap((name) => sourceOf(name).data ?? []))];
}
