/** The console's pages for applications at /admin/oauth-clients, by the forms. */
import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Client } from "../support/client.ts";
import { SCRIPT } from "../support/console.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { CALLBACK, introspectAt } from "../support/oauth.ts";
import { mainOf, redirectOf, type SignedInForms, STEP_UP_ASKED, signedInForms } from "../support/pages.ts";
import { platformUser, steppedUpAdmin } from "../support/platform.ts";
import { ageFactor } from "../support/states.ts";

const LIST = "/admin/oauth-clients";
let at: Deployment;
let admin: SignedInForms;
beforeAll(async () => {
  at = await deployment();
  admin = await formsOf((await steppedUpAdmin(at, "admin")).client);
});

const formsOf = ({ jar }: Client) => signedInForms(at.one.url, jar);

/** The step-up page, which goes on with the form. */
const FIELDS = {
  name: "Wiki",
  application_type: "web",
  token_endpoint_auth_method: "client_secret_basic",
  redirect_uris: `${CALLBACK}\r\n${CALLBACK}/other\r\n`,
  post_logout_redirect_uris: "https://app.example.test/bye",
  backchannel_logout_uri: "https://app.example.test/logout",
  logo_url: "https://app.example.test/logo.svg",
  policy_uri: "https://app.example.test/privacy",
  tos_uri: "https://app.example.test/terms",
  require_pkce: "false",
  require_dpop_nonce: "true",
  id_token_claims: "none",
  scopes: "openid email  offline_access",
  resources: "https://api.example.test/",
  audiences: "https://api.example.test/",
  "grant:authorization_code": "yes",
  "grant:refresh_token": "yes",
  first_party: "yes",
};
const USER_GRANTS = ["authorization_code", "refresh_token"];
const secretIn = (text: string) => /<li>([A-Za-z0-9_-]{43})<\/li>/.exec(text)?.[1] ?? "";
const placeIn = (text: string) => /href="(\/admin\/oauth-clients\/[0-9a-f-]{36})"/.exec(text)?.[1] ?? "";
const versionIn = (text: string) => /name="version" value="(\d+)"/.exec(text)?.[1] ?? "";
const rowAt = async (place: string) =>
  (await at.sql`select * from oauth_clients where id = ${place.slice(LIST.length + 1)}`)[0];

async function registerByForm(fields: Record<string, string> = {}) {
  const made = await admin.send(`${LIST}/new`, { ...FIELDS, ...fields });
  const place = placeIn(made.text) || (made.headers.get("location") ?? "").replace(/\/connect$/, "");
  return { made, place, id: place.slice(LIST.length + 1), secret: secretIn(made.text), redirectUri: CALLBACK };
}

