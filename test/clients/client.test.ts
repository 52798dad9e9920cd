/** The client of clients/js outside of browsers, against a replica. */
import { afterEach, beforeAll, describe, expect, setSystemTime, spyOn, test } from "bun:test";
import { createServer } from "node:net";
import { createClient as createAdministrationClient } from "../../clients/js/src/administration.ts";
import { type ClientOptions, createClient, type SavedSession, type SessionChange } from "../../clients/js/src/index.ts";
import { newEmail, PASSWORD, registered } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { decodeClaims, realKey, signToken } from "../support/forge.ts";
import { codeOf, enrolled } from "../support/mfa.ts";
import { ISSUER } from "../support/replica.ts";
import { companyWithSso } from "../support/sso-connections.ts";
import { until } from "../support/waiting.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const opened: { close(): void }[] = [];
afterEach(() => {
  setSystemTime();
  for (const each of opened.splice(0)) each.close();
});

const HOUR_MS = 3_600_000;

/** A client that records sent requests and session changes. */
function client(options: Partial<ClientOptions> = {}) {
  const sent: string[] = [];
  const changes: SessionChange[] = [];
  const created = createClient({
    baseUrl: at.one.url,
    onSessionChange: (change) => changes.push(change),
    fetch: async (url, init) => {
      sent.push(`${init.method} ${new URL(url).pathname}`);
      return await fetch(url, init);
    },
    ...options,
  });
  return Object.assign(created, { sent, changes });
}

/** Creates a session with an expired access token, like the saved session of a tool after an hour without use. */
async function expiredSession(): Promise<SavedSession & { email: string }> {
  const { client: browser, email, accessToken } = await registered(at.one.url);
  const claims = decodeClaims(accessToken);
  const past = { iat: Number(claims.iat) - 7200, exp: Number(claims.exp) - 7200 };
  const refreshToken = browser.cookie("service_rt") ?? "";
  return { email, refreshToken, accessToken: signToken(await realKey(at.sql), { ...claims, ...past }) };
}

describe("single sign-on", () => {
  test("begins at the address that discover returns, with the path of the return", async () => {
    const { connectionId, domain } = await companyWithSso(at);
    const me = client();
    const found = await me.sso.discover({ email: `ada@${domain}` });
    if (!found.ok || found.data.sso === null) throw new Error("no single sign-on");
    const { start_url: startUrl } = found.data.sso;
    const start = `${ISSUER}/v1/auth/sso/${connectionId}/start`;
    expect([me.sso.start(startUrl), me.sso.start(startUrl, "/team")]).toEqual([start, `${start}?redirect_to=%2Fteam`]);
    expect(me.sso.start("/sso/acme", "/team")).toBe("/sso/acme?return_to=%2Fteam");
    expect(me.sent).toEqual(["POST /v1/auth/sso/discover"]);
  });
});

