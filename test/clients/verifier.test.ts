/** The verifier of clients/js against two replicas, in the role of an API. */
import { afterEach, beforeAll, describe, expect, setSystemTime, spyOn, test } from "bun:test";
import { createVerifier, type Verifier, type VerifierOptions } from "../../clients/js/src/verifier.ts";
import { DEFAULT_POLICY } from "../../src/vocabulary/policy-settings.ts";
import { TcpProxy } from "../faults/tcp-proxy.ts";
import { Client, PASSWORD, registered, signedIn } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { decodeClaims, realKey, signToken } from "../support/forge.ts";
import { enrolled } from "../support/mfa.ts";
import { ISSUER, runService } from "../support/replica.ts";
import { assignRoles, createdRole } from "../support/roles.ts";
import { insertMember } from "../support/states.ts";
import { founded, joinedAs, memberOf } from "../support/team.ts";
import { eventually, until } from "../support/waiting.ts";
import { forgeries } from "./forgeries.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const opened: { close(): void }[] = [];
afterEach(() => {
  setSystemTime();
  for (const each of opened.splice(0)) each.close();
});

/** Creates a verifier that counts requests; by default the verifier follows the second replica. */
function verifier(options: Partial<VerifierOptions> = {}): Verifier & { readonly requests: string[] } {
  const requests: string[] = [];
  const counting = async (url: string, init: RequestInit) => {
    requests.push(new URL(url).pathname);
    return await fetch(url, init);
  };
  const created = createVerifier({
    issuer: ISSUER,
    baseUrl: at.other.url,
    whenBlind: "deny",
    fetch: counting,
    ...options,
  });
  opened.push(created);
  return Object.assign(created, { requests });
}

const codeOf = async (verifying: ReturnType<Verifier["verify"]>) => {
  const verification = await verifying;
  return verification.ok ? "ok" : verification.refusal.code;
};

/** Opens a connection to the second replica that a test can break. */
async function breakable() {
  const proxy = await TcpProxy.to(Number(new URL(at.other.url).port));
  opened.push({ close: () => proxy.stop() });
  return { proxy, baseUrl: `http://127.0.0.1:${proxy.port}` };
}

describe("a token", () => {
  test("of a live session is accepted with its claims, and not asked for again (G44)", async () => {
    const { accessToken, userId, sessionId, organizationId } = await registered(at.one.url);
    const api = verifier();
    expect(await api.verifyHeader(`Bearer ${accessToken}`)).toMatchObject({
      ok: true,
      claims: { sub: userId, sid: sessionId, org: organizationId, aal: "aal1" },
    });
    for (let index = 0; index < 1000; index += 1) expect(await codeOf(api.verify(accessToken))).toBe("ok");
    expect(api.requests.filter((path) => path.endsWith("jwks.json"))).toHaveLength(1);
    expect(api.requests.filter((path) => path.startsWith("/v1"))).toEqual([]);
  });

  test("that is forged is refused; unknown keys cost one fetch a second and hold up nobody (G44)", async () => {
    const { accessToken } = await registered(at.one.url);
    const key = await realKey(at.sql);
    const claims = decodeClaims(accessToken);
    const api = verifier();
    expect(await codeOf(api.verify(signToken(key, claims)))).toBe("ok");
    const startedAt = performance.now();
    const unknown = Array.from({ length: 50 }, (_, index) => [
      `unknown key ${index}`,
      signToken({ ...key, kid: `unknown-${index}` }, claims),
    ]);
    const tokens = [...Object.entries(forgeries(accessToken, key)), ...unknown];
    const refused = tokens.map(async ([name, token]) => [name, await codeOf(api.verify(token))] as const);
    expect(await codeOf(api.verify(accessToken))).toBe("ok");
    const accepted = (await Promise.all(refused)).filter(
      ([name, code]) => code !== "invalid_token" && !(name === "expired" && code === "expired_token"),
    );
    expect(accepted).toEqual([]);
    const fetches = api.requests.filter((path) => path.endsWith("jwks.json")).length;
    expect(fetches).toBeLessThanOrEqual(2 + Math.ceil((performance.now() - startedAt) / 1000));
    expect(await codeOf(api.verify(accessToken))).toBe("ok");
  });

  test("is required: a foreign scheme counts as missing, and a malformed header has its own refusal", async () => {
    const api = verifier();
    expect(await codeOf(api.verifyHeader(undefined))).toBe("missing_token");
    // A request without a token gets no error code (RFC 6750, section 3.1).
    expect(await codeOf(api.verifyHeader("Basic YTpi"))).toBe("missing_token");
    expect(await codeOf(api.verifyHeader("Bearer"))).toBe("invalid_token");
    expect(await codeOf(api.verifyHeader("bearer a b"))).toBe("invalid_token");
    expect(api.requests).toEqual([]);
  });

  test("expiring in memory is refused as expired", async () => {
    const { accessToken } = await registered(at.one.url);
    const api = verifier();
    expect(await codeOf(api.verify(accessToken))).toBe("ok");
    setSystemTime(new Date(Number(decodeClaims(accessToken).exp) * 1000));
    expect(await codeOf(api.verify(accessToken))).toBe("expired_token");
  });
});

