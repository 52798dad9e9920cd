/** Consent, control and sizes of claims by mapping (docs/contract.md, section 23.34). */
import { beforeAll, describe, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import { addGroups, browserOf, userInfo } from "../support/claims.ts";
import { type Client, newEmail, PASSWORD } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import {
  authorizePath,
  basic,
  introspectAt,
  makePkce,
  oauthAdmin,
  refreshAt,
  registerClient,
  sendForm,
  type TestClient,
  tokensFor,
} from "../support/oauth.ts";
import { program } from "../support/programs.ts";
import { founded } from "../support/team.ts";
import { until } from "../support/waiting.ts";

let at: Deployment;
let admin: Client;
beforeAll(async () => {
  at = await deployment();
  admin = await oauthAdmin();
});

type Mapping = Record<string, unknown>;
type Owner = Awaited<ReturnType<typeof founded>>;

const GROUPS = { claim: "groups", attribute: "groups", scope: "groups", qualified: true };
const SCOPES = ["openid", "groups", "offline_access"];

async function thirdParty(mappings: readonly Mapping[], settings: Mapping = {}): Promise<TestClient> {
  return await registerClient({ first_party: false, scopes: SCOPES, claim_mappings: mappings, ...settings });
}

const path = ({ id }: TestClient) => `/v1/admin/oauth-clients/${id}`;

/** Allows the access on the consent page; returns the page and the tokens. */
async function consent(owner: Owner, application: TestClient, more: Record<string, string>) {
  const browser = browserOf(at, owner);
  const pkce = makePkce();
  const landing = await browser.follow(authorizePath(application, pkce.challenge, more));
  const allowed = await browser.submit(landing.path, { decision: "allow" });
  const code = allowed.location?.searchParams.get("code") ?? "";
  const fields = {
    grant_type: "authorization_code",
    code,
    redirect_uri: application.redirectUri,
    code_verifier: pkce.verifier,
  };
  const { body } = await sendForm(at.one.url, "/oauth2/token", fields, basic(application));
  return { page: landing.answer.text, tokens: body as Record<"access_token" | "id_token" | "refresh_token", string> };
}

describe("what a program stores about an account reaches tokens (G480)", () => {
  const MAPPINGS = [
    { claim: "customer_number", attribute: "user.external_id" },
    { claim: "plan", attribute: "user.public_metadata.plan" },
    { claim: "is_paying", expression: 'user.?public_metadata.?plan.orValue("free") != "free"' },
  ];

  test("The claims follow the program, need no list of organizations, and the user changes none of them.", async () => {
    const owner = await founded(at);
    const crm = await program(at, ["users.read", "users.write"]);
    const user = `/v1/admin/users/${owner.userId}`;
    const stored = { external_id: `crm-${owner.userId}`, public_metadata: { plan: "pro" } };
    expect((await crm.patch(user, stored)).status).toBe(200);
    const application = await registerClient({ scopes: SCOPES, claim_mappings: MAPPINGS });
    const tokens = await tokensFor(application, browserOf(at, owner), { scope: "openid offline_access" });
    const before = { customer_number: stored.external_id, plan: "pro", is_paying: true };
    expect(decodeJwt(tokens.id_token)).toMatchObject(before);

    const own = { external_id: "mine", public_metadata: { plan: "gold" } };
    await owner.client.patch("/v1/users/me", own);
    expect((await userInfo(at.other.url, tokens.access_token)).body).toMatchObject(before);

    expect((await crm.patch(user, { external_id: null, public_metadata: { plan: null } })).status).toBe(200);
    const refreshed = await refreshAt(at.other.url, application, tokens.refresh_token);
    const after = decodeJwt(refreshed.body.id_token);
    expect([after.customer_number, after.plan, after.is_paying]).toEqual([undefined, undefined, false]);
  });

  test("The consent page names the identifier and the further details, and never their values.", async () => {
    const owner = await founded(at);
    await at.sql`update users set external_id = ${`crm-${owner.userId}`},
      public_metadata = ${at.sql.json({ plan: "secret-plan" })} where id = ${owner.userId}`;
    const { page, tokens } = await consent(owner, await thirdParty(MAPPINGS), { scope: "openid" });
    const named = ["an identifier of your account", "further details that are stored with your account"];
    expect(named.filter((each) => !page.includes(each))).toEqual([]);
    expect(page).not.toContain("secret-plan");
    expect(decodeJwt(tokens.id_token)).toMatchObject({ plan: "secret-plan" });
  });
});

describe("claims of mappings need the consent that names their data (G463)", () => {
  const scope = "openid groups offline_access";

  test("The consent page names the data below the scope, and never the claim; the tokens have the claim.", async () => {
    const owner = await founded(at);
    await addGroups(at, owner, owner.userId, ["admins"]);
    const application = await thirdParty([
      { ...GROUPS, claim: "https://claims.example/team" },
      { claim: "quota", constant: 5 },
    ]);
    const { page, tokens } = await consent(owner, application, { scope });
    const [{ name, slug }] = await at.sql<[{ name: string; slug: string }]>`
      select name, slug from organizations where id = ${owner.organizationId}`;
    expect([page.includes(`your groups in ${name}`), page.includes("claims.example")]).toEqual([true, false]);
    expect(decodeJwt(tokens.id_token)).toMatchObject({ "https://claims.example/team": [`${slug}:admins`], quota: 5 });
  });

  test("New data asks again; until then the claim is withheld from refreshed tokens and UserInfo.", async () => {
    const owner = await founded(at);
    await addGroups(at, owner, owner.userId, ["admins"]);
    const application = await thirdParty([{ claim: "uid", attribute: "user.id" }]);
    const { page, tokens } = await consent(owner, application, { scope });
    expect(page).toContain("an identifier of your account");
    const mappings = [{ claim: "uid", attribute: "user.id" }, GROUPS, { claim: "number", attribute: "user.number" }];
    expect((await admin.patch(path(application), { claim_mappings: mappings })).status).toBe(200);
    const refreshed = await refreshAt(at.one.url, application, tokens.refresh_token);
    const after = decodeJwt(refreshed.body.id_token);
    expect([after.uid, after.number, after.groups]).toEqual([owner.userId, expect.any(Number), undefined]);
    expect(Object.keys((await userInfo(at.one.url, refreshed.body.access_token)).body)).not.toContain("groups");
    const silent = await browserOf(at, owner).follow(
      authorizePath(application, makePkce().challenge, { scope, prompt: "none" }),
    );
    expect(silent.location?.searchParams.get("error")).toBe("consent_required");
    const again = await consent(owner, application, { scope });
    expect([again.page.includes("your groups in "), decodeJwt(again.tokens.id_token).groups]).toEqual([
      true,
      [expect.stringMatching(/:admins$/)],
    ]);
    const without = await browserOf(at, owner).follow(authorizePath(application, makePkce().challenge, { scope }));
    expect(without.location?.searchParams.get("code")).toBeTruthy();
  });

  test("A consent page from before a change of the mappings is displayed again, and grants nothing.", async () => {
    const owner = await founded(at);
    const application = await thirdParty([]);
    const browser = browserOf(at, owner);
    const landing = await browser.follow(authorizePath(application, makePkce().challenge, { scope: "openid groups" }));
    const shown = Object.fromEntries(
      [...landing.answer.text.matchAll(/name="(csrf|shown)" value="([^"]+)"/g)].map(([, name, value]) => [name, value]),
    );
    await admin.patch(path(application), { claim_mappings: [GROUPS] });
    const posted = await browser.post(landing.path, { ...shown, decision: "allow" });
    expect(posted.headers.get("location")).toContain("/oauth2/consent");
    const [grant] = await at.sql`select 1 from oauth_grants where client_id = ${application.id}`;
    expect(grant).toBeUndefined();
  });

  test("A first-party application needs no consent for the data.", async () => {
    const owner = await founded(at);
    await addGroups(at, owner, owner.userId, ["a"]);
    const application = await registerClient({ scopes: SCOPES });
    const { refresh_token } = await tokensFor(application, browserOf(at, owner), { scope });
    await admin.patch(path(application), { claim_mappings: [GROUPS] });
    const refreshed = await refreshAt(at.one.url, application, refresh_token);
    expect(decodeJwt(refreshed.body.id_token).groups).toEqual([expect.stringMatching(/:a$/)]);
  });
});

describe("who controls a value decides where the value may go (G461)", () => {
  test("Unqualified groups reach an application that names the organization, and end with the list.", async () => {
    const [owner, stranger] = [await founded(at), await founded(at)];
    for (const each of [owner, stranger]) await addGroups(at, each, each.userId, ["system:masters"]);
    const mapping = { claim: "groups", attribute: "groups", scope: "groups" };
    const settings = { scopes: SCOPES, claim_mappings: [mapping], organizations: [owner.organizationId] };
    const application = await registerClient(settings);
    const tokens = await tokensFor(application, browserOf(at, owner), { scope: "openid groups" });
    expect(decodeJwt(tokens.id_token).groups).toEqual(["system:masters"]);
    const refused = await browserOf(at, stranger).follow(
      authorizePath(application, makePkce().challenge, { scope: "openid groups" }),
    );
    expect(refused.location?.searchParams.get("error")).toBe("access_denied");
    for (const organizations of [null, []]) {
      const withdrawn = await admin.patch(path(application), { organizations });
      expect([withdrawn.status, withdrawn.body.error.code]).toEqual([400, "invalid_input"]);
    }
    expect((await admin.patch(path(application), { organizations: null, claim_mappings: [] })).status).toBe(200);
  });

  test("A list that was withdrawn beside a mapping withholds the claim, also without a new validation.", async () => {
    const owner = await founded(at);
    await addGroups(at, owner, owner.userId, ["admins"]);
    const mapping = { claim: "groups", attribute: "groups", scope: "groups" };
    const application = await registerClient({
      scopes: SCOPES,
      claim_mappings: [mapping],
      organizations: [owner.organizationId],
    });
    await at.sql`update oauth_clients set organizations = null where id = ${application.id}`;
    await admin.patch(path(application), { disabled: false });
    const tokens = await tokensFor(application, browserOf(at, owner), { scope: "openid groups" });
    expect(decodeJwt(tokens.id_token).groups).toBeUndefined();
  });

  test("A token for two APIs has a claim only if both have the mapping and name the organization.", async () => {
    const owner = await founded(at);
    await addGroups(at, owner, owner.userId, ["admins"]);
    const api = async (suffix: string, mappings: readonly Mapping[], settings: Mapping) => {
      const identifier = `https://pair-${crypto.randomUUID().slice(0, 8)}-${suffix}.example.test/`;
      const created = await admin.post("/v1/admin/resources", {
        identifier,
        name: suffix,
        scopes: [{ name: "reports:read" }],
        claim_mappings: mappings,
        ...settings,
      });
      expect(created.status).toBe(201);
      return identifier;
    };
    const named = { organizations: [owner.organizationId] };
    const role = { claim: "role", constant: "reader" };
    const team = { claim: "team", attribute: "groups" };
    const first = await api("a", [team, role, { claim: "kind", constant: "a" }], named);
    const second = await api("b", [team, role, { claim: "kind", constant: "b" }], named);
    const open = await api("c", [role], {});
    const application = await registerClient({ scopes: ["reports:read"], resources: [first, second, open] });
    const claimsFor = async (resources: readonly string[]) => {
      const [resource = "", ...more] = resources;
      const pkce = makePkce();
      const request = authorizePath(application, pkce.challenge, { scope: "reports:read", resource });
      const extra = more.map((each) => `&resource=${encodeURIComponent(each)}`).join("");
      const { location } = await browserOf(at, owner).follow(`${request}${extra}`);
      const fields = {
        grant_type: "authorization_code",
        code: location?.searchParams.get("code") ?? "",
        redirect_uri: application.redirectUri,
        code_verifier: pkce.verifier,
      };
      const { body } = await sendForm(at.one.url, "/oauth2/token", fields, basic(application));
      const { role: one, team: two, kind } = decodeJwt(String(body.access_token));
      return [one, two, kind];
    };
    expect(await claimsFor([first])).toEqual(["reader", ["admins"], "a"]);
    expect(await claimsFor([first, second])).toEqual(["reader", ["admins"], undefined]);
    expect(await claimsFor([first, open])).toEqual(["reader", undefined, undefined]);
  });
});

describe("sizes refuse nothing (G464)", () => {
  const names = (count: number, length: number) =>
    Array.from({ length: count }, (_, index) => `${String(index).padStart(3, "0")}${"g".repeat(length)}`);

  test("500 long groups: sign-in, refresh, introspection, hint and sign-out work; UserInfo has more.", async () => {
    const owner = await founded(at);
    await addGroups(at, owner, owner.userId, names(500, 40));
    const identifier = `https://large-${crypto.randomUUID().slice(0, 8)}.example.test/`;
    const created = await admin.post("/v1/admin/resources", {
      identifier,
      name: "Large",
      scopes: [{ name: "reports:read" }],
      organizations: [owner.organizationId],
      claim_mappings: [
        { claim: "team", attribute: "groups" },
        { claim: "upper", expression: "groups.map(g, g.upperAscii())" },
        { claim: "role", constant: "r".repeat(1_000) },
      ],
    });
    expect(created.status).toBe(201);
    const application = await registerClient({
      scopes: [...SCOPES, "reports:read"],
      resources: [identifier],
      audiences: [identifier],
      organizations: [owner.organizationId],
      claim_mappings: [
        { claim: "groups", attribute: "groups" },
        { claim: "text", expression: 'groups.join(",")' },
        { claim: "small", constant: "s" },
      ],
      post_logout_redirect_uris: ["https://app.example.test/bye"],
    });
    const scope = "openid reports:read offline_access";
    const tokens = await tokensFor(application, browserOf(at, owner), { scope, resource: identifier });
    const refreshed = await refreshAt(at.other.url, application, tokens.refresh_token);
    expect(refreshed.status).toBe(200);
    for (const { id_token, access_token } of [tokens, refreshed.body]) {
      expect([id_token.length <= 4_096, access_token.length <= 4_096]).toEqual([true, true]);
      const id = decodeJwt(id_token);
      expect([id.small, id.text, id.claims_truncated]).toEqual(["s", undefined, ["groups", "text"]]);
      expect((id.groups as string[]).length).toBeGreaterThan(10);
      const access = decodeJwt(access_token);
      expect([access.role, access.claims_truncated]).toEqual(["r".repeat(1_000), expect.arrayContaining(["team"])]);
      const state = await introspectAt(at.one.url, application, access_token);
      expect([state.body.active, state.body.team.length > 100]).toEqual([true, true]);
      const info = await userInfo(at.other.url, access_token);
      expect([info.status, (info.body.groups as string[]).length > 100]).toEqual([200, true]);
      expect(JSON.stringify(info.body).length).toBeLessThan(40_000);
    }
    const hinted = await browserOf(at, owner).follow(
      authorizePath(application, makePkce().challenge, {
        scope,
        id_token_hint: refreshed.body.id_token,
        prompt: "none",
      }),
    );
    expect(hinted.location?.searchParams.get("code")).toBeTruthy();
    const query = { id_token_hint: refreshed.body.id_token, post_logout_redirect_uri: "https://app.example.test/bye" };
    const out = await browserOf(at, owner).follow(`/oauth2/logout?${new URLSearchParams(query)}`);
    expect(out.answer.status).toBeLessThan(400);
    const token = refreshed.body.access_token;
    expect((await sendForm(at.one.url, "/oauth2/revoke", { token }, basic(application))).status).toBe(200);
    expect((await introspectAt(at.other.url, application, token)).body).toEqual({ active: false });
  });

  test("An expression that fails is absent, and refuses no token; explain and the metric name the claim.", async () => {
    const owner = await founded(at);
    const application = await registerClient({
      claim_mappings: [
        { claim: "secret", expression: "session.acr + session.method == session.amr[5]" },
        { claim: "zoneinfo", attribute: "user.time_zone" },
        { claim: "ok", constant: true },
      ],
    });
    const { id_token, access_token } = await tokensFor(application, browserOf(at, owner), { scope: "openid" });
    const claims = decodeJwt(id_token);
    expect([claims.ok, claims.secret, claims.zoneinfo]).toEqual([true, undefined, undefined]);
    const requestId = crypto.randomUUID();
    const response = await fetch(`${at.one.url}/oauth2/userinfo`, {
      headers: { authorization: `Bearer ${access_token}`, "x-request-id": requestId },
    });
    expect(response.status).toBe(200);
    const explanation = async () => (await admin.get(`/v1/admin/requests/${requestId}`)).body;
    await until("the record of the request", async () => (await explanation()).requests !== undefined);
    const { requests, sentences } = await explanation();
    const [{ claims: explained }] = requests;
    expect(sentences.join(" ")).toContain("The claim secret is absent: the evaluation of its expression failed");
    expect(explained).toEqual([
      { claim: "secret", outcome: "error" },
      { claim: "zoneinfo", outcome: "absent" },
      { claim: "ok", outcome: "released" },
    ]);
  });
});

describe("access tokens end with the groups of their claims (G465)", () => {
  async function apiFor(owner: Owner, mapping: Mapping) {
    const identifier = `https://lost-${crypto.randomUUID().slice(0, 8)}.example.test/`;
    const settings = { organizations: [owner.organizationId], claim_mappings: [mapping] };
    const body = { identifier, name: "Lost", scopes: [{ name: "reports:read" }], ...settings };
    expect((await admin.post("/v1/admin/resources", body)).status).toBe(201);
    const scopes = ["openid", "offline_access", "reports:read"];
    const application = await registerClient({ scopes, resources: [identifier], audiences: [identifier] });
    const request = { scope: "openid offline_access reports:read", resource: identifier };
    return { application, tokens: await tokensFor(application, browserOf(at, owner), request) };
  }

  const changes = [
    [
      "leaves the group",
      (id: string) => at.sql`
      delete from member_group_members x using member_groups g
      where g.id = x.group_id and g.organization_id = ${id} and g.name = 'a'`,
    ],
    [
      "loses the group by its deletion",
      (id: string) => at.sql`
      delete from member_groups where organization_id = ${id} and name = 'a'`,
    ],
    [
      "has a group of another name",
      (id: string) => at.sql`
      update member_groups set name = 'c', name_key = 'c' where organization_id = ${id} and name = 'a'`,
    ],
  ] as const;
  test.each(changes)("A member who %s has no token with the group; the refresh has the rest.", async (_, change) => {
    const owner = await founded(at);
    await addGroups(at, owner, owner.userId, ["a", "b"]);
    const { application, tokens } = await apiFor(owner, {
      claim: "role",
      expression: '"a" in groups ? "admin" : "none"',
    });
    expect(decodeJwt(tokens.access_token).role).toBe("admin");
    await change(owner.organizationId);
    expect((await introspectAt(at.other.url, application, tokens.access_token)).body).toEqual({ active: false });
    const [event] = await at.sql`
      select reason from session_events where session_id = ${String(decodeJwt(tokens.access_token).sid)}`;
    expect(event?.reason).toBe("permission_lost");
    const refreshed = await refreshAt(at.one.url, application, tokens.refresh_token);
    expect(decodeJwt(refreshed.body.access_token).role).toBe("none");
  });

  test("A further group ends nothing.", async () => {
    const owner = await founded(at);
    await addGroups(at, owner, owner.userId, ["a"]);
    const { application, tokens } = await apiFor(owner, { claim: "team", attribute: "groups" });
    await addGroups(at, owner, owner.userId, ["b"]);
    expect((await introspectAt(at.one.url, application, tokens.access_token)).body.active).toBe(true);
  });
});

describe("slugs of organizations stay reserved (G466)", () => {
  test("A slug that an organization gave up is refused to others for 180 days, and not to the former.", async () => {
    const [former, other] = [await founded(at), await founded(at)];
    const slug = `slug-${crypto.randomUUID().slice(0, 8)}`;
    const setSlug = (id: string, to: string) => at.sql`update organizations set slug = ${to} where id = ${id}`;
    await setSlug(former.organizationId, slug);
    await setSlug(former.organizationId, `${slug}-2`);
    await expect((async () => await setSlug(other.organizationId, slug))()).rejects.toThrow("the slug is reserved");
    await setSlug(former.organizationId, slug);
    await setSlug(former.organizationId, `${slug}-3`);
    const created = await admin.post("/v1/admin/orgs", {
      organization_name: slug.replaceAll("-", " "),
      owner_email: newEmail(),
      owner_password: PASSWORD,
    });
    expect([created.status, created.body.slug === slug]).toEqual([201, false]);
    await at.sql`update released_slugs set released_at = now() - interval '181 days'
                 where organization_id = ${former.organizationId}`;
    await setSlug(other.organizationId, slug);
  });
});
