/** What ends with the key or trust of a program (docs/contract.md, section 35.6). */
import { beforeAll, describe, expect, test } from "bun:test";
import { testCertificate } from "../support/certificate.ts";
import { Client, newEmail } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { directoryOf, scimClient, userBody } from "../support/directories.ts";
import { ForgedProvider } from "../support/identity/forged-provider.ts";
import { INVITE_LINK, tokenTo } from "../support/mail.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { CREDENTIALS, credentialFrom, type MadeCredential } from "../support/program-credentials.ts";
import { accountsOf, keyOf, steppedUpOwner } from "../support/service-accounts.ts";
import { accept } from "../support/team.ts";
import { until } from "../support/waiting.ts";

const PLATFORM = "/v1/admin/service-accounts";
const TRUST = "a token of a trust";

let at: Deployment;
let platform: Awaited<ReturnType<typeof steppedUpAdmin>>;
let owner: Awaited<ReturnType<typeof steppedUpOwner>>;
let credentialOf: ReturnType<typeof credentialFrom>;
beforeAll(async () => {
  at = await deployment();
  platform = await steppedUpAdmin(at, "owner");
  owner = await steppedUpOwner(at);
  credentialOf = credentialFrom(at.one.url, new ForgedProvider(testCertificate()));
});

const as = (secret: string, url = at.one.url, headers = {}) => {
  const client = new Client(url);
  return (method: string, path: string, body?: object) =>
    client.request(method, path, { bearer: secret, headers, ...(body ? { body } : {}) });
};
const membersOf = () => `/v1/orgs/${owner.organizationId}/members`;
const isEnded = async (key: string) => (await as(key, at.other.url)("GET", membersOf())).status === 401;
const recordsOf = async (ids: readonly string[]) =>
  await at.sql`
    select action, metadata->>'reason' as reason from audit_logs
    where resource_id = any(${[...ids]}) and metadata->>'reason' is not null order by action`;

/** A trust of the organization, and a key that a token of the trust created. */
async function trustWithKey(scopes: readonly string[] = ["machines.manage", "members.list"]) {
  const accounts = accountsOf(owner.organizationId);
  const trust = await credentialOf(TRUST, owner.client, accounts, scopes);
  const account = await as(trust.secret)("POST", accounts, { name: "Child" });
  const keys = `${accounts}/${account.body.id}/keys`;
  const made = await as(trust.secret)("POST", keys, { scopes: ["members.list"] });
  expect([made.status, await isEnded(made.body.key)]).toEqual([201, false]);
  return { trust, id: made.body.id as string, key: made.body.key as string };
}

describe("the end of a credential (G542)", () => {
  test.each(CREDENTIALS)("%s: ends open invitations, set-up links, registration tokens and tickets.", async (kind) => {
    const ofLinks = ["sso.manage", "members.invite", "members.list"];
    const scopes = [...ofLinks, "organizations.write", "oauth_clients.write", "users.write", "users.credentials"];
    const made: MadeCredential = await credentialOf(kind, platform.client, PLATFORM, scopes);
    const call = as(made.secret);
    const email = newEmail();
    const base = `/v1/orgs/${owner.organizationId}`;
    const invitation = await call("POST", `${base}/invitations`, { email, role: "admin" });
    const link = await call("POST", `${base}/sso/setup-links`, { intents: ["connection"] });
    const token = await call("POST", "/v1/admin/registration-tokens", { name: "CI", max_uses: 5 });
    const ticket = await call("POST", "/v1/admin/orgs", {
      organization_name: "By a program",
      owner: { email: newEmail(), delivery: "link" },
    });
    expect([invitation.status, link.status, token.status, ticket.status]).toEqual([201, 201, 201, 201]);
    const invite = await tokenTo(at.mail, email, INVITE_LINK);
    expect((await platform.client.delete(made.path)).status).toBe(204);
    expect((await accept(new Client(at.one.url), invite)).status).toBe(409);
    const [stored] = await at.sql`select end_reason from sso_setup_links where id = ${link.body.id}`;
    expect(stored?.end_reason).toBe("revoked");
    expect([...(await at.sql`select id from oauth_registration_tokens where id = ${token.body.id}`)]).toEqual([]);
    const reset = { token: new URL(ticket.body.owner_ticket.url).searchParams.get("token"), new_password: newEmail() };
    expect((await new Client(at.one.url).post("/v1/auth/password/reset", reset)).status).toBe(401);
    const reason = "creator_ended";
    expect([...(await recordsOf([invitation.body.id, link.body.id, token.body.id]))]).toEqual([
      { action: "invitation.revoked", reason },
      { action: "oauth.registration_token.deleted", reason },
      { action: "sso.setup_link.revoked", reason },
    ]);
  });

  test("Twenty invitations beside the end of the credential leave no open invitation.", async () => {
    const scopes = ["members.invite", "members.list"];
    const made = await credentialOf("a key", owner.client, accountsOf(owner.organizationId), scopes);
    const invite = (index: number) =>
      as(made.secret, index % 2 === 0 ? at.one.url : at.other.url)(
        "POST",
        `/v1/orgs/${owner.organizationId}/invitations`,
        {
          email: newEmail(),
          role: "member",
        },
      );
    await Promise.all([...Array.from({ length: 20 }, (_, index) => invite(index)), owner.client.delete(made.path)]);
    const open = await at.sql`
      select id from invitations where created_by_credential = ${made.id} and revoked_at is null`;
    expect([...open]).toEqual([]);
  });
});

