/** `attributes` and `excludedAttributes` of requests (RFC 7644, section 3.9). */
import { ok } from "../../../base/result.ts";
import { SCIM_PROJECTION_MAX } from "../../../limits/directory-limits.ts";
import { type AttributeTarget, isTarget, parseAttributePath, resolvePath } from "./attribute-path.ts";
import { parseOperationPath } from "./filter.ts";
import { ENTERPRISE_SCHEMA, type ResourceType } from "./schemas.ts";
import { isRecord, type Json, type JsonRecord, listOf } from "./scim-json.ts";
import { type ScimResult, scimError } from "./scim-problem.ts";

/** The paths to return or to omit; undefined: the whole resource. */
export type Projection =
  | { readonly kind: "only" | "without"; readonly targets: readonly ProjectedAttribute[] }
  | undefined;

/** An attribute, or the extension as a whole. */
type ProjectedAttribute = AttributeTarget | "extension";

/** Members that every response contains. */
const ALWAYS = ["schemas", "id"];

export interface ProjectionParameters {
  readonly attributes: readonly string[];
  readonly excludedAttributes: readonly string[];
}

/** Resolves the names; unknown names are ignored. The filter of a value path selects nothing here. */
export function readProjection(
  { attributes, excludedAttributes }: ProjectionParameters,
  type: ResourceType,
): ScimResult<Projection> {
  if (attributes.length + excludedAttributes.length > SCIM_PROJECTION_MAX) {
    return scimError("invalidValue", `A request names at most ${SCIM_PROJECTION_MAX} attributes.`);
  }
  if (attributes.length > 0) return ok({ kind: "only", targets: attributes.flatMap((each) => resolve(each, type)) });
  if (excludedAttributes.length === 0) return ok(undefined);
  return ok({ kind: "without", targets: excludedAttributes.flatMap((each) => resolve(each, type)) });
}

function resolve(text: string, type: ResourceType): ProjectedAttribute[] {
  const path = parseOperationPath(text);
  if (!path.ok) return [];
  const { path: name, sub } = path.value;
  const parsed = parseAttributePath(sub === undefined ? name : `${name}.${sub}`, type);
  const resolved = parsed && resolvePath(parsed, type);
  if (isTarget(resolved)) return [resolved];
  return typeof resolved === "object" && resolved === type.extension ? ["extension"] : [];
}

/** Whether the response contains an attribute: an omitted attribute need not be read. */
export function includesAttribute(projection: Projection, name: string): boolean {
  if (!projection) return true;
  const named = projection.targets.flatMap((each) => (isAttribute(each, name) ? [each] : []));
  return projection.kind === "only" ? named.length > 0 : named.every(({ sub }) => sub !== undefined);
}

function isAttribute(target: ProjectedAttribute, name: string): target is AttributeTarget {
  return target !== "extension" && !target.extension && target.attribute.name === name;
}

/** Applies the projection to a resource. */
export function project(resource: JsonRecord, projection: Projection): JsonRecord {
  if (!projection) return resource;
  return projection.kind === "only"
    ? projection.targets.reduce((found, target) => copy(found, resource, target), pick(resource, ALWAYS))
    : projection.targets.reduce(omit, resource);
}

function pick(resource: JsonRecord, names: readonly string[]): JsonRecord {
  return Object.fromEntries(Object.entries(resource).filter(([name]) => names.includes(name)));
}

function copy(found: JsonRecord, resource: JsonRecord, target: ProjectedAttribute): JsonRecord {
  if (target === "extension") return { ...found, ...pick(resource, [ENTERPRISE_SCHEMA]) };
  const { extension, attribute, sub } = target;
  if (extension) {
    const [whole, part] = [resource[extension.id], found[extension.id]];
    if (!isRecord(whole)) return found;
    const inner = copy(isRecord(part) ? part : {}, whole, { ...target, extension: undefined });
    return Object.keys(inner).length > 0 ? { ...found, [extension.id]: inner } : found;
  }
  const value = resource[attribute.name];
  if (value === undefined) return found;
  return { ...found, [attribute.name]: sub ? copySub(found[attribute.name], value, sub.name) : value };
}

function copySub(found: Json | undefined, value: Json, name: string): Json {
  if (Array.isArray(value)) return listOf(value).map((each, index) => copySub(listOf(found)[index], each, name));
  if (!isRecord(value)) return value;
  return { ...(isRecord(found) ? found : {}), ...pick(value, [name]) };
}

function omit(resource: JsonRecord, target: ProjectedAttribute): JsonRecord {
  if (target === "extension") return without(resource, ENTERPRISE_SCHEMA);
  const { extension, attribute, sub } = target;
  if (extension) {
    const whole = resource[extension.id];
    return isRecord(whole)
      ? { ...resource, [extension.id]: omit(whole, { ...target, extension: undefined }) }
      : resource;
  }
  const value = resource[attribute.name];
  if (value === undefined || ALWAYS.includes(attribute.name)) return resource;
  return sub ? { ...resource, [attribute.name]: omitSub(value, sub.name) } : without(resource, attribute.name);
}

function omitSub(value: Json, name: string): Json {
  if (Array.isArray(value)) return listOf(value).map((each) => omitSub(each, name));
  return isRecord(value) ? without(value, name) : value;
}

function without(record: JsonRecord, name: string): JsonRecord {
  return Object.fromEntries(Object.entries(record).filter(([each]) => each !== name));
}
