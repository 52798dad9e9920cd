/**
 * The programs of docs/guides/receiving-webhooks.md, verbatim. The Go program needs a compiler and runs in test:guides.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/base/clock.ts";
import { systemRandom } from "../../src/base/random.ts";
import { makeWebhookSecret, webhookHeaders, webhookSigner } from "../../src/models/webhook/webhook-signature.ts";
import { dieWithParent } from "../support/die-with-parent.ts";
import { findProgram } from "../support/packages.ts";
import { sendRaw } from "../support/raw.ts";
import { until } from "../support/waiting.ts";

const GUIDE = readFileSync(join(import.meta.dir, "../../docs/guides/receiving-webhooks.md"), "utf8");
interface Program {
  readonly file: string;
  /** The program that runs the file; a file without a runner is built first and is itself executable. */
  readonly runner?: string;
}

const PROGRAMS: Readonly<Record<string, Program>> = {
  js: { file: "receiver.mjs", runner: "node" },
  python: { file: "receiver.py", runner: "python3" },
  ...(process.env.TEST_GUIDES === "all" ? { go: { file: "receiver.go" } } : {}),
};

const random = systemRandom(systemClock);
const secret = makeWebhookSecret(random);
const signer = webhookSigner(random.bytes(32));
const folder = mkdtempSync(join(tmpdir(), "identity-guides-"));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the program of a language; returns the output so far, and the port. */
async function startProgram(language: string, { file, runner }: Program) {
  const source = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(GUIDE)?.[1];
  if (!source) throw new Error(`the guide has no program in ${language}`);
  writeFileSync(join(folder, file), source);
  const { PATH = "", HOME = folder } = process.env;
  const env = { PATH, HOME, WEBHOOK_SECRET: secret, PORT: "0" };
  const path = join(folder, file);
  const child = spawn(...dieWithParent(runner ?? build(path), runner ? [path] : []), {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  let output = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  await until(`${language} listens`, async () => /^port \d+$/m.test(output));
  return { output: () => output, url: `http://127.0.0.1:${/^port (\d+)$/m.exec(output)?.[1]}/` };
}

/** Compiles a Go program; returns the path of the executable. */
function build(path: string): string {
  const built = `${path}.run`;
  const env = { ...process.env, GO111MODULE: "off" };
  const { exitCode, stderr } = Bun.spawnSync([findProgram("go"), "build", "-o", built, path], { env });
  if (exitCode !== 0) throw new Error(`go build: ${stderr}`);
  return built;
}

for (const [language, program] of Object.entries(PROGRAMS)) {
  describe(`the receiver in ${language}`, () => {
    const body = JSON.stringify({ type: "user.updated", timestamp: "2026-01-02T03:04:05.678Z", data: { ü: "…" } });
    const now = Math.floor(Date.now() / 1000);
    const send = async (url: string, id: string, timestamp: number, sent = body, signed = body) => {
      const headers = webhookHeaders(signer, [makeWebhookSecret(random), secret], { id, timestamp, body: signed });
      return (await fetch(url, { method: "POST", headers, body: sent })).status;
    };
    let running: Awaited<ReturnType<typeof startProgram>>;
    beforeAll(async () => {
      running = await startProgram(language, program);
    }, 300_000);

    test("goes on after a broken request, and a request beyond the length", async () => {
      const head = (length: number) => `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`;
      await sendRaw(running.url, `${head(100)}abc`, { waitMs: 50 });
      await sendRaw(running.url, head(2 ** 21) + "x".repeat(2 ** 21), { waitMs: 200 });
      expect((await fetch(running.url, { method: "POST", body })).status).toBe(400);
    });

    test("handles a genuine event once for any number of deliveries, and each id once", async () => {
      for (const id of ["one", "one", "two", "one"]) expect(await send(running.url, id, now)).toBe(204);
      await until("both are handled", async () => running.output().includes("handled user.updated two"));
      const handled = running
        .output()
        .split("\n")
        .filter((line) => line.startsWith("handled"));
      expect(handled).toEqual(["handled user.updated one", "handled user.updated two"]);
    });

    test("answers 503 for a failing event, and handles the event at the next delivery", async () => {
      const fail = () => send(running.url, "later", now, "{", "{");
      expect([await fail(), await fail(), await send(running.url, "later", now)]).toEqual([503, 503, 204]);
      await until("the event is handled", async () => running.output().includes("handled user.updated later"));
    });

    test("refuses changed, old, future and unsigned deliveries", async () => {
      expect(await send(running.url, "three", now, body.replace("updated", "deleted"))).toBe(400);
      expect(await send(running.url, "three", now - 301)).toBe(400);
      expect(await send(running.url, "three", now + 310)).toBe(400);
      expect((await fetch(running.url, { method: "POST", body })).status).toBe(400);
      expect(running.output()).not.toContain("three");
    });
  });
}