describe("a revoked session", () => {
  test("is refused within two seconds by verifiers of both replicas, and stays refused (G44)", async () => {
    const apis = [verifier(), verifier({ baseUrl: at.one.url })];
    const live = await registered(at.one.url);
    const people = await Promise.all(Array.from({ length: 3 }, () => registered(at.one.url)));
    for (const api of apis) expect(await codeOf(api.verify(live.accessToken))).toBe("ok");
    for (const { client, accessToken } of people) {
      for (const api of apis) expect(await codeOf(api.verify(accessToken))).toBe("ok");
      await client.post("/v1/auth/logout");
      for (const api of apis) {
        await eventually("refused", 2000, async () => (await codeOf(api.verify(accessToken))) === "revoked_session");
        expect(await codeOf(api.verify(live.accessToken))).toBe("ok");
      }
    }
    for (const { accessToken } of people) expect(await codeOf(verifier().verify(accessToken))).toBe("revoked_session");
  });

  test("costs the feed an unchanged answer each time: the cursor moves with news only", async () => {
    const { accessToken, client } = await registered(at.one.url);
    const statuses: number[] = [];
    const api = verifier({
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        if (url.includes("service-revocations")) statuses.push(response.status);
        return response;
      },
      pollMs: 10,
    });
    expect(await codeOf(api.verify(accessToken))).toBe("ok");
    await until("it was unchanged for a while", async () => statuses.slice(-5).join() === "304,304,304,304,304");
    await client.post("/v1/auth/logout");
    await until("refused", async () => (await codeOf(api.verify(accessToken))) === "revoked_session");
    await until("unchanged again", async () => statuses.slice(-5).join() === "304,304,304,304,304");
  });
});

describe("while the feed cannot be heard", () => {
  test("deny does neither, allow accepts; both refuse revocations of the meantime later (G44)", async () => {
    const { proxy, baseUrl } = await breakable();
    const denying = verifier({ baseUrl });
    const allowing = verifier({ baseUrl, whenBlind: "allow" });
    const [live, ended] = await Promise.all([registered(at.one.url), registered(at.one.url)]);
    const codes = async (api: Verifier) => [
      await codeOf(api.verify(live.accessToken)),
      await codeOf(api.verify(ended.accessToken)),
    ];
    for (const api of [denying, allowing]) expect(await codes(api)).toEqual(["ok", "ok"]);
    proxy.drop();
    await ended.client.post("/v1/auth/logout");
    const isBlind = async () => (await codes(denying)).join() === "cannot_tell,cannot_tell";
    await eventually("blind", 2000, isBlind);
    expect(await denying.ready()).toBe(false);
    expect(await codes(allowing)).toEqual(["ok", "ok"]);
    const forged = forgeries(live.accessToken, await realKey(at.sql));
    expect(await codeOf(allowing.verify(forged["another key under the real kid"]))).toBe("invalid_token");
    proxy.heal();
    for (const api of [denying, allowing]) {
      await until("it is heard again", async () => (await codes(api)).join() === "ok,revoked_session");
    }
  });

  test("introspect: asks for the session, and accepts and refuses by the answer", async () => {
    const withoutFeed = async (url: string, init: RequestInit) =>
      url.includes("service-revocations") ? new Response(null, { status: 502 }) : await fetch(url, init);
    const [live, ended] = await Promise.all([registered(at.one.url), registered(at.one.url)]);
    const api = verifier({ whenBlind: "introspect", fetch: withoutFeed });
    expect(await codeOf(api.verify(live.accessToken))).toBe("ok");
    expect(await codeOf(api.verify(ended.accessToken))).toBe("ok");
    await ended.client.post("/v1/auth/logout");
    const refused = async () => (await codeOf(api.verify(ended.accessToken))) === "revoked_session";
    await eventually("refused", 2000, refused);
    expect(await codeOf(api.verify(live.accessToken))).toBe("ok");
  });

  test("a service without a first response does not count as a service without revocations", async () => {
    const { accessToken } = await registered(at.one.url);
    const api = verifier({ baseUrl: "http://127.0.0.1:9" });
    expect(await codeOf(api.verify(accessToken))).toBe("cannot_tell");
  });
});

