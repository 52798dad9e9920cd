/** The console's pages of APIs, by their forms: /admin/resources. */
import { beforeAll, describe, expect, test } from "bun:test";
import type { Client } from "../support/client.ts";
import { SCRIPT } from "../support/console.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { mainOf, redirectOf, type SignedInForms, STEP_UP_ASKED, signedInForms } from "../support/pages.ts";
import { platformUser, steppedUpAdmin } from "../support/platform.ts";
import { ageFactor } from "../support/states.ts";

const LIST = "/admin/resources";
const RLO = "\u202E";
let at: Deployment;
let admin: SignedInForms;
beforeAll(async () => {
  at = await deployment();
  admin = await formsOf((await steppedUpAdmin(at, "admin")).client);
});

const formsOf = ({ jar }: Client) => signedInForms(at.one.url, jar);
const versionIn = (text: string) => /name="version" value="(\d+)"/.exec(text)?.[1] ?? "";
const rowAt = async (place: string) =>
  (await at.sql`select * from oauth_resources where id = ${place.slice(LIST.length + 1)}`)[0];

let apis = 0;
/** Registers an API by the form; returns the path of its page. */
async function registerByForm(name = "Billing"): Promise<string> {
  apis += 1;
  const identifier = `https://api-${apis}.console.example.test/`;
  const made = await admin.send(`${LIST}/new`, { name, identifier });
  const [location, result] = redirectOf(made);
  const place = location ?? "";
  expect(result).toBe("created");
  expect(await rowAt(place)).toMatchObject({ name, identifier, scopes: [], disabled: false });
  return place;
}

async function sendScope(place: string, fields: Record<string, string>, query = "") {
  const version = versionIn((await admin.forms.get(`${place}/scope${query}`)).text);
  return await admin.send(`${place}/scope${query}`, { version, ...fields });
}

const READ = { name: "read", description_en: "see your invoices", description_de: "Ihre Rechnungen einsehen" };

describe("/admin/resources/new", () => {
  test("A valid form registers the API, and the list displays the API.", async () => {
    const place = await registerByForm(SCRIPT);
    for (const path of [LIST, place]) {
      const { status, text } = await admin.forms.get(path);
      expect([path, status, text.includes(`https://api-${apis}.console.example.test/`)]).toEqual([path, 200, true]);
      expect(text).not.toContain("<script>alert");
    }
  });

  test("A problem stands beside its field, and the typed values stay.", async () => {
    await registerByForm();
    const taken = `https://api-${apis}.console.example.test`;
    const cases: [string, Record<string, string>, number, string][] = [
      ["identifier", { identifier: "http://api.example.test/" }, 400, "Use an https URI"],
      ["name", { name: "see https://evil.example" }, 400, ""],
      ["identifier", { identifier: taken }, 409, "Another API has this identifier."],
    ];
    for (const [field, fields, status, message] of cases) {
      const typed = { name: "Typed", identifier: "https://typed.example.test/", ...fields };
      const response = await admin.send(`${LIST}/new`, typed);
      expect([fields, response.status, response.text.includes(`id="${field}-error"`)]).toEqual([fields, status, true]);
      for (const text of [message, ...Object.values(typed)]) expect(response.text).toContain(text);
    }
    expect(await at.sql`select 1 from oauth_resources where name = 'Typed'`).toHaveLength(0);
  });
});