describe("a trust (G543)", () => {
  test.each([
    ["disabled", { disabled: true }],
    ["narrowed", { scopes: ["machines.manage"] }],
  ])("that is %s ends the keys that the trust created.", async (_, change) => {
    const { trust, id, key } = await trustWithKey();
    expect((await owner.client.patch(trust.path, change)).status).toBe(200);
    await until("the key ends", () => isEnded(key));
    expect([...(await recordsOf([id]))]).toEqual([{ action: "api_key.revoked", reason: "creator_ended" }]);
  });

  test("that is renamed keeps the keys that the trust created.", async () => {
    const { trust, key } = await trustWithKey();
    expect((await owner.client.patch(trust.path, { name: "Renamed" })).status).toBe(200);
    expect(await isEnded(key)).toBe(false);
  });

  test("and a key that end with their maker end what these created, with one record for each.", async () => {
    const { id, key } = await trustWithKey();
    const accounts = accountsOf(owner.organizationId);
    const first = await keyOf(owner.client, accounts, ["machines.manage", "members.list"]);
    const keys = `${accounts}/${first.accountId}/keys`;
    const second = await as(first.key)("POST", keys, { scopes: ["members.list"] });
    expect((await owner.client.delete("/v1/auth/sessions?revoke_api_keys=true&except_current=true")).status).toBe(204);
    for (const each of [key, second.body.key]) await until("the key ends", () => isEnded(each));
    const record = { action: "api_key.revoked", reason: "user_request" };
    expect([...(await recordsOf([id, second.body.id]))]).toEqual([record, record]);
  });
});

test("A key that is bound by origins creates keys within these origins alone (G544).", async () => {
  const origin = "https://app.example.com";
  const accounts = accountsOf(owner.organizationId);
  const scopes = ["machines.manage", "members.list"];
  const own = await keyOf(owner.client, accounts, scopes, { allowed_referrers: [origin] });
  const call = as(own.key, at.one.url, { origin });
  const keys = `${accounts}/${own.accountId}/keys`;
  const inherited = await call("POST", keys, { scopes: ["members.list"] });
  expect([inherited.status, inherited.body.allowed_referrers]).toEqual([201, [origin]]);
  expect((await as(inherited.body.key)("GET", membersOf())).status).toBe(403);
  const beyond = ["https://other.example.com"];
  expect((await call("POST", keys, { scopes: ["members.list"], allowed_referrers: beyond })).status).toBe(403);
});

test("A token of a trust writes to the directory of its organization until the trust ends (G559).", async () => {
  const organization = await directoryOf(at);
  const path = accountsOf(organization.organizationId);
  const made = await credentialOf(TRUST, organization.client, path, ["scim.write"]);
  const scim = scimClient(at.other.url, made.secret);
  const user = userBody(organization.address("ada"), { emails: [{ value: organization.address("ada") }] });
  expect((await scim("POST", "/Users", user)).status).toBe(201);
  expect((await scim("GET", "/Users")).status).toBe(200);
  expect((await organization.client.patch(made.path, { disabled: true })).status).toBe(200);
  await until("the token is refused", async () => (await scim("GET", "/Users")).status === 401);
  const later = userBody(organization.address("grace"));
  expect((await scim("POST", "/Users", later)).status).toBe(401);
});
