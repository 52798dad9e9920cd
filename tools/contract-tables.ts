/**
 * `npm run docs:contract` writes the parts of docs/contract.md between `<!-- generated:… -->` and
 * `<!-- /generated -->` from the declared endpoints. `permissions.test.ts` fails if a part is stale. All further text
 * is by hand.
 */
import { join } from "node:path";
import type { TObject, TSchema } from "@sinclair/typebox";
import type { Config } from "../src/config/config.ts";
import { leastRoleWith } from "../src/flows/steps/authorization/authorize-platform-role.ts";
import { countsAgainstCaller, type Endpoint } from "../src/http/endpoint.ts";
import { KINDS, servesPrograms } from "../src/http/guards/any-caller.ts";
import { documentRoutes } from "../src/http/openapi/documents.ts";
import { statusOf } from "../src/http/problem-status.ts";
import { type EndpointPermission, scopesOf } from "../src/vocabulary/key-scope.ts";
import { holds, MEMBER_ROLES } from "../src/vocabulary/member-power.ts";
import { declaredEndpoints } from "./client-types.ts";
import { requestFields, responseFields } from "./contract-fields.ts";

export const CONTRACT_FILE = join(import.meta.dir, "../docs/contract.md");

const ORGANIZATION_PATH = "/orgs/:org_id";

/** The endpoints whose path names an organization. */
export function organizationEndpoints(): readonly Endpoint[] {
  return declaredEndpoints().filter(({ path }) => path.startsWith(ORGANIZATION_PATH));
}

/** The generated parts by the text after `generated:`; a part with a parameter has the parameter after a space. */
const PARTS: Readonly<Record<string, (parameter: string) => string>> = {
  catalogue: () => `\n${catalogue()}\n`,
  fields: (endpoint) => `\n${requestFields(bodyOf(endpoint))}\n`,
  members: (schema) => `\n${responseFields(schemaNamed(schema))}\n`,
  permissions: () => `\n${permissionTable()}\n`,
  problems: (endpoint) => problemsOf(endpointNamed(endpoint)),
};

const PART = /<!-- generated:(\w+) ?([^>]*?) -->[\s\S]*?<!-- \/generated -->/g;

/** The contract with the generated parts of the declared endpoints. */
export function withGeneratedParts(contract: string): string {
  return contract.replace(PART, (_, name: string, parameter: string) => {
    const part = PARTS[name];
    if (!part) throw new Error(`docs/contract.md has an unknown generated part: ${name}`);
    const opening = parameter === "" ? name : `${name} ${parameter}`;
    return `<!-- generated:${opening} -->${part(parameter)}<!-- /generated -->`;
  });
}

function endpointNamed(name: string): Endpoint {
  const endpoint = declaredEndpoints().find((each) => nameOf(each) === name);
  if (!endpoint) throw new Error(`docs/contract.md names an endpoint that is not declared: ${name}`);
  return endpoint;
}

function bodyOf(name: string): TObject {
  const { body } = endpointNamed(name);
  if (!body) throw new Error(`docs/contract.md names an endpoint without a body: ${name}`);
  return body;
}

/** The object of responses with this name in the OpenAPI document. */
export function schemaNamed(name: string): TObject {
  const schemas = declaredEndpoints().flatMap(({ responses }) => Object.values(responses).map(({ schema }) => schema));
  const found = schemas.map((schema) => schema && partNamed(schema, name)).find((each) => each !== undefined);
  if (!found) throw new Error(`docs/contract.md names an object that no endpoint returns: ${name}`);
  return found as TObject;
}

function partNamed(schema: TSchema, name: string): TSchema | undefined {
  if (schema.$id === name) return schema;
  const parts: TSchema[] = [...Object.values<TSchema>(schema.properties ?? {}), ...(schema.anyOf ?? [])];
  if (schema.type === "array") parts.push(schema.items);
  return parts.map((each) => partNamed(each, name)).find((each) => each !== undefined);
}

/** A table by hand, with rules that no schema has: the object after `members:`, and the names of the first cells. */
export function tablesByHand(contract: string): readonly (readonly [schema: string, names: readonly string[]])[] {
  return [...contract.matchAll(/<!-- members:(\w+) -->\n\|[^\n]*\n\|[^\n]*\n((?:\|[^\n]*\n)+)/g)].map(
    ([, schema = "", rows = ""]) => {
      const cells = rows.split("\n").map((row) => row.split(" | ")[0] ?? "");
      return [schema, cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name))];
    },
  );
}

function nameOf(endpoint: Endpoint): string {
  return `${endpoint.method} ${pathOf(endpoint)}`;
}

function pathOf({ path, prefixed = true }: Endpoint): string {
  return prefixed ? `/v1${path}` : path;
}

