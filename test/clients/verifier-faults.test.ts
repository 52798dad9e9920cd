/** The verifier under failures of the service, the runtime or the clock; the test plays the service. */
import { afterEach, describe, expect, test } from "bun:test";
import { exportJWK, generateKeyPair } from "jose";
import { requireAuth as expressAuth } from "../../clients/js/src/express.ts";
import { requireAuth as honoAuth, authOf as honoAuthOf } from "../../clients/js/src/hono.ts";
import { type Feed, type FeedOptions, feed } from "../../clients/js/src/verifier/feed.ts";
import type { Fetch } from "../../clients/js/src/verifier/http.ts";
import { keys } from "../../clients/js/src/verifier/keys.ts";
import { RevokedSessions } from "../../clients/js/src/verifier/revoked-sessions.ts";
import { sessionCheck } from "../../clients/js/src/verifier/session-check.ts";
import { Shared } from "../../clients/js/src/verifier/waiting.ts";
import type { Verifier } from "../../clients/js/src/verifier.ts";
import { movableClock, START } from "../support/clock.ts";
import { until } from "../support/waiting.ts";

const opened: Feed[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});

const monotonic = () => performance.now();
const never = new Promise<Response>(() => undefined);
const serviceOf = (fetch: Fetch) => ({ fetch, baseUrl: "https://id.example.test", routePrefix: "/v1" });

function feedOf(fetch: Fetch, now: () => number, options: Partial<FeedOptions> = {}, wall?: () => number): Feed {
  const bounds = { pollMs: 250, maxAgeMs: 1_000, maxRevocations: 1_000, ...options };
  const created = feed(serviceOf(fetch), bounds, now, wall);
  opened.push(created);
  return created;
}

interface Entry {
  readonly sid: string;
  /** Milliseconds until the last token of the session expires. */
  readonly expiresIn: number;
}

const LIFETIME_MS = 900_000;

function feedBody(ageMs: number, entries: readonly Entry[] = [], cursor = "1") {
  const revocations = entries.map(({ sid, expiresIn }) => ({
    sid,
    expires_at: new Date(START + expiresIn).toISOString(),
  }));
  return { cursor, generated_at: new Date(START).toISOString(), age_ms: ageMs, revocations };
}

const sessionBody = (role = "owner") =>
  Response.json({ user: { organization_id: "o" }, capabilities: { role, permissions: [] } });

/** Returns true if the promise resolves without a timer and without a response. */
const isAtOnce = async (work: Promise<unknown>) =>
  await Promise.race([work.then(() => true), new Promise((resolve) => setTimeout(resolve, 0, false))]);

describe("a feed", () => {
  test("that is not complete is asked by the clock, and delays no request after two answers (G72)", async () => {
    let requests = 0;
    const incomplete = feedOf(async () => {
      requests += 1;
      return Response.json(feedBody(5_000));
    }, monotonic);
    const startedAt = performance.now();
    await incomplete.refresh();
    expect([requests, incomplete.stateOf("s")]).toEqual([2, "unavailable"]);
    for (let index = 0; index < 200; index += 1) {
      expect(await isAtOnce(incomplete.refresh())).toBe(true);
      if (index % 50 === 0) await Bun.sleep(100);
    }
    expect(requests).toBeLessThanOrEqual(2 + Math.ceil((performance.now() - startedAt) / 250));
  });

  test("that never answers delays the first request only (G72)", async () => {
    const silent = feedOf(() => never, monotonic, { maxAgeMs: 20 });
    expect(await isAtOnce(silent.refresh())).toBe(false);
    await until("one has waited", () => isAtOnce(silent.refresh()) as Promise<boolean>);
    for (let index = 0; index < 10; index += 1) expect(await isAtOnce(silent.refresh())).toBe(true);
    expect(silent.stateOf("s")).toBe("unavailable");
  });

  test("with an endless response is read up to its bound, and counts as not heard (G72)", async () => {
    let sent = 0;
    const endless = feedOf(
      async () => {
        const pull = (controller: ReadableStreamDefaultController) => {
          sent += 65_536;
          controller.enqueue(new Uint8Array(65_536).fill(0x20));
        };
        return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }));
      },
      monotonic,
      { pollMs: 60_000 },
    );
    await endless.refresh();
    expect(endless.stateOf("s")).toBe("unavailable");
    // A caller waits for two requests, each with at most a thousand entries.
    expect(sent).toBeLessThanOrEqual(2 * (4_096 + 1_000 * 360 + 65_536));
  });

  test("without a first response is asked again by a later request, without its timers (G72)", async () => {
    const clock = movableClock();
    const responses = [never, Promise.resolve(Response.json(feedBody(0)))];
    const lost = feedOf(() => responses.shift() ?? never, clock.monotonic, { maxAgeMs: 20 });
    await lost.refresh();
    clock.advance(12_000);
    await lost.refresh();
    expect(lost.stateOf("s")).toBe("live");
  });
});

