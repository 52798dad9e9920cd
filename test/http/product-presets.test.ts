/** Product presets (docs/contract.md, section 23.35): each product signs in with the requests of its documentation. */
import { beforeAll, describe, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import { Client, registered } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import {
  type Browser,
  basic,
  CALLBACK,
  makePkce,
  oauthAdmin,
  personWithBrowser,
  registerClient,
  sendForm,
} from "../support/oauth.ts";
import { platformUser } from "../support/platform.ts";
import { PRODUCT_APIS, PRODUCT_GROUPS, PRODUCTS, type Product } from "../support/products.ts";
import { ISSUER } from "../support/replica.ts";
import { insertMember } from "../support/states.ts";

const CLIENTS = "/v1/admin/oauth-clients";
const RESOURCES = "/v1/admin/resources";
const PRESETS = "/v1/admin/product-presets";

interface Preset {
  readonly preset: string;
  readonly name: string;
  readonly kind: "client" | "api";
  readonly inputs: readonly { readonly name: string; readonly type: string; readonly required: boolean }[];
  readonly unbound_codes: boolean;
  readonly guide: string;
}

let at: Deployment;
let admin: Client;
let presets: readonly Preset[];
let person: Awaited<ReturnType<typeof memberWithGroups>>;
beforeAll(async () => {
  at = await deployment();
  admin = await oauthAdmin();
  presets = (await admin.get(PRESETS)).body.items;
  person = await memberWithGroups();
});

/** A member of a company, with a verified address, a name and the groups of the products. */
async function memberWithGroups() {
  const { organizationId } = await registered(at.one.url);
  const { browser, userId, email } = await personWithBrowser();
  await at.sql`update users set email_verified_at = now(), display_name = 'Ada Example' where id = ${userId}`;
  await insertMember(at.sql, organizationId, userId);
  for (const name of PRODUCT_GROUPS) {
    const id = crypto.randomUUID();
    await at.sql`
      insert into member_groups (id, organization_id, name, name_key, description, created_at, updated_at)
      values (${id}, ${organizationId}, ${name}, ${name}, '', now(), now())`;
    await at.sql`
      insert into member_group_members (group_id, organization_id, user_id, added_at)
      values (${id}, ${organizationId}, ${userId}, now())`;
  }
  const switched = await browser.client.post("/v1/auth/organization", { organization_id: organizationId });
  expect(switched.status).toBe(200);
  const [row] = await at.sql`select slug from organizations where id = ${organizationId}`;
  return { browser, userId, email, organizationId, slug: String(row?.slug) };
}

const inputsOf = (preset: string, product: Pick<Product, "inputs">) => {
  const needsOrganization = presets.find((each) => each.preset === preset)?.inputs.at(-1)?.required;
  return { ...product.inputs, ...(needsOrganization ? { organization_id: person.organizationId } : {}) };
};

const register = (preset: string, inputs: object, more: object = {}) =>
  admin.post(CLIENTS, { preset, inputs, first_party: true, ...more });

describe("GET /admin/product-presets (G473)", () => {
  test("lists each product once, by name, with the inputs, for a platform viewer alone", async () => {
    expect(presets.map(({ name }) => name).slice(0, -1)).toEqual(
      presets
        .map(({ name }) => name)
        .slice(0, -1)
        .toSorted((one, other) => one.localeCompare(other, "en")),
    );
    expect(presets.find(({ preset }) => preset === "gitea")).toEqual({
      preset: "gitea",
      name: "Gitea, Forgejo",
      kind: "client",
      inputs: [
        { name: "url", type: "url", required: true },
        { name: "name", type: "text", required: true },
        { name: "organization_id", type: "organization", required: true },
      ],
      unbound_codes: true,
      guide: "https://docs.gitea.com/usage/authentication/",
    });
    const { client: viewer } = await platformUser(at, "viewer");
    expect((await viewer.get(PRESETS)).status).toBe(200);
    expect((await person.browser.client.get(PRESETS)).status).toBe(403);
    expect((await new Client(at.one.url).get(PRESETS)).status).toBe(401);
  });

  test("has a test of the requests and claims for each product", () => {
    const of = (kind: string) =>
      presets
        .filter((each) => each.kind === kind)
        .map(({ preset }) => preset)
        .toSorted();
    expect(of("client")).toEqual(Object.keys(PRODUCTS).toSorted());
    expect(of("api")).toEqual(Object.keys(PRODUCT_APIS).toSorted());
  });
});

/** The placeholders of expected claims. */
function expectedClaims(claims: Readonly<Record<string, unknown>>, clientId = "") {
  const { email, userId, slug, organizationId } = person;
  const values: Record<string, unknown> = {
    ...{ "<email>": email, "<sub>": userId, "<client>": clientId, "<slug>": slug, "<organization>": organizationId },
    "<number>": expect.any(Number),
  };
  const filled = (value: unknown): unknown => {
    if (typeof value === "string") return values[value] ?? value;
    if (Array.isArray(value)) return value.map(filled);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each)]));
  };
  return filled(claims);
}

