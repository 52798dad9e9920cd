/** docs/guides/mcp-server.md: `npm run test:guides` fetches the SDK, runs the server unchanged, and calls its tools. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fetchPackages } from "../../clients/demo/fetched-packages.ts";
import { guideBlock, writeGuide } from "../../clients/demo/guide-code.ts";
import { version } from "../../clients/js/package.json" with { type: "json" };
import { freePort } from "../../db/embedded.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { startProgram, stopGuidePrograms, untilListening } from "../support/guide-programs.ts";
import { fetchAt, personWithBrowser, registerClient, tokensFor } from "../support/oauth.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { ISSUER } from "../support/replica.ts";
import { until } from "../support/waiting.ts";

const ROOT = join(import.meta.dir, "../..");
const INSTALL_DEADLINE_MS = 600_000;
const folder = mkdtempSync(join(tmpdir(), "identity-guides-"));

let at: Deployment;
let resource: string;

beforeAll(async () => {
  at = await deployment();
  execFileSync(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", join(ROOT, "clients/js")]);
  const pack = ["pack", "--workspace", "identity-service-client", "--pack-destination", folder];
  execFileSync("npm", pack, { cwd: ROOT, stdio: "ignore" });
  const tarball = join(folder, `identity-service-client-${version}.tgz`);
  fetchPackages(folder, ["@modelcontextprotocol/sdk", "express", "zod"], [tarball]);
  writeGuide("mcp-server", folder);
  resource = `http://127.0.0.1:${await freePort()}/mcp`;
  startProgram(guideBlock("mcp-server", "sh start").trim().split(" "), folder, {
    ISSUER,
    RESOURCE: resource,
    IDENTITY_URL: at.one.url,
  });
  await untilListening(resource);
}, INSTALL_DEADLINE_MS);
afterAll(() => {
  stopGuidePrograms();
  rmSync(folder, { recursive: true, force: true });
});

/** Registers the API, or the application, by the command of the guide. */
async function registered(block: "sh register" | "sh client") {
  const { accessToken: ADMIN_TOKEN } = await steppedUpAdmin(at);
  const command = guideBlock("mcp-server", block).replaceAll("localhost:3000", new URL(at.one.url).host);
  const env = { PATH: process.env.PATH, ADMIN_TOKEN, RESOURCE: resource };
  const child = Bun.spawn(["sh", "-ec", command], { env, stderr: "pipe" });
  return JSON.parse(await new Response(child.stdout).text());
}

/** A client of the SDK with an access token. */
async function clientWith(token: string) {
  const { Client } = await import(Bun.resolveSync("@modelcontextprotocol/sdk/client/index.js", folder));
  const { StreamableHTTPClientTransport } = await import(
    Bun.resolveSync("@modelcontextprotocol/sdk/client/streamableHttp.js", folder)
  );
  const client = new Client({ name: "test", version: "1.0.0" });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(resource), { requestInit }));
  return client;
}

describe("the MCP server of the guide (G239)", () => {
  test("A client of the SDK calls a tool as the user, and the token ends with the session.", async () => {
    expect(await registered("sh register")).toMatchObject({
      identifier: resource,
      scopes: [{ sensitive: false }, { sensitive: true }],
    });
    expect(await registered("sh client")).toMatchObject({ application_type: "native", resources: [resource] });
    const application = await registerClient({ scopes: ["members:read", "members:write"], resources: [resource] });
    const { browser, client, userId, organizationId } = await personWithBrowser(at);
    const { access_token } = await tokensFor(application, browser, { scope: "members:read", resource });
    const mcp = await clientWith(access_token);
    const { tools } = await mcp.listTools();
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(["whoami", "list_members", "remove_member"]);
    const { content } = await mcp.callTool({ name: "whoami" });
    expect(JSON.parse(content[0].text)).toEqual({ user: userId, organization: organizationId });
    await expect(mcp.callTool({ name: "remove_member" })).rejects.toThrow();
    const scope = 'scope="members:read members:write"';
    expect(await refusalOf(access_token)).toEqual([
      401,
      expect.stringContaining(`error="insufficient_user_authentication", acr_values="aal2", ${scope}`),
    ]);
    await at.sql`update sessions set aal = 'aal2' where user_id = ${userId}`;
    const proven = await tokensFor(application, browser, { scope: "members:read", resource });
    expect(await refusalOf(proven.access_token)).toEqual([
      403,
      expect.stringContaining(`error="insufficient_scope", ${scope}`),
    ]);
    await client.post("/v1/auth/logout");
    const endedAt = performance.now();
    await until("the server refuses", async () => (await call(access_token, "whoami")).status === 401);
    expect(performance.now() - endedAt).toBeLessThan(2000);
  });

  test("The OAuth client of the SDK finds the service, and obtains a token for the server.", async () => {
    const application = await registerClient({
      application_type: "native",
      token_endpoint_auth_method: "none",
      redirect_uris: ["http://127.0.0.1:9/callback"],
      scopes: ["members:read"],
      resources: [resource],
    });
    const { browser, userId } = await personWithBrowser(at);
    const { auth } = await import(Bun.resolveSync("@modelcontextprotocol/sdk/client/auth.js", folder));
    const saved: { verifier?: string; url?: URL; tokens?: { access_token: string } } = {};
    const provider = {
      redirectUrl: application.redirectUri,
      clientMetadata: { redirect_uris: [application.redirectUri], scope: "members:read" },
      clientInformation: () => ({ client_id: application.id }),
      tokens: () => saved.tokens,
      saveTokens: (tokens: { access_token: string }) => Object.assign(saved, { tokens }),
      redirectToAuthorization: (url: URL) => Object.assign(saved, { url }),
      saveCodeVerifier: (verifier: string) => Object.assign(saved, { verifier }),
      codeVerifier: () => saved.verifier,
    };
    const options = { serverUrl: resource, fetchFn: fetchAt(at.one.url) };
    expect(await auth(provider, options)).toBe("REDIRECT");
    const { pathname, search } = saved.url ?? new URL(resource);
    expect(new URLSearchParams(search).get("resource")).toBe(resource);
    const { location } = await browser.follow(`${pathname}${search}`);
    const authorizationCode = location?.searchParams.get("code") ?? "";
    expect(await auth(provider, { ...options, authorizationCode })).toBe("AUTHORIZED");
    const mcp = await clientWith(saved.tokens?.access_token ?? "");
    const { content } = await mcp.callTool({ name: "whoami" });
    expect(JSON.parse(content[0].text).user).toBe(userId);
  });

  test("Without a token the challenge leads to the metadata and the authorization server.", async () => {
    const anonymous = await call(undefined, "whoami");
    const challenge = anonymous.headers.get("www-authenticate") ?? "";
    const metadata = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? "";
    expect([anonymous.status, new URL(metadata).pathname]).toEqual([401, "/.well-known/oauth-protected-resource/mcp"]);
    expect(await (await fetch(metadata)).json()).toMatchObject({ resource, authorization_servers: [ISSUER] });
  });
});

async function refusalOf(token: string) {
  const { status, headers } = await call(token, "remove_member");
  return [status, headers.get("www-authenticate")];
}

function call(token: string | undefined, name: string): Promise<Response> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return fetch(resource, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...authorization,
    } as Record<string, string>,
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: {} } }),
  });
}