describe("a response of the feed without evidence", () => {
  const heard = async (...responses: (() => Response)[]) => {
    const clock = movableClock();
    let asked = 0;
    const fetch: Fetch = async () => {
      const response = responses[Math.min(asked, responses.length - 1)] as () => Response;
      asked += 1;
      return response();
    };
    const followed = feedOf(fetch, clock.monotonic, { pollMs: 60_000 }, clock.now);
    await followed.refresh();
    for (const _ of responses.slice(1)) {
      clock.advance(2_000);
      await followed.refresh();
    }
    return followed.stateOf("s");
  };
  const body =
    (changes: object, headers = {}) =>
    () =>
      Response.json({ ...feedBody(0), ...changes }, { headers });
  const notModified =
    (headers = {}) =>
    () =>
      new Response(null, { status: 304, headers });
  const iso = (ms: number) => new Date(START + ms).toISOString();
  const entry = { sid: "x", expires_at: iso(LIFETIME_MS) };

  const incomplete: [string, (() => Response)[]][] = [
    ["a 304 to the first request", [notModified()]],
    ["a 304 with a tag to the first request", [notModified({ etag: '"1"' })]],
    ["a 304 to a request without a condition", [body({}), notModified()]],
    ["a 304 of another tag", [body({}, { etag: '"1"' }), body({}, { etag: '"1"' }), notModified({ etag: '"2"' })]],
    ["a 304 that a cache has kept", [body({}, { etag: '"1"' }), body({}, { etag: '"1"' }), notModified({ age: "5" })]],
    ["a negative age_ms", [body({ age_ms: -1 })]],
    ["a negative age_ms that hides the age of years", [body({ age_ms: -1e15, generated_at: iso(-1e12) })]],
    ["an age_ms that is a text", [body({ age_ms: "0" })]],
    ["no age_ms", [body({ age_ms: null })]],
    ["an age_ms of seconds", [body({ age_ms: 5_000 })]],
    ["a body that a cache has kept", [body({}, { age: "5" })]],
    ["an Age that is none", [body({}, { age: "-5" })]],
    ["a generated_at of the future", [body({ generated_at: iso(3_600_000) })]],
    ["a generated_at of an hour ago without its age", [body({ generated_at: iso(-3_600_000) })]],
    ["a generated_at that is no time", [body({ generated_at: "soon" })]],
    ["a generated_at that is a number", [body({ generated_at: START })]],
    ["no cursor", [body({ cursor: undefined })]],
    ["a cursor that is a number", [body({ cursor: 1 })]],
    ["a cursor without end", [body({ cursor: "1".repeat(100_000) })]],
    ["no revocations", [body({ revocations: null })]],
    ["an entry without its session", [body({ revocations: [{ expires_at: entry.expires_at }] })]],
    ["an entry that never expires", [body({ revocations: [{ ...entry, expires_at: "never" }] })]],
    ["an entry that is null", [body({ revocations: [null] })]],
    ["null", [() => Response.json(null)]],
    ["a 206", [() => Response.json(feedBody(0), { status: 206 })]],
  ];
  test.each(incomplete)("%s leaves the verifier blind (G101)", async (_, responses) => {
    expect(await heard(...responses)).toBe("unavailable");
  });

  test("is a deviation from the service: 200, and a 304 of the requested tag (G101)", async () => {
    expect(await heard(body({ revocations: [entry] }))).toBe("live");
    const tagged = body({}, { etag: '"1"' });
    expect(await heard(tagged, tagged, notModified())).toBe("live");
    expect(await heard(tagged, tagged, notModified({ etag: 'W/"1"', age: "0" }))).toBe("live");
  });

  test("ends no revocation early: a service whose clock is ahead keeps entries for a token's lifetime (G101)", () => {
    const revoked = new RevokedSessions(2);
    const revokedAt = { ...entry, revoked_at: iso(0) };
    revoked.update({ ...feedBody(0), generated_at: iso(LIFETIME_MS), revocations: [revokedAt] }, null, 0);
    revoked.confirm(LIFETIME_MS);
    expect(revoked.has("x")).toBe(true);
  });
});

describe("what is shared by requests", () => {
  test("keys and sessions whose first answer never comes are asked for again (G72)", async () => {
    const { publicKey } = await generateKeyPair("RS256", { extractable: true });
    const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: "k", alg: "RS256" }] };
    const silentOnce = (response: () => Response): Fetch => {
      let asked = 0;
      return async () => {
        asked += 1;
        return asked === 1 ? await never : response();
      };
    };
    const known = keys(serviceOf(silentOnce(() => Response.json(jwks))), monotonic);
    const sessions = sessionCheck(serviceOf(silentOnce(sessionBody)), monotonic);
    expect(await Promise.all([known.find("k"), sessions.find("t")])).toEqual(["unavailable", "cannot_tell"]);
    expect(typeof (await known.find("k"))).toBe("object");
    expect(await sessions.find("t")).toMatchObject({ live: true });
  });

  test("work lost with its first request is begun again (G72)", async () => {
    const clock = movableClock();
    const shared = new Shared<string>(clock.monotonic);
    const lost = shared.run(10, () => new Promise(() => undefined)).catch(() => "lost");
    clock.advance(3_000);
    expect(await shared.run(1_000, async () => "found")).toBe("found");
    expect(await lost).toBe("lost");
  });
});

