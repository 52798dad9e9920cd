/** The programs of docs/guides/shared-signals.md, verbatim, with a service that signs the events. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Deployment, deployment } from "../support/deployment.ts";
import { ISSUER } from "../support/replica.ts";
import { type MadeKey, steppedUpOwner } from "../support/service-accounts.ts";
import { endedSessionIn, keyCaller, openStream, receiverKeyOf } from "../support/signal-receiver.ts";
import { until } from "../support/waiting.ts";

const ROOT = join(import.meta.dir, "../..");
/** Maps the host name of the issuer to a replica. */
const namesOf = (url: string) => `
  import { existsSync } from "node:fs";
  const real = fetch;
  // While the file "away" exists, the keys cannot be fetched.
  const away = new URL("./away", import.meta.url);
  globalThis.fetch = (address, init) =>
    existsSync(away) && String(address).includes("jwks")
      ? Promise.reject(new TypeError("fetch failed"))
      : real(String(address).replace("${ISSUER}", "${url}"), init);`;

let at: Deployment;
let owner: Awaited<ReturnType<typeof steppedUpOwner>>;
let made: MadeKey;
let endedSession: () => ReturnType<typeof endedSessionIn>;
/** The folder lies below node_modules, where jose resolves. */
let folder: string;
const children: Bun.Subprocess[] = [];

beforeAll(async () => {
  at = await deployment();
  owner = await steppedUpOwner(at);
  made = await receiverKeyOf(owner);
  endedSession = () => endedSessionIn(at, owner.organizationId);
  mkdirSync(join(ROOT, "node_modules/.guides"), { recursive: true });
  folder = mkdtempSync(join(ROOT, "node_modules/.guides/signals-"));
  const guide = readFileSync(join(ROOT, "docs/guides/shared-signals.md"), "utf8");
  for (const [, file = "", source = ""] of guide.matchAll(/^```js\n\/\/ (\S+)\n([\s\S]*?)^```$/gm)) {
    writeFileSync(join(folder, file), source);
  }
  writeFileSync(join(folder, "names.mjs"), namesOf(at.one.url));
});
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
  await at.sql`delete from webhooks where service_account_id is not null and organization_id = ${owner.organizationId}`;
});

/** Starts a program; returns the output so far. */
function start(file: string, env: Record<string, string>): () => string {
  const child = Bun.spawn(["node", "--import", "./names.mjs", file], {
    cwd: folder,
    env: { PATH: process.env.PATH, ISSUER, ...env },
    stdout: "pipe",
  });
  children.push(child);
  let text = "";
  void (async () => {
    for await (const chunk of child.stdout) text += new TextDecoder().decode(chunk);
  })();
  return () => text;
}

describe("the receiver that polls", () => {
  test("makes a stream, handles an event once and acknowledges it (G64)", async () => {
    const output = start("poll.mjs", { API_KEY: made.key });
    await until("it has a stream", async () => output().includes("stream "));
    const member = await endedSession();
    await until("it handles the event", async () => output().includes("handled session-revoked"));
    expect(output()).toContain(`"sub":"${member.userId}"`);
    const [stream] = (await keyCaller(at.one.url, made.key)("GET", "/v1/ssf/stream")).body;
    await until("the event is acknowledged", async () => {
      const [row] = await at.sql`select status from webhook_deliveries where webhook_id = ${stream.stream_id}`;
      return row?.status === "delivered";
    });
    expect(output().split("handled ")).toHaveLength(2);
  });

  test("ends no event while keys cannot be fetched, and handles it afterwards", async () => {
    // The key belongs to a program without signing keys; the second program keeps the signing keys in memory.
    const mine = await receiverKeyOf(owner);
    writeFileSync(join(folder, "away"), "");
    const output = start("poll.mjs", { API_KEY: mine.key, PAUSE_MS: "50" });
    await until("it has a stream", async () => output().includes("stream "));
    const id = /stream (\S+)/.exec(output())?.[1] ?? "";
    const member = await endedSession();
    await until("the event came more than once", async () => output().split("trying again").length > 3);
    const [row] = await at.sql`select status from webhook_deliveries where webhook_id = ${id}`;
    expect([row?.status, output().includes("handled")]).toEqual(["pending", false]);
    rmSync(join(folder, "away"));
    await until("it handles the event", async () => output().includes(`"sub":"${member.userId}"`));
  });
});

describe("the receiver that is called", () => {
  test("handles an event once, and refuses what is not the service's or not for it", async () => {
    const env = { AUDIENCE: made.accountId, AUTHORIZATION: "Bearer right", PORT: "0" };
    const output = start("push.mjs", env);
    const stream = await openStream(at, made, {});
    await endedSession();
    const polled = await stream.call("POST", `/v1/ssf/poll/${stream.id}`, { returnImmediately: true });
    const [token = ""] = Object.values<string>(polled.body.sets);
    await until("it listens", async () => output().includes("port "));
    const url = `http://127.0.0.1:${/port (\d+)/.exec(output())?.[1]}`;
    const push = async (authorization: string, body: string) =>
      (await fetch(url, { method: "POST", headers: { authorization }, body })).status;
    expect([await push("Bearer right", token), await push("Bearer right", token)]).toEqual([202, 202]);
    writeFileSync(join(folder, "away"), "");
    const without = start("push.mjs", env);
    await until("the other one listens", async () => without().includes("port "));
    const other = `http://127.0.0.1:${/port (\d+)/.exec(without())?.[1]}`;
    const headers = { authorization: "Bearer right" };
    const answered = async () => (await fetch(other, { method: "POST", headers, body: token })).status;
    expect(await answered()).toBe(503);
    rmSync(join(folder, "away"));
    expect(await answered()).toBe(202);
    expect([await push("Bearer wrong", token), await push("Bearer right", `${token}x`)]).toEqual([400, 400]);
    expect(output().split("handled session-revoked")).toHaveLength(2);
  });
});
