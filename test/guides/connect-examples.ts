/**
 * The examples of the page Connect (src/pages/admin/oauth-clients/snippets), verbatim and with the real libraries:
 * every example signs a user in with the email address. A part of `npm run test:guides`, which fetches the libraries.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fetchPackages } from "../../clients/demo/fetched-packages.ts";
import { freePort } from "../../db/embedded.ts";
import { type ClientUse, SNIPPETS } from "../../src/pages/admin/oauth-clients/snippets/snippets.ts";
import { type Client, PASSWORD, registered } from "../support/client.ts";
import { dieWithParent } from "../support/die-with-parent.ts";
import { installDebianPackages } from "../support/packages.ts";
import { type PageSite, Reader, startSite } from "../support/pages.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { until } from "../support/waiting.ts";

const INSTALL_DEADLINE_MS = 600_000;
const SIGN_IN_DEADLINE_MS = 60_000;
const PYTHON = "/usr/bin/python3";
const folder = mkdtempSync(join(tmpdir(), "identity-examples-"));
const programs: Bun.Subprocess[] = [];
const servers: ReturnType<typeof Bun.serve>[] = [];
let site: PageSite;
let admin: Client;

beforeAll(async () => {
  fetchPackages(folder, [
    "@auth/express",
    "express",
    "express-openid-connect",
    "express-session",
    "oidc-client-ts",
    "openid-client",
    "passport",
    "passport-openidconnect",
  ]);
  const present = Bun.spawnSync([PYTHON, "-c", "import authlib, flask, requests"]).success;
  if (!present) installDebianPackages("python3-authlib python3-flask python3-requests");
  site = await startSite();
  admin = (await steppedUpAdmin(site, "owner")).client;
}, INSTALL_DEADLINE_MS);
afterAll(async () => {
  for (const program of programs) program.kill();
  await Promise.all([...servers.map((server) => server.stop(true)), site.one.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

function snippetOf(library: string) {
  const snippet = SNIPPETS.find((each) => each.library === library);
  if (!snippet) throw new Error(`the page has no example for ${library}`);
  return snippet;
}

function codeOf(library: string, use: ClientUse): string {
  const code = snippetOf(library).code[use];
  if (code === undefined) throw new Error(`the page has no example for ${library} and ${use}`);
  return code;
}

/** A step-up lasts for five minutes, and the run may take longer. */
async function stepUpAgain(): Promise<void> {
  await site.sql`update sessions set mfa_verified_at = now() where aal = 'aal2'`;
}

async function register(library: string, port: number, settings: Record<string, unknown>) {
  await stepUpAgain();
  const response = await admin.post("/v1/admin/oauth-clients", {
    name: library,
    grant_types: ["authorization_code", "refresh_token"],
    redirect_uris: [`http://127.0.0.1:${port}${snippetOf(library).callback}`],
    post_logout_redirect_uris: [`http://127.0.0.1:${port}/`],
    first_party: true,
    ...settings,
  });
  expect(response.status).toBe(201);
  return { ISSUER: site.origin, CLIENT_ID: response.body.client_id, CLIENT_SECRET: response.body.client_secret ?? "" };
}

/** Starts an example; returns the address of the example. */
async function startExample(library: string, use: ClientUse, settings: Record<string, unknown>): Promise<string> {
  const port = await freePort();
  const credentials = await register(library, port, settings);
  const { file, variable } = snippetOf(library);
  const path = join(folder, `${port}-${file}`);
  writeFileSync(path, codeOf(library, use));
  const random = variable ? { [variable]: crypto.randomUUID() } : {};
  const env = { PATH: String(Bun.env.PATH), PORT: String(port), ...random, ...credentials };
  const [command, args] = dieWithParent(file.endsWith(".py") ? PYTHON : "node", [path]);
  programs.push(Bun.spawn([command, ...args], { cwd: folder, env, stdout: "ignore", stderr: "inherit" }));
  const home = `http://127.0.0.1:${port}`;
  const isListening = () => fetch(home).then(Boolean, () => false);
  await until(`${library} listens`, isListening);
  return home;
}

/** Signs a user in at an example, and returns the text of the page after the sign-in. */
async function signInAt(address: string, button?: string): Promise<string> {
  const { email, client } = await registered(site.origin);
  await client.patch("/v1/users/me", { display_name: "Ann" });
  const reader = await Reader.at(site.origin);
  reader.page.setDefaultTimeout(SIGN_IN_DEADLINE_MS);
  await reader.page.goto(address);
  if (button) await reader.page.getByRole("button", { name: button }).click();
  await reader.page.waitForURL(`${site.origin}/sign-in**`);
  await reader.fill({ email, password: PASSWORD });
  await reader.page.click("button.primary");
  await reader.page.waitForFunction("document.body.innerText.includes('Signed in as')");
  const text = await reader.page.locator("body").innerText();
  await reader.close();
  return text.replace(email, "the address");
}

