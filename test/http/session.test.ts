import { beforeAll, describe, expect, test } from "bun:test";
import { Client, PASSWORD, registered, signedIn } from "../support/client.ts";
import { type Deployment, deployment, eventually } from "../support/deployment.ts";
import { deleteMemberships, insertMember, suspendOrganization } from "../support/states.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

describe("GET /v1/auth/session", () => {
  describe("200", () => {
    test("returns user, capabilities and session, by cookie and by Bearer, on either replica", async () => {
      const { client, accessToken, sessionId, email } = await registered(at.one.url);
      const byCookie = await client.get("/v1/auth/session");
      const byBearer = await new Client(at.other.url).get("/v1/auth/session", { bearer: accessToken });
      expect(byCookie.status).toBe(200);
      expect(byCookie.body).toMatchObject({
        user: { email, session_family_id: sessionId },
        capabilities: { role: "owner" },
        session: { id: sessionId, auth_method: "password", aal: "aal1", mfa_verified_at: null },
      });
      expect(byCookie.body.session.auth_time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(byBearer.body).toEqual(byCookie.body);
      expect(byCookie.headers.get("cache-control")).toBe("no-store");
    });
  });

  describe("401 authentication_required", () => {
    test("lets the Bearer count where both are sent, valid or not (docs/contract.md, section 3.1)", async () => {
      const { client } = await registered(at.one.url);
      const response = await client.get("/v1/auth/session", { bearer: "not.a.token" });
      expect([response.status, response.body.error.code]).toEqual([401, "authentication_required"]);
    });

    test.each([
      ["Basic", "Basic dXNlcjpwYXNz"],
      ["no token", "Bearer"],
      ["two tokens", "Bearer a.b.c d.e.f"],
      ["commas", "Bearer a.b.c, Bearer d.e.f"],
    ])("refuses an Authorization header of %s (G8a)", async (_, authorization) => {
      const { client } = await registered(at.one.url);
      expect((await client.get("/v1/auth/session", { headers: { authorization } })).status).toBe(401);
    });

    test.each([
      ["nothing"],
      ["__proto__=x"],
      ["service_at"],
      ["service_at=%E0%A4%A"],
      [`service_at=${"a".repeat(6000)}`],
    ])("refuses the cookie header %p", async (cookie) => {
      const response = await new Client(at.one.url).get("/v1/auth/session", { headers: { cookie } });
      expect(response.status).toBe(401);
    });

    test("decides on the server: a member who was removed is out, although its token still holds (G8)", async () => {
      const { accessToken, userId } = await registered(at.one.url);
      await deleteMemberships(at.sql, userId);
      expect((await new Client(at.other.url).get("/v1/auth/session", { bearer: accessToken })).status).toBe(401);
    });
  });
});

describe("POST /v1/auth/logout", () => {
  describe("204", () => {
    test("ends the session on every replica, clears the cookies and writes auth.logout", async () => {
      const { client, accessToken, sessionId } = await registered(at.one.url);
      const elsewhere = new Client(at.other.url);
      expect((await elsewhere.get("/v1/auth/session", { bearer: accessToken })).status).toBe(200);
      const response = await client.post("/v1/auth/logout");
      expect(response.status).toBe(204);
      expect(response.setCookies.map((cookie) => cookie.split(";")[0])).toEqual([
        "service_at=",
        "service_rt=",
        "service_csrf=",
      ]);
      expect((await new Client(at.one.url).get("/v1/auth/session", { bearer: accessToken })).status).toBe(401);
      await eventually("the other replica refuses", 1000, async () => {
        return (await elsewhere.get("/v1/auth/session", { bearer: accessToken })).status === 401;
      });
      const rows =
        await at.sql`select action from audit_logs where resource_id = ${sessionId} and action = 'auth.logout'`;
      expect(rows).toHaveLength(1);
    });

    test("has no effect without a session or at the second time", async () => {
      expect((await new Client(at.one.url).post("/v1/auth/logout")).status).toBe(204);
      const { client, accessToken, sessionId } = await registered(at.one.url);
      expect((await client.post("/v1/auth/logout")).status).toBe(204);
      expect((await new Client(at.one.url).post("/v1/auth/logout", undefined, { bearer: accessToken })).status).toBe(
        204,
      );
      const rows = await at.sql`select 1 from audit_logs where resource_id = ${sessionId} and action = 'auth.logout'`;
      expect(rows).toHaveLength(1);
    });

    test("ends the session by its refresh token when the access token has expired", async () => {
      const { client } = await registered(at.one.url);
      const refreshToken = client.cookie("service_rt") ?? "";
      const late = new Client(at.one.url);
      late.setCookie("service_rt", refreshToken, "/v1");
      expect((await late.post("/v1/auth/logout")).status).toBe(204);
      expect((await client.post("/v1/auth/refresh")).status).toBe(401);
    });

    test.each([["Bearer not.a.token"], ["Bearer"], ["Basic dTpw"]])(
      "looks at no cookie beside the Authorization header %p, valid or not",
      async (authorization) => {
        const { client, accessToken } = await registered(at.one.url);
        const response = await client.post("/v1/auth/logout", undefined, { headers: { authorization }, csrf: false });
        expect(response.status).toBe(204);
        expect((await new Client(at.one.url).get("/v1/auth/session", { bearer: accessToken })).status).toBe(200);
      },
    );
  });

  describe("403 csrf_failed", () => {
    test("needs the CSRF header when the access cookie holds", async () => {
      const { client } = await registered(at.one.url);
      const response = await client.post("/v1/auth/logout", undefined, { csrf: false });
      expect([response.status, response.body.error.code]).toEqual([403, "csrf_failed"]);
      expect((await client.get("/v1/auth/session")).status).toBe(200);
    });
  });
});

describe("GET /v1/auth/sessions", () => {
  describe("200", () => {
    test("lists the caller's live sessions, newest first, and marks the one that asks", async () => {
      const { client, email, sessionId } = await registered(at.one.url);
      const second = await signedIn(at.other.url, email);
      const { body } = await client.get("/v1/auth/sessions", { headers: { "user-agent": "browser one" } });
      expect(body).toMatchObject({ total: 2, page: 1, page_size: 25 });
      expect(body.items.map((item: { id: string }) => item.id)).toEqual([
        second.answer.body.user.session_family_id,
        sessionId,
      ]);
      expect(body.items.map((item: { current: boolean }) => item.current)).toEqual([false, true]);
      expect(Object.keys(body.items[0]).sort()).toEqual(
        [
          "id",
          "current",
          "name",
          "device",
          "location",
          "last_ip_address",
          "created_at",
          "last_used_at",
          "expires_at",
          "ip_address",
          "user_agent",
          "auth_method",
          "aal",
        ].sort(),
      );
      expect(body.items[0].ip_address).toBe("127.0.0.1");
    });

    test("clamps page_size to 1..100 and keeps the total on a page beyond the end", async () => {
      const { client } = await registered(at.one.url);
      const sizes = await Promise.all(
        ["0", "1000", "-5"].map(
          async (size) => (await client.get(`/v1/auth/sessions?page_size=${size}`)).body.page_size,
        ),
      );
      expect(sizes).toEqual([1, 100, 1]);
      expect((await client.get("/v1/auth/sessions?page=99")).body).toMatchObject({ items: [], total: 1, page: 99 });
    });

    test("leaves out what was revoked or has expired", async () => {
      const { client, email } = await registered(at.one.url);
      const revoked = await signedIn(at.one.url, email);
      const expired = await signedIn(at.one.url, email);
      await revoked.client.post("/v1/auth/logout");
      const id = expired.answer.body.user.session_family_id;
      await at.sql`update sessions set expires_at = now() - interval '1 second' where id = ${id}`;
      expect((await client.get("/v1/auth/sessions")).body.total).toBe(1);
    });
  });

  describe("400 invalid_input", () => {
    test.each(["page=x", "page_size=1.5", "page=1e3"])("refuses %s", async (query) => {
      const { client } = await registered(at.one.url);
      expect((await client.get(`/v1/auth/sessions?${query}`)).status).toBe(400);
    });
  });
});

describe("the sessions of a user", () => {
  test("are at most 1,000: a sign-in beyond them ends the oldest, on every replica, with a record (G8)", async () => {
    const { client, email, userId, sessionId } = await registered(at.one.url);
    // As many further sessions as permitted, all younger than the session of the registration.
    await at.sql`
      insert into sessions (id, user_id, organization_id, auth_method, aal, auth_time, refresh_jti, access_jti,
                            rotated_at, expires_at, ends_at, created_at)
      select gen_random_uuid(), user_id, organization_id, auth_method, aal, auth_time, gen_random_uuid(),
             gen_random_uuid(), rotated_at, expires_at, ends_at, created_at + make_interval(secs => n / 1000.0)
      from sessions, generate_series(1, 1000) n where id = ${sessionId}`;
    const { client: newest } = await signedIn(at.one.url, email);
    const bearer = client.cookie("service_at") ?? "";
    const statusAt = async (url: string) => (await new Client(url).get("/v1/auth/session", { bearer })).status;
    expect(await statusAt(at.one.url)).toBe(401);
    await eventually("the other replica refuses it", 1_000, async () => (await statusAt(at.other.url)) === 401);
    expect((await newest.get("/v1/auth/sessions")).body.total).toBe(1_000);
    const ended =
      await at.sql`select revoked_reason from sessions where user_id = ${userId} and revoked_at is not null`;
    expect(ended).toHaveLength(2);
    const records = await at.sql`
      select actor_type, metadata from audit_logs where resource_id = ${sessionId} and action = 'auth.session.revoked'`;
    expect(records).toMatchObject([{ actor_type: "system", metadata: { reason: "surplus" } }]);
    const { status } = await newest.post("/v1/users/me/password", {
      current_password: PASSWORD,
      new_password: `${PASSWORD} and more`,
    });
    expect(status).toBe(204);
  });
});

describe("DELETE /v1/auth/sessions/:id", () => {
  describe("204", () => {
    test("revokes one session, also after a revocation, with one audit row", async () => {
      const { client, email } = await registered(at.one.url);
      const other = await signedIn(at.other.url, email);
      const id = other.answer.body.user.session_family_id;
      const responses = [
        await client.delete(`/v1/auth/sessions/${id}`),
        await client.delete(`/v1/auth/sessions/${id}`),
      ];
      expect(responses.map((response) => response.status)).toEqual([204, 204]);
      await eventually("the session is refused", 1000, async () => {
        return (await other.client.get("/v1/auth/session")).status === 401;
      });
      expect(
        await at.sql`select 1 from audit_logs where resource_id = ${id} and action = 'auth.session.revoked'`,
      ).toHaveLength(1);
      expect((await client.get("/v1/auth/session")).status).toBe(200);
    });
  });

  describe("404 not_found", () => {
    test("returns equal responses for a foreign session, an unknown session and a malformed UUID (G16)", async () => {
      const { client } = await registered(at.one.url);
      const stranger = await registered(at.one.url);
      for (const id of [stranger.sessionId, Bun.randomUUIDv7(), "1", "%00"]) {
        const response = await client.delete(`/v1/auth/sessions/${id}`);
        expect([response.status, response.body.error.code]).toEqual([404, "not_found"]);
      }
      expect((await stranger.client.get("/v1/auth/session")).status).toBe(200);
    });
  });

  describe("403 csrf_failed", () => {
    test("refuses a request that the browser calls cross-site", async () => {
      const { client, sessionId } = await registered(at.one.url);
      const headers = { "sec-fetch-site": "cross-site" };
      expect((await client.delete(`/v1/auth/sessions/${sessionId}`, { headers })).status).toBe(403);
      expect((await client.get("/v1/auth/session")).status).toBe(200);
    });
  });
});

describe("DELETE /v1/auth/sessions", () => {
  describe("204", () => {
    test("revokes all sessions of the caller and of no other user", async () => {
      const { client, email } = await registered(at.one.url);
      const other = await signedIn(at.other.url, email);
      const stranger = await registered(at.one.url);
      expect((await client.delete("/v1/auth/sessions")).status).toBe(204);
      await eventually("both are refused", 1000, async () => {
        const statuses = await Promise.all([
          other.client.post("/v1/auth/refresh"),
          other.client.get("/v1/auth/session"),
        ]);
        return statuses.every((response) => response.status === 401);
      });
      expect((await stranger.client.get("/v1/auth/session")).status).toBe(200);
    });

    test("keeps the session of the request with except_current=true", async () => {
      const { client, email } = await registered(at.one.url);
      const other = await signedIn(at.one.url, email);
      expect((await client.delete("/v1/auth/sessions?except_current=true")).status).toBe(204);
      expect((await client.get("/v1/auth/session")).status).toBe(200);
      expect((await other.client.get("/v1/auth/session")).status).toBe(401);
    });
  });

  describe("400 invalid_input", () => {
    test("refuses values except true and false, and revokes no session", async () => {
      const { client } = await registered(at.one.url);
      expect((await client.delete("/v1/auth/sessions?except_current=yes")).status).toBe(400);
      expect((await client.get("/v1/auth/session")).status).toBe(200);
    });
  });
});

describe("POST /v1/auth/organization", () => {
  async function guestOf() {
    const host = await registered(at.one.url);
    const guest = await registered(at.one.url);
    await insertMember(at.sql, host.organizationId, guest.userId, "admin");
    return { host, guest };
  }

  describe("200", () => {
    test("goes on in the other organization, same session, new tokens, on every replica", async () => {
      const { host, guest } = await guestOf();
      const elsewhere = guest.client.at(at.other.url);
      expect((await elsewhere.get("/v1/auth/session")).body.user.organization_id).toBe(guest.organizationId);
      const response = await guest.client.post("/v1/auth/organization", { organization_id: host.organizationId });
      expect(response.status).toBe(200);
      expect(response.body).toMatchObject({
        status: "success",
        user: { organization_id: host.organizationId, session_family_id: guest.sessionId },
        capabilities: { role: "admin" },
      });
      await eventually("the other replica knows", 1000, async () => {
        return (await elsewhere.get("/v1/auth/session")).body.user.organization_id === host.organizationId;
      });
      expect((await guest.client.post("/v1/auth/refresh")).status).toBe(200);
      expect((await guest.client.get("/v1/auth/session")).body.user.organization_id).toBe(host.organizationId);
    });
  });

  describe("404 not_found", () => {
    test("is equal for a foreign organization and a missing organization (G16)", async () => {
      const { client } = await registered(at.one.url);
      const stranger = await registered(at.one.url);
      for (const id of [stranger.organizationId, Bun.randomUUIDv7()]) {
        const response = await client.post("/v1/auth/organization", { organization_id: id });
        expect([response.status, response.body.error.code]).toEqual([404, "not_found"]);
      }
    });
  });

  describe("403 forbidden", () => {
    test("refuses a suspended organization", async () => {
      const { host, guest } = await guestOf();
      await suspendOrganization(at.sql, host.organizationId);
      const response = await guest.client.post("/v1/auth/organization", { organization_id: host.organizationId });
      expect([response.status, response.body.error.code]).toEqual([403, "forbidden"]);
    });
  });

  describe("403 csrf_failed", () => {
    test.each([
      ["no header", () => false as const],
      ["another value", () => "x.y"],
      ["the value of another session", (stranger: Client) => stranger.cookie("service_csrf") ?? ""],
    ])("refuses %s (G10)", async (_, csrf) => {
      const { client, organizationId } = await registered(at.one.url);
      const stranger = await registered(at.one.url);
      const body = { organization_id: organizationId };
      const response = await client.post("/v1/auth/organization", body, { csrf: csrf(stranger.client) });
      expect(response.body.error).toEqual({
        code: "csrf_failed",
        type: "authorization_error",
        message: expect.any(String),
      });
    });

    test("refuses a planted pair of cookie and header that is bound to another session (G10)", async () => {
      const { client, organizationId } = await registered(at.one.url);
      const stranger = await registered(at.one.url);
      client.setCookie("service_csrf", stranger.client.cookie("service_csrf") ?? "");
      expect((await client.post("/v1/auth/organization", { organization_id: organizationId })).status).toBe(403);
    });

    test("needs no token for a Bearer request, with or without cookies", async () => {
      const { client, organizationId, accessToken } = await registered(at.one.url);
      const body = { organization_id: organizationId };
      const response = await client.post("/v1/auth/organization", body, { csrf: false, bearer: accessToken });
      expect(response.status).toBe(200);
    });
  });
});
