import { beforeAll, describe, expect, test } from "bun:test";
import { Client } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { enrolled } from "../support/mfa.ts";
import { steppedUpAdmin } from "../support/platform.ts";

const UUID = "019a0000-0000-7000-8000-000000000000";
let at: Deployment;
let admin: Awaited<ReturnType<typeof steppedUpAdmin>>;
beforeAll(async () => {
  at = await deployment();
  admin = await steppedUpAdmin(at, "owner");
});

describe("a message names the field and the rule in words:", () => {
  const login = { email: "a@example.test", password: "x" };
  const flag = { key: "x", enabled: true };
  test.each<[string, string, unknown, string]>([
    ["POST", "/v1/auth/login", {}, "email: is required"],
    ["POST", "/v1/auth/login", { ...login, email: 1 }, "email: must be a string"],
    ["POST", "/v1/auth/login", { ...login, email: null }, "email: must be a string"],
    ["POST", "/v1/auth/login", { ...login, email: "" }, "email: must not be empty"],
    ["POST", "/v1/auth/login", { ...login, email: "x".repeat(1025) }, "email: must have at most 1024 characters"],
    ["POST", "/v1/auth/login", { ...login, organization_id: "Acme" }, "organization_id: must be a UUID"],
    ["POST", "/v1/auth/login", { ...login, organization_id: `urn:uuid:${UUID}` }, "organization_id: must be a UUID"],
    ["POST", "/v1/auth/login", { ...login, organization_id: 7 }, "organization_id: must be a UUID"],
    ["POST", "/v1/auth/mfa/verify", { code: "12345" }, "code: must be six ASCII digits"],
    ["POST", "/v1/auth/mfa/verify", { code: 123456 }, "code: must be a string"],
    ["GET", "/v1/auth/sessions?page_size=Many", undefined, "page_size: must be a whole number"],
    ["DELETE", "/v1/auth/sessions?except_current=Yes", undefined, "except_current: must be true or false"],
    ["GET", "/v1/audit-logs?user_id=ME", undefined, "user_id: must be a UUID"],
    ["GET", "/v1/admin/orgs?q=%00", undefined, "q: must not contain NUL"],
    ["GET", "/v1/auth/invitations/preview", undefined, "token: is required"],
    ["PATCH", "/v1/users/me", { display_name: 7 }, "display_name: must be a string or null"],
    ["PATCH", `/v1/orgs/ORG/members/USER`, { role: "Emperor" }, "role: must be one of member, admin, owner"],
    ["PUT", "/v1/admin/feature-flags", { ...flag, enabled: "Yes" }, "enabled: must be true or false"],
    ["PUT", "/v1/admin/feature-flags", { ...flag, rollout_percent: 101 }, "rollout_percent: must be at most 100"],
    ["PUT", "/v1/admin/feature-flags", { ...flag, rollout_percent: -1 }, "rollout_percent: must be at least 0"],
    ["PUT", "/v1/admin/feature-flags", { ...flag, rollout_percent: 0.5 }, "rollout_percent: must be a whole number"],
    ["PUT", "/v1/admin/feature-flags", { ...flag, organizations: [] }, "organizations: must be an object"],
    ["PUT", "/v1/admin/feature-flags", { ...flag, organizations: { on: "All" } }, "organizations.on: must be a list"],
    ["PUT", "/v1/admin/feature-flags", { ...flag, organizations: { on: ["A"] } }, "organizations.on.0: must be a UUID"],
    [
      "PUT",
      "/v1/admin/integrations/oauth_idp_a",
      { enabled: true, public_config: null },
      "public_config: must be an object",
    ],
    ["POST", "/v1/users/me/passkeys/register/complete", { credential: "X" }, "credential: must be an object"],
  ])("%s %s %j: %s", async (method, path, body, message) => {
    const target = path.replace("ORG", admin.organizationId).replace("USER", admin.userId);
    const response = await admin.client.request(method, target, { body });
    expect([response.status, response.body.error]).toMatchObject([
      400,
      { code: "invalid_input", message, type: "validation_error" },
    ]);
    const [path_ = ""] = message.split(":");
    expect(response.body.error.fields[0].field).toBe(path_.replace(/\.\d+$/, ""));
  });

  test("an optional member that is null counts as absent", async () => {
    const response = await new Client(at.one.url).post("/v1/auth/login", {
      email: "nobody@example.test",
      password: "x",
      organization_id: null,
    });
    expect(response.status).toBe(401);
  });
});

describe("`fields` lists every invalid field of a request with the rule that it breaks:", () => {
  test.each<[string, string, Record<string, unknown>, readonly [string, string][]]>([
    [
      "members that are absent",
      "/v1/auth/register",
      {},
      [
        ["organization_name", "required"],
        ["email", "required"],
        ["password", "required"],
      ],
    ],
    [
      "texts in the wrong form beside absent ones",
      "/v1/auth/register",
      { organization_name: "see http://a.example/b", organization_slug: "-", email: "a", password: "short" },
      [
        ["organization_name", "format"],
        ["organization_slug", "format"],
        ["email", "format"],
        ["password", "too_short"],
      ],
    ],
    [
      "a password that is too long, and one that is common",
      "/v1/auth/register",
      { organization_name: "Acme", email: "a@example.test", password: "x".repeat(257), display_name: "" },
      [
        ["password", "too_long"],
        ["display_name", "format"],
      ],
    ],
    [
      "another type",
      "/v1/auth/login",
      { email: 1, password: [] },
      [
        ["email", "type"],
        ["password", "type"],
      ],
    ],
    ["a body that is not an object", "/v1/auth/login", [] as never, [["body", "malformed"]]],
  ])("%s", async (_, path, body, fields) => {
    const response = await new Client(at.one.url).post(path, body);
    const { code, type, fields: listed } = response.body.error;
    expect([response.status, code, type]).toEqual([400, "invalid_input", "validation_error"]);
    expect(listed).toEqual(fields.map(([field, rule]) => ({ field, rule })));
  });

  test("lists of a client's addresses, one entry for each member", async () => {
    const response = await admin.client.post("/v1/admin/oauth-clients", {
      name: "Wiki",
      application_type: "web",
      token_endpoint_auth_method: "client_secret_basic",
      grant_types: ["authorization_code"],
      redirect_uris: ["http://app.example.com/", "javascript:alert(1)"],
      logo_url: "nowhere",
    });
    expect(response.body.error.fields).toEqual([
      { field: "redirect_uris", rule: "not_allowed" },
      { field: "logo_url", rule: "format" },
    ]);
  });

  test("other errors have no fields", async () => {
    const response = await new Client(at.one.url).get("/v1/auth/session");
    expect(Object.keys(response.body.error).sort()).toEqual(["code", "message", "type"]);
  });
});

describe("POST /v1/auth/mfa/verify", () => {
  test.each(["cookie", "bearer"])(
    "sets the access cookie and a CSRF cookie that fits it, beside the token: by %s",
    async (via) => {
      const { client, recoveryCodes, accessToken } = await enrolled(at);
      const sender = via === "cookie" ? client : new Client(at.one.url);
      const body = { recovery_code: recoveryCodes[0] };
      const response = await sender.post("/v1/auth/mfa/verify", body, via === "bearer" ? { bearer: accessToken } : {});
      expect(response.status).toBe(200);
      expect(response.setCookies.map((cookie) => cookie.split("=")[0])).toEqual(["service_at", "service_csrf"]);
      expect(sender.cookie("service_at")).toBe(String(response.body.access_token));
      expect((await sender.patch("/v1/users/me", { display_name: "Ada" })).status).toBe(200);
    },
  );
});