/** Chapter 6: every endpoint with a section, by section and in the order of the declarations. */
function catalogue(): string {
  const endpoints = declaredEndpoints();
  const rows = [...endpoints, ...documentRoutes({} as Config, endpoints)]
    .filter(({ docs }) => docs.section !== null)
    .toSorted((one, other) => orderOf(one) - orderOf(other))
    .map((each) => {
      const cells = [each.method, pathOf(each), kindOf(each), limitOf(each), problemsOf(each), each.docs.section ?? ""];
      return `| ${cells.join(" | ")} |`.replaceAll("|  |", "| |").replaceAll("|  |", "| |");
    });
  return [
    "| Method | Path | Kind | Limit | Problems | Section |",
    "| --- | --- | --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

/** Chapter and section as one number, such as 29.10 as 29010. */
function orderOf({ docs }: Endpoint): number {
  const [chapter = 0, number = 0] = (docs.section ?? "").split(",", 1)[0]?.split(".").map(Number) ?? [];
  return chapter * 1000 + number;
}

/** The kind, or the credential of a public endpoint. The table of section 35.8 has the permissions. */
function kindOf({ auth, docs }: Endpoint): string {
  const kind = KINDS[auth];
  if (kind === "own") return docs.access?.replace("caller", "own") ?? kind;
  return kind === "public" ? (docs.access ?? kind) : kind;
}

/** The names of the limits of section 20.2. */
function limitOf(endpoint: Endpoint): string {
  if (endpoint.refusals === "scim") return "scim";
  return [endpoint.limit, countsAgainstCaller(endpoint) && "caller"].filter(Boolean).join(", ");
}

/** The declared problems by status: 401 `authentication_required`; 403 `forbidden`, `sso_required`. */
function problemsOf({ problems, refusals }: Endpoint): string {
  if (refusals !== undefined) return "";
  const byStatus = Map.groupBy([...new Set(problems)].toSorted(), statusOf);
  return [...byStatus]
    .toSorted(([one], [other]) => one - other)
    .map(([status, codes]) => `${status} ${codes.map((code) => `\`${code}\``).join(", ")}`)
    .join("; ");
}

const WITHOUT = { member: "any member", self: "the caller's own" } as const;

/** Section 35.8: the administrative endpoints, in the order of paths. */
function permissionTable(): string {
  const rows = declaredEndpoints()
    .filter(({ permission }) => permission !== undefined)
    .map((each) => {
      const cells = [
        each.method,
        `/v1${each.path}`,
        permissionOf(each),
        peopleOf(each),
        programsOf(each),
        stepUpOf(each),
      ];
      return `| ${cells.join(" | ")} |`.replaceAll("|  |", "| |");
    });
  return [
    "| Method | Path | Permission | People | Programs | Step-up |",
    "| --- | --- | --- | --- | --- | --- |",
    ...rows.toSorted(byPath),
  ].join("\n");
}

function permissionOf({ permission, keyPermission }: Endpoint): string {
  return keyPermission === undefined ? `\`${permission}\`` : `\`${permission}\`; keys: \`${keyPermission}\``;
}

/** The roles of people with the permission. */
function peopleOf({ permission, path, servesWithout, docs }: Endpoint): string {
  if (permission === undefined || docs.access === "key") return "none";
  const isOfPlatform = path.startsWith("/admin/") || !path.startsWith(ORGANIZATION_PATH);
  const role = isOfPlatform || path === `${ORGANIZATION_PATH}/deletion` ? undefined : leastMemberRole(permission);
  const held = role ?? `platform ${leastRoleWith(permission)}`;
  return servesWithout === undefined ? held : `${held}; ${WITHOUT[servesWithout]}`;
}

function leastMemberRole(permission: EndpointPermission): string {
  return MEMBER_ROLES.find((role) => holds({ role, granted: [] }, permission)) ?? "none";
}

/** The programs that can hold the permission and reach the endpoint. */
function programsOf(endpoint: Endpoint): string {
  const { permission, path, operationId } = endpoint;
  if (permission === undefined || !servesPrograms(endpoint)) return "none";
  const can = (owner: "organization" | "platform") => scopesOf(owner).some((scope) => scope === permission);
  const isBelowAdmin =
    path.startsWith("/admin/") && !operationId.includes("AuditExport") && operationId !== "exportAudit";
  const owners = [can("organization") && !isBelowAdmin && "organization", can("platform") && "platform"];
  return owners.filter(Boolean).join(", ");
}

function stepUpOf({ stepUp, stepUpFor }: Endpoint): string {
  return stepUp === undefined ? "" : stepUpFor ? "by the body" : "yes";
}

function byPath(one: string, other: string): number {
  const path = (row: string) => row.split(" | ")[1] ?? "";
  return path(one).localeCompare(path(other)) || one.localeCompare(other);
}

if (import.meta.main) await Bun.write(CONTRACT_FILE, withGeneratedParts(await Bun.file(CONTRACT_FILE).text()));