/** Some examples display the name beside the address. */
const SIGNED_IN = /Signed in as (?:Ann <)?the address/;
const SECRET = { token_endpoint_auth_method: "client_secret_basic" };
const PUBLIC = { token_endpoint_auth_method: "none" };

describe("the examples of the page Connect sign a user in with the email address", () => {
  const examples: [string, ClientUse, string, string | undefined, Record<string, unknown>][] = [
    ["Auth.js", "secret", "/auth/signin", "Sign in with Service", SECRET],
    ["Auth.js", "public", "/auth/signin", "Sign in with Service", PUBLIC],
    ["express-openid-connect", "secret", "/login", undefined, SECRET],
    ["passport-openidconnect", "secret", "/sign-in", undefined, { ...SECRET, require_pkce: false }],
    ["openid-client", "secret", "/sign-in", undefined, SECRET],
    ["openid-client", "public", "/sign-in", undefined, PUBLIC],
    ["Authlib", "secret", "/sign-in", undefined, SECRET],
    ["Authlib", "public", "/sign-in", undefined, PUBLIC],
  ];
  test.each(examples)("%s (%s)", async (library, use, start, button, settings) => {
    const home = await startExample(library, use, settings);
    expect(await signInAt(`${home}${start}`, button)).toMatch(SIGNED_IN);
  });

  test("openid-client (keys)", async () => {
    const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]);
    const [secret, open] = await Promise.all([
      crypto.subtle.exportKey("jwk", pair.privateKey),
      crypto.subtle.exportKey("jwk", pair.publicKey),
    ]);
    const { kty, crv, x, y } = open;
    const settings = { token_endpoint_auth_method: "private_key_jwt", keys: [{ kty, crv, x, y, kid: "one" }] };
    const port = await freePort();
    const credentials = await register("openid-client", port, settings);
    const path = join(folder, `${port}-keys.mjs`);
    writeFileSync(path, codeOf("openid-client", "keys"));
    const key = JSON.stringify({ kty, crv, x, y, d: secret.d, kid: "one" });
    const env = { PATH: String(Bun.env.PATH), PORT: String(port), ...credentials, PRIVATE_KEY: key };
    const [command, args] = dieWithParent("node", [path]);
    programs.push(Bun.spawn([command, ...args], { cwd: folder, env, stdout: "ignore", stderr: "inherit" }));
    const home = `http://127.0.0.1:${port}`;
    await until("the example listens", () => fetch(home).then(Boolean, () => false));
    expect(await signInAt(`${home}/sign-in`)).toMatch(SIGNED_IN);
  });

  test("oidc-client-ts (public), in a website of another origin without a setting of the operator", async () => {
    const port = await freePort();
    const { ISSUER, CLIENT_ID } = await register("oidc-client-ts", port, PUBLIC);
    const entry = join(folder, "sign-in.js");
    writeFileSync(entry, codeOf("oidc-client-ts", "public"));
    const define = {
      "import.meta.env.VITE_ISSUER": JSON.stringify(ISSUER),
      "import.meta.env.VITE_CLIENT_ID": JSON.stringify(CLIENT_ID),
    };
    const built = await Bun.build({ entrypoints: [entry], define, target: "browser" });
    const script = await built.outputs[0]?.text();
    const page = '<!doctype html><body><script type="module" src="/sign-in.js"></script></body>';
    const types = (type: string) => ({ headers: { "content-type": type } });
    servers.push(
      Bun.serve({
        port,
        hostname: "127.0.0.1",
        fetch: ({ url }) =>
          new URL(url).pathname === "/sign-in.js"
            ? new Response(script, types("text/javascript"))
            : new Response(page, types("text/html")),
      }),
    );
    expect(await signInAt(`http://127.0.0.1:${port}/`)).toMatch(SIGNED_IN);
  });
});

describe("the examples of a machine receive a token", () => {
  test.each(["openid-client", "Authlib"])("%s", async (library) => {
    await stepUpAgain();
    const response = await admin.post("/v1/admin/oauth-clients", {
      name: "Machine",
      grant_types: ["client_credentials"],
      scopes: ["jobs"],
      ...SECRET,
    });
    const { client_id: CLIENT_ID, client_secret: CLIENT_SECRET } = response.body;
    const { file } = snippetOf(library);
    const path = join(folder, `machine-${file}`);
    writeFileSync(path, codeOf(library, "machine"));
    const env = { PATH: String(Bun.env.PATH), ISSUER: site.origin, CLIENT_ID, CLIENT_SECRET };
    const program = Bun.spawn([file.endsWith(".py") ? PYTHON : "node", path], { cwd: folder, env, stderr: "inherit" });
    expect(await new Response(program.stdout).text()).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\s*$/);
  });
});