describe("/admin/oauth-clients/new", () => {
  test("ticked scopes and own scopes are both registered, and the form displays both", async () => {
    const scopes = { "scope:openid": "yes", "scope:organization": "yes", scopes: "invoices:read openid" };
    const { place } = await registerByForm(scopes);
    expect((await rowAt(place))?.scopes).toEqual(["openid", "organization", "invoices:read"]);
    const page = (await admin.forms.get(`${place}?edit=1`)).text;
    expect(page).toMatch(/name="scope:organization" value="yes" checked/);
    expect(page).not.toMatch(/name="scope:email" value="yes" checked/);
    expect(page).toMatch(/name="scopes"[^>]*value="invoices:read"/);
  });

  test("registers an application with all that the form has, and shows its secret this once", async () => {
    const empty = (await admin.forms.get(`${LIST}/new`)).text;
    const ticked = [...empty.matchAll(/name="scope:(\w+)" value="yes" checked/g)].map(([, scope]) => scope);
    expect(ticked).toEqual(["openid", "profile", "email"]);
    const client = await registerByForm();
    expect([client.made.status, client.made.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect((await introspectAt(at.one.url, client, "x")).status).toBe(200);
    expect(await rowAt(client.place)).toMatchObject({
      name: "Wiki",
      redirect_uris: [CALLBACK, `${CALLBACK}/other`],
      post_logout_redirect_uris: ["https://app.example.test/bye"],
      backchannel_logout_uri: "https://app.example.test/logout",
      logo_url: "https://app.example.test/logo.svg",
      policy_uri: "https://app.example.test/privacy",
      tos_uri: "https://app.example.test/terms",
      require_pkce: false,
      require_dpop_nonce: true,
      id_token_claims: "none",
      scopes: ["openid", "email", "offline_access"],
      resources: ["https://api.example.test/"],
      audiences: ["https://api.example.test/"],
      grant_types: ["authorization_code", "refresh_token"],
      first_party: true,
      subject_type: "public",
    });
    for (const path of [client.place, LIST]) {
      const { text } = await admin.forms.get(path);
      expect([path, text.includes(client.id), text.includes(client.secret)]).toEqual([path, true, false]);
    }
  });

  test("keeps organizations, and marks an application with codes of no browser (G404, G471)", async () => {
    const [one, other] = [crypto.randomUUID(), crypto.randomUUID()];
    const { place } = await registerByForm({ organizations: `${one}\n${other.toUpperCase()}` });
    expect((await rowAt(place))?.organizations).toEqual([one, other]);
    expect(await admin.forms.get(`${place}?edit=1`)).toMatchObject({
      text: expect.stringContaining(`${one}\n${other}`),
    });
    const mark = "Codes are not bound to the browser";
    expect((await admin.forms.get(place)).text).not.toContain(mark);
    const unbound = await registerByForm({ require_nonce_or_pkce: "false", organizations: " " });
    expect(await rowAt(unbound.place)).toMatchObject({ organizations: null, require_nonce_or_pkce: false });
    for (const path of [unbound.place, LIST]) expect((await admin.forms.get(path)).text).toContain(mark);
    const refused = await registerByForm({ organizations: "acme" });
    expect(refused.made.text).toContain("Use up to 1,000 IDs of organizations");
  });

  test("the repetition of refresh tokens is a field of applications that prove a secret or a key (G432)", async () => {
    const fieldAt = async (place: string) => {
      const { text } = await admin.forms.get(`${place}?edit=1`);
      return /name="refresh_repeat_seconds"[^>]*value="(\d+)"/.exec(text)?.[1];
    };
    const wiki = await registerByForm({ refresh_repeat_seconds: " ６0 " });
    expect((await rowAt(wiki.place))?.refresh_repeat_seconds).toBe(60);
    expect(await fieldAt(wiki.place)).toBe("60");
    const spa = await registerByForm({ token_endpoint_auth_method: "none", require_pkce: "true" });
    expect([(await rowAt(spa.place))?.refresh_repeat_seconds, await fieldAt(spa.place)]).toEqual([10, undefined]);
    const bound = { token_endpoint_auth_method: "none", require_pkce: "true", dpop_bound_access_tokens: "true" };
    const phone = await registerByForm({ ...bound, refresh_repeat_seconds: "600" });
    expect([(await rowAt(phone.place))?.refresh_repeat_seconds, await fieldAt(phone.place)]).toEqual([600, "600"]);
    for (const refresh_repeat_seconds of ["601", "-1", "1.5", "ten"]) {
      const { made } = await registerByForm({ refresh_repeat_seconds });
      expect([refresh_repeat_seconds, made.text.includes("Use a whole number from 0 to 600")]).toEqual([
        refresh_repeat_seconds,
        true,
      ]);
    }
    // The field is displayed with the problem after a change to an application without authentication.
    const { made } = await registerByForm({
      ...bound,
      dpop_bound_access_tokens: "false",
      refresh_repeat_seconds: "60",
    });
    expect(made.text).toMatch(/name="refresh_repeat_seconds"[^>]*aria-invalid="true"/);
  });

  test("registers applications with keys of their own and with subjects by sector", async () => {
    const keys = JSON.stringify({ keys: [{ kty: "EC", crv: "P-256", x: "f83O", y: "x_FE" }] });
    const method = { token_endpoint_auth_method: "private_key_jwt" };
    const { made, place } = await registerByForm({ ...method, keys, sector: "example.test" });
    expect(redirectOf(made)).toEqual([`${place}/connect`, "created"]);
    expect(await rowAt(place)).toMatchObject({
      jwks: [{ kty: "EC" }],
      subject_type: "pairwise",
      sector: "example.test",
    });
    expect((await admin.forms.get(place)).text).toContain("&quot;kty&quot;: &quot;EC&quot;");
  });

  const refused: [string, Record<string, string>][] = [
    ["redirect_uris", { redirect_uris: "http://app.example.test/" }],
    ["redirect_uris", { redirect_uris: Array.from({ length: 21 }, (_, n) => `${CALLBACK}/${n}`).join("\n") }],
    ["logo_url", { logo_url: "javascript:alert(1)" }],
    ["scopes", { scopes: 'a"b' }],
    ["grant_types", { token_endpoint_auth_method: "none", "grant:client_credentials": "yes" }],
    ["keys", { keys: "{" }],
    ["keys", { keys: '{"keys":[{"crv":"P-256"}]}', token_endpoint_auth_method: "private_key_jwt" }],
    ["sector", { sector: "other.example" }],
    ["name", { name: "see https://evil.example" }],
  ];
  test("displays the fault beside the field, keeps the typed values, and registers no application", async () => {
    const count = async () => (await at.sql`select count(*)::int as n from oauth_clients`)[0]?.n;
    const before = await count();
    for (const [field, fields] of refused) {
      const response = await admin.send(`${LIST}/new`, { ...FIELDS, ...fields, resources: "https://kept.example/" });
      const shown = [response.text.includes(`id="${field}-error"`), response.text.includes(">https://kept.example/<")];
      expect([fields, response.status, ...shown]).toEqual([fields, 400, true, true]);
    }
    const badGrants = { token_endpoint_auth_method: "none", "grant:client_credentials": "yes" };
    const groups = await admin.send(`${LIST}/new`, { ...FIELDS, ...badGrants });
    expect(groups.text).toContain('id="grant_types-error" role="alert"');
    expect(groups.text.match(/<input[^>]* autofocus/g)).toEqual([expect.stringContaining('name="grant:')]);
    expect((await admin.send(`${LIST}/new`, { ...FIELDS, application_type: "constructor" })).status).toBe(400);
    expect(await count()).toBe(before);
  });
});

describe("presets of a new application", () => {
  const presets: [string, Record<string, string>, readonly string[]][] = [
    ["web", { application_type: "web", token_endpoint_auth_method: "client_secret_basic" }, USER_GRANTS],
    ["spa", { application_type: "web", token_endpoint_auth_method: "none" }, USER_GRANTS],
    ["native", { application_type: "native", token_endpoint_auth_method: "none" }, USER_GRANTS],
    ["machine", { application_type: "web", token_endpoint_auth_method: "client_secret_basic" }, ["client_credentials"]],
  ];
  test.each(presets)("%s: the form has method, grants and PKCE of the preset", async (preset, choices, grants) => {
    const { text } = await admin.forms.get(`${LIST}/new?preset=${preset}`);
    expect(text).toContain(`<a href="${LIST}/new?preset=${preset}" aria-current="true">`);
    for (const [name, value] of Object.entries({ ...choices, require_pkce: "true", id_token_claims: "scope" })) {
      const select = new RegExp(`<select id="${name}"[^]*?</select>`).exec(text)?.[0] ?? "";
      expect([name, /<option value="([^"]*)" selected/.exec(select)?.[1]]).toEqual([name, value]);
    }
    const checked = [...text.matchAll(/name="grant:(\w+)" value="yes" checked/g)].map(([, grant]) => String(grant));
    expect(checked).toEqual([...grants]);
    expect(text.match(/<details class="fold"/g)).toHaveLength(3);
    // A machine has no addresses among the basics.
    const basics = text.slice(text.indexOf("Basics"), text.indexOf("Tokens"));
    expect(basics.includes('name="redirect_uris"')).toBe(preset !== "machine");
  });

  test("an unknown preset is the web application; the refused form keeps its preset and opens the fold", async () => {
    const { text } = await admin.forms.get(`${LIST}/new?preset=constructor`);
    expect(text).toContain('?preset=web" aria-current="true">');
    const refused = await admin.send(`${LIST}/new`, { ...FIELDS, preset: "spa", scopes: 'a"b' });
    expect(refused.text).toContain('?preset=spa" aria-current="true">');
    expect(refused.text).toMatch(/<details class="fold" open><summary><span class="fold-title">Tokens/);
    expect(refused.text).toMatch(/<details class="fold"><summary><span class="fold-title">Advanced/);
  });
});

describe("a list of addresses", () => {
  const errorOf = (text: string, field: string) =>
    new RegExp(`id="${field}-error"[^>]*>([^<]*)<`).exec(text)?.[1]?.split("\n") ?? [];

  test("has a message for each wrong line; http on a loopback address is accepted, and the hint says so", async () => {
    const lines = [
      "https://app.example.test/callback",
      "http://app.example.test/callback",
      "",
      "http://localhost:3000/callback",
      "com.example.app:/callback",
      "https://app.example.test/#part",
      "https://app.example.test/callback",
    ];
    const fields = {
      ...FIELDS,
      redirect_uris: lines.join("\r\n"),
      audiences: "no address",
      name: "see https://x.test",
    };
    const { text } = await admin.send(`${LIST}/new`, fields);
    expect(errorOf(text, "redirect_uris")).toEqual([
      "Line 2: Use https. http is allowed only on this machine: localhost, 127.0.0.1 or [::1].",
      "Line 5: Use https. Only a native application may use its own scheme.",
      "Line 6: Remove the fragment (the part from #).",
      "Line 7: The list contains this URI twice.",
    ]);
    expect(errorOf(text, "audiences")).toHaveLength(2);
    expect(text).toContain('id="name-error"');
    expect(text).toContain("http on this machine (localhost, 127.0.0.1, [::1])");

    const native = { application_type: "native", token_endpoint_auth_method: "none", require_pkce: "true" };
    const schemes = { redirect_uris: "com.example.app:/callback\nmyapp:/callback\nhttp://127.0.0.1/callback" };
    const refused = await admin.send(`${LIST}/new`, { ...FIELDS, ...native, ...schemes });
    expect(errorOf(refused.text, "redirect_uris")).toEqual([
      "Line 2: Use a reversed domain name as scheme, such as com.example.app:/callback.",
    ]);
    const local = await registerByForm({ redirect_uris: "http://localhost:3000/callback\nhttp://[::1]:8080/callback" });
    expect((await rowAt(local.place))?.redirect_uris).toHaveLength(2);
  });
});

describe("/admin/oauth-clients/:id/connect", () => {
  const LIBRARIES = [
    "Auth.js",
    "express-openid-connect",
    "passport-openidconnect",
    "oidc-client-ts",
    "openid-client",
    "Authlib",
  ];
  const textAt = (html: string, id: string) =>
    (new RegExp(`<code id="${id}">([^<]*)</code>`).exec(html)?.[1] ?? "")
      .replaceAll("&quot;", '"')
      .replaceAll("&lt;", "<")
      .replaceAll("&amp;", "&");

  test("displays issuer, id, endpoints and examples; the secret only in the response to the creation", async () => {
    const client = await registerByForm();
    const later = (await admin.forms.get(`${client.place}/connect`)).text;
    const discovery = await admin.forms.client.get("/.well-known/openid-configuration", { documented: false });
    for (const text of [client.made.text, later]) {
      expect([textAt(text, "issuer"), textAt(text, "client-id")]).toEqual([discovery.body.issuer, client.id]);
      for (const name of ["authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri"]) {
        expect([name, textAt(text, name)]).toEqual([name, discovery.body[name]]);
      }
      for (const library of LIBRARIES) expect(text).toContain(`<span class="fold-title">${library}</span>`);
    }
    expect(textAt(client.made.text, "environment")).toContain(`CLIENT_SECRET=${client.secret}`);
    expect([later.includes(client.secret), later.includes("The secret was shown once")]).toEqual([false, true]);
    expect(textAt(later, "environment")).toEndWith("CLIENT_SECRET=");
    const renewed = await admin.send(client.place, { step: "add-secret" });
    expect(textAt(renewed.text, "environment")).toContain(`CLIENT_SECRET=${secretIn(renewed.text)}`);
  });

  test("the examples suit the method: no secret for a public client, no redirect for a machine", async () => {
    const codesOf = async (fields: Record<string, string>) => {
      const { place } = await registerByForm({ preset: "", ...fields });
      const { text } = await admin.forms.get(`${place}/connect`);
      const codes = LIBRARIES.map((library) => textAt(text, `code-${library.replaceAll(".", "")}`));
      return { text, codes: Object.fromEntries(LIBRARIES.map((library, index) => [library, codes[index] ?? ""])) };
    };
    const secret = await codesOf({ require_pkce: "true" });
    expect(secret.codes["oidc-client-ts"]).toBe("");
    for (const library of LIBRARIES.filter((each) => each !== "oidc-client-ts"))
      expect([library, secret.codes[library]?.includes("CLIENT_SECRET")]).toEqual([library, true]);
    // passport-openidconnect has no PKCE, so the page names the setting.
    expect(secret.text).toContain("This library has no PKCE.");
    expect((await codesOf({ require_pkce: "false" })).text).not.toContain("This library has no PKCE.");

    const open = await codesOf({ token_endpoint_auth_method: "none", require_pkce: "true" });
    expect(open.codes["oidc-client-ts"]).toContain("import.meta.env.VITE_ISSUER");
    expect(open.codes["passport-openidconnect"]).toBe("");
    expect(Object.values(open.codes).join("\n")).not.toContain("CLIENT_SECRET");
    expect(textAt(open.text, "environment")).toContain("VITE_CLIENT_ID=");

    const { "grant:authorization_code": _, "grant:refresh_token": __, ...rest } = FIELDS;
    const none = { redirect_uris: "", post_logout_redirect_uris: "", backchannel_logout_uri: "" };
    const made = await admin.send(`${LIST}/new`, { ...rest, ...none, "grant:client_credentials": "yes" });
    expect(textAt(made.text, "code-openid-client")).toContain("clientCredentialsGrant");
    expect(textAt(made.text, "code-Authlib")).toContain("client_credentials");
    expect(made.text).toContain("The application acts on its own behalf.");
  });

  test("the example of openid-client is the program of docs/guides/sign-in-with-this-service.md", async () => {
    const guide = await Bun.file(join(import.meta.dir, "../../docs/guides/sign-in-with-this-service.md")).text();
    const { made } = await registerByForm();
    const code = textAt(made.text, "code-openid-client");
    expect(code).toContain("authorizationCodeGrant");
    expect(guide).toContain(code);
  });

  test("a viewer reads the page; an unknown application has none", async () => {
    const { place } = await registerByForm();
    const viewer = await formsOf((await platformUser(at, "viewer")).client);
    expect((await viewer.forms.get(`${place}/connect`)).status).toBe(200);
    expect((await admin.forms.get(`${LIST}/${crypto.randomUUID()}/connect`)).status).toBe(404);
  });
});

describe("/admin/oauth-clients/:id and /admin/oauth-clients/:id/confirm", () => {
  test("changes settings, the kind included, unless they have changed since they were displayed", async () => {
    const { place } = await registerByForm();
    const { first_party: _, ...fields } = FIELDS;
    const version = versionIn((await admin.forms.get(place)).text);
    const settings = { name: SCRIPT, redirect_uris: CALLBACK, application_type: "native" };
    const change = { ...fields, ...settings, step: "save", version };
    expect(redirectOf(await admin.send(place, change))).toEqual([place, "saved"]);
    const changed = { name: SCRIPT, redirect_uris: [CALLBACK], application_type: "native", first_party: false };
    expect(await rowAt(place)).toMatchObject(changed);
    // The form keeps the typed value and the old version after each submission, and displays the stored value beside
    // the typed value.
    const stale = { ...change, version, redirect_uris: `${CALLBACK}/withdrawn` };
    for (const [keys, expected] of [
      ["{", 400],
      ["", 409],
      ["", 409],
    ] as const) {
      const { status, text } = await admin.send(place, { ...stale, keys });
      expect([status, versionIn(text), text.includes("/withdrawn")]).toEqual([expected, version, true]);
      const beside = text.includes(`id="redirect_uris-stored">Stored now: <span class="mono">${CALLBACK}</span>`);
      const says = text.includes("Someone else changed these settings") && text.includes(`<a href="${place}">Load the`);
      const conflict = expected === 409;
      expect([beside, says, text.includes('id="name-stored"')]).toEqual([conflict, conflict, false]);
    }
    expect(await rowAt(place)).toMatchObject(changed);
    const current = versionIn((await admin.forms.get(place)).text);
    const bad = await admin.send(place, { ...change, version: current, redirect_uris: "" });
    expect([bad.status, bad.text.includes('id="redirect_uris-error"')]).toEqual([400, true]);
    for (const path of [place, `${place}/confirm?step=delete`, LIST]) {
      const { status, text } = await admin.forms.get(path);
      expect([path, status, text.includes("<script>alert")]).toEqual([path, 200, false]);
    }
    expect((await admin.send(place, { step: "constructor" })).status).toBe(404);
    expect((await admin.forms.get(`${place}/confirm?step=constructor`)).status).toBe(404);
    await admin.send(place, { step: "delete" });
  });

  test("changes the authentication method: a new secret is displayed once, another ends it", async () => {
    const client = await registerByForm({ token_endpoint_auth_method: "none", require_pkce: "true" });
    const save = async (fields: Record<string, string>) => {
      const version = versionIn((await admin.forms.get(client.place)).text);
      return await admin.send(client.place, { ...FIELDS, require_pkce: "true", ...fields, step: "save", version });
    };
    const changed = await save({ token_endpoint_auth_method: "client_secret_post" });
    const secret = secretIn(changed.text);
    expect([changed.status, changed.text.includes("Connect Wiki"), secret.length]).toEqual([200, true, 43]);
    expect((await introspectAt(at.one.url, { ...client, secret }, "x")).status).toBe(200);
    expect((await admin.forms.get(client.place)).text).not.toContain(secret);
    const invalid = await save({ token_endpoint_auth_method: "none", require_pkce: "false" });
    expect([invalid.status, invalid.text.includes('id="require_pkce-error"')]).toEqual([400, true]);
    expect((await save({ token_endpoint_auth_method: "none" })).status).toBe(303);
    expect((await introspectAt(at.one.url, { ...client, secret }, "x")).status).toBe(401);
    const sector = { sector: "example.test" };
    expect((await save({ ...sector, token_endpoint_auth_method: "none" })).status).toBe(303);
    expect(await rowAt(client.place)).toMatchObject({ subject_type: "pairwise", sector: "example.test" });
    expect((await save({ sector: "", token_endpoint_auth_method: "none" })).status).toBe(303);
    expect(await rowAt(client.place)).toMatchObject({ subject_type: "public", sector: null });
  });

  test("has two secrets at a time, so that one is replaced without a gap", async () => {
    const old = await registerByForm();
    const renewed = { ...old, secret: secretIn((await admin.send(old.place, { step: "add-secret" })).text) };
    for (const each of [old, renewed]) expect((await introspectAt(at.one.url, each, "x")).status).toBe(200);
    const third = await admin.send(old.place, { step: "add-secret" });
    expect([third.status, third.text.includes("already two secrets")]).toEqual([409, true]);
    const ask = /\/admin\/oauth-clients\/[^"]+step=delete-secret[^"]+/.exec((await admin.forms.get(old.place)).text);
    const question = (await admin.forms.get(ask?.[0] ?? "")).text;
    expect(question).toMatch(/<h1>Delete the secret of Wiki, created [^<]+ at \d+:\d\d:\d\d [^<]*UTC\?</);
    expect((await admin.forms.get(`${old.place}/confirm?step=delete-secret/nothing`)).status).toBe(404);
    const step = /value="(delete-secret\/[^"]+)"/.exec(question)?.[1] ?? "";
    expect(redirectOf(await admin.send(old.place, { step }))).toEqual([old.place, "secret-deleted"]);
    expect((await introspectAt(at.one.url, old, "x")).status).toBe(401);
    expect((await introspectAt(at.one.url, renewed, "x")).status).toBe(200);
  });

  test("disables and enables, and deletes after a question", async () => {
    const { place } = await registerByForm();
    expect((await admin.forms.get(`${place}/confirm?step=disable`)).text).toContain("Disable Wiki?");
    expect(redirectOf(await admin.send(place, { step: "disable" }))).toEqual([place, "disabled"]);
    expect((await rowAt(place))?.disabled_at).toBeInstanceOf(Date);
    expect(redirectOf(await admin.send(place, { step: "enable" }))).toEqual([place, "enabled"]);
    expect((await rowAt(place))?.disabled_at).toBeNull();
    expect(redirectOf(await admin.send(place, { step: "delete" }))).toEqual([LIST, "deleted"]);
    expect((await admin.forms.get(place)).status).toBe(404);
  });
});