describe("/admin/resources/:id/scope", () => {
  test("The forms add, describe in every language, and delete a scope.", async () => {
    const place = await registerByForm();
    const form = (await admin.forms.get(`${place}/scope`)).text;
    for (const label of ["Description in English", "Description in German"]) expect(form).toContain(label);
    expect(redirectOf(await sendScope(place, READ))).toEqual([place, "scope-saved"]);
    expect((await sendScope(place, { ...READ, name: "a/b", description_de: "" })).status).toBe(303);
    const stored = { ...READ, public: false, sensitive: false };
    expect((await rowAt(place))?.scopes).toEqual([stored, { ...stored, name: "a/b", description_de: null }]);
    await sendScope(place, { description_en: SCRIPT, description_de: "" }, "?name=read");
    expect((await rowAt(place))?.scopes[0]).toEqual({
      ...stored,
      description_en: SCRIPT,
      description_de: null,
    });
    for (const path of [place, `${place}/scope?name=read`, `${place}/confirm?step=delete-scope%2Fa%2Fb`]) {
      const { status, text } = await admin.forms.get(path);
      expect([path, status, text.includes("<script>alert")]).toEqual([path, 200, false]);
    }
    const deleted = await admin.send(place, { step: "delete-scope/a/b" });
    expect(redirectOf(deleted)).toEqual([place, "scope-deleted"]);
    expect((await rowAt(place))?.scopes.map(({ name }: { name: string }) => name)).toEqual(["read"]);
    for (const path of [`${place}/scope?name=a%2Fb`, `${place}/scope?name=`, `${place}/confirm?step=delete-scope%2F`]) {
      expect([path, (await admin.forms.get(path)).status]).toEqual([path, 404]);
    }
    expect((await admin.send(place, { step: "delete-scope/a/b" })).status).toBe(404);
  });

  test("A problem stands beside its field, and no scope is stored.", async () => {
    const place = await registerByForm();
    await sendScope(place, READ);
    const cases: [string, Record<string, string>][] = [
      ["name", { name: "a b" }],
      ["name", { name: "email" }],
      ["name", READ],
      ["description_en", { name: "x", description_en: `see ${RLO}all` }],
      ["description_de", { name: "x", description_de: "x".repeat(201) }],
    ];
    for (const [field, fields] of cases) {
      const { status, text } = await sendScope(place, { ...fields, description_en: "Typed text", ...fields });
      expect([fields, status, text.includes(`id="${field}-error"`)]).toEqual([fields, 400, true]);
    }
    const hundred = Array.from({ length: 100 }, (_, index) => ({ ...READ, name: `s${index}` }));
    await at.sql`
      update oauth_resources set scopes = ${at.sql.json(hundred)} where id = ${place.slice(LIST.length + 1)}`;
    const full = await sendScope(place, { name: "x" });
    expect([full.status, full.text.includes("already has 100 scopes")]).toEqual([400, true]);
    expect((await rowAt(place))?.scopes).toEqual(hundred);
  });

  test("The form sets the permission of a scope, and which applications receive the scope.", async () => {
    const place = await registerByForm();
    const access = { permission: "invoices.read", public: "yes", sensitive: "yes" };
    await sendScope(place, { ...READ, ...access });
    const stored = { ...READ, permission: "invoices.read", public: true, sensitive: true };
    expect((await rowAt(place))?.scopes).toEqual([stored]);
    const form = (await admin.forms.get(`${place}/scope?name=read`)).text;
    expect([form.includes('value="invoices.read"'), form.match(/ checked/g)?.length]).toEqual([true, 2]);
    for (const permission of ["members.list", "Invoices"]) {
      const { status, text } = await sendScope(place, { ...READ, permission }, "?name=read");
      expect([permission, status, text.includes('id="permission-error"')]).toEqual([permission, 400, true]);
    }
    await sendScope(place, READ, "?name=read");
    expect((await rowAt(place))?.scopes).toEqual([{ ...READ, public: false, sensitive: false }]);
  });

  test("A form with an old version is refused, and the stored values stand beside the typed.", async () => {
    const place = await registerByForm();
    await sendScope(place, READ);
    const version = versionIn((await admin.forms.get(`${place}/scope?name=read`)).text);
    await sendScope(place, { ...READ, description_en: "withdraw money" }, "?name=read");
    for (const _ of ["first", "second"]) {
      const stale = await admin.send(`${place}/scope?name=read`, { ...READ, version });
      expect([stale.status, versionIn(stale.text)]).toEqual([409, version]);
      expect(stale.text).toContain('id="description_en-stored">Stored now: <span class="mono">withdraw money</span>');
    }
    const renamed = await admin.send(place, { step: "save", name: "Typed", version });
    expect([renamed.status, renamed.text.includes("Someone else changed these settings")]).toEqual([409, true]);
    expect(await rowAt(place)).toMatchObject({ name: "Billing", scopes: [{ description_en: "withdraw money" }] });
  });
});

describe("/admin/resources/:id and /admin/resources/:id/confirm", () => {
  test("An API is renamed, disabled, enabled, and deleted after a question.", async () => {
    const place = await registerByForm();
    const version = versionIn((await admin.forms.get(place)).text);
    const saved = await admin.send(place, { step: "save", name: "Invoices", version });
    expect(redirectOf(saved)).toEqual([place, "saved"]);
    expect((await admin.forms.get(`${place}/confirm?step=disable`)).text).toContain("Disable Invoices?");
    expect(redirectOf(await admin.send(place, { step: "disable" }))).toEqual([place, "disabled"]);
    expect(await rowAt(place)).toMatchObject({ name: "Invoices", disabled: true });
    expect(redirectOf(await admin.send(place, { step: "enable" }))).toEqual([place, "enabled"]);
    expect((await rowAt(place))?.disabled).toBe(false);
    for (const path of ["confirm?step=constructor", "confirm"]) {
      expect((await admin.forms.get(`${place}/${path}`)).status).toBe(404);
    }
    expect((await admin.send(place, { step: "constructor" })).status).toBe(404);
    const current = versionIn((await admin.forms.get(place)).text);
    const unnamed = await admin.send(place, { step: "save", name: " ", version: current });
    expect([unnamed.status, unnamed.text.includes('id="name-error"')]).toEqual([400, true]);
    expect((await admin.forms.get(`${place}/confirm?step=delete`)).text).toContain("Delete Invoices?");
    expect(redirectOf(await admin.send(place, { step: "delete" }))).toEqual([LIST, "deleted"]);
    expect((await admin.forms.get(place)).status).toBe(404);
  });
});