interface Registration {
  readonly id: string;
  readonly secret: string;
}

/** The requests of the product, by its documented configuration: a sign-in, and UserInfo. */
async function signInBy(product: Product, client: Registration, browser: Browser) {
  const pkce = makePkce();
  const challenge = product.challenge ? { code_challenge: pkce.challenge, code_challenge_method: "S256" } : {};
  const asks = { response_type: "code", client_id: client.id, redirect_uri: product.redirectUri, ...product.asks };
  const landed = await browser.follow(`/oauth2/authorize?${new URLSearchParams({ ...asks, ...challenge })}`);
  const code = landed.location?.searchParams.get("code");
  if (!code) throw new Error(`no code: ${landed.location ?? landed.path}`);
  expect(landed.location?.searchParams.get("state")).toBe(product.asks.state ?? null);
  const form = {
    ...{ grant_type: "authorization_code", code, redirect_uri: product.redirectUri, ...product.exchange },
    ...(product.challenge ? { code_verifier: pkce.verifier } : {}),
  };
  return await tokenRequest(product, client, form);
}

async function tokenRequest({ authentication }: Product, client: Registration, form: Record<string, string>) {
  const own = authentication === "basic" ? basic(client) : {};
  const named = authentication === "basic" ? {} : { client_id: client.id };
  const secret = authentication === "post" ? { client_secret: client.secret } : {};
  const answer = await sendForm(at.other.url, "/oauth2/token", { ...form, ...named, ...secret }, own);
  if (answer.status !== 200) throw new Error(`token request: ${answer.status} ${answer.text}`);
  return answer.body;
}

describe("a product signs in with the requests of its documentation, and reads its claims (G473)", () => {
  test.each(Object.entries(PRODUCTS))("%s", async (preset, product) => {
    const made = await register(preset, inputsOf(preset, product));
    expect([made.status, made.body.error]).toEqual([201, undefined]);
    const { client_id: id, client_secret: secret = "", setup } = made.body;
    const tokens = await signInBy(product, { id, secret }, person.browser);
    const userInfo = await sendForm(
      at.one.url,
      "/oauth2/userinfo",
      {},
      { authorization: `Bearer ${tokens.access_token}` },
    );
    expect(decodeJwt(tokens.id_token)).toMatchObject(expectedClaims(product.idToken ?? {}, id) as object);
    expect(userInfo.body).toMatchObject(expectedClaims(product.userInfo ?? {}, id) as object);
    if (product.refreshes) {
      const refresh = { grant_type: "refresh_token", refresh_token: tokens.refresh_token };
      const again = await tokenRequest(product, { id, secret }, refresh);
      expect(decodeJwt(again.id_token)).toMatchObject(expectedClaims(product.idToken ?? {}, id) as object);
    }
    // The configuration names what the product needs, without a placeholder and without the secret.
    expect(setup.text).toContain(preset === "generic" ? product.redirectUri : id);
    expect(setup.text).not.toContain("{{");
    expect(secret === "" || !setup.text.includes(secret)).toBe(true);
    expect(setup.text.includes("<client secret>")).toBe(secret !== "");
    expect((await admin.get(`/v1/admin/oauth-clients/${id}/setup`)).body).toEqual(setup);
    expect(made.body.preset).toBe(preset);
    const listed = presets.find((each) => each.preset === preset);
    expect(made.body.require_nonce_or_pkce).toBe(!listed?.unbound_codes);
  });
});

describe("an API of a product receives the claims that the product reads (G473)", () => {
  test.each(Object.entries(PRODUCT_APIS))("%s", async (preset, { inputs, claims, claimsOfAny }) => {
    const of = async (more: Record<string, string>) => {
      const url = `${inputs.url}/${crypto.randomUUID()}`;
      const made = await admin.post(RESOURCES, { preset, inputs: { ...inputs, url, ...more } });
      expect([made.status, made.body.error]).toEqual([201, undefined]);
      const { id, identifier, setup } = made.body;
      expect(identifier).toBe(url);
      expect(setup.text).toContain(ISSUER);
      expect(setup.text).not.toContain("{{");
      expect((await admin.get(`/v1/admin/resources/${id}/setup`)).body).toEqual(setup);
      const client = await registerClient({ resources: [url], scopes: ["openid"] });
      const asks = { scope: "openid", resource: url };
      const product = { redirectUri: CALLBACK, asks, challenge: true, authentication: "basic" } as const;
      return decodeJwt((await signInBy(product, client, person.browser)).access_token);
    };
    expect(await of({ organization_id: person.organizationId })).toMatchObject(expectedClaims(claims) as object);
    if (claimsOfAny) expect(await of({})).toMatchObject(claimsOfAny as object);
  });
});

