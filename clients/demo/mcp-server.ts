/** The MCP server of docs/guides/mcp-server.md, unchanged, as a program of the demos. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../js/package.json" with { type: "json" };
import { fetchPackages } from "./fetched-packages.ts";
import { guideFiles, writeGuide } from "./guide-code.ts";
import { ROOT, runService, start } from "./processes.ts";

/** Chosen by the demos: `resources apply` and `clients apply` find the rows again at the next start. */
const INSPECTOR_ID = "019a5c00-0000-7000-8000-0000000000c1";

export interface McpServerOptions {
  /** The folder of the files and packages of the server. */
  readonly folder: string;
  readonly issuer: string;
  /** The address of the MCP endpoint. */
  readonly resource: string;
  /** The environment of the service, for its commands. */
  readonly env: Record<string, string>;
}

/** Registers and starts the server; returns the configuration file for the MCP inspector. */
export async function startMcpServer({ folder, issuer, resource, env }: McpServerOptions): Promise<string> {
  installPackages(folder);
  registerServer(folder, resource, env);
  const config = registerInspector(folder, resource, env);
  await start(["node", "server.mjs"], { ISSUER: issuer, RESOURCE: resource }, folder, /listening/);
  return config;
}

/** The packages of the guide, and the client of this repository as a tarball. */
function installPackages(folder: string): void {
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, "node_modules/@modelcontextprotocol/sdk"))) {
    const pack = ["pack", "--workspace", "identity-service-client", "--pack-destination", folder];
    execFileSync("npm", pack, { cwd: ROOT, stdio: "ignore" });
    const tarball = join(folder, `identity-service-client-${version}.tgz`);
    fetchPackages(folder, ["@modelcontextprotocol/sdk", "express", "zod"], [tarball]);
  }
  writeGuide("mcp-server", folder);
}

/** Registers the MCP server as an API that is open to clients without registration. */
function registerServer(folder: string, resource: string, env: Record<string, string>): void {
  const scopes = [
    { name: "members:read", description_en: "see the members", public: true },
    { name: "members:write", description_en: "remove members", public: true, sensitive: true },
  ];
  const resources = [{ identifier: resource, name: "Members", open_to: "any", signing_alg: "ES256", scopes }];
  runService(["resources", "apply", written(folder, "resources.json", { resources })], env);
}

/** Registers the application of the guide, and writes the configuration of the guide with the id. */
function registerInspector(folder: string, resource: string, env: Record<string, string>): string {
  const inspector = {
    client_id: INSPECTOR_ID,
    name: "MCP inspector",
    preset: "native",
    redirect_uris: ["http://127.0.0.1:6274/oauth/callback"],
    scopes: ["members:read", "members:write"],
    resources: [resource],
  };
  runService(["clients", "apply", written(folder, "clients.json", { clients: [inspector] })], env);
  const config = JSON.parse(guideFiles("mcp-server").get("mcp.json") ?? "{}");
  Object.assign(config.mcpServers.members, { url: resource });
  config.mcpServers.members.oauth.clientId = INSPECTOR_ID;
  return written(folder, "mcp.json", config);
}

function written(folder: string, name: string, content: object): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(content));
  return file;
}