describe("a session check", () => {
  test("tells by token: a refused token does not affect a fresh token of the session", async () => {
    const refusing: Fetch = async (_, { headers }) =>
      new Headers(headers).get("authorization") === "Bearer old" ? new Response(null, { status: 401 }) : sessionBody();
    const sessions = sessionCheck(serviceOf(refusing), monotonic);
    expect(await sessions.find("old")).toEqual({ live: false });
    expect(await sessions.find("fresh")).toEqual({
      live: true,
      role: "owner",
      permissions: new Set(),
      organization: "o",
      enrolmentOnly: false,
    });
  });

  test("of two hundred sessions at once makes all of them wait for their turn, 32 at a time", async () => {
    let [underway, most] = [0, 0];
    const slow: Fetch = async () => {
      underway += 1;
      most = Math.max(most, underway);
      await Bun.sleep(1);
      underway -= 1;
      return sessionBody();
    };
    const sessions = sessionCheck(serviceOf(slow), monotonic);
    const found = await Promise.all(Array.from({ length: 200 }, (_, index) => sessions.find(`token ${index}`)));
    expect(found.filter((facts) => facts === "cannot_tell")).toEqual([]);
    expect(most).toBe(32);
  });
});

describe("revoked sessions", () => {
  const minute = 60_000;

  test("beyond the bound are not kept, and the set is incomplete until those have expired", () => {
    const revoked = new RevokedSessions(2);
    const entries = ["a", "b", "c"].map((sid) => ({ sid, expiresIn: LIFETIME_MS }));
    revoked.update(feedBody(0, entries), null, 0);
    expect(["a", "b", "c"].map((sid) => revoked.has(sid))).toEqual([true, true, false]);
    revoked.confirm(LIFETIME_MS);
    expect(revoked.completeAt).toBe(Number.NEGATIVE_INFINITY);
    revoked.confirm(LIFETIME_MS + 2 * minute);
    expect(revoked.completeAt).toBe(LIFETIME_MS + 2 * minute);
    revoked.update(feedBody(0, [{ sid: "d", expiresIn: LIFETIME_MS }]), null, LIFETIME_MS + 3 * minute);
    expect([revoked.has("a"), revoked.has("d"), revoked.completeAt]).toEqual([false, true, LIFETIME_MS + 3 * minute]);
  });

  test("are kept for the lifetime told by the service, with any wall clock", () => {
    const revoked = new RevokedSessions(2);
    // The clock of this machine is years behind the clock of the service.
    revoked.update(feedBody(0, [{ sid: "a", expiresIn: LIFETIME_MS }]), null, 0);
    revoked.confirm(LIFETIME_MS);
    expect(revoked.has("a")).toBe(true);
    revoked.confirm(LIFETIME_MS + 2 * minute);
    expect(revoked.has("a")).toBe(false);
  });

  test("are followed by a cursor with a move a minute without news, so a foreign cursor does not stay", () => {
    const revoked = new RevokedSessions(2);
    revoked.update(feedBody(0, [], "1"), "x", 0);
    revoked.update(feedBody(0, [], "2"), "y", 250);
    expect([revoked.cursor, revoked.etag]).toEqual(["1", "y"]);
    revoked.confirm(minute + 1);
    expect([revoked.cursor, revoked.etag]).toEqual(["1", undefined]);
    revoked.update(feedBody(0, [], "2"), "z", minute + 250);
    expect([revoked.cursor, revoked.etag]).toEqual(["2", undefined]);
  });
});

describe("adapters", () => {
  const claims = { sub: "u", sid: "s", iss: "i", exp: 1, iat: 0, typ: "access" } as const;
  const verifierOf = (verifyHeader: Verifier["verifyHeader"]) => ({ verifyHeader }) as Verifier;

  test("Express: a verifier that throws is an error of the request, not of the process", async () => {
    const failure = new Error("broken");
    const errors: unknown[] = [];
    const middleware = expressAuth(verifierOf(() => Promise.reject(failure)));
    const response = { status: () => ({ set: () => ({ json: () => undefined }) }) };
    await middleware({ headers: {} }, response, (error) => errors.push(error));
    expect(errors).toEqual([failure]);
  });

  test("Hono: the claims stay with a request replaced by further middleware", async () => {
    const context = { req: { raw: new Request("https://api.example.test/") } };
    await honoAuth(verifierOf(async () => ({ ok: true, claims })))(context, async () => {
      context.req.raw = new Request(context.req.raw);
    });
    expect(honoAuthOf(context)).toBe(claims);
  });
});
