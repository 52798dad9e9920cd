import { beforeAll, describe, expect, test } from "bun:test";
import { Client, PASSWORD, registered } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { verifySessionsOf } from "../support/platform.ts";
import { assignPlatformRole } from "../support/states.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const UNKNOWN = "019a0000-0000-7000-8000-000000000000";

describe("GET /v1/users/me", () => {
  describe("200", () => {
    test("returns the account with its organizations", async () => {
      const { client, email, userId, organizationId } = await registered(at.one.url, { display_name: "Ann" });
      const { status, body } = await client.get("/v1/users/me");
      expect(status).toBe(200);
      expect(body).toEqual({
        user_id: userId,
        email,
        email_verified: false,
        display_name: "Ann",
        avatar_url: null,
        organization_id: organizationId,
        organization_kind: "team",
        personal_organization_id: null,
        public_metadata: {},
        organizations: [{ id: organizationId, name: "Acme", slug: expect.any(String), role: "owner" }],
        platform_role: null,
        has_password: true,
        mfa_enabled: false,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updated_at: expect.stringMatching(/Z$/),
      });
    });
  });

  describe("401 authentication_required", () => {
    test("needs a caller", async () => {
      expect((await new Client(at.one.url).get("/v1/users/me")).status).toBe(401);
    });
  });
});

describe("PATCH /v1/users/me", () => {
  describe("200", () => {
    test("sets and clears the display name, leaves it when absent, writes user.updated for each change", async () => {
      const { client, userId } = await registered(at.one.url, { display_name: "Ann" });
      const nameAfter = async (body?: unknown) => (await client.patch("/v1/users/me", body)).body.display_name;
      expect(await nameAfter({ display_name: "  Bob O'Néill " })).toBe("Bob O'Néill");
      expect(await nameAfter({})).toBe("Bob O'Néill");
      expect(await nameAfter()).toBe("Bob O'Néill");
      expect(await nameAfter({ display_name: "Bob O'Néill" })).toBe("Bob O'Néill");
      expect(await nameAfter({ display_name: null })).toBeNull();
      const rows = await at.sql`select metadata from audit_logs where actor_id = ${userId} and action = 'user.updated'`;
      expect(rows).toHaveLength(2);
    });

    test("sets and clears the language of pages and emails, in lower case", async () => {
      const { client, userId } = await registered(at.one.url);
      const localeAfter = async (locale: unknown) => {
        expect((await client.patch("/v1/users/me", { locale })).status).toBe(200);
        const [user] = await at.sql`select locale from users where id = ${userId}`;
        return user?.locale;
      };
      expect(await localeAfter("pt-BR")).toBe("pt-br");
      expect(await localeAfter(undefined)).toBe("pt-br");
      expect(await localeAfter(null)).toBeNull();
      const rows = await at.sql`select metadata from audit_logs where actor_id = ${userId} and action = 'user.updated'`;
      expect(rows.map(({ metadata }) => metadata)).toEqual([{ fields: "locale" }, { fields: "locale" }]);
    });

    test("sets and clears the time zone; the account has the member only with a zone", async () => {
      const { client, userId } = await registered(at.one.url);
      const zoneAfter = async (time_zone?: unknown) =>
        (await client.patch("/v1/users/me", { time_zone })).body.time_zone;
      expect((await client.get("/v1/users/me")).body).not.toHaveProperty("time_zone");
      expect(await zoneAfter("europe/vienna")).toBe("Europe/Vienna");
      expect(await zoneAfter()).toBe("Europe/Vienna");
      expect((await client.get("/v1/users/me")).body.time_zone).toBe("Europe/Vienna");
      expect(await zoneAfter(null)).toBeUndefined();
      const rows = await at.sql`select metadata from audit_logs where actor_id = ${userId} and action = 'user.updated'`;
      expect(rows.map(({ metadata }) => metadata)).toEqual([{ fields: "time_zone" }, { fields: "time_zone" }]);
    });

    test("a notice has the time in the zone of the account; an unknown zone becomes UTC", async () => {
      const { client, email, userId } = await registered(at.one.url);
      await client.patch("/v1/users/me", { time_zone: "Asia/Tokyo" });
      const change = async (current_password: string, new_password: string) =>
        (await client.post("/v1/users/me/password", { current_password, new_password })).status;
      expect(await change(PASSWORD, `${PASSWORD} two`)).toBe(204);
      await at.sql`update users set time_zone = 'Mars/Base' where id = ${userId}`;
      expect(await change(`${PASSWORD} two`, `${PASSWORD} three`)).toBe(204);
      const mails = await at.mail.mailsTo(email, /password was changed|new password/i, 2);
      const times = mails.map(({ text }) => /^Time: (.*)$/m.exec(text)?.[1]);
      expect(times).toEqual([expect.stringMatching(/(?:GMT\+9|JST)$/), expect.stringMatching(/UTC$/)]);
    });

    test("ignores every other member (G17)", async () => {
      const { client } = await registered(at.one.url);
      const before = (await client.get("/v1/users/me")).body;
      const response = await client.patch("/v1/users/me", {
        user_id: UNKNOWN,
        email: "other@example.test",
        email_verified: true,
        platform_role: "owner",
        organization_id: UNKNOWN,
        password_hash: "x",
        mfa_enabled: true,
        id: UNKNOWN,
      });
      expect(response.status).toBe(200);
      expect(response.body).toEqual(before);
    });
  });

  describe("400 invalid_input", () => {
    test.each([
      [""],
      ["Europe/Atlantis"],
      ["+01:00"],
      ["../etc/passwd"],
      ["Europe/Vienna "],
      [`A${"a".repeat(64)}`],
      [7],
    ])("refuses the time zone %j and changes nothing", async (time_zone) => {
      const { client } = await registered(at.one.url);
      const { status, body } = await client.patch("/v1/users/me", { time_zone, display_name: "Changed" });
      expect([status, body.error.fields[0].field]).toEqual([400, "time_zone"]);
      expect((await client.get("/v1/users/me")).body.display_name).toBeNull();
    });

    test.each([[""], ["   "], ["x".repeat(121)], ["a\u0000"], ["a\nb"], ["\ud800"], [7], [{}], [["x"]]])(
      "refuses the display name %p",
      async (display_name) => {
        const { client } = await registered(at.one.url, { display_name: "Ann" });
        expect((await client.patch("/v1/users/me", { display_name })).status).toBe(400);
        expect((await client.get("/v1/users/me")).body.display_name).toBe("Ann");
      },
    );

    test.each([[""], ["e"], ["en_GB"], ["en-"], ["x".repeat(36)], [7], ["en\u0000"]])(
      "refuses the language tag %p",
      async (locale) => {
        const { client, userId } = await registered(at.one.url);
        const { status, body } = await client.patch("/v1/users/me", { display_name: "Ann", locale });
        expect([status, body.fields?.[0]?.field ?? body.error?.fields?.[0]?.field]).toEqual([400, "locale"]);
        const [user] = await at.sql`select display_name, locale from users where id = ${userId}`;
        expect(user).toEqual({ display_name: null, locale: null });
      },
    );
  });

  describe("403 csrf_failed", () => {
    test("needs the CSRF header", async () => {
      const { client } = await registered(at.one.url);
      expect((await client.patch("/v1/users/me", { display_name: "x" }, { csrf: false })).status).toBe(403);
    });
  });
});

