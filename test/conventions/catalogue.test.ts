import { beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CHECKED_SETTINGS, SESSION_SETTINGS } from "../../src/database/server-settings.ts";
import { EMAIL_KINDS } from "../../src/models/email/email.ts";
import { Client } from "../support/client.ts";
import { deployment } from "../support/deployment.ts";

const ROOT = join(import.meta.dir, "../..");
/** The mounted routes are exactly the catalogue (docs/contract.md, section 6). */
const CATALOGUE = [
  "POST /v1/auth/register",
  "POST /v1/auth/login",
  "POST /v1/auth/refresh",
  "POST /v1/auth/logout",
  "GET /v1/auth/session",
  "POST /v1/auth/organization",
  "GET /v1/auth/mfa/status",
  "POST /v1/auth/mfa/setup",
  "POST /v1/auth/mfa/enable",
  "POST /v1/auth/mfa/disable",
  "POST /v1/auth/mfa/recovery-codes",
  "POST /v1/auth/mfa/verify",
  "POST /v1/auth/mfa/challenge",
  "GET /v1/auth/sessions",
  "DELETE /v1/auth/sessions",
  "POST /v1/auth/sign-in/not-me",
  "GET /v1/users/me/credential-review",
  "POST /v1/users/me/credential-review",
  "POST /v1/auth/password/reset/end",
  "PATCH /v1/auth/sessions/{id}",
  "DELETE /v1/auth/sessions/{id}",
  "POST /v1/auth/passkey/login/begin",
  "POST /v1/auth/passkey/login/complete",
  "POST /v1/auth/passkey/step-up/begin",
  "POST /v1/auth/passkey/step-up/complete",
  "POST /v1/users/me/passkeys/register/begin",
  "POST /v1/users/me/passkeys/register/complete",
  "GET /v1/users/me/passkeys",
  "PATCH /v1/users/me/passkeys/{id}",
  "DELETE /v1/users/me/passkeys/{id}",
  "POST /v1/users/me/deletion",
  "DELETE /v1/users/me",
  "POST /v1/auth/deletion/cancel",
  "POST /v1/users/me/export",
  "GET /v1/users/me/exports",
  "GET /v1/users/me/exports/{id}",
  "POST /v1/orgs/{org_id}/deletion",
  "DELETE /v1/orgs/{org_id}/deletion",
  "GET /v1/orgs/{org_id}/export",
  "POST /v1/admin/users/{id}/deletion",
  "DELETE /v1/admin/users/{id}/deletion",
  "POST /v1/admin/users/{id}/export",
  "POST /v1/admin/orgs/{id}/deletion",
  "GET /v1/admin/orgs/{id}/export",
  "GET /v1/admin/deletions",
  "POST /v1/auth/email-otp/request",
  "POST /v1/auth/email-otp/verify",
  "GET /v1/users/me/identities",
  "POST /v1/users/me/identities",
  "DELETE /v1/users/me/identities/{id}",
  "GET /v1/auth/oauth/{provider}/start",
  "GET /v1/auth/oauth/{provider}/callback",
  "POST /v1/auth/oauth/{provider}/callback",
  "POST /v1/auth/email/send-verification",
  "POST /v1/auth/email/verify",
  "POST /v1/auth/password/forgot",
  "POST /v1/auth/password/reset",
  "POST /v1/users/me/password",
  "DELETE /v1/users/me/password",
  "GET /v1/users/me/emails",
  "POST /v1/users/me/email",
  "POST /v1/users/me/emails",
  "POST /v1/auth/email/change",
  "POST /v1/auth/email/change/undo",
  "POST /v1/users/me/emails/{id}/primary",
  "DELETE /v1/users/me/emails/{id}",
  "GET /v1/users/me",
  "PATCH /v1/users/me",
  "GET /v1/users/{id}",
  "POST /v1/orgs/{org_id}/invitations",
  "GET /v1/orgs/{org_id}/invitations",
  "DELETE /v1/orgs/{org_id}/invitations/{id}",
  "POST /v1/orgs/{org_id}/invitations/{id}/resend",
  "POST /v1/orgs/{org_id}/members/{user_id}/erasure",
  "GET /v1/auth/invitations/preview",
  "POST /v1/auth/invitations/accept",
  "GET /v1/orgs/{org_id}/members",
  "PUT /v1/orgs/{org_id}/members/{user_id}/roles",
  "GET /v1/orgs/{org_id}/roles",
  "POST /v1/orgs/{org_id}/roles",
  "PATCH /v1/orgs/{org_id}/roles/{id}",
  "DELETE /v1/orgs/{org_id}/roles/{id}",
  "POST /v1/orgs/{org_id}/permissions/check",
  "GET /v1/orgs/{org_id}/members/{user_id}/metadata",
  "PATCH /v1/orgs/{org_id}/members/{user_id}/metadata",
  "GET /v1/orgs/{org_id}/metadata",
  "PATCH /v1/orgs/{org_id}/metadata",
  "POST /v1/orgs",
  "GET /v1/users/me/joinable-organizations",
  "POST /v1/orgs/{org_id}/join",
  "GET /v1/orgs/{org_id}/join-requests",
  "POST /v1/orgs/{org_id}/join-requests/{id}/approve",
  "POST /v1/orgs/{org_id}/join-requests/{id}/deny",
  "GET /v1/orgs/{org_id}/applications",
  "POST /v1/orgs/{org_id}/applications/{id}/approve",
  "POST /v1/orgs/{org_id}/applications/{id}/deny",
  "DELETE /v1/orgs/{org_id}/applications/{id}",
  "GET /v1/orgs/{org_id}/groups",
  "POST /v1/orgs/{org_id}/groups",
  "GET /v1/orgs/{org_id}/groups/{id}",
  "PATCH /v1/orgs/{org_id}/groups/{id}",
  "DELETE /v1/orgs/{org_id}/groups/{id}",
  "GET /v1/orgs/{org_id}/groups/{id}/members",
  "PUT /v1/orgs/{org_id}/groups/{id}/members/{user_id}",
  "DELETE /v1/orgs/{org_id}/groups/{id}/members/{user_id}",
  "GET /v1/admin/roles",
  "POST /v1/admin/roles",
  "PATCH /v1/admin/roles/{id}",
  "DELETE /v1/admin/roles/{id}",
  "GET /v1/orgs/{org_id}/sessions",
  "DELETE /v1/orgs/{org_id}/sessions/{id}",
  "PATCH /v1/orgs/{org_id}/members/{user_id}",
  "DELETE /v1/orgs/{org_id}/members/{user_id}",
  "POST /v1/orgs/{org_id}/service-accounts",
  "GET /v1/orgs/{org_id}/service-accounts",
  "DELETE /v1/orgs/{org_id}/service-accounts/{id}",
  "POST /v1/orgs/{org_id}/service-accounts/{id}/keys",
  "GET /v1/orgs/{org_id}/service-accounts/{id}/keys",
  "DELETE /v1/orgs/{org_id}/service-accounts/{id}/keys/{key_id}",
  "POST /v1/admin/service-accounts",
  "GET /v1/admin/service-accounts",
  "DELETE /v1/admin/service-accounts/{id}",
  "POST /v1/admin/service-accounts/{id}/keys",
  "GET /v1/admin/service-accounts/{id}/keys",
  "DELETE /v1/admin/service-accounts/{id}/keys/{key_id}",
  "POST /v1/orgs/{org_id}/webhooks",
  "GET /v1/orgs/{org_id}/webhooks",
  "PATCH /v1/orgs/{org_id}/webhooks/{id}",
  "DELETE /v1/orgs/{org_id}/webhooks/{id}",
  "POST /v1/orgs/{org_id}/webhooks/{id}/secret",
  "POST /v1/orgs/{org_id}/webhooks/{id}/test",
  "GET /v1/orgs/{org_id}/webhooks/{id}/deliveries",
  "POST /v1/orgs/{org_id}/webhooks/{id}/deliveries/{event_id}/resend",
  "GET /v1/orgs/{org_id}/webhooks/{id}/events",
  "POST /v1/orgs/{org_id}/webhooks/{id}/recover",
  "POST /v1/orgs/{org_id}/webhooks/{id}/deliveries/resend",
  "GET /v1/admin/webhooks/{id}/events",
  "POST /v1/admin/webhooks/{id}/recover",
  "POST /v1/admin/webhooks/{id}/deliveries/resend",
  "GET /v1/orgs/{org_id}/domains",
  "POST /v1/orgs/{org_id}/domains",
  "POST /v1/orgs/{org_id}/domains/{id}/verify",
  "PATCH /v1/orgs/{org_id}/domains/{id}",
  "DELETE /v1/orgs/{org_id}/domains/{id}",
  "GET /v1/orgs/{org_id}/sso/connections",
  "POST /v1/orgs/{org_id}/sso/connections",
  "GET /v1/orgs/{org_id}/sso/connections/{id}",
  "PATCH /v1/orgs/{org_id}/sso/connections/{id}",
  "DELETE /v1/orgs/{org_id}/sso/connections/{id}",
  "POST /v1/orgs/{org_id}/sso/connections/{id}/activate",
  "POST /v1/orgs/{org_id}/sso/connections/{id}/deactivate",
  "DELETE /v1/orgs/{org_id}/members/{user_id}/factor",
  "GET /v1/orgs/{org_id}/sso/identities",
  "DELETE /v1/orgs/{org_id}/sso/identities/{id}",
  "GET /v1/users/me/sso-links/{id}",
  "POST /v1/users/me/sso-links/{id}/confirm",
  "POST /v1/orgs/{org_id}/sso/connections/{id}/test",
  "GET /v1/orgs/{org_id}/sso/connections/{id}/test",
  "GET /v1/orgs/{org_id}/sso/connections/{id}/attempts",
  "POST /v1/orgs/{org_id}/sso/connections/{id}/service-key",
  "POST /v1/orgs/{org_id}/sso/connections/{id}/service-key/promote",
  "DELETE /v1/orgs/{org_id}/sso/connections/{id}/service-key/previous",
  "GET /v1/auth/sso/{connection_id}/jwks",
  "GET /v1/auth/sso/{connection_id}/start",
  "POST /v1/auth/sso/{connection_id}/start",
  "GET /v1/auth/sso/{connection_id}/callback",
  "POST /v1/auth/sso/discover",
  "POST /v1/auth/sso/{connection_id}/backchannel-logout",
  "GET /v1/auth/sso/{connection_id}/metadata",
  "POST /v1/auth/sso/{connection_id}/acs",
  "GET /v1/auth/sso/{connection_id}/finish",
  "GET /v1/auth/sso/{connection_id}/slo",
  "POST /v1/auth/sso/{connection_id}/slo",
  "POST /v1/orgs/{org_id}/sso/connections/{id}/metadata",
  "GET /v1/orgs/{org_id}/policies",
  "PUT /v1/orgs/{org_id}/policies",
  "GET /v1/orgs/{org_id}/sso/setup-links",
  "POST /v1/orgs/{org_id}/sso/setup-links",
  "DELETE /v1/orgs/{org_id}/sso/setup-links/{id}",
  "GET /v1/admin/orgs/{id}/sso/setup-links",
  "POST /v1/admin/orgs/{id}/sso/setup-links",
  "DELETE /v1/admin/orgs/{id}/sso/setup-links/{link_id}",
  "POST /v1/setup/preview",
  "POST /v1/setup/begin",
  "GET /v1/setup",
  "POST /v1/setup/finish",
  "GET /v1/setup/domains",
  "POST /v1/setup/domains",
  "POST /v1/setup/domains/{id}/verify",
  "GET /v1/setup/connection",
  "POST /v1/setup/connection",
  "PATCH /v1/setup/connection",
  "POST /v1/setup/connection/metadata",
  "POST /v1/setup/connection/test",
  "GET /v1/setup/connection/test",
  "POST /v1/setup/connection/request-activation",
  "POST /v1/setup/directory-token",
  "GET /v1/orgs/{org_id}/sso/policy",
  "PUT /v1/orgs/{org_id}/sso/policy",
  "POST /v1/admin/orgs/{id}/sso/pause",
  "DELETE /v1/admin/orgs/{id}/sso/pause",
  "GET /v1/orgs/{org_id}/directory",
  "PUT /v1/orgs/{org_id}/directory",
  "DELETE /v1/orgs/{org_id}/directory",
  "GET /v1/orgs/{org_id}/directory/users",
  "GET /v1/orgs/{org_id}/directory/groups",
  "PATCH /v1/orgs/{org_id}/directory/groups/{id}",
  "GET /v1/orgs/{org_id}/directory/requests",
  "GET /v1/scim/v2/ServiceProviderConfig",
  "GET /v1/scim/v2/ResourceTypes",
  "GET /v1/scim/v2/ResourceTypes/{id}",
  "GET /v1/scim/v2/Schemas",
  "GET /v1/scim/v2/Schemas/{id}",
  "GET /v1/scim/v2/Users",
  "POST /v1/scim/v2/Users",
  "GET /v1/scim/v2/Users/{id}",
  "PUT /v1/scim/v2/Users/{id}",
  "PATCH /v1/scim/v2/Users/{id}",
  "DELETE /v1/scim/v2/Users/{id}",
  "POST /v1/scim/v2/Users/.search",
  "GET /v1/scim/v2/Groups",
  "POST /v1/scim/v2/Groups",
  "GET /v1/scim/v2/Groups/{id}",
  "PUT /v1/scim/v2/Groups/{id}",
  "PATCH /v1/scim/v2/Groups/{id}",
  "DELETE /v1/scim/v2/Groups/{id}",
  "POST /v1/scim/v2/Groups/.search",
  "POST /v1/scim/v2/.search",
  "POST /v1/admin/domains/{id}/transfer",
  "POST /v1/admin/webhooks",
  "GET /v1/admin/webhooks",
  "PATCH /v1/admin/webhooks/{id}",
  "DELETE /v1/admin/webhooks/{id}",
  "POST /v1/admin/webhooks/{id}/secret",
  "POST /v1/admin/webhooks/{id}/test",
  "GET /v1/admin/webhooks/{id}/deliveries",
  "POST /v1/admin/webhooks/{id}/deliveries/{event_id}/resend",
  "GET /.well-known/ssf-configuration",
  "POST /v1/ssf/stream",
  "GET /v1/ssf/stream",
  "PATCH /v1/ssf/stream",
  "PUT /v1/ssf/stream",
  "DELETE /v1/ssf/stream",
  "GET /v1/ssf/status",
  "POST /v1/ssf/status",
  "POST /v1/ssf/verify",
  "POST /v1/ssf/poll/{stream_id}",
  "GET /v1/admin/orgs",
  "POST /v1/admin/orgs",
  "PATCH /v1/admin/orgs/{id}",
  "GET /v1/admin/orgs/{id}/members",
  "PATCH /v1/admin/orgs/{id}/members/{user_id}",
  "DELETE /v1/admin/orgs/{id}/members/{user_id}",
  "GET /v1/admin/orgs/{id}/invitations",
  "POST /v1/admin/orgs/{id}/invitations",
  "DELETE /v1/admin/orgs/{id}/invitations/{invitation_id}",
  "POST /v1/admin/orgs/{id}/invitations/{invitation_id}/resend",
  "GET /v1/admin/users",
  "PATCH /v1/admin/users/{id}",
  "POST /v1/admin/users/{id}/mfa/reset",
  "POST /v1/admin/users/{id}/send-verification",
  "POST /v1/admin/users/{id}/send-password-reset",
  "GET /v1/admin/requests/{request_id}",
  "POST /oauth2/register",
  "GET /oauth2/register/{client_id}",
  "PUT /oauth2/register/{client_id}",
  "DELETE /oauth2/register/{client_id}",
  "GET /v1/admin/registration-tokens",
  "POST /v1/admin/registration-tokens",
  "DELETE /v1/admin/registration-tokens/{id}",
  "GET /v1/admin/oauth-clients",
  "POST /v1/admin/oauth-clients",
  "PATCH /v1/admin/oauth-clients/{id}",
  "DELETE /v1/admin/oauth-clients/{id}",
  "POST /v1/admin/oauth-clients/{id}/secrets",
  "DELETE /v1/admin/oauth-clients/{id}/secrets/{secret_id}",
  "GET /v1/admin/resources",
  "POST /v1/admin/resources",
  "PATCH /v1/admin/resources/{id}",
  "DELETE /v1/admin/resources/{id}",
  "GET /v1/users/me/grants",
  "DELETE /v1/users/me/grants/{id}",
  "POST /oauth2/token",
  "POST /oauth2/par",
  "POST /oauth2/device_authorization",
  "POST /v1/auth/device",
  "POST /v1/auth/device/{id}/approve",
  "POST /v1/auth/device/{id}/deny",
  "POST /oauth2/introspect",
  "POST /oauth2/revoke",
  "GET /oauth2/userinfo",
  "POST /oauth2/userinfo",
  "GET /.well-known/oauth-authorization-server",
  "GET /v1/admin/integrations",
  "PUT /v1/admin/integrations/{provider}",
  "POST /v1/admin/integrations/{provider}/test",
  "GET /v1/audit-logs",
  "GET /v1/audit-logs/{event_id}/proof",
  "GET /v1/admin/audit-export",
  "GET /v1/admin/audit-export/proof",
  "GET /v1/audit-log/checkpoint",
  "GET /v1/audit-log/tile/{path}",
  "GET /v1/admin/feature-flags",
  "PUT /v1/admin/feature-flags",
  "GET /v1/feature-flags",
  "POST /v1/users/me/avatar",
  "DELETE /v1/users/me/avatar",
  "GET /avatars/{file}",
  "GET /v1/orgs/{org_id}/audit-logs",
  "GET /v1/orgs/{org_id}/brand",
  "PUT /v1/orgs/{org_id}/brand",
  "PUT /v1/orgs/{org_id}/brand/logo",
  "DELETE /v1/orgs/{org_id}/brand/logo",
  "PUT /v1/orgs/{org_id}/brand/logo-dark",
  "DELETE /v1/orgs/{org_id}/brand/logo-dark",
  "GET /v1/admin/oauth-clients/{id}/brand",
  "PUT /v1/admin/oauth-clients/{id}/brand",
  "PUT /v1/admin/oauth-clients/{id}/brand/logo",
  "DELETE /v1/admin/oauth-clients/{id}/brand/logo",
  "PUT /v1/admin/oauth-clients/{id}/brand/logo-dark",
  "DELETE /v1/admin/oauth-clients/{id}/brand/logo-dark",
  "GET /logos/{file}",
  "POST /v1/auth/trusted-browsers",
  "GET /v1/auth/trusted-browsers",
  "DELETE /v1/auth/trusted-browsers/{id}",
  "GET /.well-known/jwks.json",
  "GET /.well-known/openid-configuration",
  "GET /.well-known/oauth-protected-resource",
  "GET /.well-known/oauth-protected-resource/{prefix}",
  "GET /.well-known/oauth-protected-resource/resources/{id}",
  "GET /.well-known/service-revocations.json",
  "GET /healthz",
  "GET /readyz",
  "GET /metrics",
];

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document, read member by member.
let document: any;
beforeAll(async () => {
  document = (await new Client((await deployment()).one.url).get("/openapi.json")).body;
});