describe("the settings of tokens", () => {
  const SETTINGS = {
    name: "Billing",
    open_to: "any",
    min_acr: "aal2",
    token_lifetime_seconds: "600",
    signing_alg: "ES256",
    dpop: "required",
    claim_email: "yes",
    claim_roles: "yes",
  };
  const STORED = { open_to: "any", min_acr: "aal2", token_lifetime_seconds: 600, claims: ["email", "roles"] };

  test("The form sets tokens, claims, required sign-in, and the applications and organizations allowed.", async () => {
    const place = await registerByForm();
    const save = async (fields: Record<string, string>) => {
      const version = versionIn((await admin.forms.get(place)).text);
      return await admin.send(place, { step: "save", version, ...fields });
    };
    expect(redirectOf(await save(SETTINGS))).toEqual([place, "saved"]);
    expect(await rowAt(place)).toMatchObject({ ...STORED, signing_alg: "ES256", dpop: "required" });
    for (const token_lifetime_seconds of ["59", "3601", "1.5", "soon"]) {
      const { status, text } = await save({ ...SETTINGS, token_lifetime_seconds, claim_email: "" });
      const kept = [text.includes('id="token_lifetime_seconds-error"'), text.includes(`"${token_lifetime_seconds}"`)];
      expect([token_lifetime_seconds, status, ...kept]).toEqual([token_lifetime_seconds, 400, true, true]);
    }
    expect(await rowAt(place)).toMatchObject(STORED);
    await save({ name: "Billing", min_acr: "none", token_lifetime_seconds: "" });
    expect(await rowAt(place)).toMatchObject({ min_acr: null, token_lifetime_seconds: null, claims: [] });
    const listed = [crypto.randomUUID(), crypto.randomUUID()];
    await save({ name: "Billing", organizations: ` ${listed.join("\r\n")}\r\n` });
    const refused = await save({ name: "Billing", organizations: "Acme" });
    expect([refused.status, refused.text.includes('id="organizations-error"')]).toEqual([400, true]);
    await save({ name: "Billing" });
    expect(await rowAt(place)).toMatchObject({ organizations: listed });
    await save({ name: "Billing", organizations: "" });
    expect(await rowAt(place)).toMatchObject({ organizations: null });
  });
});

describe("the roles", () => {
  test("A viewer reads; a change needs a recent second factor, and the page leads to the step-up.", async () => {
    const place = await registerByForm("Read only");
    await sendScope(place, READ);
    const viewer = await formsOf((await platformUser(at, "viewer")).client);
    for (const path of [LIST, place]) {
      const { text } = await viewer.forms.get(path);
      expect([path, text.includes("Read only"), mainOf(text).includes('method="post"')]).toEqual([path, true, false]);
      expect(text).not.toContain(`${LIST}/new`);
    }
    const weak = await formsOf((await platformUser(at, "admin")).client);
    expect((await weak.forms.get(place)).text).toContain(`/step-up?return_to=${encodeURIComponent(place)}`);
    const attempts: [string, Record<string, string>][] = [
      [`${LIST}/new`, { name: "x", identifier: "https://weak.console.example.test/" }],
      [`${place}/scope`, READ],
      ...["save", "disable", "delete", "delete-scope/read"].map((step): [string, Record<string, string>] => [
        place,
        { step, name: "x" },
      ]),
    ];
    for (const [path, fields] of attempts) {
      expect([path, fields, (await viewer.send(path, fields)).status]).toEqual([path, fields, 403]);
      expect([path, fields, redirectOf(await weak.send(path, fields))[0]]).toEqual([path, fields, STEP_UP_ASKED]);
      expect((await admin.forms.post(path, fields)).status).toBe(403);
    }
    expect(await rowAt(place)).toMatchObject({ name: "Read only", scopes: [READ], disabled: false });
  });

  test("A form that was open for longer than a step-up lasts waits for the step-up.", async () => {
    const place = await registerByForm();
    const { client, userId } = await steppedUpAdmin(at, "admin");
    // Before the first request: replicas hold the view of a session for a while.
    await ageFactor(at.sql, userId, 6);
    const late = await formsOf(client);
    for (const [path, fields] of [
      [place, { step: "save", name: "Typed for long", version: "1" }],
      [`${place}/scope`, { name: "x", description_en: "Typed for long", version: "1" }],
      [`${LIST}/new`, { name: "Typed for long", identifier: "https://late.console.example.test/" }],
    ] as const) {
      const asked = await late.send(path, fields);
      expect([path, redirectOf(asked)[0]]).toEqual([path, STEP_UP_ASKED]);
    }
    expect((await late.send(place, { step: "disable" })).headers.get("location")).toStartWith("/step-up?return_to=");
    expect(await rowAt(place)).toMatchObject({ name: "Billing", scopes: [], disabled: false });
  });
});

