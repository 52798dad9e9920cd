/**
 * `npm run demo:mcp`: the service in embedded mode, the MCP server of docs/guides/mcp-server.md unchanged, and a client
 * that no one registered: the client identifies itself by a metadata document on loopback, signs in through the
 * browser, receives a request for more scopes, and observes the end of its token. Data is kept under `.data/demo-mcp`.
 */
import { execFileSync, spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../js/package.json" with { type: "json" };
import { fetchPackages } from "./fetched-packages.ts";
import { writeGuide } from "./guide-code.ts";
import { buildClient, PASSWORD, portNear, ROOT, runDemo, runService, start, startService, stop } from "./processes.ts";

const DATA = join(ROOT, ".data/demo-mcp");
const PROGRAMS = join(DATA, "programs");

/** The packages of the guide, and the client of this repository as a tarball. */
function installPackages(): void {
  mkdirSync(PROGRAMS, { recursive: true });
  if (!existsSync(join(PROGRAMS, "node_modules/@modelcontextprotocol/sdk"))) {
    const pack = ["pack", "--workspace", "identity-service-client", "--pack-destination", DATA];
    execFileSync("npm", pack, { cwd: ROOT, stdio: "ignore" });
    const tarball = join(DATA, `identity-service-client-${version}.tgz`);
    fetchPackages(PROGRAMS, ["@modelcontextprotocol/sdk", "express"], [tarball]);
  }
  writeGuide("mcp-server", PROGRAMS);
  copyFileSync(join(import.meta.dir, "mcp-client.mjs"), join(PROGRAMS, "client.mjs"));
}

/** Registers the MCP server as an API that is open to clients without registration. */
function registerServer(resource: string, env: Record<string, string>): void {
  const scopes = [
    { name: "members:read", description_en: "see the members", public: true },
    { name: "members:write", description_en: "remove members", public: true, sensitive: true },
  ];
  const file = join(DATA, "resources.json");
  const resources = [{ identifier: resource, name: "Members", open_to: "any", signing_alg: "ES256", scopes }];
  writeFileSync(file, JSON.stringify({ resources }));
  runService(["resources", "apply", file], env);
}

/** Serves the metadata document of the client; returns its address, which is the `client_id`. */
async function serveDocument(redirectUrl: string): Promise<string> {
  const port = await portNear(4100);
  const url = `http://127.0.0.1:${port}/client.json`;
  const document = {
    client_id: url,
    client_name: "Demo of MCP",
    redirect_uris: [redirectUrl],
    // Without refresh tokens: the SDK would refresh in place of an authorization with more scopes.
    grant_types: ["authorization_code"],
    token_endpoint_auth_method: "none",
  };
  Bun.serve({ port, hostname: "127.0.0.1", fetch: () => Response.json(document) });
  return url;
}

async function run(): Promise<void> {
  mkdirSync(DATA, { recursive: true });
  const [servicePort, serverPort, clientPort] = await Promise.all([portNear(3000), portNear(4000), portNear(4200)]);
  const issuer = `http://localhost:${servicePort}`;
  const resource = `http://127.0.0.1:${serverPort}/mcp`;
  const redirectUrl = `http://127.0.0.1:${clientPort}/callback`;
  buildClient();
  installPackages();
  const env = await startService(servicePort, join(DATA, "service"));
  registerServer(resource, env);
  await start(["node", "server.mjs"], { ISSUER: issuer, RESOURCE: resource }, PROGRAMS, /listening/);
  const document = await serveDocument(redirectUrl);
  console.log(`
  Service  ${issuer}
  Server   ${resource}  docs/guides/mcp-server.md
  Client   ${document}  its metadata document, without a registration

  Sign in as owner@acme.example with the password: ${PASSWORD}
  The second sign-in allows members:write, which the tool remove_member asks for.
  Then end the session at ${issuer}/account/security in the browser, and read on here.
`);
  const settings = { CLIENT_METADATA_URL: document, REDIRECT_URL: redirectUrl, WATCH: "1" };
  const client = spawn("node", ["client.mjs", resource], {
    cwd: PROGRAMS,
    env: { ...process.env, ...settings },
    stdio: "inherit",
  });
  const code = await new Promise((resolve) => client.once("close", resolve));
  stop();
  process.exit(code === 0 ? 0 : 1);
}

await runDemo(run);
