/**
 * Validates responses against the OpenAPI document: operation, status, media type and JSON body. The body must not
 * contain an undeclared member.
 */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document, read member by member.
type Part = any;

export interface ResponseToCheck {
  readonly status: number;
  readonly contentType: string | null;
  readonly text: string;
  readonly body: unknown;
}

interface Operation {
  readonly method: string;
  readonly path: RegExp;
  readonly template: string;
  readonly responses: Readonly<Record<string, Part>>;
  /** The possible names of an invalid field in a request of this operation. */
  readonly fields: ReadonlySet<string>;
}

interface Contract {
  readonly operations: readonly Operation[];
  readonly ajv: Ajv2020;
  readonly validators: Map<string, ValidateFunction>;
}

const DOCUMENT = "openapi";
/** The document describes neither the document itself nor the page that displays the document. */
const NOT_DESCRIBED = new Set(["/openapi.json", "/docs"]);
const LOAD_DEADLINE_MS = 10_000;

/** The process keeps a single document: all replicas of a run have the same endpoints. */
let contract: Promise<Contract | undefined> | undefined;

/**
 * Starts to load the document unless the document is loaded. If a replica cannot return the document (the replica is
 * being killed, or the URL belongs to a different server), the next request tries again.
 */
export function loadContract(baseUrl: string): Promise<Contract | undefined> {
  contract ??= load(baseUrl).catch(() => {
    contract = undefined;
    return undefined;
  });
  return contract;
}

/** Throws an error that names the difference between a response and the documented operation. */
export function checkResponse(contract: Contract, method: string, path: string, answer: ResponseToCheck): void {
  if (method === "GET" && NOT_DESCRIBED.has(path)) return;
  const operation = findOperation(contract, method, path);
  if (!operation) throw new Error(`${method} ${path} matches no operation of the OpenAPI document`);
  const name = `${method} ${operation.template} ${answer.status}`;
  const response = operation.responses[answer.status] ?? operation.responses.default;
  const difference = response
    ? (differenceOf(contract, name, response, answer) ?? undeclaredField(operation, answer.body))
    : "the status is not declared";
  if (difference) throw new Error(`${name} differs from the OpenAPI document: ${difference}\n${answer.text}`);
}

async function load(baseUrl: string): Promise<Contract> {
  const response = await fetch(`${baseUrl}/openapi.json`, { signal: AbortSignal.timeout(LOAD_DEADLINE_MS) });
  if (response.status !== 200) throw new Error(`/openapi.json: status ${response.status}`);
  const references = (await response.text()).replaceAll('"#/components/schemas/', `"${DOCUMENT}#/components/schemas/`);
  const document: Part = JSON.parse(references, (_, value) => closed(value));
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  addFormats.default(ajv);
  ajv.addSchema({ $id: DOCUMENT, components: { schemas: document.components.schemas } });
  const operations = Object.entries<Part>(document.paths).flatMap((entry) => operationsAt(document, entry));
  return { operations, ajv, validators: new Map() };
}

/** Closes an object schema: a schema without a statement about additional members admits no additional member. */
function closed(value: Part): Part {
  const open = value?.type === "object" && value.properties && value.additionalProperties === undefined;
  return open ? { ...value, additionalProperties: false } : value;
}

function operationsAt(document: Part, [template, methods]: [string, Part]): Operation[] {
  const path = new RegExp(`^${template.replace(/[.]/g, "\\.").replace(/\{\w+\}/g, "[^/]+")}$`);
  return Object.entries<Part>(methods).map(([method, operation]) => {
    const fields = fieldsOf(document, operation);
    return { method: method.toUpperCase(), path, template, responses: operation.responses, fields };
  });
}

/** Names of the request as a whole: the body, and the header that every request has. */
const WHOLE = ["body", "host"];

/** Returns the names of parameters and of members of the body; dots join the names of nested objects. */
function fieldsOf(document: Part, { parameters = [], requestBody }: Part): ReadonlySet<string> {
  const bodies = Object.values<Part>(requestBody?.content ?? {}).flatMap(({ schema }) => membersOf(document, schema));
  const names = parameters.map(({ $ref, name }: Part) => name ?? resolve(document, $ref).name);
  return new Set([...WHOLE, ...names, ...bodies]);
}

function membersOf(document: Part, schema: Part): string[] {
  const { properties, items, anyOf = [], oneOf = [] } = schema?.$ref ? resolve(document, schema.$ref) : (schema ?? {});
  const below = [...(items ? [items] : []), ...anyOf, ...oneOf].flatMap((each) => membersOf(document, each));
  const members = Object.entries<Part>(properties ?? {}).flatMap(([name, member]) => [
    name,
    ...membersOf(document, member).map((nested) => `${name}.${nested}`),
  ]);
  return [...members, ...below];
}

function resolve(document: Part, reference: string): Part {
  const [, path = ""] = reference.split("#/");
  return path.split("/").reduce((part: Part, name) => part[name], document);
}

/** Returns the first invalid field that is neither a member of the request nor of an object with free members. */
function undeclaredField({ fields }: Operation, body: unknown): string | undefined {
  const invalid: readonly { field: string }[] = (body as Part)?.error?.fields ?? [];
  const unknown = invalid.find(({ field }) => !fields.has(field) && !fields.has(field.split(".")[0] ?? ""));
  return unknown && `the field ${unknown.field} is no member of the request`;
}

/** Prefers the matching template with fewer parameters: `/users/me` before `/users/{id}`. */
function findOperation({ operations }: Contract, method: string, path: string): Operation | undefined {
  const [pathname = ""] = path.split("?", 1);
  const parameters = ({ template }: Operation) => template.split("{").length;
  return operations
    .filter((each) => each.method === method && each.path.test(pathname))
    .sort((one, other) => parameters(one) - parameters(other))[0];
}

function differenceOf(contract: Contract, name: string, response: Part, answer: ResponseToCheck): string | undefined {
  const types = Object.keys(response.content ?? {});
  if (types.length === 0) return answer.text === "" ? undefined : "a body, where none is declared";
  const type = types.find((each) => answer.contentType?.startsWith(each));
  if (!type) return `Content-Type ${answer.contentType}, where ${types.join(", ")} is declared`;
  if (type !== "application/json") return undefined;
  const validate = validatorOf(contract, name, response.content[type].schema);
  return validate(answer.body) ? undefined : contract.ajv.errorsText(validate.errors, { dataVar: "body" });
}

function validatorOf({ ajv, validators }: Contract, name: string, schema: Part): ValidateFunction {
  const validate = validators.get(name) ?? ajv.compile(schema);
  validators.set(name, validate);
  return validate;
}