describe("results", () => {
  test("are data or an error, told apart by ok; a sign-in by its status", async () => {
    const { email } = await registered(at.one.url);
    const me = client();
    const signedIn = await me.signIn({ email, password: PASSWORD });
    if (!signedIn.ok || signedIn.data.status !== "success") throw new Error("not signed in");
    const found = await me.me.get();
    expect(found).toMatchObject({ ok: true, data: { email } });
    expect(await me.sessions.list({ page: 1 })).toMatchObject({ ok: true, data: { page: 1 } });
    expect(await me.signOut()).toEqual({ ok: true, data: undefined });
    expect(me.changes.map(({ type }) => type)).toEqual(["signed_in", "signed_out"]);
  });

  test("a refusal has the code of the service, its status and the id of the request", async () => {
    const error = { code: "authentication_required", status: 401, requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) };
    const refused = await client().signIn({ email: newEmail(), password: PASSWORD });
    expect(refused).toMatchObject({ ok: false, error });
    const invalid = await client().register({ organization_name: "Acme", email: "x", password: PASSWORD });
    expect(invalid).toMatchObject({ ok: false, error: { code: "invalid_input", status: 400 } });
    if (invalid.ok || invalid.error.code !== "invalid_input") throw new Error("the input was accepted");
    expect(invalid.error.fields).not.toBeEmpty();
  });

  test("of a second factor: the challenge completes the sign-in", async () => {
    const { email, secret } = await enrolled(at);
    const me = client();
    const begun = await me.signIn({ email, password: PASSWORD });
    if (!begun.ok || begun.data.status !== "mfa_required") throw new Error("no second factor asked for");
    const done = await me.completeMfa({ mfa_token: begun.data.mfa_token, code: codeOf(secret) });
    expect(done).toMatchObject({ ok: true, data: { status: "success" } });
    expect(await me.session.get()).toMatchObject({ ok: true, data: { session: { aal: "aal2" } } });
  });

  test("that are no answer of the service have codes of their own", async () => {
    const elsewhere = client({ baseUrl: "http://127.0.0.1:9" });
    expect(await elsewhere.operations.liveness()).toMatchObject({ ok: false, error: { code: "network_error" } });
    expect(elsewhere.sent).toHaveLength(2);
    expect(await elsewhere.signIn({ email: "a@example.test", password: "x" })).toMatchObject({
      ok: false,
      error: { code: "network_error" },
    });
    expect(elsewhere.sent.filter((each) => each.startsWith("POST"))).toHaveLength(1);
    const proxy = client({ fetch: async () => new Response("<h1>Bad gateway</h1>", { status: 502 }) });
    expect(await proxy.operations.liveness()).toMatchObject({
      ok: false,
      error: { code: "unexpected_answer", status: 502 },
    });
  });

  test("a request aborted, or without a response in time, ends accordingly", async () => {
    const silent = createServer();
    await new Promise<void>((listening) => silent.listen(0, "127.0.0.1", listening));
    opened.push({ close: () => silent.close() });
    const address = silent.address();
    const baseUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
    const late = client({ baseUrl, timeoutMs: 50 });
    expect(await late.operations.liveness()).toMatchObject({ ok: false, error: { code: "timeout" } });
    const signal = AbortSignal.timeout(20);
    expect(await client({ baseUrl }).operations.liveness(undefined, { signal })).toMatchObject({
      error: { code: "aborted" },
    });
    expect(await client().operations.liveness(undefined, { signal: AbortSignal.abort() })).toMatchObject({
      error: { code: "aborted" },
    });
  });

  test("a call ends with its own signal and time-out, beside any awaited refresh (G72)", async () => {
    const response = Promise.withResolvers<Response>();
    const me = client({
      session: await expiredSession(),
      fetch: (url, init) => (url.endsWith("/refresh") ? response.promise : fetch(url, init)),
    });
    const control = new AbortController();
    const { signal } = control;
    const aborted = [me.me.get(undefined, { signal }), me.accessToken({ signal })];
    const late = [me.me.get(undefined, { timeoutMs: 20 }), me.accessToken({ timeoutMs: 20 })];
    const patient = me.me.get();
    control.abort();
    for (const each of await Promise.all(aborted)) expect(each).toMatchObject({ error: { code: "aborted" } });
    for (const each of await Promise.all(late)) expect(each).toMatchObject({ error: { code: "timeout" } });
    response.resolve(Response.json({}, { status: 502 }));
    expect(await patient).toMatchObject({ error: { code: "unexpected_answer", status: 502 } });
    expect(me.changes).toEqual([]);
  });

  test("without a time-out no timer ends a call", async () => {
    expect(await client({ timeoutMs: Number.POSITIVE_INFINITY }).operations.liveness()).toMatchObject({ ok: true });
  });

  test("of a path of several segments and of bytes: a tile of the log", async () => {
    const paths: string[] = [];
    const me = client({
      fetch: async (url) => {
        paths.push(new URL(url).pathname);
        return await fetch(url);
      },
    });
    await until("the log has a leaf", async () => (await me.auditLog.tile({ path: "0/000.p/1" })).ok);
    const tile = await me.auditLog.tile({ path: "0/000.p/1" });
    if (!tile.ok) throw new Error(tile.error.message);
    expect([tile.data.size, paths.at(-1)]).toEqual([32, "/v1/audit-log/tile/0/000.p/1"]);
  });

  test("the entry for administrators has the methods of the core, of groups and of roles", async () => {
    const owner = createAdministrationClient({ baseUrl: at.one.url });
    opened.push(owner);
    const input = { email: newEmail(), password: PASSWORD, name: "Ada", organization_name: "Analytical" };
    const registered = await owner.register(input);
    if (!registered.ok) throw new Error(registered.error.code);
    const org_id = registered.data.user.organization_id ?? "";
    expect(await owner.groups.create({ org_id, name: "Operations" })).toMatchObject({ ok: true });
    expect(await owner.groups.list({ org_id })).toMatchObject({ data: { items: [{ name: "Operations" }] } });
    expect((await owner.roles.list({ org_id })).ok).toBe(true);
    expect(client()).not.toHaveProperty("roles");
  });

  test("a stream can be aborted while it is read", async () => {
    const signals: (AbortSignal | null | undefined)[] = [];
    const streaming = createAdministrationClient({
      baseUrl: at.one.url,
      token: "x.y.z",
      fetch: async (_, { signal }) => {
        signals.push(signal);
        return new Response("{}\n", { headers: { "content-type": "application/x-ndjson" } });
      },
    });
    const control = new AbortController();
    const exported = await streaming.admin.audit.export(undefined, { signal: control.signal });
    expect(exported.ok).toBe(true);
    control.abort();
    expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
  });

  test("where the runtime has no credentials mode, none is asked for", async () => {
    const inits: RequestInit[] = [];
    const me = client({
      fetch: async (_, init) => {
        inits.push(init);
        return Response.json({});
      },
    });
    await me.operations.liveness();
    const { Request } = globalThis;
    // Simulates Cloudflare Workers, which refuse the member `credentials`.
    Object.assign(globalThis, { Request: class {} });
    try {
      await me.operations.liveness();
    } finally {
      Object.assign(globalThis, { Request });
    }
    expect(inits.map((init) => init.credentials)).toEqual(["include", undefined]);
    expect("credentials" in (inits[1] ?? {})).toBe(false);
  });

  test("rate_limited says when to come back", async () => {
    const headers = { "content-type": "application/json", "retry-after": "7" };
    const body = { error: { code: "rate_limited", message: "Too many.", type: "rate_limited" } };
    const limited = client({ fetch: async () => Response.json(body, { status: 429, headers }) });
    expect(await limited.operations.liveness()).toMatchObject({
      ok: false,
      error: { code: "rate_limited", retryAfter: 7 },
    });
  });
});

