/**
 * `npm run docs:contract` writes the parts of docs/contract.md between `<!-- generated:… -->` and
 * `<!-- /generated -->` from the declared endpoints. `permissions.test.ts` fails if a part is stale. All further text
 * is by hand.
 */
import { join } from "node:path";
import type { Config } from "../src/config/config.ts";
import { countsAgainstCaller, type Endpoint } from "../src/http/endpoint.ts";
import { documentRoutes } from "../src/http/openapi/documents.ts";
import { statusOf } from "../src/http/problem-status.ts";
import type { OrganizationAccess } from "../src/vocabulary/permissions.ts";
import { declaredEndpoints } from "./client-types.ts";

export const CONTRACT_FILE = join(import.meta.dir, "../docs/contract.md");

const ORGANIZATION_PATH = "/orgs/:org_id";

/** The endpoints whose path names an organization. */
export function organizationEndpoints(): readonly Endpoint[] {
  return declaredEndpoints().filter(({ path }) => path.startsWith(ORGANIZATION_PATH));
}

/** The generated parts by the text after `generated:`; a part with a parameter has the parameter after a space. */
const PARTS: Readonly<Record<string, (parameter: string) => string>> = {
  catalogue: () => `\n${catalogue()}\n`,
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
      const cells = [
        each.method,
        pathOf(each),
        callerOf(each),
        limitOf(each),
        problemsOf(each),
        each.docs.section ?? "",
      ];
      return `| ${cells.join(" | ")} |`.replaceAll("|  |", "| |").replaceAll("|  |", "| |");
    });
  return [
    "| Method | Path | Auth | Limit | Problems | Section |",
    "| --- | --- | --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

/** Chapter and section as one number, such as 29.10 as 29010. */
function orderOf({ docs }: Endpoint): number {
  const [chapter = 0, number = 0] = (docs.section ?? "").split(",", 1)[0]?.split(".").map(Number) ?? [];
  return chapter * 1000 + number;
}

function callerOf(endpoint: Endpoint): string {
  const { docs, scope, stepUp, stepUpFor } = endpoint;
  const { access } = docs;
  const key = scope && (scope === "any" ? "key (any)" : `key (\`${scope}\`)`);
  if (access?.startsWith("key") && key) return access.replace("key", () => key);
  const step = stepUp === undefined ? "" : stepUpFor ? "; step-up by section 3.9" : ", step-up";
  return `${access ?? declaredCaller(endpoint)}${step}${key ? `; or ${key}` : ""}`;
}

function declaredCaller({ auth, permission, path, method }: Endpoint): string {
  if (auth === "none" || auth === "optional") return auth;
  if (permission === "platform" || path.startsWith("/admin/")) {
    return method === "GET" ? "platform viewer" : "platform admin";
  }
  if (permission === undefined || permission === "user") return "caller";
  return permission === "member" ? "caller, member" : `caller with \`${permission}\``;
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

const ACCESS_WITHOUT_PERMISSION: Partial<Record<OrganizationAccess, string>> = {
  member: "membership",
  platform: "platform role",
  user: "signed-in user",
};

/** Section 32.3: the permissions of the endpoints of an organization, in the order of paths. */
function permissionTable(): string {
  const rows = organizationEndpoints().map(
    (endpoint) => `| ${endpoint.method} | /v1${endpoint.path} | ${accessOf(endpoint)} |`,
  );
  return ["| Method | Path | Permission |", "| --- | --- | --- |", ...rows.toSorted(byPath)].join("\n");
}

function accessOf({ permission, servesSelf, scope }: Endpoint): string {
  const needed = permission && (ACCESS_WITHOUT_PERMISSION[permission] ?? `\`${permission}\``);
  return [needed, servesSelf && "or the caller's own", scope && `or key with \`${scope}\``].filter(Boolean).join(", ");
}

function byPath(one: string, other: string): number {
  const path = (row: string) => row.split(" | ")[1] ?? "";
  return path(one).localeCompare(path(other)) || one.localeCompare(other);
}

if (import.meta.main) await Bun.write(CONTRACT_FILE, withGeneratedParts(await Bun.file(CONTRACT_FILE).text()));
