/** Definitions of attributes (RFC 7643, section 7), and their names in requests. */

export type AttributeType = "string" | "boolean" | "integer" | "dateTime" | "reference" | "complex";

export interface Attribute {
  /** As in RFC 7643; requests may use any case. */
  readonly name: string;
  readonly type: AttributeType;
  readonly description: string;
  readonly multiValued: boolean;
  readonly required: boolean;
  readonly caseExact: boolean;
  readonly mutability: "readOnly" | "readWrite" | "writeOnly";
  readonly returned: "always" | "default" | "never";
  readonly uniqueness: "none" | "server";
  readonly subAttributes?: readonly Attribute[];
  readonly canonicalValues?: readonly string[];
  readonly referenceTypes?: readonly string[];
}

export type AttributeOptions = Partial<Omit<Attribute, "name" | "description">>;

const DEFAULTS: Omit<Attribute, "name" | "description"> = {
  type: "string",
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: "readWrite",
  returned: "default",
  uniqueness: "none",
};

export function attribute(name: string, description: string, options: AttributeOptions = {}): Attribute {
  return { name, description, ...DEFAULTS, ...options };
}

/** A complex attribute with sub-attributes. */
export function complex(
  name: string,
  description: string,
  subAttributes: readonly Attribute[],
  options: AttributeOptions = {},
): Attribute {
  return attribute(name, description, { type: "complex", subAttributes, ...options });
}

/** A multi-valued attribute with the default sub-attributes (RFC 7643, section 2.4). */
export function values(
  name: string,
  description: string,
  types: readonly string[],
  options: AttributeOptions = {},
): Attribute {
  return complex(
    name,
    description,
    [
      attribute("value", "The value.", options),
      attribute("display", "The value for people."),
      attribute("type", "The function of the value.", types.length > 0 ? { canonicalValues: types } : {}),
      attribute("primary", "Whether the value is the preferred value.", { type: "boolean" }),
    ],
    { multiValued: true },
  );
}

export function findAttribute(attributes: readonly Attribute[], name: string): Attribute | undefined {
  const wanted = name.toLowerCase();
  return attributes.find((each) => each.name.toLowerCase() === wanted);
}

export function findSubAttribute({ subAttributes }: Attribute, name: string): Attribute | undefined {
  return subAttributes && findAttribute(subAttributes, name);
}
