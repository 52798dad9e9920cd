/** Attribute paths of requests (RFC 7644, section 3.10), resolved against the schemas of a resource type. */
import { type Attribute, findAttribute, findSubAttribute } from "./attribute.ts";
import { COMMON_ATTRIBUTES, DROPPED_ATTRIBUTES, type ResourceType, type Schema } from "./schemas.ts";

/** As written, without a schema that is known. */
export interface AttributePath {
  /** The URN before the attribute; undefined: the core schema. */
  readonly urn: string | undefined;
  /** Empty: the URN names the schema as a whole. */
  readonly name: string;
  readonly sub: string | undefined;
}

/** A known attribute. */
export interface AttributeTarget {
  /** The extension that contains the attribute; undefined: the core schema or a common attribute. */
  readonly extension: Schema | undefined;
  readonly attribute: Attribute;
  readonly sub: Attribute | undefined;
}

/** `dropped`: a known attribute that the service does not store. `foreign`: an attribute of an unknown schema. */
export type ResolvedPath = AttributeTarget | Schema | "dropped" | "foreign" | undefined;

const NAME = /^[a-z$][\w$-]*$/i;
const URN = /^urn:/i;

/** Parses `name`, `name.sub` or a URN with an attribute; undefined for any other text. */
export function parseAttributePath(text: string, type: ResourceType): AttributePath | undefined {
  const [urn, rest] = splitUrn(text, type);
  if (rest === "") return urn === undefined ? undefined : { urn, name: "", sub: undefined };
  const [name = "", sub, ...further] = rest.split(".");
  if (!NAME.test(name) || (sub !== undefined && !NAME.test(sub)) || further.length > 0) return undefined;
  return { urn, name, sub };
}

/** Entra ID separates a URN and its attribute by a colon or by a dot. */
function splitUrn(text: string, { core, extension }: ResourceType): [string | undefined, string] {
  if (!URN.test(text)) return [undefined, text];
  const lower = text.toLowerCase();
  for (const { id } of extension ? [extension, core] : [core]) {
    if (lower === id.toLowerCase()) return [id, ""];
    const after = text.slice(id.length + 1);
    if (lower.startsWith(id.toLowerCase()) && ":.".includes(text.charAt(id.length))) return [id, after];
  }
  const colon = text.lastIndexOf(":");
  return [text.slice(0, colon), text.slice(colon + 1)];
}

/** Finds the attribute of a path; undefined for an unknown attribute of a known schema. */
export function resolvePath(
  { urn, name, sub }: AttributePath,
  { core, extension }: Pick<ResourceType, "core" | "extension">,
): ResolvedPath {
  const schema = [core, extension].find((each) => each?.id === (urn ?? core.id));
  if (!schema) return "foreign";
  if (name === "") return schema;
  if (schema === core && DROPPED_ATTRIBUTES.has(name.toLowerCase())) return "dropped";
  const found =
    findAttribute(schema.attributes, name) ?? (schema === core ? findAttribute(COMMON_ATTRIBUTES, name) : undefined);
  // Clients name attributes of the extension without its URN.
  if (!found && urn === undefined && extension && findAttribute(extension.attributes, name)) {
    return resolvePath({ urn: extension.id, name, sub }, { core, extension });
  }
  if (!found) return undefined;
  const subAttribute = sub === undefined ? undefined : findSubAttribute(found, sub);
  if (sub !== undefined && !subAttribute) return undefined;
  return { extension: schema === core ? undefined : schema, attribute: found, sub: subAttribute };
}

/** Whether a path resolved to an attribute that the service knows. */
export function isTarget(resolved: ResolvedPath): resolved is AttributeTarget {
  return typeof resolved === "object" && "attribute" in resolved;
}