describe("an access token", () => {
  test.each([1, -1])("is as good as its lifetime where the clock is wrong by %d h (G72)", async (hours) => {
    const { email } = await registered(at.one.url);
    const now = Date.now();
    setSystemTime(new Date(now + hours * HOUR_MS));
    const me = client();
    await me.signIn({ email, password: PASSWORD });
    expect(await me.me.get()).toMatchObject({ ok: true });
    const first = await me.accessToken();
    expect(me.sent).toEqual(["POST /v1/auth/login", "GET /v1/users/me"]);
    const { exp, iat } = decodeClaims(first.ok ? first.data : "");
    setSystemTime(new Date(now + hours * HOUR_MS + (Number(exp) - Number(iat)) * 1000));
    expect(await me.accessToken()).not.toEqual(first);
    expect(me.sent.slice(2)).toEqual(["POST /v1/auth/refresh"]);
  });

  test("is not good for longer than its lifetime where the clock is put back meanwhile", async () => {
    const { email } = await registered(at.one.url);
    const now = Date.now();
    setSystemTime(new Date(now + HOUR_MS));
    const me = client();
    await me.signIn({ email, password: PASSWORD });
    const first = await me.accessToken();
    const { exp, iat } = decodeClaims(first.ok ? first.data : "");
    setSystemTime(new Date(now));
    expect(await me.accessToken()).toEqual(first);
    const monotonic = spyOn(performance, "now").mockReturnValue(performance.now() + (Number(exp) - Number(iat)) * 1000);
    try {
      expect(await me.accessToken()).not.toEqual(first);
    } finally {
      monotonic.mockRestore();
    }
    expect(me.sent.slice(1)).toEqual(["POST /v1/auth/refresh"]);
  });
});

