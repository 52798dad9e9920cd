/** APIs registered by administrators, and the descriptions of scopes on the consent page. */
import { beforeAll, describe, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import { Client, registered } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import {
  authorizePath,
  Browser,
  basic,
  codeFor,
  exchange,
  hiddenIn,
  introspectAt,
  makePkce,
  oauthAdmin,
  personWithBrowser,
  refreshAt,
  registerClient,
  sendForm,
  tokensFor,
} from "../support/oauth.ts";
import { platformUser } from "../support/platform.ts";
import { eventually, until } from "../support/waiting.ts";

const PATH = "/v1/admin/resources";
const UNKNOWN = "019a0000-0000-7000-8000-000000000000";
const MARKUP = `<img src=x onerror=alert(1)>"'&amp;</li><script>alert(1)</script>`;

let at: Deployment;
let admin: Client;
beforeAll(async () => {
  at = await deployment();
  admin = await oauthAdmin();
});

let apis = 0;
/** Returns an identifier and a scope that no other API has. */
function newApi() {
  apis += 1;
  return { identifier: `https://api-${apis}.resources.example.test/`, scope: `items-${apis}:read` };
}

async function register(settings: Record<string, unknown>) {
  const response = await admin.post(PATH, { name: "Billing", ...settings });
  expect(response.status).toBe(201);
  return response.body;
}

const scopeWith = (name: string, en: string | null, de: string | null) => ({
  name,
  public: false,
  sensitive: false,
  description_en: en,
  description_de: de,
});

describe("POST /v1/admin/resources", () => {
  test("201: The response, the list and the row have the API; the audit trail names the identifier.", async () => {
    const { identifier, scope } = newApi();
    const scopes = [{ ...scopeWith(scope, " see your items ", "Ihre Artikel einsehen"), unknown: "member" }];
    const created = await register({ identifier, scopes, unknown: "member" });
    expect(created).toEqual({
      id: expect.any(String),
      identifier,
      name: "Billing",
      scopes: [scopeWith(scope, "see your items", "Ihre Artikel einsehen")],
      signing_alg: "RS256",
      dpop: "allowed",
      token_lifetime_seconds: null,
      min_acr: null,
      claims: [],
      claim_mappings: [],
      open_to: "registered",
      organizations: null,
      disabled: false,
      preset: null,
      created_at: expect.any(String),
      updated_at: created.created_at,
    });
    expect((await admin.get(PATH)).body.items[0]).toEqual(created);
    const [row] = await at.sql`select identifier, scopes, disabled from oauth_resources where id = ${created.id}`;
    expect(row).toEqual({ identifier, scopes: created.scopes, disabled: false });
    const audited = await at.sql`
      select action, metadata from audit_logs where resource_type = 'oauth_resource' and resource_id = ${created.id}`;
    expect(audited.map(({ action, metadata }) => ({ action, metadata }))).toEqual([
      { action: "oauth.resource.created", metadata: { identifier } },
    ]);
  });

  test("201: Descriptions are optional; http is accepted on loopback addresses.", async () => {
    const { scope } = newApi();
    const created = await register({ identifier: `http://127.0.0.1:${4000 + apis}/mcp`, scopes: [{ name: scope }] });
    expect(created.scopes).toEqual([scopeWith(scope, null, null)]);
  });

  test("201: A description in a further language is a further member, absent without a description.", async () => {
    const { identifier, scope } = newApi();
    const french = { description_fr: "voir vos articles", description_ja: null };
    const created = await register({ identifier, scopes: [{ name: scope, ...french }] });
    expect(created.scopes).toEqual([{ ...scopeWith(scope, null, null), description_fr: "voir vos articles" }]);
  });

  const long = "x".repeat(201);
  const scope = (members: object) => ({ scopes: [{ name: "a:read", ...members }] });
  const invalid: [string, Record<string, unknown>, string, string][] = [
    ["no identifier", { identifier: undefined }, "identifier", "required"],
    ["a relative identifier", { identifier: "/api" }, "identifier", "format"],
    ["an identifier with a fragment", { identifier: "https://api.example.test/#x" }, "identifier", "format"],
    ["http beyond loopback", { identifier: "http://api.example.test/" }, "identifier", "not_allowed"],
    ["an identifier with a further scheme", { identifier: "urn:example:api" }, "identifier", "format"],
    ["user information", { identifier: "https://user@api.example.test/" }, "identifier", "format"],
    ["501 characters", { identifier: `https://api.example.test/${"x".repeat(476)}` }, "identifier", "too_long"],
    ["no name", { name: undefined }, "name", "required"],
    ["a name with a link", { name: "see https://attacker.example.test" }, "name", "format"],
    ["a scope without a name", { scopes: [{ description_en: "x" }] }, "scopes.name", "required"],
    ["a scope with a space", { scopes: [{ name: "a b" }] }, "scopes.name", "format"],
    ["a scope of this service", { scopes: [{ name: "email" }] }, "scopes.name", "not_allowed"],
    ["a scope twice", { scopes: [{ name: "a" }, { name: "a" }] }, "scopes", "conflicting"],
    [
      "101 scopes",
      { scopes: Array.from({ length: 101 }, (_, index) => ({ name: `s${index}` })) },
      "scopes",
      "too_long",
    ],
    ["no list of scopes", { scopes: "a b" }, "scopes", "type"],
    ["an empty description", scope({ description_en: " " }), "scopes.description_en", "format"],
    ["a description of 201 characters", scope({ description_de: long }), "scopes.description_de", "too_long"],
    ["two lines", scope({ description_en: "see\nall" }), "scopes.description_en", "format"],
    ["a bidirectional override", scope({ description_de: "alles \u202Enehes" }), "scopes.description_de", "format"],
    ["a French description of two lines", scope({ description_fr: "voir\ntout" }), "scopes.description_fr", "format"],
    ["a bidirectional isolate", scope({ description_en: "\u2067see" }), "scopes.description_en", "format"],
    ["a zero-width space", scope({ description_en: "se\u200Be" }), "scopes.description_en", "format"],
    ["NUL", scope({ description_en: "a\0b" }), "scopes.description_en", "format"],
    ["a lifetime below a minute", { token_lifetime_seconds: 59 }, "token_lifetime_seconds", "too_small"],
    ["a lifetime above an hour", { token_lifetime_seconds: 3601 }, "token_lifetime_seconds", "too_large"],
    ["an unknown assurance", { min_acr: "aal3" }, "min_acr", "type"],
    ["an unknown claim", { claims: ["address"] }, "claims", "unknown_value"],
    ["an unknown kind of clients", { open_to: "all" }, "open_to", "unknown_value"],
    ["an empty list of organizations", { organizations: [] }, "organizations", "required"],
    ["an organization without an id", { organizations: ["acme"] }, "organizations", "type"],
    ["a number as description", scope({ description_en: 1 }), "scopes.description_en", "type"],
  ];
  test.each(invalid)("400: %s is invalid, and no API is registered", async (_, settings, field, rule) => {
    const before = (await admin.get(PATH)).body.total;
    const valid = { identifier: newApi().identifier, name: "Billing" };
    const response = await admin.post(PATH, { ...valid, ...settings });
    expect([response.status, response.body.error]).toMatchObject([
      400,
      { code: "invalid_input", fields: [{ field, rule }] },
    ]);
    expect((await admin.get(PATH)).body.total).toBe(before);
  });

  test("400: The response names all invalid fields, and the message the position of the first.", async () => {
    const scopes = [{ name: "a" }, { name: "b b", description_de: "\u202E" }];
    const { error } = (await admin.post(PATH, { identifier: "x", name: " ", scopes })).body;
    // The schema validates the name before the rules of an API run.
    expect(error.fields).toEqual([{ field: "name", rule: "format" }]);
    const { body } = await admin.post(PATH, { identifier: newApi().identifier, name: "Billing", scopes });
    expect(body.error.message).toStartWith("scopes.1.name: ");
    expect(body.error.fields).toEqual([
      { field: "scopes.name", rule: "format" },
      { field: "scopes.description_de", rule: "format" },
    ]);
  });

  test("409: Equivalent identifiers are one API; a trailing slash counts below the root.", async () => {
    const { hostname } = new URL(newApi().identifier);
    await register({ identifier: `https://${hostname}` });
    for (const same of [`https://${hostname}/`, `HTTPS://${hostname.toUpperCase()}:443`]) {
      const response = await admin.post(PATH, { identifier: same, name: "Billing" });
      expect([same, response.status, response.body.error?.code]).toEqual([same, 409, "conflict"]);
    }
    await register({ identifier: `https://${hostname}/mcp` });
    await register({ identifier: `https://${hostname}/mcp/` });
  });

  test("409: Of parallel registrations of one identifier, a single registration succeeds.", async () => {
    const settings = { identifier: newApi().identifier, name: "Billing" };
    const responses = await Promise.all(Array.from({ length: 8 }, () => admin.post(PATH, settings)));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
  });

  test("409: There are at most 1,000 APIs.", async () => {
    const [{ missing } = { missing: 0 }] = await at.sql`select 1000 - count(*)::int as missing from oauth_resources`;
    await at.sql`
      insert into oauth_resources (id, identifier, identifier_key, name, scopes, created_at, updated_at)
      select gen_random_uuid(), uri, uri, 'Filler', '[]', now() - interval '1 day', now()
      from (select 'https://filler.example.test/' || n as uri from generate_series(1, ${missing}) n) fillers`;
    const full = await admin.post(PATH, { identifier: newApi().identifier, name: "Billing" });
    await at.sql`delete from oauth_resources where name = 'Filler'`;
    expect([full.status, full.body.error?.code]).toEqual([409, "conflict"]);
    await register({ identifier: newApi().identifier });
  });
});

describe("the roles at /v1/admin/resources", () => {
  test("401, 403: A change needs a platform admin with a step-up; a viewer reads.", async () => {
    const { id } = await register({ identifier: newApi().identifier });
    const settings = { identifier: newApi().identifier, name: "Billing" };
    const attempts = async (client: Client) => {
      const reads = await client.get(PATH);
      const writes = [
        await client.post(PATH, settings),
        await client.patch(`${PATH}/${id}`, { name: "Other" }),
        await client.delete(`${PATH}/${id}`),
      ];
      return [reads, ...writes].map(({ status, body }) => body?.error?.code ?? status);
    };
    const all = (code: string) => Array(4).fill(code);
    expect(await attempts(new Client(at.one.url))).toEqual(all("authentication_required"));
    expect(await attempts((await registered(at.one.url)).client)).toEqual(all("forbidden"));
    const viewer = await platformUser(at, "viewer");
    expect(await attempts(viewer.client)).toEqual([200, "forbidden", "forbidden", "forbidden"]);
    const weak = await platformUser(at, "admin");
    expect(await attempts(weak.client)).toEqual([200, "mfa_required", "mfa_required", "mfa_required"]);
    expect(await attempts(admin)).toEqual([200, 201, 200, 204]);
  });
});

describe("PATCH and DELETE /v1/admin/resources/:id", () => {
  test("200: Absent members keep their values, scopes are replaced, the identifier never changes.", async () => {
    const { identifier, scope } = newApi();
    const api = await register({ identifier, scopes: [{ name: scope, description_en: "see your items" }] });
    const place = `${PATH}/${api.id}`;
    const renamed = await admin.patch(place, { name: "Invoices", identifier: newApi().identifier });
    expect(renamed.body).toMatchObject({ name: "Invoices", identifier, scopes: api.scopes, disabled: false });
    const replaced = await admin.patch(place, { scopes: [{ name: "b" }], disabled: true });
    expect(replaced.body).toMatchObject({ name: "Invoices", scopes: [scopeWith("b", null, null)], disabled: true });
    const invalid = await admin.patch(place, { name: "Kept out", scopes: [{ name: "c" }, { name: "c" }] });
    expect([invalid.status, invalid.body.error.fields]).toEqual([400, [{ field: "scopes", rule: "conflicting" }]]);
    const [stored] = (await admin.get(PATH)).body.items.filter(({ id }: { id: string }) => id === api.id);
    expect(stored).toEqual(replaced.body);
    expect((await admin.patch(`${PATH}/${UNKNOWN}`, { name: "x" })).status).toBe(404);
    expect((await admin.patch(`${PATH}/x`, { name: "x" })).status).toBe(404);
  });

  test("204: A deleted API is unregistered, and the audit trail has every change.", async () => {
    const { identifier } = newApi();
    const { id } = await register({ identifier });
    await admin.patch(`${PATH}/${id}`, { name: "Invoices" });
    expect((await admin.delete(`${PATH}/${id}`)).status).toBe(204);
    expect((await admin.delete(`${PATH}/${id}`)).status).toBe(404);
    const audited = await at.sql`
      select action, metadata->>'identifier' as identifier from audit_logs
      where resource_type = 'oauth_resource' and resource_id = ${id} order by timestamp, id`;
    expect(audited.map((row) => ({ ...row }))).toEqual(
      ["created", "updated", "deleted"].map((verb) => ({ action: `oauth.resource.${verb}`, identifier })),
    );
    await register({ identifier });
  });
});

/** Returns the consent page of a request, in the given language and from the given replica. */
async function consentText(browser: Browser, path: string, language: string, url: string): Promise<string> {
  const elsewhere = new Browser(url);
  Object.assign(elsewhere.client, { jar: browser.client.jar });
  const { status, text } = await elsewhere.get(path, { "accept-language": language });
  expect([path, status]).toEqual([path, 200]);
  return text;
}

describe("the descriptions of scopes for users (G113)", () => {
  test("The consent page displays the description in the user's language, on both replicas.", async () => {
    const { identifier, scope } = newApi();
    const settings = { first_party: false, scopes: ["openid", scope], resources: [identifier] };
    const client = await registerClient(settings);
    const { browser } = await personWithBrowser();
    const request = { scope: `openid ${scope}`, resource: identifier };
    const { path, answer } = await browser.follow(authorizePath(client, makePkce().challenge, request));
    expect(answer.text).toContain(`<code>${scope}</code>`);
    const api = await register({ identifier, scopes: [scopeWith(scope, "see your items", "Ihre Artikel einsehen")] });
    for (const { url } of [at.one, at.other]) {
      await eventually("the replica displays the description", 6_000, async () => {
        return (await consentText(browser, path, "en", url)).includes(">see your items<");
      });
      const german = await consentText(browser, path, "de", url);
      expect([german.includes(">Ihre Artikel einsehen<"), german.includes(scope)]).toEqual([true, false]);
    }
    const displayed = hiddenIn((await browser.get(path)).text);
    await admin.patch(`${PATH}/${api.id}`, { scopes: [scopeWith(scope, "delete your items", null)] });
    await eventually("the other replica displays the change", 6_000, async () => {
      return (await consentText(browser, path, "en", at.other.url)).includes(">delete your items<");
    });
    // Without a German description the English description is displayed, never the name.
    expect(await consentText(browser, path, "de", at.other.url)).toContain(">delete your items<");
    const stale = await browser.post(path, { ...displayed, decision: "allow" });
    expect([stale.status, stale.headers.get("location")]).toEqual([303, path]);
    const { location } = await browser.submit(path, { decision: "allow" });
    expect(location?.searchParams.get("code")).toBeString();
    expect((await browser.get("/account/applications")).text).toContain("delete your items");
    await admin.delete(`${PATH}/${api.id}`);
    expect((await browser.get("/account/applications")).text).toContain(scope);
  });

  test("Markup in a description is text, and a scope of this service keeps its text.", async () => {
    const { identifier, scope } = newApi();
    const { id } = await register({ identifier, scopes: [scopeWith(scope, MARKUP, MARKUP)] });
    // No request registers such a scope; the row of a second writer must not replace the text either.
    const email = at.sql.json([scopeWith("email", "read the weather", null)]);
    await at.sql`update oauth_resources set scopes = scopes || ${email} where id = ${id}`;
    await register({ identifier: newApi().identifier });
    const settings = { first_party: false, scopes: ["openid", "email", scope], resources: [identifier] };
    const client = await registerClient(settings);
    const { browser } = await personWithBrowser();
    const request = { scope: `email openid ${scope}` };
    const { path, answer } = await browser.follow(authorizePath(client, makePkce().challenge, request));
    await browser.submit(path, { decision: "allow" });
    for (const text of [answer.text, (await browser.get("/account/applications")).text]) {
      expect(text).toContain("&lt;img src=x onerror=alert(1)>");
      expect(text).not.toMatch(/<img src=x|<script>alert/);
      expect(text).toContain("see your email address");
    }
  });

  test("A scope of several APIs has the text of the request's API, the client's API, the oldest API.", async () => {
    const [first, second, third] = [newApi(), newApi(), newApi()];
    const scopes = (text: string) => [scopeWith(first.scope, text, null)];
    for (const [api, text] of [
      [first, "first text"],
      [second, "second text"],
      [third, "third text"],
    ] as const) {
      await register({ identifier: api.identifier, scopes: scopes(text) });
    }
    const { browser } = await personWithBrowser();
    const textOf = async (resources: string[], resource?: string) => {
      const client = await registerClient({ first_party: false, scopes: ["openid", first.scope], resources });
      const request = { scope: `openid ${first.scope}`, resource };
      const { answer } = await browser.follow(authorizePath(client, makePkce().challenge, request));
      return />(\w+) text</.exec(answer.text)?.[1];
    };
    const both = [second.identifier, third.identifier];
    expect(await textOf(both, third.identifier)).toBe("third");
    expect(await textOf(both)).toBe("second");
    // RFC 8707: an identifier of the client without the slash at the root names the same API.
    expect(await textOf([third.identifier.slice(0, -1)])).toBe("third");
    expect(await textOf([])).toBe("first");
  });
});

describe("a disabled API", () => {
  test("is invalid_target for authorizations, codes and refreshes, and its tokens end on both replicas.", async () => {
    const { identifier, scope } = newApi();
    const grants = ["authorization_code", "refresh_token", "client_credentials"];
    const settings = { scopes: ["openid", "offline_access", scope], resources: [identifier], grant_types: grants };
    const client = await registerClient(settings);
    const api = await register({ identifier, scopes: [{ name: scope }] });
    const { browser } = await personWithBrowser();
    const tokens = await tokensFor(client, browser, { scope: "openid offline_access", resource: identifier });
    const elsewhere = await tokensFor(client, browser);
    const issued = await codeFor(client, browser, { resource: identifier });
    const machine = { grant_type: "client_credentials", scope, resource: identifier };
    const own = await sendForm(at.one.url, "/oauth2/token", machine, basic(client));
    expect(own.status).toBe(200);
    const activeAt = async (url: string) => {
      const issuedTokens = [tokens.access_token, String(own.body.access_token), elsewhere.access_token];
      const states = await Promise.all(issuedTokens.map((token) => introspectAt(url, client, token)));
      return states.map(({ body }) => body.active).join(" ");
    };
    expect(await activeAt(at.other.url)).toBe("true true true");
    await admin.patch(`${PATH}/${api.id}`, { disabled: true });
    const refused = async (url: string) => {
      const response = await new Client(url).get(
        authorizePath(client, makePkce().challenge, { resource: identifier, prompt: "none" }),
        { documented: false },
      );
      return new URL(response.headers.get("location") ?? "", url).searchParams.get("error");
    };
    expect(await refused(at.one.url)).toBe("invalid_target");
    await eventually("the other replica refuses too", 6_000, async () => {
      return (await refused(at.other.url)) === "invalid_target";
    });
    const denied = await sendForm(at.one.url, "/oauth2/token", machine, basic(client));
    expect([denied.status, denied.body.error]).toEqual([400, "invalid_target"]);
    expect(await activeAt(at.one.url)).toBe("false false true");
    await until(
      "the other replica refuses the tokens",
      async () => (await activeAt(at.other.url)) === "false false true",
    );
    const { sid } = decodeJwt(tokens.access_token);
    const [event] = await at.sql`select reason from session_events where session_id = ${String(sid)}`;
    expect(event?.reason).toBe("resource_disabled");
    const late = [
      await exchange(at.one.url, client, issued),
      await refreshAt(at.one.url, client, tokens.refresh_token),
    ];
    expect(late.map(({ body }) => body.error)).toEqual(["invalid_target", "invalid_target"]);
    await admin.patch(`${PATH}/${api.id}`, { disabled: false });
    expect(await refused(at.one.url)).toBeNull();
    // The refused refresh has used no token.
    const again = await refreshAt(at.one.url, client, tokens.refresh_token);
    expect([again.status, await activeAt(at.one.url)]).toEqual([200, "false true true"]);
  });

  test("Discovery lists the scopes of this service only.", async () => {
    const { identifier, scope } = newApi();
    await register({ identifier, scopes: [{ name: scope }] });
    const { body } = await new Client(at.one.url).get("/.well-known/openid-configuration");
    expect(body.scopes_supported.toSorted()).toEqual(["email", "offline_access", "openid", "organization", "profile"]);
  });
});

describe("a resource indicator in another spelling (G431)", () => {
  /** Each step uses another spelling, and the administrator changes the spelling of the client between the steps. */
  test("Authorization, consent, pushed and waiting requests, code, refresh and device compare as URIs.", async () => {
    const host = `respelled-${crypto.randomUUID().slice(0, 8)}.example.test`;
    const spellings = [
      `https://${host}`,
      `https://${host.toUpperCase()}:443/`,
      `HTTPS://${host}/`,
      `https://${host}:443`,
    ] as const;
    const [first, second, third, fourth] = spellings;
    const grants = ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"];
    const settings = { scopes: ["openid", "offline_access"], resources: [first], grant_types: grants };
    const client = await registerClient({ ...settings, first_party: false });
    const spell = async (spelling: string) => {
      const changed = await admin.patch(`/v1/admin/oauth-clients/${client.id}`, { resources: [spelling] });
      expect([spelling, changed.status, changed.body.error]).toEqual([spelling, 200, undefined]);
    };
    const { browser } = await personWithBrowser();
    const request = (resource: string) =>
      authorizePath(client, makePkce().challenge, { scope: "openid offline_access", resource });
    const asks = async (path: string) => (await browser.follow(path)).path.startsWith("/oauth2/consent");
    const page = await browser.follow(request(second));
    expect(page.path).toStartWith("/oauth2/consent");
    // A waiting request outlasts the change.
    await spell(second);
    const form = { ...hiddenIn(page.answer.text), decision: "allow" };
    const { location } = await browser.follow(page.path, await browser.post(page.path, form));
    expect(location?.searchParams.get("code")).toMatch(/^[A-Za-z0-9_-]{43}$/);
    for (const spelling of spellings) {
      await spell(spelling);
      // A dot at the end of a host is registered with no client.
      expect([spelling, await asks(request(`https://${host}.`))]).toEqual([spelling, false]);
    }
    const issued = await codeFor(client, browser, { scope: "openid offline_access", resource: fourth });
    await spell(second);
    const exchanged = await exchange(at.one.url, client, issued, { resource: third });
    expect([exchanged.status, exchanged.body.error]).toEqual([200, undefined]);
    await spell(third);
    const refreshed = await refreshAt(at.one.url, client, exchanged.body.refresh_token, { resource: first });
    expect([refreshed.status, refreshed.body.error]).toEqual([200, undefined]);
    const pushed = await sendForm(
      at.one.url,
      "/oauth2/par",
      Object.fromEntries(new URLSearchParams(request(first).split("?")[1])),
      basic(client),
    );
    expect(pushed.status).toBe(201);
    await spell(fourth);
    const reference = new URLSearchParams({ client_id: client.id, request_uri: pushed.body.request_uri });
    expect(await asks(`/oauth2/authorize?${reference}`)).toBe(false);
    const [grant] = await at.sql`select consented_resources from oauth_grants where client_id = ${client.id}`;
    expect(grant?.consented_resources).toHaveLength(1);
    await admin.patch(`/v1/admin/oauth-clients/${client.id}`, { resources: ["https://other.example.test/"] });
    const withdrawn = await refreshAt(at.one.url, client, refreshed.body.refresh_token, { resource: first });
    expect([withdrawn.status, withdrawn.body.error]).toEqual([400, "invalid_target"]);
  });
});