describe("who may", () => {
  test("a viewer reads; without a second factor nothing changes, and the way leads there", async () => {
    const { place, id } = await registerByForm({ name: "Searched for" });
    const viewer = await formsOf((await platformUser(at, "viewer")).client);
    for (const path of [LIST, `${LIST}?q=sEarched`, `${LIST}?q=${id.toUpperCase()}`, place]) {
      const { text } = await viewer.forms.get(path);
      expect([path, text.includes("Searched for"), mainOf(text).includes('method="post"')]).toEqual([
        path,
        true,
        false,
      ]);
    }
    expect((await viewer.forms.get(`${LIST}?q=nothing-like-it`)).text).toContain("No application matches");
    expect((await viewer.forms.get(`${LIST}/new`)).status).toBe(403);
    const weak = await formsOf((await platformUser(at, "admin")).client);
    expect((await weak.forms.get(place)).text).toContain(`/step-up?return_to=${encodeURIComponent(place)}`);
    const steps = ["save", "disable", "add-secret", "delete"];
    for (const step of steps) {
      expect((await viewer.send(place, { ...FIELDS, step })).status).toBe(403);
      expect([step, redirectOf(await weak.send(place, { ...FIELDS, step }))[0]]).toEqual([step, STEP_UP_ASKED]);
    }
    expect(redirectOf(await weak.send(`${LIST}/new`, FIELDS))[0]).toBe(STEP_UP_ASKED);
    expect(await rowAt(place)).toMatchObject({ name: "Searched for", disabled_at: null });
    expect((await admin.forms.post(place, { step: "delete" })).status).toBe(403);
  });

  test("a form that was open for longer than a step-up lasts waits for the step-up, and changes nothing", async () => {
    const { place } = await registerByForm();
    const { client, userId } = await steppedUpAdmin(at, "admin");
    // The update precedes the first request, because replicas cache the view of a session.
    await ageFactor(at.sql, userId, 6);
    const late = await formsOf(client);
    const typed = { ...FIELDS, step: "save", name: "Typed for long", version: "1" };
    for (const path of [place, `${LIST}/new`]) {
      const asked = await late.send(path, typed);
      expect([path, redirectOf(asked)[0]]).toEqual([path, STEP_UP_ASKED]);
    }
    expect((await late.send(place, { step: "disable" })).headers.get("location")).toStartWith("/step-up?return_to=");
    expect(await rowAt(place)).toMatchObject({ name: "Wiki" });
  });
});

