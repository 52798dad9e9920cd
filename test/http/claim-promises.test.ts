/**
 * Sentences of docs/contract.md, section 23.34, about names, sources and values of claim mappings, and public reports
 * of other services: the number of the report is in the title.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import { CLAIM_SOURCE_NAMES } from "../../src/vocabulary/claim-sources.ts";
import { addGroups, browserOf, userInfo } from "../support/claims.ts";
import type { Client } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { oauthAdmin, refreshAt, registerClient, sendForm, type TestClient, tokensFor } from "../support/oauth.ts";
import { founded } from "../support/team.ts";

let at: Deployment;
let admin: Client;
let owner: Awaited<ReturnType<typeof founded>>;
beforeAll(async () => {
  at = await deployment();
  admin = await oauthAdmin();
  owner = await founded(at, { display_name: "Ada Example" });
  await at.sql`update users set email_verified_at = now(), locale = 'de', time_zone = 'Europe/Berlin'
    where id = ${owner.userId}`;
  await at.sql`update users set external_id = 'crm-7', public_metadata = ${at.sql.json(ACCOUNT_METADATA)}
    where id = ${owner.userId}`;
  await at.sql`update organizations set public_metadata = ${at.sql.json({ plan: "gold", seats: { paid: 5 } })}
    where id = ${owner.organizationId}`;
  await at.sql`update members set public_metadata = ${at.sql.json({ badge: 7 })}
    where organization_id = ${owner.organizationId} and user_id = ${owner.userId}`;
});

const ACCOUNT_METADATA = { plan: "pro", seats: { paid: 2 } };

type Mapping = Record<string, unknown>;

const SCOPES = ["openid", "profile", "email", "groups", "offline_access"];
const SETTINGS = { grant_types: ["authorization_code", "refresh_token"], scopes: SCOPES };

/** An application of the organization with these mappings. */
async function withMappings(claim_mappings: readonly Mapping[], by = owner) {
  return await registerClient({ ...SETTINGS, claim_mappings, organizations: [by.organizationId] });
}

/** The claims of the ID token, of UserInfo, of a refreshed ID token and of the preview. */
async function claimsOf(application: TestClient, by = owner, more: Record<string, string> = {}) {
  const tokens = await tokensFor(application, browserOf(at, by), { scope: SCOPES.join(" "), ...more });
  const info = await userInfo(at.other.url, tokens.access_token);
  const refreshed = await refreshAt(at.other.url, application, tokens.refresh_token);
  const asked = { user_id: by.userId, organization_id: by.organizationId };
  const preview = await admin.post(`/v1/admin/oauth-clients/${application.id}/claims/preview`, asked);
  expect([info.status, refreshed.status, preview.status]).toEqual([200, 200, 200]);
  const { id_token, userinfo } = preview.body;
  return [decodeJwt(tokens.id_token), info.body, decodeJwt(refreshed.body.id_token), id_token, userinfo];
}

/** Each place has the same claims. */
async function expectEverywhere(application: TestClient, claims: Mapping, by = owner): Promise<void> {
  for (const place of await claimsOf(application, by)) expect(place).toMatchObject(claims);
}

