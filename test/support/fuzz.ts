/**
 * Generates requests from the OpenAPI document: input that an endpoint accepts, and input that an endpoint must refuse.
 */
import fc from "fast-check";

// biome-ignore lint/suspicious/noExplicitAny: JSON Schema, read member by member.
type Schema = any;

export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly statuses: ReadonlySet<number>;
  // biome-ignore lint/suspicious/noExplicitAny: an OpenAPI operation object.
  readonly description: any;
}

export interface FuzzedRequest {
  readonly method: string;
  /** The path includes parameters and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const METHODS = new Set(["get", "post", "put", "patch", "delete"]);

/** Returns every operation of a document. */
// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document.
export function operationsOf(document: any): Operation[] {
  return Object.entries(resolved(document, document.paths) as Record<string, Schema>).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => METHODS.has(method))
      .map(([method, description]) => ({
        method: method.toUpperCase(),
        path,
        description,
        statuses: new Set(Object.keys((description as Schema).responses).map(Number)),
      })),
  );
}

/** Replaces each reference by the referenced schema. */
export function resolved(document: Schema, value: Schema): Schema {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => resolved(document, each));
  if (typeof value.$ref === "string") {
    const target = value.$ref
      .slice(2)
      .split("/")
      .reduce((found: Schema, name: string) => found[name], document);
    return resolved(document, target);
  }
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolved(document, each)]));
}

/** Strings that have broken servers. */
export const NAUGHTY = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udfff\ud800",
  "\ufeff",
  "\u202e\u200b",
  "👩‍👩‍👧‍👦".repeat(50),
  "İıſK",
  "ﬃ",
  "'; drop table users; --",
  "%",
  "_",
  "\\",
  "%00",
  "../../etc/passwd",
  "..%2f..%2f",
  "{{constructor}}",
  "<script>alert(1)</script>",
  "\r\nSet-Cookie: a=b",
  "__proto__",
  "constructor",
  "null",
  "undefined",
  "NaN",
  "-1",
  "1e309",
  "9007199254740993",
  "0x10",
  "2026-02-30T25:61:61Z",
  "0000-00-00",
  "a@b@c",
  "a@\u0000b.test",
  "x".repeat(5000),
  "٠١٢٣٤٥",
] as const;

const text = fc.oneof(
  fc.constantFrom(...NAUGHTY),
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({ maxLength: 200 }),
);

const anything = fc.oneof(
  text,
  fc
    .anything({ withNullPrototype: true, maxDepth: 3, key: fc.oneof(fc.constant("__proto__"), fc.string()) })
    .map(jsonable),
  fc.constantFrom<unknown>(null, true, 0, -1, 1e308, 2 ** 53, [], {}, [[[[]]]], "1"),
);

/** Keeps the part of a value that JSON can express. */
function jsonable(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value, (_, each) => (typeof each === "bigint" ? String(each) : each)) ?? "null");
  } catch {
    return null;
  }
}

/** Identifiers, addresses, names and passwords that exist in the service. */
type Known = readonly [string, ...string[]];

/** Generates values that a schema admits, within the limits of the generator. */
function admitted(schema: Schema, known: Known): fc.Arbitrary<unknown> {
  if (schema === undefined) return anything;
  if ("const" in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each: Schema) => admitted(each, known)));
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type: string) => admitted({ ...schema, type }, known)));
  switch (schema.type) {
    case "object":
      return members(schema, known);
    case "array":
      return fc.array(admitted(schema.items, known), { maxLength: 3 });
    case "integer":
    case "number":
      return fc.oneof(fc.integer({ min: schema.minimum ?? -5, max: schema.maximum ?? 200 }), fc.maxSafeInteger());
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      return texts(schema, known);
  }
}

function texts({ format }: Schema, known: Known): fc.Arbitrary<string> {
  const ours = fc.constantFrom(...known);
  if (format === "uuid") return fc.oneof(ours, fc.uuid(), fc.constant("019a0000-0000-7000-8000-000000000000"));
  if (format === "date-time") return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  return fc.oneof(ours, text, fc.emailAddress(), fc.stringMatching(/^\d{6}$/), fc.stringMatching(/^[\w-]{43}$/));
}

function members(schema: Schema, known: Known): fc.Arbitrary<Record<string, unknown>> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const shape = Object.fromEntries(properties.map(([name, property]) => [name, admitted(property, known)]));
  return fc.record(shape, { requiredKeys: schema.required ?? [] });
}

