/**
 * `npm run client:types` generates the files of clients/js from the OpenAPI document of these sources.
 * `generated.test.ts` fails if a file is stale. `types.gen.ts` is the output of @hey-api/openapi-ts with the hash of
 * the source document in the first line; only this run downloads the generator.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Endpoint } from "../src/http/endpoint.ts";
import { apiDocument } from "../src/http/openapi/openapi.ts";
import { allEndpoints, type ServerDeps } from "../src/http/server.ts";

const FOLDER = join(import.meta.dir, "../clients/js/src/generated");
export const TYPES_FILE = join(FOLDER, "types.gen.ts");
export const METHODS_FILE = join(FOLDER, "methods.gen.ts");
/** npm installs the packages of these versions into a separate folder. */
const GENERATOR = ["@hey-api/openapi-ts@0.99.0", "typescript@5.9.3"];

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document, read member by member.
type Part = any;

export interface Operation {
  readonly id: string;
  readonly method: string;
  /** The path lacks the leading slash below the route prefix. */
  readonly path: string;
  readonly description: Part;
}

/**
 * Top-level names whose methods only the entry `identity-service-client/administration` has: applications for end users
 * load the core alone.
 */
const ADMINISTRATION: ReadonlySet<string> = new Set([
  "admin",
  "applications",
  "deletions",
  "directory",
  "featureFlags",
  "groups",
  "joinRequests",
  "metadata",
  "policies",
  "registrationTokens",
  "roles",
  "serviceAccounts",
  "signals",
  "webhooks",
]);

const CONFIG = { urls: { routePrefix: "/v1", publicBaseUrl: "https://id.example.com" } } as ServerDeps["config"];

/** Returns the declared endpoints of these sources. No server starts. */
export function declaredEndpoints(): readonly Endpoint[] {
  return allEndpoints({ config: CONFIG } as ServerDeps);
}

/** Returns the document of these sources with the default route prefix. */
export function openApiDocument(): Part {
  return JSON.parse(JSON.stringify(apiDocument(CONFIG, declaredEndpoints())));
}

/** Returns the declared method of `clients/js` for each operation; no entry: the client omits the operation. */
export function clientMethods(): ReadonlyMap<string, string> {
  const named = declaredEndpoints().flatMap(({ operationId, docs: { clientMethod } }) =>
    clientMethod === null ? [] : [[operationId, clientMethod] as const],
  );
  return new Map(named);
}

export function operationsOf(document: Part): Operation[] {
  return Object.entries<Part>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Part>(methods).map(([method, description]) => ({
      id: description.operationId,
      method: method.toUpperCase(),
      path: path.replace(/^\/v1\//, ""),
      description,
    })),
  );
}

/** Returns the hash of all parts that types depend on, without examples, headers of responses and the version. */
export function documentHash({ paths, components }: Part): string {
  const left = new Set(["example", "examples", "headers"]);
  const relevant = JSON.stringify([paths, components.schemas], (key, value) => (left.has(key) ? undefined : value));
  return createHash("sha256").update(relevant).digest("hex");
}

/**
 * Returns how the operation authenticates callers: `none` (the session is ignored), `optional`, `caller`, or `secret`
 * (a caller whose secret in the body is verified, so that a 401 may concern that secret).
 */
function authenticationOf(document: Part, { description }: Operation): string {
  const schemes: object[] = description.security;
  if (!schemes.some((scheme) => "bearer" in scheme)) return "none";
  if (schemes.some((scheme) => Object.keys(scheme).length === 0)) return "optional";
  return propertiesOf(document, description).some((name) => SECRETS.has(name)) ? "secret" : "caller";
}

const SECRETS = new Set(["password", "current_password", "code", "recovery_code", "credential"]);

/** Returns the members of the JSON body of an operation. */
export function propertiesOf(document: Part, description: Part): string[] {
  const reference = description.requestBody?.content["application/json"]?.schema.$ref ?? "";
  const schema = document.components.schemas[reference.split("/").at(-1)];
  return [schema, ...(schema?.anyOf ?? []), ...(schema?.oneOf ?? [])].flatMap((each) =>
    Object.keys(each?.properties ?? {}),
  );
}

type Tree = { [name: string]: Tree | Operation };

function methodTree(document: Part): Tree {
  const tree: Tree = {};
  const methods = clientMethods();
  for (const operation of operationsOf(document)) {
    const names = methods.get(operation.id)?.split(".");
    if (!names) continue;
    const last = names.pop() ?? "";
    let below = tree;
    for (const name of names) {
      below[name] ??= {};
      below = below[name] as Tree;
    }
    below[last] = operation;
  }
  return tree;
}

const isOperation = (entry: Tree | Operation): entry is Operation => typeof entry.id === "string";