describe("keys", () => {
  test("that rotate under load fail no verification (G44)", async () => {
    const api = verifier();
    const { email } = await registered(at.one.url);
    const codes: string[] = [];
    let rotating = true;
    const clients = Array.from({ length: 4 }, async (_, index) => {
      while (rotating) {
        const { accessToken } = await signedIn(index % 2 ? at.one.url : at.other.url, email);
        codes.push(await codeOf(api.verify(accessToken)));
      }
    });
    expect((await runService(["keys", "rotate"], { DATABASE_URL: at.databaseUrl })).code).toBe(0);
    const signedBefore = codes.length;
    await until("tokens of the new key were verified", async () => codes.length > signedBefore + 8);
    rotating = false;
    await Promise.all(clients);
    expect(codes.length).toBeGreaterThan(10);
    expect(codes.filter((code) => code !== "ok")).toEqual([]);
  });

  test("verify nothing a minute after their withdrawal, remembered tokens included", async () => {
    const { accessToken } = await registered(at.one.url);
    let withdrawn = false;
    const api = verifier({
      fetch: async (url, init) =>
        withdrawn && url.endsWith("jwks.json") ? Response.json({ keys: [] }) : await fetch(url, init),
    });
    expect(await codeOf(api.verify(accessToken))).toBe("ok");
    withdrawn = true;
    const { now } = performance;
    const later = spyOn(performance, "now").mockImplementation(() => now.call(performance) + 61_000);
    try {
      await until("refused", async () => (await codeOf(api.verify(accessToken))) === "invalid_token");
    } finally {
      later.mockRestore();
    }
  });
});

