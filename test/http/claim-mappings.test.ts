/** Claims by mapping (docs/contract.md, section 23.34). */
import { beforeAll, describe, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import { addGroups, browserOf, userInfo } from "../support/claims.ts";
import type { Client } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { introspectAt, oauthAdmin, refreshAt, registerClient, tokensFor } from "../support/oauth.ts";
import { proveMailbox } from "../support/states.ts";
import { founded } from "../support/team.ts";
import { until } from "../support/waiting.ts";

let at: Deployment;
let admin: Client;
beforeAll(async () => {
  at = await deployment();
  admin = await oauthAdmin();
});

type Mapping = Record<string, unknown>;

const CLIENT = {
  name: "Wiki",
  token_endpoint_auth_method: "client_secret_basic",
  redirect_uris: ["https://app.example.test/callback"],
  scopes: ["openid", "profile", "email", "groups"],
};

/** The response to the registration of an application with one mapping or several. */
async function register(mappings: readonly Mapping[], settings: Mapping = {}) {
  return await admin.post("/v1/admin/oauth-clients", { ...CLIENT, ...settings, claim_mappings: mappings });
}

let apis = 0;
async function registerApi(mappings: readonly Mapping[], settings: Mapping = {}) {
  apis += 1;
  const identifier = `https://claims-${apis}.example.test/`;
  const body = {
    identifier,
    name: "Reports",
    scopes: [{ name: "reports:read" }],
    claim_mappings: mappings,
    ...settings,
  };
  return { identifier, response: await admin.post("/v1/admin/resources", body) };
}

describe("claim mappings of an application are validated (G460)", () => {
  const cases: readonly (readonly [string, Mapping, string, RegExp])[] = [
    [
      "an unknown source",
      { claim: "groups", attribute: "user.password" },
      "unknown_value",
      /^claim_mappings: groups: /,
    ],
    ["a list with a path", { claim: "groups", attribute: "groups.first" }, "unknown_value", /no such source/],
    [
      "a path of six names",
      { claim: "a", attribute: "organization.public_metadata.a.b.c.d" },
      "unknown_value",
      /source/,
    ],
    ["a reserved name", { claim: "sub", attribute: "user.id" }, "not_allowed", /sub is a claim of the service/],
    ["email", { claim: "email", attribute: "user.id" }, "not_allowed", /email is a claim/],
    ["a key of section 2.2", { claim: "constructor", attribute: "user.id" }, "not_allowed", /constructor/],
    ["a malformed name", { claim: "my claim", attribute: "user.id" }, "format", /claim_mappings\.0\.claim/],
    ["an http URL", { claim: "http://example.com/groups", attribute: "user.id" }, "format", /https URL/],
    ["no source", { claim: "groups" }, "required", /needs attribute/],
    ["two sources", { claim: "groups", attribute: "user.id", constant: 1 }, "conflicting", /one of attribute/],
    [
      "a scope that the application lacks",
      { claim: "uid", attribute: "user.id", scope: "admin" },
      "conflicting",
      /scope/,
    ],
    ["no destination", { claim: "uid", attribute: "user.id", in: [] }, "required", /in names/],
    ["a long constant", { claim: "quota", constant: "x".repeat(1_023) }, "too_long", /1024 bytes/],
    ["a deep constant", { claim: "quota", constant: [[[[[[[[[1]]]]]]]]] }, "too_long", /8 levels/],
    ["an expression that does not parse", { claim: "r", expression: "user.id +" }, "malformed", /^claim_mappings: r: /],
    ["an unknown variable", { claim: "r", expression: "secrets.id" }, "malformed", /unknown variable secrets/],
    ["an unknown member", { claim: "r", expression: "user.password_hash" }, "malformed", /unknown member/],
    ["a pattern", { claim: "r", expression: 'user.email.matches("^(a+)+$")' }, "malformed", /matches is not available/],
    ["a loop in a loop", { claim: "r", expression: "groups.map(a, groups.map(b, b))" }, "malformed", /within another/],
    ["groups of any organization", { claim: "groups", attribute: "groups" }, "not_allowed", /is set by organizations/],
    [
      "permissions",
      { claim: "r", expression: 'permissions.exists(p, p == "a")' },
      "not_allowed",
      /permissions is set by/,
    ],
    ["an expression over groups", { claim: "r", expression: '"a" in groups' }, "not_allowed", /groups is set by/],
    ["a whole organization", { claim: "r", expression: "organization" }, "not_allowed", /organization\.slug is set by/],
    [
      "qualified beside another source",
      { claim: "r", attribute: "user.id", qualified: true },
      "not_allowed",
      /qualified/,
    ],
    ["a value of users", { claim: "role", attribute: "user.display_name" }, "not_allowed", /is set by users/],
    ["a login name of users", { claim: "username", attribute: "user.display_name" }, "not_allowed", /names an account/],
    ["a constant login name", { claim: "login", constant: "admin" }, "not_allowed", /names an account/],
  ];
  test.each(cases)(
    "A mapping with %s is refused with the reason, and registers nothing.",
    async (_, mapping, rule, text) => {
      const { status, body } = await register([mapping]);
      expect([status, body.error.code, body.error.fields]).toEqual([
        400,
        "invalid_input",
        [{ field: "claim_mappings", rule }],
      ]);
      expect(body.error.message).toMatch(text);
    },
  );

  test("A claim twice, more than 30 mappings, and global identifiers of pairwise subjects are refused.", async () => {
    const uid = { claim: "uid", attribute: "user.id" };
    const flaws = [
      await register([uid, { claim: "uid", attribute: "user.email" }]),
      await register(Array.from({ length: 31 }, (_, index) => ({ claim: `c${index}`, constant: index }))),
      await register([uid], { subject_type: "pairwise", sector: "app.example.test" }),
      await register([{ claim: "u", expression: "user.number" }], {
        subject_type: "pairwise",
        sector: "app.example.test",
      }),
      await register([{ claim: "u", attribute: "user.external_id" }], {
        subject_type: "pairwise",
        sector: "app.example.test",
      }),
    ];
    expect(flaws.map(({ body }) => body.error.fields[0].rule)).toEqual([
      "conflicting",
      "too_long",
      "not_allowed",
      "not_allowed",
      "not_allowed",
    ]);
  });

  test("Accepted mappings are stored with defaults; PATCH replaces the list, a flaw changes nothing.", async () => {
    const { status, body } = await register([
      { claim: "groups", attribute: "groups", scope: "groups", qualified: true, unknown: 1 },
      { claim: "https://example.com/quota", constant: { gb: 5 }, in: ["userinfo"] },
      { claim: "nickname", attribute: "user.login" },
      { claim: "note", attribute: "user.display_name", allow_user_control: true },
    ]);
    const defaults = { scope: null, in: ["id_token", "userinfo"], qualified: false, allow_user_control: false };
    const stored = [
      { ...defaults, claim: "groups", attribute: "groups", scope: "groups", qualified: true },
      { ...defaults, claim: "https://example.com/quota", constant: { gb: 5 }, in: ["userinfo"] },
      { ...defaults, claim: "nickname", attribute: "user.login" },
      { ...defaults, claim: "note", attribute: "user.display_name", allow_user_control: true },
    ];
    expect([status, body.claim_mappings]).toEqual([201, stored]);
    const path = `/v1/admin/oauth-clients/${body.client_id}`;
    expect((await admin.patch(path, { claim_mappings: [{ claim: "sub", attribute: "user.id" }] })).status).toBe(400);
    const withoutScope = await admin.patch(path, { scopes: ["openid"] });
    expect([withoutScope.status, withoutScope.body.error.fields[0].field]).toEqual([400, "claim_mappings"]);
    expect((await admin.patch(path, { name: "Wiki 2" })).body.claim_mappings).toEqual(stored);
    expect((await admin.patch(path, { claim_mappings: [] })).body.claim_mappings).toEqual([]);
  });
});

describe("claim mappings of an API are validated (G460, G461)", () => {
  test("Values of organizations need the organizations of the API, also after a change.", async () => {
    const groups = { claim: "team", attribute: "groups" };
    expect((await registerApi([groups])).response.body.error.message).toMatch(/name the organizations of the API/);
    const owner = await founded(at);
    const { response } = await registerApi([groups], { organizations: [owner.organizationId] });
    expect([response.status, response.body.claim_mappings]).toEqual([
      201,
      [{ claim: "team", attribute: "groups", scope: null, qualified: false, allow_user_control: false }],
    ]);
    const path = `/v1/admin/resources/${response.body.id}`;
    const withdrawn = await admin.patch(path, { organizations: null });
    expect([withdrawn.status, withdrawn.body.error.fields]).toEqual([
      400,
      [{ field: "claim_mappings", rule: "not_allowed" }],
    ]);
  });

  test("A claim of the API's own claims, and members of introspection, are reserved.", async () => {
    const role = { claim: "roles", constant: "x" };
    const rules = [
      await registerApi([role], { claims: ["roles"] }),
      await registerApi([{ claim: "active", constant: false }]),
      await registerApi([{ claim: "scope", constant: "admin" }]),
      await registerApi([{ claim: "role", constant: "x", scope: "other" }]),
    ].map(({ response }) => response.body.error.fields[0].rule);
    expect(rules).toEqual(["not_allowed", "not_allowed", "not_allowed", "conflicting"]);
    expect((await registerApi([role])).response.status).toBe(201);
  });
});

const MAPPINGS: readonly Mapping[] = [
  { claim: "groups", attribute: "groups", scope: "groups", qualified: true },
  { claim: "role", attribute: "member.role", qualified: true, in: ["userinfo"] },
  { claim: "id", attribute: "user.number", in: ["id_token"] },
  { claim: "nickname", attribute: "user.email" },
  { claim: "quota", constant: { gb: 5 } },
  { claim: "level", expression: 'session.acr == "aal2" ? 2 : 1' },
  {
    claim: "missing",
    expression: "user.number + user.created_at > 0 ? user.locale : user.locale",
    allow_user_control: true,
  },
  { claim: "zoneinfo", attribute: "user.time_zone" },
];

describe("claims of mappings are released (G462)", () => {
  test("ID token, UserInfo and refresh have the claims of the granted scopes, each at its destinations.", async () => {
    const owner = await founded(at);
    await addGroups(at, owner, owner.userId, ["b", "a"]);
    await proveMailbox(at.sql, owner.userId);
    const application = await registerClient({
      ...CLIENT,
      grant_types: ["authorization_code", "refresh_token"],
      scopes: [...CLIENT.scopes, "offline_access"],
      claim_mappings: MAPPINGS,
    });
    const tokens = await tokensFor(application, browserOf(at, owner), { scope: "openid groups offline_access" });
    const [{ slug, number, email }] = await at.sql<[{ slug: string; number: number; email: string }]>`
      select o.slug, u.number::int, u.email from users u, organizations o
      where u.id = ${owner.userId} and o.id = ${owner.organizationId}`;
    const both = { groups: [`${slug}:a`, `${slug}:b`], nickname: email, quota: { gb: 5 }, level: 1 };
    const id = decodeJwt(tokens.id_token);
    expect(id).toMatchObject({ ...both, id: number });
    expect(Object.keys(id)).not.toContain("role");
    const info = await userInfo(at.one.url, tokens.access_token);
    expect(info).toEqual({ status: 200, body: { sub: owner.userId, ...both, role: `${slug}:owner` } });
    const refreshed = await refreshAt(at.other.url, application, tokens.refresh_token);
    expect(decodeJwt(refreshed.body.id_token)).toMatchObject({ ...both, id: number });
    const narrow = await tokensFor(application, browserOf(at, owner), { scope: "openid" });
    expect(Object.keys(decodeJwt(narrow.id_token))).not.toContain("groups");
    expect(Object.keys((await userInfo(at.one.url, narrow.access_token)).body)).not.toContain("groups");
  });

  test("A mapping with a value replaces preferred_username and name, and no other claim of the service.", async () => {
    const owner = await founded(at);
    await at.sql`
      update users set email_verified_at = now(), controlled_at = now(), display_name = 'Ada'
      where id = ${owner.userId}`;
    const claim_mappings = [
      { claim: "preferred_username", attribute: "user.id" },
      { claim: "name", attribute: "user.time_zone" },
      { claim: "updated_at", constant: 1 },
    ];
    const application = await registerClient({ ...CLIENT, claim_mappings });
    const tokens = await tokensFor(application, browserOf(at, owner), { scope: "openid profile email" });
    const { body } = await userInfo(at.one.url, tokens.access_token);
    for (const claims of [decodeJwt(tokens.id_token), body]) {
      expect([claims.preferred_username, claims.name, claims.updated_at === 1]).toEqual([owner.userId, "Ada", false]);
    }
  });

  test("Names of mappings contain a part of the address only with the granted scope email (G470).", async () => {
    const owner = await founded(at);
    await at.sql`
      update users set email_verified_at = now(), controlled_at = now(), display_name = null
      where id = ${owner.userId}`;
    const [{ email }] = await at.sql<[{ email: string }]>`select email from users where id = ${owner.userId}`;
    const names = [
      { claim: "nickname", attribute: "user.name" },
      { claim: "login", attribute: "user.login" },
      { claim: "given_name", expression: "user.name" },
    ];
    const { identifier } = await registerApi(names);
    const application = await registerClient({
      ...CLIENT,
      scopes: [...CLIENT.scopes, "reports:read"],
      resources: [identifier],
      audiences: [identifier],
      claim_mappings: names,
    });
    const namesIn = async (scope: string) => {
      const request = { scope: `${scope} reports:read`, resource: identifier };
      const { id_token, access_token } = await tokensFor(application, browserOf(at, owner), request);
      const { body } = await userInfo(at.one.url, access_token);
      const sets = [decodeJwt(id_token), body, decodeJwt(access_token)];
      return sets.map(({ nickname, login, given_name }) => [nickname, login, given_name]);
    };
    const absent = [undefined, undefined, undefined];
    expect(await namesIn("openid profile")).toEqual([absent, absent, absent]);
    const local = email.slice(0, email.lastIndexOf("@"));
    const named = [local, email, local];
    expect(await namesIn("openid profile email")).toEqual([named, named, named]);
    await at.sql`update users set display_name = 'Ada' where id = ${owner.userId}`;
    const displayed = ["Ada", undefined, "Ada"];
    expect(await namesIn("openid profile")).toEqual([displayed, displayed, displayed]);
  });

  test("A change of the mappings, and of a value, counts for the next token and the next UserInfo.", async () => {
    const owner = await founded(at);
    const application = await registerClient({ ...CLIENT, claim_mappings: [{ claim: "v", constant: 1 }] });
    const { access_token } = await tokensFor(application, browserOf(at, owner), {});
    expect((await userInfo(at.one.url, access_token)).body.v).toBe(1);
    const path = `/v1/admin/oauth-clients/${application.id}`;
    expect((await admin.patch(path, { claim_mappings: [{ claim: "v", constant: 2 }] })).status).toBe(200);
    expect((await userInfo(at.one.url, access_token)).body.v).toBe(2);
    const isKnown = async () => (await userInfo(at.other.url, access_token)).body.v === 2;
    await until("the change at the second replica", isKnown);
  });

  test("Access tokens and introspection have the claims of the API, and no claim of an application.", async () => {
    const owner = await founded(at);
    await addGroups(at, owner, owner.userId, ["admins"]);
    const claims = [
      {
        claim: "https://hasura.io/jwt/claims",
        expression: '{"x-hasura-user-id": user.id, "x-hasura-allowed-roles": roles}',
      },
      { claim: "team", attribute: "groups" },
      { claim: "role", constant: "authenticated" },
    ];
    const { identifier, response } = await registerApi(claims, { organizations: [owner.organizationId] });
    expect(response.status).toBe(201);
    const application = await registerClient({
      scopes: ["openid", "reports:read"],
      resources: [identifier],
      audiences: [identifier],
      claim_mappings: [{ claim: "own", constant: 1 }],
    });
    const { access_token } = await tokensFor(application, browserOf(at, owner), {
      scope: "reports:read",
      resource: identifier,
    });
    const released = {
      "https://hasura.io/jwt/claims": { "x-hasura-user-id": owner.userId, "x-hasura-allowed-roles": ["owner"] },
      team: ["admins"],
      role: "authenticated",
    };
    const access = decodeJwt(access_token);
    expect([access.own, access]).toEqual([undefined, expect.objectContaining(released)]);
    const state = await introspectAt(at.other.url, application, access_token);
    expect(state.body).toMatchObject({ active: true, ...released });
    await addGroups(at, owner, owner.userId, ["more"]);
    expect((await introspectAt(at.one.url, application, access_token)).body.team).toEqual(["admins", "more"]);
  });
});

describe("POST …/claims/preview (G468)", () => {
  const preview = (id: string, body: Mapping) => admin.post(`/v1/admin/oauth-clients/${id}/claims/preview`, body);

  test("The preview has the claims that the next tokens have, with the outcome of each mapping.", async () => {
    const owner = await founded(at);
    await addGroups(at, owner, owner.userId, ["a"]);
    const mappings = [
      { claim: "groups", attribute: "groups", scope: "groups", qualified: true },
      { claim: "broken", expression: "organization.id + session.amr[3]", in: ["userinfo"] },
    ];
    const application = await registerClient({ ...CLIENT, claim_mappings: mappings });
    const { status, body } = await preview(application.id, { user_id: owner.userId, scopes: ["openid", "groups"] });
    expect(status).toBe(200);
    const scope = "openid groups";
    const tokens = await tokensFor(application, browserOf(at, owner), { scope });
    expect(body.id_token.groups).toEqual(decodeJwt(tokens.id_token).groups);
    expect(body.userinfo).toEqual((await userInfo(at.one.url, tokens.access_token)).body);
    const detail = expect.stringContaining("index 3");
    const groups = {
      claim: "groups",
      outcome: "released",
      scope: "groups",
      sources: ["groups"],
      control: ["organization"],
      detail: null,
    };
    expect(body.claims).toEqual([
      { ...groups, in: "id_token", bytes: expect.any(Number) },
      { ...groups, in: "userinfo", bytes: expect.any(Number) },
      expect.objectContaining({ claim: "broken", outcome: "error", in: "userinfo", bytes: 0, detail }),
    ]);
    const [record] = await at.sql`
      select resource_id, metadata from audit_logs where action = 'claims.previewed' and resource_id = ${owner.userId}`;
    expect(record?.metadata).toEqual({ target: application.id });
  });

  test("Unsaved mappings are validated and not stored; other users, scopes and callers are refused.", async () => {
    const [owner, other] = [await founded(at), await founded(at)];
    const application = await registerClient({ ...CLIENT });
    const user = { user_id: owner.userId };
    const unsaved = await preview(application.id, { ...user, claim_mappings: [{ claim: "v", constant: 1 }] });
    expect([unsaved.status, unsaved.body.id_token.v, unsaved.body.userinfo.v]).toEqual([200, 1, 1]);
    expect(Object.keys((await preview(application.id, user)).body.id_token)).not.toContain("v");
    const refused = [
      await preview(application.id, { ...user, claim_mappings: [{ claim: "groups", attribute: "groups" }] }),
      await preview(application.id, { ...user, scopes: ["admin"] }),
      await preview(application.id, { ...user, organization_id: other.organizationId }),
      await preview(application.id, { user_id: crypto.randomUUID() }),
      await preview(crypto.randomUUID(), user),
      await owner.client.post(`/v1/admin/oauth-clients/${application.id}/claims/preview`, user),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 404, 404, 404, 403]);
  });

  test("The preview of an API has the access token and introspection of this API.", async () => {
    const owner = await founded(at);
    await addGroups(at, owner, owner.userId, ["a"]);
    const settings = { organizations: [owner.organizationId] };
    const { response } = await registerApi([{ claim: "team", attribute: "groups" }], settings);
    const path = `/v1/admin/resources/${response.body.id}/claims/preview`;
    const { status, body } = await admin.post(path, { user_id: owner.userId });
    expect([status, body.access_token.team, body.introspection.team]).toEqual([200, ["a"], ["a"]]);
    const withdrawn = await admin.post(path, { user_id: owner.userId, organizations: null });
    expect(withdrawn.status).toBe(400);
    const spelled = {
      user_id: owner.userId,
      organizations: [owner.organizationId.toUpperCase(), owner.organizationId],
    };
    const { body: unsaved } = await admin.post(path, spelled);
    expect([unsaved.access_token?.team, unsaved.introspection?.team]).toEqual([["a"], ["a"]]);
  });

  test("The preview of an API has names from the address if the scopes of the preview contain email.", async () => {
    const owner = await founded(at);
    await at.sql`update users set display_name = null where id = ${owner.userId}`;
    const { response } = await registerApi([{ claim: "nickname", attribute: "user.name" }]);
    const path = `/v1/admin/resources/${response.body.id}/claims/preview`;
    const nickname = async (more: Mapping) =>
      (await admin.post(path, { user_id: owner.userId, ...more })).body.access_token.nickname;
    expect([await nickname({}), await nickname({ scopes: ["email"] })]).toEqual([undefined, expect.any(String)]);
  });

  test("A preview does not count in service_claims_outcomes_total, and a request of UserInfo does.", async () => {
    const owner = await founded(at);
    const application = await registerClient({ ...CLIENT, claim_mappings: [{ claim: "v", constant: 1 }] });
    const { response } = await registerApi([{ claim: "v", constant: 1 }]);
    const { access_token } = await tokensFor(application, browserOf(at, owner), {});
    const counted = async () => {
      const text = await (await fetch(`${at.one.url}/metrics`)).text();
      return Number(/^service_claims_outcomes_total\{[^}]*"released"[^}]*\} (\d+)$/m.exec(text)?.[1] ?? 0);
    };
    const before = await counted();
    expect((await preview(application.id, { user_id: owner.userId })).body.id_token.v).toBe(1);
    const path = `/v1/admin/resources/${response.body.id}/claims/preview`;
    expect((await admin.post(path, { user_id: owner.userId })).body.access_token.v).toBe(1);
    expect((await counted()) - before).toBe(0);
    expect((await userInfo(at.one.url, access_token)).body.v).toBe(1);
    expect((await counted()) - before).toBe(1);
  });
});