describe("/admin/blocked-hosts (G273)", () => {
  const PAGE = "/admin/blocked-hosts";
  const blocked = async (host: string) => (await at.sql`select 1 from oauth_blocked_hosts where host = ${host}`).length;

  test("blocks a host in the form of URLs, and permits the host again after a question", async () => {
    expect((await admin.forms.get(LIST)).text).toContain(`href="${PAGE}"`);
    const host = `*.${crypto.randomUUID()}.example`;
    const send = (fields: Record<string, string>) => admin.send(PAGE, fields);
    expect(redirectOf(await send({ step: "block", host: ` ${host.toUpperCase()} ` }))).toEqual([PAGE, "added"]);
    expect((await admin.forms.get(PAGE)).text).toContain(host);
    const confirm = `/admin/blocked-hosts/confirm?${new URLSearchParams({ id: host })}`;
    expect((await admin.forms.get(confirm)).text).toContain(`Unblock ${host}?`);
    expect(redirectOf(await send({ step: "unblock", id: host }))).toEqual([PAGE, "removed"]);
    expect([await blocked(host), (await admin.forms.get(confirm)).status]).toEqual([0, 404]);
    const refused = await send({ step: "block", host: "https://kept.example/path" });
    expect([refused.status, refused.text.includes('value="https://kept.example/path"')]).toEqual([400, true]);
  });

  test("a viewer, a form without CSRF token and a late step-up change nothing", async () => {
    const fields = { step: "block", host: "refused.example" };
    const viewer = await formsOf((await platformUser(at, "viewer")).client);
    expect((await viewer.forms.get(PAGE)).text).not.toContain('name="host"');
    expect((await viewer.send(PAGE, fields)).status).toBe(403);
    expect((await admin.forms.post(PAGE, fields)).status).toBe(403);
    const { client, userId } = await steppedUpAdmin(at, "admin");
    await ageFactor(at.sql, userId, 6);
    const late = await (await formsOf(client)).send(PAGE, fields);
    expect([redirectOf(late)[0], await blocked("refused.example")]).toEqual([STEP_UP_ASKED, 0]);
  });
});