describe("a registration by a preset (G474)", () => {
  const total = async () => (await admin.get(CLIENTS)).body.total;
  const grafana = () => ({ url: "https://grafana.example.test", organization_id: person.organizationId });

  test("400: an unknown preset, a missing, wrong or unknown input; no application is registered", async () => {
    const before = await total();
    const refused: [string, object, string][] = [
      ["nonsense", {}, "preset"],
      ["hasura", { url: "https://hasura.example.test" }, "preset"],
      ["web", {}, "preset"],
      ["grafana", { url: "https://grafana.example.test" }, "inputs"],
      ["grafana", { ...grafana(), url: undefined }, "inputs"],
      ["grafana", { ...grafana(), url: " " }, "inputs"],
      ["grafana", { ...grafana(), team: "acme" }, "inputs"],
      ["grafana", { ...grafana(), organization_id: "acme" }, "inputs"],
      ["gitea", { url: "https://git.example.test", name: "a/../b", organization_id: person.organizationId }, "inputs"],
      ["gitea", { url: "https://git.example.test", name: 'x" --', organization_id: person.organizationId }, "inputs"],
      ...[
        "http://grafana.example.test",
        "https://user:secret@grafana.example.test",
        "https://grafana.example.test/?x=1",
        "https://grafana.example.test/#x",
        "https://grafana.example.test/'$(id)",
        "javascript:alert(1)",
        "grafana",
        `https://${"x".repeat(600)}.example.test`,
      ].map((url): [string, object, string] => ["grafana", { ...grafana(), url }, "inputs"]),
    ];
    for (const [preset, inputs, field] of refused) {
      const { status, body } = await register(preset, inputs);
      expect([preset, inputs, status, body.error?.fields?.[0]?.field]).toEqual([preset, inputs, 400, field]);
    }
    const alone = await admin.post(CLIENTS, { name: "Wiki", inputs: { url: "https://wiki.example.test" } });
    expect([alone.status, alone.body.error.fields[0].field]).toEqual([400, "inputs"]);
    for (const body of [{}, { name: "Wiki" }]) {
      const bare = await admin.post(CLIENTS, { redirect_uris: [CALLBACK], ...body });
      expect([bare.status, bare.body.error.fields[0].rule]).toEqual([400, "required"]);
    }
    expect(await total()).toBe(before);
  });

  test("members of the request take precedence, and no later request changes the preset", async () => {
    const more = { name: "Metrics", redirect_uris: [CALLBACK], token_endpoint_auth_method: "client_secret_post" };
    const made = await register("grafana", { ...grafana(), url: "https://grafana.example.test/sub/path/" }, more);
    expect(made.body).toMatchObject({ ...more, preset: "grafana", organizations: [person.organizationId] });
    expect(made.body.setup.text).toContain("root_url = https://grafana.example.test/sub/path\n");
    const id = made.body.client_id;
    await admin.patch(`${CLIENTS}/${id}`, { preset: "minio", name: "Metrics two" });
    const [row] = await at.sql`select name, preset from oauth_clients where id = ${id}`;
    expect({ ...row }).toEqual({ name: "Metrics two", preset: "grafana" });
    const plain = await registerClient();
    expect((await admin.get(`${CLIENTS}/${plain.id}/setup`)).status).toBe(404);
    expect((await admin.get(`${CLIENTS}/${crypto.randomUUID()}/setup`)).status).toBe(404);
    expect((await person.browser.client.get(`${CLIENTS}/${id}/setup`)).status).toBe(403);
  });

  test("an application of a user without a name and with no verified address signs in all the same", async () => {
    const { browser, userId } = await personWithBrowser();
    await at.sql`update users set display_name = null where id = ${userId}`;
    const outline = PRODUCTS.outline;
    if (!outline) throw new Error("no product");
    const made = await register("outline", outline.inputs ?? {});
    const client = { id: made.body.client_id, secret: made.body.client_secret };
    const { access_token } = await signInBy(outline, client, browser);
    const { body } = await sendForm(at.one.url, "/oauth2/userinfo", {}, { authorization: `Bearer ${access_token}` });
    expect(body).toMatchObject({ name: expect.stringMatching(/./) });
    expect(body.preferred_username).toBeUndefined();
  });
});
