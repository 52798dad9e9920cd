/**
 * `npm run docs:permissions` writes the table of docs/contract.md, section 32.3, from the declared endpoints.
 * `permissions.test.ts` fails if the table is stale.
 */
import { join } from "node:path";
import type { OrganizationAccess } from "../src/base/permissions.ts";
import type { Endpoint } from "../src/http/endpoint.ts";
import { allEndpoints, type ServerDeps } from "../src/http/server.ts";

export const CONTRACT_FILE = join(import.meta.dir, "../docs/contract.md");

const ORGANIZATION_PATH = "/orgs/:org_id";

/** The endpoints whose path names an organization. */
export function organizationEndpoints(): readonly Endpoint[] {
  return allEndpoints({} as ServerDeps).filter(({ path }) => path.startsWith(ORGANIZATION_PATH));
}

const ACCESS_WITHOUT_PERMISSION: Partial<Record<OrganizationAccess, string>> = {
  member: "membership",
  platform: "platform role",
  user: "signed-in user",
};

/** The table in Markdown, in the order of paths. */
export function permissionTable(): string {
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
  const pathOf = (row: string) => row.split(" | ")[1] ?? "";
  return pathOf(one).localeCompare(pathOf(other)) || one.localeCompare(other);
}

const TABLE = /\| Method \| Path \| Permission \|\n(?:\|.*\n)*/;

/** The contract with the table of the declared endpoints. */
export function withPermissionTable(contract: string): string {
  return contract.replace(TABLE, `${permissionTable()}\n`);
}

if (import.meta.main) await Bun.write(CONTRACT_FILE, withPermissionTable(await Bun.file(CONTRACT_FILE).text()));
