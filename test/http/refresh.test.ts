import { beforeAll, describe, expect, test } from "bun:test";
import { Client, registered } from "../support/client.ts";
import { type Deployment, deployment, race } from "../support/deployment.ts";
import { decodeClaims } from "../support/forge.ts";
import { deleteMemberships, disableUser, suspendOrganization } from "../support/states.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

/** Presents a refresh token without the client's cookies, like the holder of a copy. */
function present(refreshToken: string, url = at.one.url) {
  const client = new Client(url);
  client.setCookie("service_rt", refreshToken, "/v1");
  return client.post("/v1/auth/refresh", undefined, { csrf: false });
}

const refreshTokenOf = (client: Client) => client.cookie("service_rt") ?? "";

/** Moves the family's last rotation into the past, beyond the grace of ten seconds. */
const age = (sessionId: string) =>
  at.sql`update sessions set rotated_at = rotated_at - interval '11 seconds' where id = ${sessionId}`;

describe("POST /v1/auth/refresh", () => {
  describe("200", () => {
    test("rotates the refresh token and mints an access token, without a CSRF header", async () => {
      const { client, accessToken } = await registered(at.one.url);
      const before = refreshTokenOf(client);
      const response = await client.post("/v1/auth/refresh", undefined, { csrf: false });
      expect(response.status).toBe(200);
      expect(response.body).toEqual({ access_token: expect.any(String), expires_in: 900 });
      expect(response.body.access_token).not.toBe(accessToken);
      expect(refreshTokenOf(client)).not.toBe(before);
      expect(response.setCookies.map((cookie) => cookie.split("=")[0]).sort()).toEqual([
        "service_at",
        "service_csrf",
        "service_rt",
      ]);
      expect((await client.get("/v1/auth/session")).status).toBe(200);
    });

    test("changes neither auth_time nor aal nor sid (G8a)", async () => {
      const { client, accessToken } = await registered(at.one.url);
      const { auth_time, aal, sid } = decodeClaims(accessToken);
      const response = await client.post("/v1/auth/refresh");
      expect(decodeClaims(response.body.access_token)).toMatchObject({ auth_time, aal, sid });
    });

    test("gives the token before the current one the same new tokens again within ten seconds", async () => {
      const { client } = await registered(at.one.url);
      const old = refreshTokenOf(client);
      const first = await present(old);
      const second = await present(old, at.other.url);
      expect(second.status).toBe(200);
      expect(second.body.access_token).toBe(first.body.access_token);
      const cookieOf = (response: typeof first) =>
        response.setCookies.find((cookie) => cookie.startsWith("service_rt="));
      expect(cookieOf(second)).toBe(cookieOf(first) ?? "");
    });

    test("leaves one lineage of 20 parallel refreshes over two replicas (G4)", async () => {
      const { client } = await registered(at.one.url);
      const old = refreshTokenOf(client);
      const responses = await race((index) => present(old, index % 2 ? at.one.url : at.other.url));
      expect(responses.map((response) => response.status)).toEqual(Array(20).fill(200));
      const tokens = responses.flatMap((response) =>
        response.setCookies.filter((cookie) => cookie.startsWith("service_rt=")),
      );
      expect(new Set(tokens).size).toBe(1);
    });

    test("never outlives the end of the session", async () => {
      const { client, sessionId } = await registered(at.one.url);
      await at.sql`update sessions set ends_at = now() + interval '100 seconds' where id = ${sessionId}`;
      const response = await client.post("/v1/auth/refresh");
      expect(response.body.expires_in).toBeLessThanOrEqual(100);
      const refreshToken = decodeClaims(refreshTokenOf(client)) as { exp: number; iat: number };
      expect(refreshToken.exp - refreshToken.iat).toBeLessThanOrEqual(100);
    });
  });

  describe("401 authentication_required", () => {
    test("takes an older token for theft and revokes the family everywhere (G4)", async () => {
      const { client, sessionId, userId } = await registered(at.one.url);
      const stolen = refreshTokenOf(client);
      await client.post("/v1/auth/refresh");
      await client.post("/v1/auth/refresh");
      const thief = await present(stolen, at.other.url);
      expect([thief.status, thief.body.error.code]).toEqual([401, "authentication_required"]);
      expect((await client.post("/v1/auth/refresh")).status).toBe(401);
      const rows = await at.sql`select action, outcome, resource_id from audit_logs
        where actor_id = ${userId} and action = 'auth.refresh.reuse_detected'`;
      expect([...rows]).toEqual([
        { action: "auth.refresh.reuse_detected", outcome: "failure", resource_id: sessionId },
      ]);
    });

    test("takes the token before the current one for theft after ten seconds", async () => {
      const { client, sessionId } = await registered(at.one.url);
      const old = refreshTokenOf(client);
      await client.post("/v1/auth/refresh");
      await age(sessionId);
      expect((await present(old)).status).toBe(401);
      expect((await client.post("/v1/auth/refresh")).status).toBe(401);
    });

    test("records one theft of 20 parallel replays", async () => {
      const { client, sessionId } = await registered(at.one.url);
      const stolen = refreshTokenOf(client);
      await client.post("/v1/auth/refresh");
      await age(sessionId);
      const responses = await race((index) => present(stolen, index % 2 ? at.one.url : at.other.url));
      expect(responses.map((response) => response.status)).toEqual(Array(20).fill(401));
      const rows = await at.sql`select 1 from audit_logs where resource_id = ${sessionId} and action like '%reuse%'`;
      expect(rows).toHaveLength(1);
    });

    test("refuses the session of a disabled user, a suspended organization, a removed member (G8)", async () => {
      const [disabled, suspended, removed] = await race(() => registered(at.one.url), 3);
      if (!disabled || !suspended || !removed) throw new Error("three registrations");
      await disableUser(at.sql, disabled.userId);
      await suspendOrganization(at.sql, suspended.organizationId);
      await deleteMemberships(at.sql, removed.userId);
      for (const { client } of [disabled, suspended, removed]) {
        expect((await client.post("/v1/auth/refresh")).status).toBe(401);
      }
    });

    test("refuses no cookie, an access token in its place, garbage, and clears the cookies", async () => {
      const { accessToken } = await registered(at.one.url);
      for (const token of ["", accessToken, "a.b.c", "__proto__"]) {
        const response = await present(token);
        expect(response.status).toBe(401);
        expect(response.setCookies.every((cookie) => cookie.includes("Max-Age=0"))).toBe(true);
        expect(response.setCookies).toHaveLength(3);
      }
    });

    test("refuses a refresh token as access token", async () => {
      const { client } = await registered(at.one.url);
      const response = await new Client(at.one.url).get("/v1/auth/session", { bearer: refreshTokenOf(client) });
      expect(response.status).toBe(401);
    });
  });
});