describe("/admin/resources/products and /admin/resources/:id/connect (G387)", () => {
  const PRODUCTS = `${LIST}/products`;
  const ORGANIZATION = "0198c0de-7a11-7cc3-b2d4-6f1a2b3c4d5e";

  test("The page offers the products that are APIs, and the page of a new API leads to the products.", async () => {
    const { text } = await admin.forms.get(PRODUCTS);
    for (const name of ["Hasura", "PostgREST", "Supabase"]) expect(text).toContain(`<strong>${name}</strong>`);
    for (const name of ["Grafana", "Other product"]) expect(text).not.toContain(`<strong>${name}</strong>`);
    expect((await admin.forms.get(`${LIST}/new`)).text).toContain(`href="${PRODUCTS}"`);
    const hasura = (await admin.forms.get(`${PRODUCTS}?preset=hasura`)).text;
    for (const name of ["url", "organization_id"]) expect(hasura).toContain(`name="input:${name}"`);
    // A product that is an application is no product here.
    expect((await admin.forms.get(`${PRODUCTS}?preset=grafana`)).text).not.toContain('name="input:url"');
  });

  test("The form registers the API with its claims, and the page Connect has the configuration.", async () => {
    const url = "https://hasura.console.example.test";
    const inputs = { "input:url": `${url}/`, "input:organization_id": ORGANIZATION };
    const cases: [string, Record<string, string>][] = [
      ["input:url", { ...inputs, "input:url": "http://hasura.example.test" }],
      ["input:organization_id", { ...inputs, "input:organization_id": "" }],
    ];
    for (const [field, fields] of cases) {
      const { status, text } = await admin.send(`${PRODUCTS}?preset=hasura`, fields);
      expect([field, status, text.includes(`id="${field}-error"`)]).toEqual([field, 400, true]);
    }
    expect(await at.sql`select 1 from oauth_resources where identifier = ${url}`).toHaveLength(0);
    const [location, result] = redirectOf(await admin.send(`${PRODUCTS}?preset=hasura`, inputs));
    const connect = location ?? "";
    expect([connect.endsWith("/connect"), result]).toEqual([true, "created"]);
    const place = connect.replace(/\/connect$/, "");
    expect(await rowAt(place)).toMatchObject({
      name: "Hasura",
      identifier: url,
      organizations: [ORGANIZATION],
      claim_mappings: [{ claim: "https://hasura.io/jwt/claims" }],
      preset: "hasura",
    });
    const page = (await admin.forms.get(connect)).text;
    for (const text of ["Configuration of Hasura", "HASURA_GRAPHQL_JWT_SECRET=", "/.well-known/jwks.json", url]) {
      expect([text, page.includes(text)]).toEqual([text, true]);
    }
    expect((await admin.forms.get(place)).text).toContain(`href="${connect}"`);
    const again = await admin.send(`${PRODUCTS}?preset=hasura`, inputs);
    expect([again.status, again.text.includes("Another API has this identifier.")]).toEqual([409, true]);
    // An API of no product has the values alone.
    const plain = (await admin.forms.get(`${await registerByForm()}/connect`)).text;
    expect([plain.includes('id="setup"'), plain.includes('id="identifier"')]).toEqual([false, true]);
  });

  test("A viewer reads the page Connect and registers nothing; an administrator is asked for a step-up.", async () => {
    const place = await registerByForm();
    const viewer = await formsOf((await platformUser(at, "viewer")).client);
    const weak = await formsOf((await platformUser(at, "admin")).client);
    const url = "https://postgrest.console.example.test";
    const inputs = { "input:url": url };
    expect((await viewer.forms.get(`${place}/connect`)).status).toBe(200);
    expect((await viewer.send(`${PRODUCTS}?preset=postgrest`, inputs)).status).toBe(403);
    expect(redirectOf(await weak.send(`${PRODUCTS}?preset=postgrest`, inputs))[0]).toBe(STEP_UP_ASKED);
    expect((await admin.forms.get(`${LIST}/${crypto.randomUUID()}/connect`)).status).toBe(404);
    expect(await at.sql`select 1 from oauth_resources where identifier = ${url}`).toHaveLength(0);
  });
});
