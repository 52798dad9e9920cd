/**
 * `npm run demo:mcp`: the service in embedded mode, the MCP server of docs/guides/mcp-server.md unchanged, and a client
 * that no one registered: the client identifies itself by a metadata document on loopback, signs in through the
 * browser, receives a request for more scopes and a second factor, and observes the end of its token. Data is kept in
 * `.data/demo-mcp`.
 */
import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { startMcpServer } from "./mcp-server.ts";
import { buildClient, PASSWORD, portNear, ROOT, runDemo, startService, stop } from "./processes.ts";

const DATA = join(ROOT, ".data/demo-mcp");
const PROGRAMS = join(DATA, "programs");

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
  const env = await startService(servicePort, join(DATA, "service"));
  const config = await startMcpServer({ folder: PROGRAMS, issuer, resource, env });
  const document = await serveDocument(redirectUrl);
  copyFileSync(join(import.meta.dir, "mcp-client.mjs"), join(PROGRAMS, "client.mjs"));
  console.log(`
  Service    ${issuer}
  Server     ${resource}  docs/guides/mcp-server.md
  Client     ${document}  its metadata document, without a registration
  Inspector  npx @modelcontextprotocol/inspector --config ${config}

  Sign in as owner@acme.example with the password: ${PASSWORD}
  The second sign-in allows members:write, which the tool remove_member asks for, and needs an authenticator app.
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