describe("names of claims (G460)", () => {
  const RESERVED = [
    ...[
      "iss",
      "sub",
      "aud",
      "exp",
      "nbf",
      "iat",
      "jti",
      "auth_time",
      "nonce",
      "acr",
      "amr",
      "azp",
      "at_hash",
      "c_hash",
    ],
    ...["s_hash", "sid", "cnf", "act", "may_act", "client_id", "scope", "typ", "events", "org", "org_slug"],
    ...["organization", "email", "email_verified", "phone_number", "phone_number_verified", "enrolment_only"],
    ...["claims_truncated", "_claim_names", "_claim_sources", "__proto__", "constructor", "prototype"],
  ];

  test("Every reserved name is refused for applications and APIs, also as a JSON text.", async () => {
    for (const claim of RESERVED) {
      const mapping = `[{"claim": ${JSON.stringify(claim)}, "constant": 1}]`;
      const client = `{"name": "Wiki", "token_endpoint_auth_method": "none", "redirect_uris":
        ["https://app.example.test/"], "claim_mappings": ${mapping}}`;
      const api = `{"name": "API", "identifier": "https://${crypto.randomUUID()}.example.test/", "scopes": [],
        "claim_mappings": ${mapping}}`;
      for (const [path, text] of [
        ["/v1/admin/oauth-clients", client],
        ["/v1/admin/resources", api],
      ] as const) {
        const { status, body } = await admin.post(path, JSON.parse(text));
        expect([claim, path, status, body.error?.fields?.[0]?.field]).toEqual([claim, path, 400, "claim_mappings"]);
      }
    }
  });

  test("A name has at most 64 characters, a URL at most 200; both lengths are accepted and released.", async () => {
    const url = `https://example.test/${"c".repeat(179)}`;
    const accepted = [`n${"a".repeat(63)}`, url, "a.b-c_d"];
    await expectEverywhere(
      await withMappings(accepted.map((claim) => ({ claim, constant: true }))),
      Object.fromEntries(accepted.map((claim) => [claim, true])),
    );
    for (const claim of [`n${"a".repeat(64)}`, `${url}c`, "1a", "a b", "https://example.test/\u0000", ""]) {
      const made = await admin.post("/v1/admin/oauth-clients", {
        ...SETTINGS,
        name: "Wiki",
        token_endpoint_auth_method: "none",
        redirect_uris: ["https://app.example.test/"],
        claim_mappings: [{ claim, constant: 1 }],
      });
      expect([claim, made.status]).toEqual([claim, 400]);
    }
  });

  test("A text that PostgreSQL cannot store is refused in names, sources, expressions and constants.", async () => {
    const { id } = await registerClient(SETTINGS);
    const cases: readonly Mapping[] = ["\u0000", "\ud800"].flatMap((text) => [
      { claim: `https://example.test/${text}`, constant: 1 },
      { claim: "a", attribute: `organization.public_metadata.${text}` },
      { claim: "a", expression: `"a${text}"` },
      { claim: "a", constant: text },
      { claim: "a", constant: { [text]: 1 } },
    ]);
    for (const mapping of cases) {
      const { status, body } = await admin.patch(`/v1/admin/oauth-clients/${id}`, { claim_mappings: [mapping] });
      // An unpaired surrogate is no JSON text.
      const field = expect.stringMatching(/^(claim_mappings|body)$/);
      expect([mapping, status, body.error?.fields?.[0]?.field]).toEqual([mapping, 400, field]);
    }
  });

  test("Discovery names no claim of a mapping, and a registration by an application sets no mapping.", async () => {
    const read = async () => (await fetch(`${at.one.url}/.well-known/openid-configuration`)).json();
    const before = await read();
    await withMappings([{ claim: "secret_project", constant: 1 }]);
    expect(await read()).toEqual(before);
    const metadata = { redirect_uris: ["https://app.example.test/"], claim_mappings: [{ claim: "a", constant: 1 }] };
    await sendForm(at.one.url, "/oauth2/register", JSON.stringify(metadata), { "content-type": "application/json" });
    const rows = await at.sql`
      select 1 from oauth_clients where kind <> 'registered' and claim_mappings::text <> '[]'`;
    expect(rows).toHaveLength(0);
  });
});