function filesOf(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name));
}

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

describe("the catalogue", () => {
  test("equals the mounted routes as the OpenAPI document has them", () => {
    const mounted = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(mounted.sort()).toEqual([...CATALOGUE].sort());
  });

  test("has a black-box test for every endpoint", () => {
    const tests = filesOf("test/http").map(read).join("\n");
    // Tests write a path with parameters as a template string with values; the last parameter may be outside of the
    // string.
    const patternOf = (entry: string) => {
      const [, path = ""] = entry.split(" ");
      return new RegExp(path.replace(/\{\w+\}$/, "").replace(/\{\w+\}/g, String.raw`\$\{[^}]+\}`));
    };
    expect(CATALOGUE.filter((entry) => !patternOf(entry).test(tests))).toEqual([]);
  });

  test("documents every answer: a summary, an operation id of its own, the envelope for every refusal", () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods as object).map((operation) => ({ ...operation, path })),
    );
    expect(new Set(operations.map((operation) => operation.operationId)).size).toBe(operations.length);
    for (const operation of operations) {
      // RFC 6749 and RFC 7644 define the format of errors at these endpoints.
      const isScim = operation.path.includes("/scim/v2/");
      const schema = isScim ? "ScimError" : operation.path.startsWith("/oauth2/") ? "OAuthError" : "Error";
      const contentType = isScim ? "application/scim+json" : "application/json";
      expect(operation.summary).toBeString();
      for (const [status, answer] of Object.entries<{ content?: Record<string, { schema: object }> }>(
        operation.responses,
      )) {
        if (Number(status) < 400 || status === "503") continue;
        expect(answer.content?.[contentType]?.schema).toEqual({ $ref: `#/components/schemas/${schema}` });
      }
    }
  });
});