/** Generates `methods.gen.ts`: the interfaces of the methods, and the tables from which clients are built. */
export function methodsSource(document: Part): string {
  const tree = methodTree(document);
  const entries = Object.entries(tree);
  const core = entries.filter(([name]) => !ADMINISTRATION.has(name));
  const administration = entries.filter(([name]) => ADMINISTRATION.has(name));
  return [
    "// Generated by `npm run client:types` of the identity service.",
    'import type { Method } from "../method.ts";',
    'import type * as api from "./types.gen.ts";',
    "",
    "/** One method for each operation of the core. */",
    `export interface Methods ${interfaceOf(Object.fromEntries(core), "  ")}`,
    "",
    "/** One method for each operation of administrators. */",
    `export interface AdministrationMethods ${interfaceOf(Object.fromEntries(administration), "  ")}`,
    "",
    "/** For each method: authentication, HTTP method, path. A path without a leading slash is below the prefix. */",
    ...entries.map(([name, entry]) => `export const ${constantOf(name)} = ${entryOf(document, entry, "  ")};`),
    "",
    "/** The constants above by name; a bundle contains the constants that its code uses. */",
    methodTable("METHODS", core),
    "",
    methodTable("ADMINISTRATION", administration),
    "",
  ].join("\n");
}

function methodTable(constant: string, entries: readonly (readonly [string, unknown])[]): string {
  const lines = entries.map(([name]) => `  ${name}: ${constantOf(name)},\n`).join("");
  return `export const ${constant} = {\n${lines}} as const;`;
}

function interfaceOf(tree: Tree, indent: string): string {
  const lines = Object.entries(tree).flatMap(([name, entry]) => {
    if (!isOperation(entry)) return [`${indent}readonly ${name}: ${interfaceOf(entry, `${indent}  `)};`];
    const type = entry.id.charAt(0).toUpperCase() + entry.id.slice(1);
    const path = entry.path.startsWith("/") ? entry.path : `/v1/${entry.path}`;
    return [
      `${indent}/** ${entry.description.summary}. ${entry.method} ${path} */`,
      `${indent}readonly ${name}: Method<api.${type}Data, ${responsesOf(entry.description, type)}>;`,
    ];
  });
  return `{\n${lines.join("\n")}\n${indent.slice(2)}}`;
}

/** Responses that are not JSON: openapi-ts declares text, the client returns bytes. */
const BYTES: Readonly<Record<string, string>> = {
  "image/webp": "{ 200: Blob }",
  "application/x-ndjson": "{ 200: ReadableStream<Uint8Array> }",
};

function responsesOf({ responses }: Part, type: string): string {
  const [contentType = ""] = Object.keys(responses[200]?.content ?? {});
  return BYTES[contentType] ?? `api.${type}Responses`;
}

/** Returns the constant of a top-level name, such as `EMAIL_CODE` of `emailCode`. */
const constantOf = (name: string) => name.replace(/[A-Z]/g, "_$&").toUpperCase();

function entryOf(document: Part, entry: Tree | Operation, indent: string): string {
  return isOperation(entry) ? operationOf(document, entry) : `${tableOf(document, entry, indent)} as const`;
}

function operationOf(document: Part, operation: Operation): string {
  return `"${authenticationOf(document, operation)} ${operation.method} ${operation.path}"`;
}

function tableOf(document: Part, tree: Tree, indent: string): string {
  const lines = Object.entries(tree).map(([name, entry]) => {
    if (!isOperation(entry)) return `${indent}${name}: ${tableOf(document, entry, `${indent}  `)},`;
    return `${indent}${name}: ${operationOf(document, entry)},`;
  });
  return `{\n${lines.join("\n")}\n${indent.slice(2)}}`;
}

/** Returns the first line of `types.gen.ts`. */
export const typesHeader = (document: Part) => `// OpenAPI document ${documentHash(document)}`;

function generateTypes(document: Part): string {
  const folder = mkdtempSync(join(tmpdir(), "identity-client-types-"));
  try {
    writeFileSync(join(folder, "package.json"), "{}");
    writeFileSync(join(folder, "openapi.json"), JSON.stringify(document));
    const plugins = ["-p", "@hey-api/typescript"];
    const options = { cwd: folder, stdio: "inherit" } as const;
    execFileSync(
      "npm",
      ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", ...GENERATOR],
      options,
    );
    const command = join(folder, "node_modules/.bin/openapi-ts");
    execFileSync(command, ["-i", "openapi.json", "-o", "out", ...plugins, "--silent", "--no-log-file"], options);
    return readFileSync(join(folder, "out/types.gen.ts"), "utf8");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const document = openApiDocument();
  await Bun.write(METHODS_FILE, methodsSource(document));
  await Bun.write(TYPES_FILE, `${typesHeader(document)}\n${generateTypes(document)}`);
}