describe("/admin/registration-tokens (G228)", () => {
  const PAGE = "/admin/registration-tokens";
  const tokenRow = async (name: string) =>
    (await at.sql`select id, max_uses, uses from oauth_registration_tokens where name = ${name}`)[0];

  test("displays the text of a new token once, lists the token without it, and deletes after a question", async () => {
    const made = await admin.send(PAGE, { step: "create", name: "Partners", max_uses: "3", expires_in_days: "7" });
    const text = secretIn(made.text);
    expect([made.status, text.length]).toEqual([200, 43]);
    const list = (await admin.forms.get(PAGE)).text;
    expect([list.includes("Partners"), list.includes("0 of 3"), list.includes(text)]).toEqual([true, true, false]);
    expect(list).toContain("SERVICE_OAUTH_REGISTRATION");
    const row = await tokenRow("Partners");
    const question = await admin.forms.get(`/admin/registration-tokens/confirm?id=${row?.id}`);
    expect(question.text).toContain("Delete the token Partners?");
    expect(redirectOf(await admin.send(PAGE, { step: "delete", id: String(row?.id) }))).toEqual([PAGE, "deleted"]);
    expect(await tokenRow("Partners")).toBeUndefined();
    expect((await admin.forms.get(`${PAGE}/confirm?id=${row?.id}`)).status).toBe(404);
  });

  test("a refused form keeps what was typed; a viewer and a form without CSRF token change nothing", async () => {
    const typed = { step: "create", name: "Kept <name>", max_uses: "0", expires_in_days: "7" };
    const refused = await admin.send(PAGE, typed);
    expect([refused.status, refused.text.includes('value="Kept &lt;name')]).toEqual([400, true]);
    const viewer = await formsOf((await platformUser(at, "viewer")).client);
    expect((await viewer.forms.get(PAGE)).text).not.toContain('name="max_uses"');
    expect((await viewer.send(PAGE, { ...typed, max_uses: "1" })).status).toBe(403);
    expect((await admin.forms.post(PAGE, { ...typed, max_uses: "1" })).status).toBe(403);
    expect(await tokenRow(typed.name)).toBeUndefined();
  });
});