describe("sources (G462)", () => {
  test("Private metadata, further addresses, telephone numbers, factors and secrets are no sources.", async () => {
    for (const attribute of [
      ...["organization.private_metadata", "member.private_metadata", "user.private_metadata", "user.phone_number"],
      ...["user.emails", "user.password_hash", "user.factors", "user.passkeys", "user.memberships", "client.secret"],
      ...["session.id", "connection.secret", "organization.public_metadata.", "constructor", "user.__proto__"],
    ]) {
      const mapping = { claim: "x", attribute };
      const body = { user_id: owner.userId, claim_mappings: [mapping] };
      const { id } = await registerClient(SETTINGS);
      const { status, body: answer } = await admin.post(`/v1/admin/oauth-clients/${id}/claims/preview`, body);
      expect([attribute, status, answer.error?.fields?.[0]?.rule]).toEqual([attribute, 400, "unknown_value"]);
    }
  });

  test("Each source has its value and type in tokens, UserInfo, refreshed tokens and the preview.", async () => {
    await addGroups(at, owner, owner.userId, ["b", "a"]);
    const claimOf = (name: string) => `x_${name.replace(".", "_")}`;
    const mappingOf = (attribute: string) => ({
      claim: claimOf(attribute),
      attribute,
      allow_user_control: true,
      in: ["userinfo"],
    });
    const [row] = await at.sql`
      select u.number::int, u.email, extract(epoch from u.created_at)::float8 as created, o.slug, o.name
      from users u, organizations o where u.id = ${owner.userId} and o.id = ${owner.organizationId}`;
    // An application has at most 30 mappings.
    const applications: readonly [TestClient, TestClient] = [
      await withMappings(CLAIM_SOURCE_NAMES.slice(0, 20).map(mappingOf)),
      await withMappings(CLAIM_SOURCE_NAMES.slice(20).map(mappingOf)),
    ];
    const values = {
      "user.id": owner.userId,
      "user.number": row?.number,
      "user.external_id": "crm-7",
      "user.public_metadata": ACCOUNT_METADATA,
      "user.email": row?.email,
      "user.email_verified": true,
      "user.created_at": Math.floor(row?.created),
      "user.managed": false,
      "user.name": "Ada Example",
      "user.display_name": "Ada Example",
      "user.login": row?.email,
      "user.locale": "de",
      "user.time_zone": "Europe/Berlin",
      "organization.id": owner.organizationId,
      "organization.slug": row?.slug,
      "organization.name": row?.name,
      "organization.public_metadata": { plan: "gold", seats: { paid: 5 } },
      "member.role": "owner",
      "member.public_metadata": { badge: 7 },
      roles: ["owner"],
      groups: ["a", "b"],
      permissions: [],
      "session.acr": "aal1",
      "session.amr": ["pwd"],
      "session.auth_time": expect.any(Number),
      "session.method": "password",
      "client.id": applications[1].id,
    };
    // No picture, and a sign-in without single sign-on.
    const absent = ["user.picture", "connection.id", "connection.protocol", "connection.attributes"];
    expect([...Object.keys(values), ...absent].toSorted()).toEqual(CLAIM_SOURCE_NAMES.toSorted());
    const [first, second] = [await claimsOf(applications[0]), await claimsOf(applications[1])];
    const expected = Object.fromEntries(Object.entries(values).map(([name, value]) => [claimOf(name), value]));
    for (const index of [1, 4]) {
      const place = { ...first[index], ...second[index] };
      expect(place).toMatchObject(expected);
      for (const name of absent) expect(place).not.toHaveProperty(claimOf(name));
    }
  });

  test("A path reads a member, at most five names; null and a member that is not there are absent.", async () => {
    const path = (name: string) => `organization.public_metadata.${name}`;
    const application = await withMappings([
      { claim: "plan", attribute: path("plan") },
      { claim: "paid", attribute: path("seats.paid") },
      { claim: "none", attribute: path("seats.paid.more") },
      { claim: "account_plan", attribute: "user.public_metadata.plan" },
      { claim: "account_seats", expression: "user.?public_metadata.?seats.?paid.orValue(0) + 1" },
      { claim: "inherited", attribute: path("toString") },
    ]);
    for (const place of await claimsOf(application)) {
      expect(place).toMatchObject({ plan: "gold", paid: 5, account_plan: "pro", account_seats: 3 });
      for (const claim of ["none", "inherited"]) expect(Object.hasOwn(place ?? {}, claim)).toBe(false);
    }
  });
});