describe("requirements", () => {
  test("aal2 is met by a session with a second factor only", async () => {
    const person = await enrolled(at);
    const api = verifier();
    const one = await registered(at.one.url);
    expect(await codeOf(api.verify(one.accessToken, { aal: "aal2" }))).toBe("insufficient_aal");
    const begun = await new Client(at.one.url).post("/v1/auth/login", { email: person.email, password: PASSWORD });
    const recovery_code = person.recoveryCodes[0];
    const { mfa_token } = begun.body;
    const two = await new Client(at.one.url).post("/v1/auth/mfa/challenge", { mfa_token, recovery_code });
    expect(await codeOf(api.verify(two.body.access_token, { aal: "aal2" }))).toBe("ok");
  });

  test("a role is the one of now, asked once for many requests, and a lower one is refused", async () => {
    const owner = await founded(at);
    const { email, userId, organizationId } = await joinedAs(at, owner, "admin");
    const { accessToken } = await signedIn(at.one.url, email);
    const api = verifier();
    const asAdmin = () => codeOf(api.verify(accessToken, { role: "admin" }));
    expect(await codeOf(api.verify(accessToken, { role: "owner" }))).toBe("insufficient_role");
    expect(new Set(await Promise.all(Array.from({ length: 50 }, asAdmin)))).toEqual(new Set(["ok"]));
    expect(api.requests.filter((path) => path === "/v1/auth/session")).toHaveLength(1);
    expect((await owner.client.patch(memberOf(organizationId, userId), { role: "member" })).status).toBe(200);
    await eventually("the role of now counts", 2000, async () => (await asAdmin()) === "insufficient_role");
    expect(await codeOf(api.verify(accessToken, { role: "member" }))).toBe("ok");
  });

  test("a session without the factor of its organization is refused, by its token alone too (33.4)", async () => {
    const { email, organizationId } = await registered(at.one.url);
    const settings = { ...DEFAULT_POLICY, mfa: "required", mfaSince: new Date(0).toISOString() };
    await at.sql`
      insert into organization_policies (organization_id, settings, policies_at, revision, updated_at)
      values (${organizationId}, ${at.sql.json(settings as never)}, now() - interval '1 minute', 1, now())`;
    const early = await signedIn(at.one.url, email);
    for (const requirements of [{ role: "member" }, { aal: "aal2" }] as const) {
      expect(await codeOf(verifier().verify(early.accessToken, requirements))).toBe("insufficient_aal");
    }
    const api = verifier();
    await eventually("the replica knows the policy", 10_000, async () => {
      const { accessToken } = await signedIn(at.one.url, email);
      return (await codeOf(api.verify(accessToken))) === "insufficient_aal";
    });
    expect(api.requests).not.toContain("/v1/auth/session");
  });

  test("a permission by a role or a group counts within two seconds, and so does the loss", async () => {
    const owner = await founded(at);
    const { email, userId, organizationId } = await joinedAs(at, owner, "member");
    const { accessToken } = await signedIn(at.one.url, email);
    const api = verifier();
    const asAuditor = () => codeOf(api.verify(accessToken, { permission: "audit.read" }));
    expect(await asAuditor()).toBe("insufficient_permission");
    const role = await createdRole({ ...owner, organizationId }, ["audit.read"]);
    expect((await assignRoles(owner, organizationId, userId, [role.id])).status).toBe(200);
    await eventually("the granted permission counts", 2000, async () => (await asAuditor()) === "ok");
    expect((await assignRoles(owner, organizationId, userId, [])).status).toBe(200);
    await eventually("the withdrawn role counts", 2000, async () => (await asAuditor()) === "insufficient_permission");
    const group = await owner.client.post(`/v1/orgs/${organizationId}/groups`, { name: "Audit", role_ids: [role.id] });
    const place = `/v1/orgs/${organizationId}/groups/${group.body.id}/members/${userId}`;
    expect((await owner.client.put(place)).status).toBe(204);
    await eventually("the group counts", 2000, async () => (await asAuditor()) === "ok");
    const both = { role: "admin", permission: "audit.read" } as const;
    expect(await codeOf(api.verify(accessToken, both))).toBe("insufficient_role");
    expect((await owner.client.delete(place)).status).toBe(204);
    await eventually("the lost place counts", 2000, async () => (await asAuditor()) === "insufficient_permission");
  });

  test("a role counts in the organization of the token only, however the session moves between two (G72)", async () => {
    const person = await registered(at.one.url);
    const other = await registered(at.one.url);
    await insertMember(at.sql, other.organizationId, person.userId);
    const standIn = async (organization_id: string) =>
      String((await person.client.post("/v1/auth/organization", { organization_id })).body.access_token);
    const api = verifier();
    const asAdmin = (token: string) => codeOf(api.verify(token, { role: "admin" }));
    const asMember = await standIn(other.organizationId);
    expect(await asAdmin(asMember)).toBe("insufficient_role");
    const asOwner = await standIn(person.organizationId);
    expect(await asAdmin(asOwner)).toBe("ok");
    const codes = new Set<string>();
    await until("the service was asked again", async () => codes.add(await asAdmin(asMember)).has("expired_token"));
    expect([...codes]).toEqual(["insufficient_role", "expired_token"]);
    expect(await codeOf(api.verify(asMember))).toBe("ok");
  });
});