describe("/admin/oauth-clients/products (G473)", () => {
  const PRODUCTS = `${LIST}/products`;

  test("offers the products by name, with a search, and asks for the inputs of one product", async () => {
    const all = (await admin.forms.get(PRODUCTS)).text;
    for (const name of ["Grafana", "GitLab", "MinIO", "Other product"])
      expect(all).toContain(`<strong>${name}</strong>`);
    expect(all).not.toContain("<strong>Hasura</strong>");
    const found = (await admin.forms.get(`${PRODUCTS}?q=gRaf`)).text;
    expect([...found.matchAll(/<strong>([^<]+)<\/strong>/g)].map(([, name]) => name)).toContain("Grafana");
    expect(found).not.toContain("<strong>MinIO</strong>");
    expect((await admin.forms.get(`${LIST}/new`)).text).toContain(`href="${PRODUCTS}"`);
    const gitea = (await admin.forms.get(`${PRODUCTS}?preset=gitea`)).text;
    for (const name of ["url", "name", "organization_id"]) expect(gitea).toContain(`name="input:${name}"`);
    expect(gitea).toContain("Codes are not bound to the browser");
  });

  test("registers the product and displays its configuration, with the secret this once", async () => {
    const wrong = await admin.send(`${PRODUCTS}?preset=outline`, { "input:url": "http://outline.example.test" });
    expect([wrong.status, wrong.text.includes("Use an https address without a query and a fragment.")]).toEqual([
      400,
      true,
    ]);
    const made = await admin.send(`${PRODUCTS}?preset=outline`, { "input:url": "https://outline.example.test" });
    expect([made.status, made.headers.get("cache-control")]).toEqual([200, "no-store"]);
    const secret = secretIn(made.text);
    expect(made.text).toContain(`OIDC_CLIENT_SECRET=${secret}`);
    const place = placeIn(made.text);
    expect(await rowAt(place)).toMatchObject({ preset: "outline", require_nonce_or_pkce: false });
    const later = (await admin.forms.get(`${place}/connect`)).text;
    expect(later).toContain("Configuration of Outline");
    expect(later).toContain("OIDC_CLIENT_SECRET=&lt;client secret>");
    expect(later).not.toContain(secret);
  });
});