describe("an expired access token", () => {
  test("is refreshed once for twenty requests at once, which all succeed", async () => {
    const me = client({ session: await expiredSession() });
    const responses = await Promise.all(Array.from({ length: 20 }, () => me.me.get()));
    expect(responses.filter(({ ok }) => !ok)).toEqual([]);
    expect(me.sent.filter((each) => each.endsWith("/auth/refresh"))).toHaveLength(1);
    expect(me.changes).toEqual([
      { type: "refreshed", session: { accessToken: expect.any(String), refreshToken: expect.any(String) } },
    ]);
  });

  test("that only the service knows to have expired is refreshed once, however late refusals come", async () => {
    const { client: browser, accessToken } = await registered(at.one.url);
    const body = { error: { code: "authentication_required", message: "No.", type: "authentication_error" } };
    const late = Promise.withResolvers<void>();
    let [asked, refreshes] = [0, 0];
    const me = client({
      session: { accessToken, refreshToken: browser.cookie("service_rt") ?? "" },
      onSessionChange: () => late.resolve(),
      fetch: async (url, init) => {
        if (url.endsWith("/refresh")) refreshes += 1;
        if (new Headers(init.headers).get("authorization") !== `Bearer ${accessToken}`) return await fetch(url, init);
        asked += 1;
        if (asked > 1) await late.promise;
        return Response.json(body, { status: 401 });
      },
    });
    const found = await Promise.all([me.me.get(), me.me.get(), me.me.get()]);
    expect(found.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(refreshes).toBe(1);
  });

  test("is refreshed for a caller of accessToken(), with a live token as the result", async () => {
    const me = client({ session: await expiredSession() });
    const token = await me.accessToken();
    expect(token.ok && Number(decodeClaims(token.data).exp) * 1000 > Date.now()).toBe(true);
    expect(await me.accessToken()).toEqual(token);
    expect(me.sent).toEqual(["POST /v1/auth/refresh"]);
  });

  test("does not keep a sign-out from ending the session", async () => {
    const session = await expiredSession();
    expect(await client({ session }).signOut()).toMatchObject({ ok: true });
    const [row] = await at.sql`
      select revoked_at from sessions where id = ${String(decodeClaims(session.accessToken ?? "").sid)}`;
    expect(row?.revoked_at).not.toBeNull();
  });

  test("of an ended session signs out, once, with the reason", async () => {
    const session = await expiredSession();
    await client({ session }).signOut();
    const me = client({ session });
    const responses = await Promise.all([me.me.get(), me.me.get(), me.sessions.list()]);
    for (const response of responses) expect(response).toMatchObject({ error: { code: "authentication_required" } });
    expect(me.changes).toEqual([{ type: "signed_out" }]);
    expect(await me.accessToken()).toMatchObject({ ok: false, error: { code: "authentication_required" } });
  });

  test("is kept when the service cannot tell: the error is that of the refresh, and nobody is signed out", async () => {
    const body = { error: { code: "internal_error", message: "Internal error.", type: "internal_error" } };
    const me = client({
      session: await expiredSession(),
      fetch: async (url, init) => (url.endsWith("/refresh") ? Response.json(body, { status: 500 }) : fetch(url, init)),
    });
    expect(await me.me.get()).toMatchObject({ ok: false, error: { code: "internal_error", status: 500 } });
    expect(me.changes).toEqual([]);
  });
});

describe("of answers that cross (G79)", () => {
  const account = async () => ({ session: await expiredSession(), other: (await registered(at.one.url)).email });
  const signInAs = (email: string) => [{ email, password: PASSWORD }] as const;

  test.each([200, 401])("a refresh with %d under way at a sign-in takes nothing from the sign-in", async (status) => {
    const { session, other } = await account();
    if (status === 401) await client({ session }).signOut();
    const me = client({ session });
    const asked = me.me.get();
    const [signedIn] = await Promise.all([me.signIn(...signInAs(other)), asked]);
    expect(signedIn.ok).toBe(true);
    expect(me.sent.filter((each) => each.startsWith("POST"))).toEqual(["POST /v1/auth/refresh", "POST /v1/auth/login"]);
    expect(await me.me.get()).toMatchObject({ ok: true, data: { email: other } });
    expect(me.changes.at(-1)?.type).toBe("signed_in");
  });

  test("a request with a refresh during a sign-in waits for the sign-in, and needs no refresh", async () => {
    const { session, other } = await account();
    const me = client({ session });
    const [, found] = await Promise.all([me.signIn(...signInAs(other)), me.me.get()]);
    expect(found).toMatchObject({ ok: true, data: { email: other } });
    expect(me.sent).toEqual(["POST /v1/auth/login", "GET /v1/users/me"]);
  });

  test("a sign-out during a refresh ends the session, and the client has none", async () => {
    const { session } = await account();
    const me = client({ session });
    const asked = me.me.get();
    expect(await me.signOut()).toMatchObject({ ok: true });
    await asked;
    expect(me.changes.at(-1)?.type).toBe("signed_out");
    expect(await me.accessToken()).toMatchObject({ error: { code: "authentication_required" } });
  });

  test("a sign-in aborted while waiting is not sent", async () => {
    const { session, other } = await account();
    const response = Promise.withResolvers<Response>();
    const urls: string[] = [];
    const me = client({
      session,
      fetch: (url) => {
        urls.push(url);
        return response.promise;
      },
    });
    const asked = me.me.get();
    expect(await me.signIn(...signInAs(other), { timeoutMs: 20 })).toMatchObject({ error: { code: "timeout" } });
    response.resolve(Response.json({}, { status: 502 }));
    await asked;
    expect(urls.map((url) => new URL(url).pathname)).toEqual(["/v1/auth/refresh"]);
  });
});

describe("what is unsafe to repeat", () => {
  test("the callback of a social sign-in is sent once, though it is a GET", async () => {
    const elsewhere = client({ baseUrl: "http://127.0.0.1:9" });
    await elsewhere.socialSignIn.finish({ provider: "oauth_idp_a", code: "c", state: "s" });
    expect(elsewhere.sent).toEqual(["GET /v1/auth/oauth/oauth_idp_a/callback"]);
  });

  test("a wrong password of a signed-in user is sent once: a 401 about it is no reason to refresh", async () => {
    const { email } = await registered(at.one.url);
    const me = client();
    await me.signIn({ email, password: PASSWORD });
    const refused = await me.password.change({ current_password: "not the password", new_password: `${PASSWORD}!` });
    expect(refused).toMatchObject({ ok: false, error: { code: "authentication_required" } });
    expect(me.sent.slice(1)).toEqual(["POST /v1/users/me/password"]);
  });

  test("with an expired token it is sent once too, after the refresh", async () => {
    const me = client({ session: await expiredSession() });
    const changed = await me.password.change({ current_password: PASSWORD, new_password: `${PASSWORD}!` });
    expect(changed.ok).toBe(true);
    expect(me.sent).toEqual(["POST /v1/auth/refresh", "POST /v1/users/me/password"]);
  });
});

test("a client with a token of its caller's keeps no session and never refreshes", async () => {
  const { accessToken, email } = await registered(at.one.url);
  expect(await client({ token: accessToken }).me.get()).toMatchObject({ ok: true, data: { email } });
  const stranger = client({ token: async () => "x.y.z" });
  expect(await stranger.me.get()).toMatchObject({ error: { code: "authentication_required" } });
  expect(stranger.sent).toEqual(["GET /v1/users/me"]);
});

test("a token of the caller's that cannot be had is an error, and nothing is sent", async () => {
  const error = { code: "network_error", message: "no vault" };
  const me = client({ token: () => Promise.reject(new Error("no vault")) });
  expect(await me.me.get()).toMatchObject({ ok: false, error });
  expect(await me.accessToken()).toMatchObject({ ok: false, error });
  const slow = client({ token: () => new Promise(() => undefined), timeoutMs: 20 });
  expect(await slow.me.get()).toMatchObject({ ok: false, error: { code: "timeout" } });
  expect(await slow.accessToken()).toMatchObject({ ok: false, error: { code: "timeout" } });
  expect([...me.sent, ...slow.sent]).toEqual([]);
});

test.each([
  () => Promise.reject(new Error("disk full")),
  () => {
    throw new Error("disk full");
  },
])("a callback that fails makes no method fail, and is told on the console", async (onSessionChange) => {
  const { email } = await registered(at.one.url);
  const told = spyOn(console, "error").mockImplementation(() => undefined);
  try {
    const me = client({ onSessionChange });
    expect(await me.signIn({ email, password: PASSWORD })).toMatchObject({ ok: true });
    expect(await me.me.get()).toMatchObject({ ok: true, data: { email } });
    expect(told.mock.calls.map(([error]) => String(error))).toEqual(["Error: disk full"]);
  } finally {
    told.mockRestore();
  }
});
