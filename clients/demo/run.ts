/**
 * `npm run demo`: the service in embedded mode with the users of `npm run seed`, the example API, the example browser
 * application and the example MCP server of docs/guides, unchanged. Data is kept under `.data/demo`.
 */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fetchPackages } from "./fetched-packages.ts";
import { writeGuide } from "./guide-code.ts";
import { startMcpServer } from "./mcp-server.ts";
import { buildClient, PASSWORD, portNear, ROOT, runDemo, start, startService } from "./processes.ts";

const DATA = join(ROOT, ".data/demo");
const APP = join(DATA, "app");
const API = join(DATA, "api");

async function startApi(port: number, issuer: string, appOrigin: string): Promise<void> {
  if (!existsSync(join(API, "node_modules/hono"))) fetchPackages(API, ["hono", "@hono/node-server"]);
  writeGuide("protect-an-api", API);
  const env = { ISSUER: issuer, IDENTITY_URL: issuer, APP_ORIGIN: appOrigin, PORT: String(port) };
  await start(["node", "hono/api.mjs"], env, API, /listening/);
}

/** The page with the bundled script, and the addresses that the guide leaves to the server of the page. */
async function startApplication(port: number, settings: { identityUrl: string; apiUrl: string }): Promise<void> {
  writeGuide("browser-application", APP);
  const built = await Bun.build({ entrypoints: [join(APP, "app.ts")], target: "browser" });
  const script = `const SETTINGS = ${JSON.stringify(settings)};\n${await (built.outputs[0] as Blob).text()}`;
  const page = readFileSync(join(APP, "index.html"), "utf8");
  const html = { headers: { "content-type": "text/html; charset=utf-8" } };
  const javascript = { headers: { "content-type": "text/javascript; charset=utf-8" } };
  Bun.serve({
    port,
    hostname: "127.0.0.1",
    fetch: ({ url }) => (url.endsWith("/app.js") ? new Response(script, javascript) : new Response(page, html)),
  });
}

interface Demo {
  readonly service: string;
  readonly api: string;
  readonly app: string;
  readonly mcp: string;
  /** The configuration file for the MCP inspector. */
  readonly config: string;
}

function whatToTry({ service, api, app, mcp, config }: Demo): string {
  return `
  Service      ${service}          (its pages; ${service}/docs has the API)
  Application  ${app}          docs/guides/browser-application.md
  API          ${api}/me       docs/guides/protect-an-api.md
  MCP server   ${mcp}      docs/guides/mcp-server.md
               npx @modelcontextprotocol/inspector --config ${config}

  People, password of each: ${PASSWORD}
    owner@acme.example    admin@acme.example    member@acme.example      organization Acme
    owner@globex.example  admin@globex.example  member@globex.example    organization Globex
    platform@acme.example administers the platform

  Try it:
    1. Sign in at ${app} as owner@acme.example, and call the API: 200.
    2. Sign in as the same person at ${service} in another browser, open Security, and end the first session.
    3. Call the API again: refused within two seconds, although the token is valid for fifteen minutes.
  The same in a shell:
    TOKEN=$(curl -s ${service}/v1/auth/login -H 'content-type: application/json' \\
      -d '{"email":"owner@acme.example","password":"${PASSWORD}"}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
    curl -i ${api}/me -H "Authorization: Bearer $TOKEN"
    curl -X POST ${service}/v1/auth/logout -H "Authorization: Bearer $TOKEN"
    sleep 2; curl -i ${api}/me -H "Authorization: Bearer $TOKEN"

  Stop: Ctrl-C
`;
}

async function run(): Promise<void> {
  mkdirSync(DATA, { recursive: true });
  const ports = await Promise.all([portNear(3000), portNear(4000), portNear(5000), portNear(4001)]);
  const [service, api, app] = ports.map((port) => `http://localhost:${port}`) as [string, string, string];
  const mcp = `http://127.0.0.1:${ports[3]}/mcp`;
  buildClient();
  const env = await startService(ports[0], join(DATA, "service"), { SERVICE_CORS_ORIGINS: app });
  const [config] = await Promise.all([
    startMcpServer({ folder: join(DATA, "mcp"), issuer: service, resource: mcp, env }),
    startApi(ports[1], service, app),
    startApplication(ports[2], { identityUrl: service, apiUrl: api }),
  ]);
  console.log(whatToTry({ service, api, app, mcp, config }));
}

await runDemo(run);
