/** Reads the input of a client and validates the input against the schemas of the endpoint. */
import type { Static, TObject, TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { hasFlaws, invalidFields, REQUIRED } from "../../base/invalid-input.ts";
import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { searchOf } from "../search.ts";
import { isForm, readForm } from "./form-body.ts";
import { type JsonObject, readJsonObject } from "./json-body.ts";
import { EMPTY_FORM, type LargeForm, readLargeForm } from "./large-form.ts";
import { readUpload, type Upload } from "./upload.ts";
import { flawsOf } from "./validation-message.ts";

/** The accepted input of an endpoint; `EndpointSpec` describes the members. */
export interface InputSpec {
  readonly body?: TObject | undefined;
  readonly bodyType?: "form" | "form_or_json";
  readonly malformedBody?: "empty";
  readonly alsoRequired?: (body: JsonObject) => readonly string[];
  readonly bodyMaxBytes?: number;
  readonly query?: TObject | undefined;
  readonly upload?: Upload | undefined;
  readonly largeForm?: TObject | undefined;
}

export interface Input {
  readonly body: unknown;
  readonly query: unknown;
  readonly file: Uint8Array;
  /** The submitted form fields, so that a handler can detect a repeated field; empty for JSON bodies. */
  readonly parameters: URLSearchParams;
  /** The fields of `largeForm`; empty for any other body. */
  readonly largeForm: LargeForm;
}

const NO_FILE = new Uint8Array();
const NO_PARAMETERS = new URLSearchParams();

type ReadBody = Pick<Input, "body" | "parameters">;
const NO_BODY: ReadBody = { body: {}, parameters: NO_PARAMETERS };
/** The input of a call to an endpoint without input. */
export const NO_INPUT: Input = { ...NO_BODY, query: undefined, file: NO_FILE, largeForm: EMPTY_FORM };

/** The reader of an endpoint's input. Undefined for an endpoint without input. */
export function inputReader(
  spec: InputSpec,
): ((request: Request) => Promise<Result<Input, Refusal<"invalid_input">>>) | undefined {
  const { bodyMaxBytes } = spec;
  if (spec.largeForm)
    return async (request) => ok({ ...NO_INPUT, largeForm: await readLargeForm(request, bodyMaxBytes) });
  if (!spec.body && !spec.query && !spec.upload) return undefined;
  const body = spec.body && compile(spec.body);
  const query = spec.query && compile(spec.query);
  return async (request) => {
    const validQuery = query ? validate(query, readQuery(query, searchOf(request))) : ok(undefined);
    if (!validQuery.ok) return validQuery;
    const read = body ? await readBody(body, request, spec) : ok(undefined);
    const validBody = !read.ok && spec.malformedBody === "empty" ? ok(NO_BODY) : read;
    if (!validBody.ok) return validBody;
    const file = spec.upload ? await readUpload(request, spec.upload) : ok({ file: NO_FILE });
    if (!file.ok) return file;
    return ok({
      ...(validBody.value ?? NO_BODY),
      query: validQuery.value,
      file: file.value.file,
      largeForm: EMPTY_FORM,
    });
  };
}

interface CompiledSchema {
  readonly check: TypeCheck<TObject>;
  /** Names and types of the members. */
  readonly members: readonly (readonly [name: string, type: unknown])[];
}

/** The first use compiles the schema: the compilation of all schemas would be a tenth of a start. */
function compile(schema: TObject): CompiledSchema {
  const members = Object.entries(schema.properties).map(([name, { type }]) => [name, type] as const);
  let check: TypeCheck<TObject> | undefined;
  return {
    get check() {
      check ??= TypeCompiler.Compile(schema);
      return check;
    },
    members,
  };
}

/** The validation of an endpoint's body for a page, which builds an equal object from the fields of a form. */
export function bodyValidator<Schema extends TObject>(
  schema: Schema,
): (body: Record<string, unknown>) => Result<Static<Schema>, Refusal<"invalid_input">> {
  const compiled = compile(schema);
  return (body) => validate(compiled, body) as Result<Static<Schema>, Refusal<"invalid_input">>;
}

/** The validation of one object of a list in a body, as of the body of a request. */
export function rowValidator<Schema extends TObject>(
  schema: Schema,
): (row: JsonObject) => Result<Static<Schema>, Refusal<"invalid_input">> {
  const compiled = compile(schema);
  return (row) =>
    validate(compiled, dropNulls(compiled.check, row)) as Result<Static<Schema>, Refusal<"invalid_input">>;
}

/** If every member is optional, an absent body counts as an empty object. */
async function readBody(
  schema: CompiledSchema,
  request: Request,
  { bodyType, bodyMaxBytes, alsoRequired }: InputSpec,
): Promise<Result<ReadBody, Refusal<"invalid_input">>> {
  if (bodyType === "form" || (bodyType === "form_or_json" && isForm(request))) {
    const form = await readForm(request, bodyMaxBytes);
    if (!form.ok) return form;
    const fields = validate(schema, readQuery(schema, form.value));
    return fields.ok ? ok({ body: fields.value, parameters: form.value }) : fields;
  }
  if (!schema.check.Schema().required?.length && request.body === null) return ok(NO_BODY);
  const body = await readJsonObject(request, bodyMaxBytes);
  if (!body.ok) return body;
  const members = dropNulls(schema.check, body.value);
  const valid = validate(schema, members, alsoRequired?.(members));
  return valid.ok ? ok({ body: valid.value, parameters: NO_PARAMETERS }) : valid;
}

/**
 * An optional member with the value null counts as absent, unless null has a meaning: clients in several languages
 * cannot omit a member.
 */
function dropNulls(schema: TypeCheck<TObject>, body: JsonObject): JsonObject {
  if (!Object.values(body).includes(null)) return body;
  const { required = [], properties } = schema.Schema();
  const keeps = (name: string) =>
    required.includes(name) || takesNull(properties[name]) || properties[name]?.refusesNull === true;
  return Object.fromEntries(Object.entries(body).filter(([name, value]) => value !== null || keeps(name)));
}

function takesNull(schema: TSchema | undefined): boolean {
  return schema?.anyOf?.some((each: TSchema) => each.type === "null") ?? false;
}

/** `alsoRequired`: members of the value beyond those that the schema requires. */
function validate(
  { check }: CompiledSchema,
  value: unknown,
  alsoRequired: readonly string[] = [],
): Result<unknown, Refusal<"invalid_input">> {
  const missing = alsoRequired.filter((name) => (value as JsonObject)[name] === undefined);
  const flaws = [
    ...missing.map((field) => ({ field, ...REQUIRED })),
    ...(check.Check(value) ? [] : flawsOf(check.Errors(value))),
  ];
  return hasFlaws(flaws) ? err(invalidFields(flaws)) : ok(value);
}

/** Query values, converted by the types of the schema; an inconvertible value stays text and fails validation. */
function readQuery({ members }: CompiledSchema, search: Pick<URLSearchParams, "get">): JsonObject {
  const found: JsonObject = {};
  for (const [name, type] of members) {
    const text = search.get(name);
    if (text !== null) found[name] = convert(text, type);
  }
  return found;
}

function convert(text: string, type: unknown): unknown {
  if (type === "integer" && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}
