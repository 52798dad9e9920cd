/** Converts schemas of endpoints to OpenAPI schemas: named components, enums, nullable types, examples. */
import type { TObject, TSchema } from "@sinclair/typebox";

export type Json = Record<string, unknown>;

/** Converts schemas and collects the named schemas. */
export interface SchemaWriter {
  readonly components: Readonly<Json>;
  /** A reference to the component for a schema with an `$id`, else the schema. */
  use(schema: TSchema): Json;
  /** In request bodies an optional member that is null counts as absent, so all optional members are nullable. */
  useBody(schema: TObject): Json;
}

export function schemaWriter(): SchemaWriter {
  const components: Record<string, Json> = {};

  function use(schema: TSchema): Json {
    return schema.$id === undefined ? write(schema) : refer(schema, () => write(schema));
  }

  function refer({ $id = "", note }: TSchema, define: () => Json): Json {
    components[$id] ??= define();
    return { $ref: `#/components/schemas/${$id}`, ...(note ? { description: note } : {}) };
  }

  function write({ $id, rule, note, refusesNull, documented, ...schema }: TSchema): Json {
    const whole: TSchema = { ...schema, ...documented };
    if (whole.anyOf) return writeUnion(whole, use);
    const { properties, items, patternProperties, ...rest } = whole;
    const values = patternProperties && Object.values<TSchema>(patternProperties)[0];
    return {
      ...rest,
      ...(properties ? { properties: mapValues(properties, use) } : {}),
      ...(items ? { items: use(items) } : {}),
      ...(values ? { additionalProperties: use(values) } : {}),
    };
  }

  return {
    components,
    use,
    useBody(schema) {
      const define = () => {
        const { required = [], properties } = schema;
        const member = (each: TSchema, name: string) =>
          required.includes(name) || each.refusesNull ? use(each) : orNull(use(each));
        return { ...write(schema), properties: mapValues(properties, member) };
      };
      return schema.$id === undefined ? define() : refer(schema, define);
    },
  };
}

function writeUnion({ anyOf, discriminator, ...rest }: TSchema, use: SchemaWriter["use"]): Json {
  const members: TSchema[] = anyOf;
  if (members.every((each) => "const" in each))
    return { type: "string", enum: members.map((each) => each.const), ...rest };
  const [only, ...others] = members.filter((each) => each.type !== "null");
  if (only && others.length === 0) return { ...orNull(use(only)), ...rest };
  if (!discriminator) return { anyOf: members.map(use), ...rest };
  return { oneOf: members.map(use), discriminator: withMapping(discriminator, members), ...rest };
}

/** OpenAPI 3.1, section 4.8.25: maps values of the property to components. */
function withMapping({ propertyName }: { propertyName: string }, members: readonly TSchema[]): Json {
  const mapping = members.map(({ $id, properties }) => [properties[propertyName].const, `#/components/schemas/${$id}`]);
  return { propertyName, mapping: Object.fromEntries(mapping) };
}

function orNull(schema: Json): Json {
  if (schema.$ref) return { anyOf: [{ $ref: schema.$ref }, { type: "null" }], ...described(schema) };
  if (Array.isArray(schema.type) || schema.anyOf || schema.type === undefined) return schema;
  return {
    ...schema,
    type: [schema.type, "null"],
    ...(Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {}),
  };
}

function described({ description }: Json): Json {
  return description === undefined ? {} : { description };
}

function mapValues(from: Record<string, TSchema>, make: (schema: TSchema, name: string) => Json): Json {
  return Object.fromEntries(Object.entries(from).map(([name, schema]) => [name, make(schema, name)]));
}

/** Placeholder for a schema without an example; a test rejects a placeholder in the document. */
const NO_EXAMPLE = "(no example)";

/** A valid value of the schema, composed of the examples of the parts. */
export function exampleOf(schema: TSchema): unknown {
  if (schema.examples) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  if ("const" in schema) return schema.const;
  if (schema.anyOf) return exampleOf(schema.anyOf[0]);
  if (schema.type === "array") return [exampleOf(schema.items)];
  if (schema.properties)
    return Object.fromEntries(
      Object.entries<TSchema>(schema.properties).map(([name, member]) => [name, exampleOf(member)]),
    );
  return NO_EXAMPLE;
}

/** One example, or one per alternative of a discriminated union. */
export function examplesOf(schema: TSchema): Json {
  if (!schema.discriminator) return { example: exampleOf(schema) };
  const { propertyName } = schema.discriminator;
  const named = schema.anyOf.map((each: TSchema) => [
    each.properties[propertyName].const,
    { summary: each.$id, value: exampleOf(each) },
  ]);
  return { examples: Object.fromEntries(named) };
}