describe("the documentation", () => {
  test("names every kind of e-mail, for authors of templates", () => {
    const operating = read("docs/operating.md");
    expect(EMAIL_KINDS.filter((kind) => !operating.includes(`| \`${kind}\``))).toEqual([]);
  });

  test("names every setting of PostgreSQL that the service sets or checks, for operators (G350)", () => {
    const operating = read("docs/operating.md");
    const names = [...SESSION_SETTINGS, ...CHECKED_SETTINGS].map(({ name }) => name);
    expect(names.filter((name) => !operating.includes(`\`${name}\``))).toEqual([]);
  });
});

describe("rules of the code base", () => {
  test("time and randomness come in through the dependencies (docs/architecture.md, rule 1)", () => {
    const allowed = new Set(["src/base/clock.ts", "src/base/random.ts"]);
    const ambient = /\bDate\.now\(|new Date\(\)|performance\.now\(|Math\.random\(|randomUUID|randomBytes\(/;
    const offenders = filesOf("src").filter((file) => !allowed.has(file) && ambient.test(read(file)));
    expect(offenders).toEqual([]);
  });

  test("no file of src, workers or db is longer than 300 lines, except generated types", () => {
    const written = ["src", "workers", "db"].flatMap(filesOf).filter((file) => !file.endsWith(".gen.ts"));
    const long = written.filter((file) => read(file).split("\n").length > 301);
    expect(long).toEqual([]);
  });

  test("docs/configuration.md has the facts of the code for every variable, and no further variable", async () => {
    const { VARIABLES } = await import("../../src/config/variables.ts");
    const rows = [...read("docs/configuration.md").matchAll(/^\| `([A-Z][A-Z0-9_]+)` \| (.*?) \| (.*) \|$/gm)];
    const documented = rows.map(([, name, shown, meaning]) => ({ name, shown, meaning }));
    const known = Object.entries(VARIABLES).map(([name, { displayedDefault: shown, meaning }]) => ({
      name,
      shown,
      meaning,
    }));
    const byName = (a: { name?: string | undefined }, b: { name?: string | undefined }) =>
      String(a.name).localeCompare(String(b.name));
    expect(documented.sort(byName)).toEqual(known.sort(byName));
  });
});
