/**
 * `npm run test:mcp`: `npm run demo:mcp` as a user runs the demo, and the client scenarios of the conformance suite of
 * MCP against the client of the demo. Fetches missing packages.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fetchPackages } from "../../clients/demo/fetched-packages.ts";
import { PASSWORD, ROOT } from "../../clients/demo/processes.ts";
import { dieWithParent } from "../support/die-with-parent.ts";
import { Browser } from "../support/oauth.ts";
import { eventually, until } from "../support/waiting.ts";

const START_DEADLINE_MS = 300_000;
const ENDED_WITHIN_MS = 2_000;
const folder = mkdtempSync(join(tmpdir(), "identity-mcp-"));
let demo: ChildProcess | undefined;
afterAll(() => {
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
    expect(linesWith("whoami:")).toHaveLength(1);
    const more = addressOf(linesWith("Open in a browser")[1]);
    expect(more.searchParams.get("scope")).toContain("members:write");
    const again = await browser.follow(`${more.pathname}${more.search}`);
    expect(again.answer.text).toContain("remove members");
    await allow(again.path);
    await until("the client watches", async () => linesWith("the token ends within").length > 0);
    expect(linesWith("remove_member: removed")).toHaveLength(1);
    await browser.client.post("/v1/auth/logout");
    const endedAt = performance.now();
    await until("the server refuses the token", async () => linesWith("The server refuses the token").length > 0);
    const tookMs = performance.now() - endedAt;
    console.log(`The token of the demo ended after ${Math.round(tookMs)} ms.`);
    expect(tookMs).toBeLessThan(ENDED_WITHIN_MS);
  }, 120_000);
});

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