describe("public reports of other services, tried here (G389)", () => {
  test("product-is#11390, hydra#3852, coder#9312: a refreshed ID token has the claims of the moment.", async () => {
    const member = await founded(at);
    await addGroups(at, member, member.userId, ["early"]);
    const application = await withMappings([{ claim: "groups", attribute: "groups", scope: "groups" }], member);
    const scope = SCOPES.join(" ");
    const tokens = await tokensFor(application, browserOf(at, member), { scope });
    await addGroups(at, member, member.userId, ["late"]);
    const refreshed = await refreshAt(at.other.url, application, tokens.refresh_token);
    const [first, next] = [decodeJwt(tokens.id_token), decodeJwt(refreshed.body.id_token)];
    expect([first.groups, next.groups]).toEqual([["early"], ["early", "late"]]);
    for (const claim of ["sub", "sid", "email", "auth_time", "acr", "amr"]) {
      expect([claim, next[claim]]).toEqual([claim, first[claim]]);
    }
  });

  test("nanoidp#112: requested claims change no claim of a mapping, before and after a refresh.", async () => {
    const application = await withMappings([{ claim: "groups", attribute: "groups", scope: "groups" }]);
    const claims = JSON.stringify({
      id_token: { groups: { essential: true }, email: null },
      userinfo: { groups: null },
    });
    const places = await claimsOf(application, owner, { claims });
    for (const place of places) expect(place).toMatchObject({ groups: ["a", "b"] });
  });

  test("quarkusio/quarkus#7618, mealie#6054: one group is a list, and no group is an empty list.", async () => {
    const member = await founded(at);
    const mappings = [
      { claim: "groups", attribute: "groups" },
      { claim: "roles", attribute: "roles" },
      { claim: "filtered", expression: 'groups.filter(g, g.startsWith("x"))' },
    ];
    const application = await withMappings(mappings, member);
    await expectEverywhere(application, { groups: [], roles: ["owner"], filtered: [] }, member);
    await addGroups(at, member, member.userId, ["only"]);
    await expectEverywhere(application, { groups: ["only"], filtered: [] }, member);
  });

  test("authentik#24915, #15557: the preview has what tokens have, for values of each type.", async () => {
    const values = {
      a_text: ["string(7)", "7"],
      a_number: ["1 + 1", 2],
      a_fraction: ["0.5", 0.5],
      a_boolean: ['"a" in groups', true],
      a_list: ["[1, 2].map(x, x * 2)", [2, 4]],
      an_object: ['{"roles": "admin", "levels": [1]}', { roles: "admin", levels: [1] }],
      nested: ['{"a": {"b": groups}}', { a: { b: ["a", "b"] } }],
    } as const;
    const application = await withMappings(
      Object.entries(values).map(([claim, [expression]]) => ({ claim, expression })),
    );
    await expectEverywhere(
      application,
      Object.fromEntries(Object.entries(values).map(([claim, [, value]]) => [claim, value])),
    );
  });

  test("better-auth#9954: an expression that fails, or has no JSON value, is absent; sign-ins work.", async () => {
    const failing = {
      key: "organization.public_metadata.missing",
      index: "groups[99]",
      type: 'organization.public_metadata.plan + 1 > 2 ? "a" : "b"',
      zero: "1 / (groups.size() - groups.size())",
      large: "9007199254740993 + 1",
    };
    const application = await withMappings([
      ...Object.entries(failing).map(([claim, expression]) => ({ claim, expression })),
      { claim: "held", constant: 1 },
    ]);
    for (const place of await claimsOf(application)) {
      expect(place).toMatchObject({ held: 1 });
      for (const claim of Object.keys(failing)) expect(place).not.toHaveProperty(claim);
    }
  });

  test("FoxIDs#923: a user in 150 groups signs in, with all groups in UserInfo and a list in the token.", async () => {
    const member = await founded(at);
    const names = Array.from({ length: 150 }, (_, index) => `team-${String(index).padStart(3, "0")}`);
    await addGroups(at, member, member.userId, names);
    const application = await withMappings([{ claim: "groups", attribute: "groups" }], member);
    const [id, info, refreshed] = await claimsOf(application, member);
    expect(info?.groups).toEqual(names);
    for (const token of [id, refreshed]) {
      const groups = (token?.groups as string[] | undefined) ?? [];
      expect(groups).toEqual(names.slice(0, groups.length));
      expect([groups.length === 150, token?.claims_truncated]).toEqual([
        groups.length === 150,
        groups.length === 150 ? undefined : ["groups"],
      ]);
    }
  });

  test("Names of claims and groups stay exact: dots, commas, quotes, slashes, letters of every script.", async () => {
    const member = await founded(at);
    const names = ["Ops, Berlin", 'quote"d', "a/b\\c", "管理者", "Ärzte", "system:masters", "a.b"].toSorted();
    await addGroups(at, member, member.userId, names);
    const application = await withMappings(
      [
        { claim: "realm.roles", attribute: "groups" },
        { claim: "https://example.com/groups", expression: "groups" },
      ],
      member,
    );
    for (const place of await claimsOf(application, member)) {
      for (const claim of ["realm.roles", "https://example.com/groups"]) {
        expect([claim, [...((place?.[claim] as string[] | undefined) ?? [])].toSorted()]).toEqual([claim, names]);
      }
      expect(place).not.toHaveProperty(["realm"]);
    }
  });
});