/** Replaces a member of an admitted object by an arbitrary value, and sometimes adds an undeclared member. */
function spoilt(schema: Schema, known: Known): fc.Arbitrary<Record<string, unknown>> {
  const names = Object.keys(schema.properties ?? {});
  const strange = fc.constantFrom(
    ...names,
    "role",
    "platform_role",
    "email_verified",
    "organization_id",
    "id",
    "toString",
  );
  return fc.tuple(members(schema, known), strange, anything).map(([body, name, value]) => ({ ...body, [name]: value }));
}

const garbage = fc.oneof(
  fc.constantFrom(
    "",
    "{",
    "[]",
    "null",
    '"text"',
    "{}",
    '{"a":1,"a":2}',
    '{"__proto__":{}}',
    "\ufeff{}",
    "[".repeat(100_000),
  ),
  fc.constant("x".repeat(1024 * 1024)),
  fc.string({ unit: "binary", maxLength: 300 }),
);

const contentTypes = ["application/json", "application/json; charset=utf-16", "text/plain", "multipart/form-data", ""];

function bodies({ requestBody }: Schema, known: Known): fc.Arbitrary<{ body: string | undefined; type: string }> {
  const [[type = "application/json", media] = []] = Object.entries(
    (requestBody?.content ?? {}) as Record<string, Schema>,
  );
  const strange = fc.record({ body: garbage, type: fc.constantFrom(type, ...contentTypes) });
  if (!requestBody) return fc.oneof(fc.constant({ body: undefined, type: "" }), strange);
  const json = fc.oneof(
    { arbitrary: members(media.schema, known), weight: 2 },
    { arbitrary: spoilt(media.schema, known), weight: 3 },
  );
  const encode = type.includes("form-urlencoded") ? asForm : JSON.stringify;
  return fc.oneof(
    { arbitrary: json.map((body) => ({ body: encode(body) as string, type })), weight: 5 },
    { arbitrary: strange, weight: 1 },
  );
}

function asForm(body: unknown): string {
  return new URLSearchParams(
    Object.entries(body as object).map(([name, value]): [string, string] => [name, textOf(value)]),
  ).toString();
}

/** An object may have no conversion to text. */
function textOf(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** A URL cannot carry lone surrogates; a URL can carry all remaining characters. */
function inUrl(value: unknown): string {
  return encodeURIComponent(String(value).toWellFormed());
}

/** Headers with the characters that a client can send; a value without such characters is no header. */
function printable(headers: Record<string, string>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, value.replace(/[^\x20-\x7e]/g, "").trim()]);
  return Object.fromEntries(entries.filter(([, value]) => value !== ""));
}

/** Generates a request to an operation: parameters, query, headers and body are valid, nearly valid, or arbitrary. */
export function requestsOf(operation: Operation, known: Known): fc.Arbitrary<FuzzedRequest> {
  const all = (operation.description.parameters ?? []) as { name: string; in: string; schema: Schema }[];
  const parameters = all.filter((parameter) => parameter.in !== "header");
  const values = Object.fromEntries(
    parameters.map(({ name, schema }) => [name, fc.oneof({ arbitrary: admitted(schema, known), weight: 5 }, text)]),
  );
  const headers = Object.fromEntries(
    all.filter((parameter) => parameter.in === "header").map(({ name }) => [name, text]),
  );
  const inPath = new Set(parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name));
  return fc
    .record({
      given: fc.record(values, { requiredKeys: [...inPath] }),
      sent: bodies(operation.description, known),
      request: text,
      declared: fc.oneof({ arbitrary: fc.constant({}), weight: 7 }, fc.record(headers)),
    })
    .map(({ given, sent, request, declared }) => {
      const path = operation.path.replace(
        /\{(\w+)\}/g,
        (_, name) => inUrl((given as Record<string, unknown>)[name]) || "-",
      );
      const query = Object.entries(given).filter(([name]) => !inPath.has(name));
      const search = query.map(([name, value]) => `${name}=${inUrl(value)}`).join("&");
      const fuzzed = { "X-Request-Id": request, "Accept-Language": request, ...declared };
      return {
        method: operation.method,
        path: search ? `${path}?${search}` : path,
        headers: { ...(sent.type ? { "content-type": sent.type } : {}), ...printable(fuzzed) },
        body: operation.method === "GET" ? undefined : sent.body,
      };
    });
}
