/** Protected APIs in separate processes, and assertions that hold for every framework and runtime. */

import { expect } from "bun:test";
import { type ChildProcess, spawn } from "node:child_process";
import { registered, signedIn } from "../support/client.ts";
import type { Deployment } from "../support/deployment.ts";
import { dieWithParent } from "../support/die-with-parent.ts";
import { decodeClaims, realKey, signToken } from "../support/forge.ts";
import { ISSUER } from "../support/replica.ts";
import { founded, joinedAs } from "../support/team.ts";
import { eventually, stopwatch } from "../support/waiting.ts";
import { forgeries } from "./forgeries.ts";

const START_DEADLINE_MS = 120_000;
/** The guarantee of a verifier: a revocation reaches the feed within a second, and the refusal within a second more. */
const REFUSED_WITHIN_MS = 2_000;

const running = new Set<ChildProcess>();

export function stopApis(): void {
  for (const child of running) child.kill("SIGKILL");
}

/** Starts a program that prints `listening on <address>`, and returns the address. */
export async function startApi(command: readonly string[], cwd: string, identityUrl: string): Promise<string> {
  const [program = "", ...args] = command;
  const { PATH = "", HOME = "" } = process.env;
  const env = { PATH, HOME, ISSUER, IDENTITY_URL: identityUrl, PORT: "0" };
  const child = spawn(...dieWithParent(program, args), { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  running.add(child);
  let said = "";
  const ended = new Promise<never>((_, reject) => {
    child.once("close", (code) => reject(new Error(`${command.join(" ")} ended with ${code}:\n${said}`)));
  });
  const listening = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        const port = /listening on \S*:(\d+)/.exec(said)?.[1];
        if (port) resolve(`http://localhost:${port}`);
      });
    }
  });
  const late = Bun.sleep(START_DEADLINE_MS).then(() => Promise.reject(new Error(`not listening in time:\n${said}`)));
  return await Promise.race([listening, ended, late]);
}

export async function ask(url: string, token?: string) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(url, { headers: headers as Record<string, string> });
  const body = (await response.json()) as { user?: string; error?: { code: string } };
  return { status: response.status, challenge: response.headers.get("www-authenticate"), ...body };
}

/**
 * Asserts the user of a live session, and the refusal of forged tokens and of a revoked session, at every API with `GET
 * /me`.
 */
export async function expectToVerify(at: Deployment, url: string): Promise<void> {
  const live = await registered(at.one.url);
  const ended = await registered(at.one.url);
  expect(await ask(`${url}/me`)).toMatchObject({ status: 401, error: { code: "authentication_required" } });
  expect(await ask(`${url}/me`, live.accessToken)).toMatchObject({ status: 200, user: live.userId });
  const key = await realKey(at.sql);
  const forged = forgeries(live.accessToken, key);
  for (const name of FORGED_WITHOUT_KEY)
    expect([name, (await ask(`${url}/me`, forged[name])).status]).toEqual([name, 401]);
  expect((await ask(`${url}/me`, ended.accessToken)).status).toBe(200);
  await ended.client.post("/v1/auth/logout");
  const refused = async () => (await ask(`${url}/me`, ended.accessToken)).status === 401;
  await eventually("the revoked session is refused", REFUSED_WITHIN_MS, refused);
  expect((await ask(`${url}/me`, live.accessToken)).status).toBe(200);
}

/** Asserts the requirements of `/payments` (aal2) and `/admin` (role) at the adapters. */
export async function expectRequirements(at: Deployment, url: string): Promise<void> {
  const owner = await founded(at);
  const { email } = await joinedAs(at, owner, "member");
  const member = await signedIn(at.one.url, email);
  expect(await ask(`${url}/payments`, owner.accessToken)).toMatchObject({
    status: 401,
    error: { code: "mfa_required" },
    challenge: expect.stringContaining("insufficient_user_authentication"),
  });
  expect((await ask(`${url}/admin`, owner.accessToken)).status).toBe(200);
  expect(await ask(`${url}/admin`, member.accessToken)).toMatchObject({ status: 403, error: { code: "forbidden" } });
  expect((await ask(`${url}/me`, member.accessToken)).status).toBe(200);
}

/**
 * Asserts that unknown key ids delay no token of a known key and hardly delay tokens with unknown key ids, at programs
 * with threads.
 */
export async function expectUnhindered(at: Deployment, url: string): Promise<void> {
  const live = await registered(at.one.url);
  const key = await realKey(at.sql);
  const claims = decodeClaims(live.accessToken);
  expect((await ask(`${url}/me`, live.accessToken)).status).toBe(200);
  const elapsed = stopwatch();
  const refused = Array.from({ length: MADE_UP_KEYS }, async (_, index) => {
    // The requests start at intervals, because some example servers do not accept so many connections at once.
    await Bun.sleep(5 * index);
    return (await ask(`${url}/me`, signToken({ ...key, kid: `made-up-${index}` }, claims))).status;
  });
  // At this time the second fetch waits for the end of the pause after the first fetch.
  await Bun.sleep(5 * MADE_UP_KEYS + 100);
  const known = stopwatch();
  expect((await ask(`${url}/me`, live.accessToken)).status).toBe(200);
  expect(known()).toBeLessThan(500);
  expect(new Set(await Promise.all(refused))).toEqual(new Set([401]));
  expect(elapsed()).toBeLessThan(MADE_UP_KEYS * 500);
}

/**
 * The rate is a fetch per second: if the requests waited for each previous fetch, the test would take this many
 * seconds.
 */
const MADE_UP_KEYS = 40;

/** Forgeries without a key of the service, which libraries of other languages must refuse too. */
const FORGED_WITHOUT_KEY = [
  "alg none",
  "alg nOnE with a signature",
  "HS256 with the public key as secret",
  "another key under the real kid",
  "another key, embedded as jwk",
  "the Ed25519 key of refresh tokens",
  "another issuer",
  "expired",
  "no exp",
  "typ refresh",
  "no typ",
  "a missing segment",
  "a signature of one character",
  "a changed payload",
  "nothing",
];