describe("GET /v1/users/:id", () => {
  describe("200", () => {
    test("returns the user to that user, and any user to a viewer of the platform", async () => {
      const [one, viewer] = [await registered(at.one.url), await registered(at.one.url)];
      const { body } = await one.client.get(`/v1/users/${one.userId}`);
      expect(body).toEqual({
        user_id: one.userId,
        email: one.email,
        email_verified: false,
        display_name: null,
        platform_role: null,
        disabled: false,
        mfa_enabled: false,
        organizations: [{ id: one.organizationId, name: "Acme", slug: expect.any(String), role: "owner" }],
        created_at: expect.stringMatching(/Z$/),
        last_login_at: expect.stringMatching(/Z$/),
      });
      await assignPlatformRole(at.sql, viewer.userId, "viewer");
      await verifySessionsOf(at, viewer.userId);
      expect((await viewer.client.get(`/v1/users/${one.userId}`)).body).toMatchObject({ user_id: one.userId });
    });
  });

  describe("403 forbidden", () => {
    test("returns equal responses for a foreign user and an unknown user (G16)", async () => {
      const [one, other] = [await registered(at.one.url), await registered(at.one.url)];
      const responses = [
        await one.client.get(`/v1/users/${other.userId}`),
        await one.client.get(`/v1/users/${UNKNOWN}`),
      ];
      for (const response of responses) expect([response.status, response.body]).toEqual([403, responses[0]?.body]);
    });
  });

  describe("404 not_found", () => {
    test("is what a viewer gets for an unknown user, and everybody for what is no UUID", async () => {
      const { client, userId } = await registered(at.one.url);
      await verifySessionsOf(at, userId);
      expect((await client.get("/v1/users/x")).status).toBe(404);
      await assignPlatformRole(at.sql, userId, "viewer");
      expect((await client.get(`/v1/users/${UNKNOWN}`)).status).toBe(404);
    });
  });
});
