/** The console's pages of claim mappings, by their forms: of applications and of APIs. */
import { beforeAll, describe, expect, test } from "bun:test";
import { addGroups } from "../support/claims.ts";
import type { Client } from "../support/client.ts";
import { SCRIPT } from "../support/console.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { oauthAdmin } from "../support/oauth.ts";
import { mainOf, redirectOf, type SignedInForms, STEP_UP_ASKED, signedInForms } from "../support/pages.ts";
import { platformUser, steppedUpAdmin } from "../support/platform.ts";
import { founded } from "../support/team.ts";

let at: Deployment;
let api: Client;
let admin: SignedInForms;
beforeAll(async () => {
  at = await deployment();
  api = await oauthAdmin();
  admin = await formsOf((await steppedUpAdmin(at, "admin")).client);
});

const formsOf = ({ jar }: Client) => signedInForms(at.one.url, jar);
const versionIn = (text: string) => /name="version" value="(\d+)"/.exec(text)?.[1] ?? "";

interface Owner {
  /** The address of the claims. */
  readonly place: string;
  readonly stored: () => Promise<Record<string, unknown>[]>;
}

const CLIENT = {
  name: "Wiki",
  token_endpoint_auth_method: "client_secret_basic",
  redirect_uris: ["https://app.example.test/callback"],
};

let owners = 0;
async function registered(kind: "api" | "application", settings: Record<string, unknown> = {}): Promise<Owner> {
  owners += 1;
  const path = kind === "api" ? "/admin/resources" : "/admin/oauth-clients";
  const body =
    kind === "api"
      ? { name: "Reports", identifier: `https://reports-${owners}.example.test/`, scopes: [{ name: "reports:read" }] }
      : { ...CLIENT, scopes: ["openid", "email", "groups"] };
  const made = await api.post(`/v1${path}`, { ...body, ...settings });
  expect(made.status).toBe(201);
  const id = made.body.client_id ?? made.body.id;
  const table = at.sql(kind === "api" ? "oauth_resources" : "oauth_clients");
  return {
    place: `${path}/${id}/claims`,
    stored: async () => (await at.sql`select claim_mappings from ${table} where id = ${id}`)[0]?.claim_mappings,
  };
}

const ROW = { kind: "attribute", scope: "", in_id_token: "yes", in_userinfo: "yes" };
const UID = { ...ROW, claim: "uid", value: "user.id" };

/** Sends the form of a claim; `claim`: the changed claim, undefined for a new claim. */
async function send(place: string, fields: Record<string, string>, claim?: string, by: SignedInForms = admin) {
  const path = `${place}/edit${claim === undefined ? "" : `?claim=${encodeURIComponent(claim)}`}`;
  const version = versionIn((await by.forms.get(path)).text);
  return await by.send(path, { version, ...fields });
}

describe("the claims of an application or API in the console (G469)", () => {
  test.each(["application", "api"] as const)(
    "The forms add, change and remove a claim of an %s, as the API stores the claim.",
    async (kind) => {
      const { place, stored } = await registered(kind);
      const scope = kind === "api" ? "reports:read" : "groups";
      const groups = { ...ROW, claim: "groups", value: "groups", qualified: "yes", scope, in_userinfo: "" };
      const quota = { ...ROW, claim: "quota", kind: "constant", value: '{"gigabytes": 10}' };
      const level = { ...ROW, claim: "level", kind: "expression", value: 'session.acr == "aal2" ? "high" : "low"' };
      for (const fields of [groups, quota, level]) {
        const { in_userinfo, ...rest } = fields;
        const ticked = in_userinfo ? fields : rest;
        expect(redirectOf(await send(place, ticked))).toEqual([place, "claim-saved"]);
      }
      const common = { scope: null, qualified: false, allow_user_control: false };
      const within = (...destinations: string[]) => (kind === "api" ? {} : { in: destinations });
      expect(await stored()).toEqual([
        { ...common, claim: "groups", attribute: "groups", qualified: true, scope, ...within("id_token") },
        { ...common, claim: "quota", constant: { gigabytes: 10 }, ...within("id_token", "userinfo") },
        { ...common, claim: "level", expression: level.value, ...within("id_token", "userinfo") },
      ]);
      const list = (await admin.forms.get(place)).text;
      for (const text of ["groups", "with organization", "{&quot;gigabytes&quot;:10}", "session.acr"]) {
        expect(list).toContain(text);
      }
      const form = (await admin.forms.get(`${place}/edit?claim=groups`)).text;
      expect([form.includes('value="groups"'), form.match(/ checked/g)?.length]).toEqual([
        true,
        kind === "api" ? 1 : 2,
      ]);
      const object = (await admin.forms.get(`${place}/edit?claim=quota`)).text;
      expect(object).toContain("{\n  &quot;gigabytes&quot;: 10\n}");
      await send(place, { ...ROW, claim: "tier", kind: "constant", value: "7" }, "quota");
      expect((await stored()).map(({ claim }) => claim)).toEqual(["groups", "tier", "level"]);
      const url = "https://example.com/claims/a?b=c";
      for (const value of ["user.id", "user.number"]) {
        await send(place, { ...ROW, claim: url, value }, value === "user.id" ? undefined : url);
      }
      expect((await stored()).at(-1)).toMatchObject({ claim: url, attribute: "user.number" });
      expect(redirectOf(await admin.send(place, { step: `delete-claim/${url}` }))[1]).toBe("claim-deleted");
      const question = (await admin.forms.get(`${place}/confirm?step=delete-claim%2Ftier`)).text;
      expect(question).toContain("Delete the claim tier?");
      expect(redirectOf(await admin.send(place, { step: "delete-claim/tier" }))).toEqual([place, "claim-deleted"]);
      expect((await stored()).map(({ claim }) => claim)).toEqual(["groups", "level"]);
      for (const path of [
        `${place}/edit?claim=tier`,
        `${place}/edit?claim=`,
        `${place}/confirm?step=delete-claim%2F`,
      ]) {
        expect([path, (await admin.forms.get(path)).status]).toEqual([path, 404]);
      }
      expect((await admin.send(place, { step: "delete-claim/tier" })).status).toBe(404);
    },
  );

  const flaws: readonly (readonly [string, Record<string, string>, string])[] = [
    ["claim", { claim: "my claim" }, "Use letters, digits"],
    ["claim", { claim: "sub" }, "belongs to the service"],
    ["claim", { claim: "first" }, "already a claim with this name"],
    ["value", { value: "user.password" }, "no such source"],
    ["value", { value: "" }, "Enter a value."],
    ["value", { value: "groups" }, "groups is set by organizations"],
    ["value", { value: "user.display_name" }, "user.display_name is set by users"],
    ["value", { kind: "expression", value: "user.id +" }, "be used: "],
    ["value", { kind: "constant", value: "{not JSON" }, "no JSON"],
    ["value", { kind: "constant", value: "null" }, "is null"],
    ["value", { kind: "constant", value: JSON.stringify("x".repeat(1_100)) }, "1024 bytes"],
    ["scope", { scope: "reports:write" }, "no longer there"],
  ];
  test.each(flaws)("A problem of the field %s with %p stands beside the field.", async (field, fields, message) => {
    const { place, stored } = await registered("application");
    await send(place, { ...UID, claim: "first" });
    const { status, text } = await send(place, { ...UID, ...fields });
    expect([status, text.includes(`id="${field}-error"`), text.includes(message)]).toEqual([400, true, true]);
    expect((await stored()).map(({ claim }) => claim)).toEqual(["first"]);
  });

  test("No destination is a problem of the boxes, and the thirty-first claim a problem of the form.", async () => {
    const { place } = await registered("application");
    const nowhere = await send(place, { claim: "uid", kind: "attribute", value: "user.id", scope: "" });
    expect([nowhere.status, nowhere.text.includes('id="in-error"')]).toEqual([400, true]);
    const claim_mappings = Array.from({ length: 30 }, (_, index) => ({ claim: `c${index}`, constant: index }));
    const full = await registered("api", { claim_mappings });
    expect((await admin.forms.get(full.place)).text).not.toContain("Add claim");
    const beyond = await send(full.place, UID);
    expect([beyond.status, beyond.text.includes("already 30 claims")]).toEqual([400, true]);
  });

  test("A form with an old version is refused, with the stored values beside the typed.", async () => {
    for (const kind of ["application", "api"] as const) {
      const { place, stored } = await registered(kind);
      await send(place, UID);
      const version = versionIn((await admin.forms.get(`${place}/edit?claim=uid`)).text);
      await send(place, { ...UID, value: "user.number" }, "uid");
      const stale = await admin.send(`${place}/edit?claim=uid`, { ...UID, version });
      expect([kind, stale.status, stale.text.includes('id="value-stored"')]).toEqual([kind, 409, true]);
      expect(await stored()).toMatchObject([{ attribute: "user.number" }]);
    }
  });

  test("The claims of an unknown application or API are not found.", async () => {
    const id = crypto.randomUUID();
    for (const path of [
      `/admin/oauth-clients/${id}/claims`,
      `/admin/oauth-clients/${id}/claims/edit`,
      `/admin/oauth-clients/${id}/claims/confirm`,
      `/admin/resources/${id}/claims`,
      `/admin/resources/${id}/claims/edit`,
      `/admin/resources/${id}/claims/confirm`,
    ])
      expect([path, (await admin.forms.get(path)).status]).toEqual([path, 404]);
  });

  test("A viewer reads the claims alone, and a change asks an administrator for the second factor.", async () => {
    const { place, stored } = await registered("application", {
      claim_mappings: [{ claim: "uid", attribute: "user.id" }],
    });
    const viewer = await formsOf((await platformUser(at, "viewer")).client);
    const read = (await viewer.forms.get(place)).text;
    expect([read.includes("user.id"), mainOf(read).includes('method="post"')]).toEqual([true, false]);
    const weak = await formsOf((await platformUser(at, "admin")).client);
    for (const [by, fields] of [
      [viewer, { step: "delete-claim/uid" }],
      [viewer, { step: "preview", user: "someone@example.test" }],
    ] as const) {
      expect([fields.step, (await by.send(place, fields)).status]).toEqual([fields.step, 403]);
    }
    expect((await viewer.send(`${place}/edit`, UID)).status).toBe(403);
    expect(redirectOf(await weak.send(place, { step: "delete-claim/uid" }))[0]).toBe(STEP_UP_ASKED);
    expect(redirectOf(await weak.send(`${place}/edit`, { ...UID, claim: "other" }))[0]).toBe(STEP_UP_ASKED);
    expect(await stored()).toHaveLength(1);
  });
});

describe("the preview in the console (G469)", () => {
  test.each(["application", "api"] as const)(
    "The preview of an %s displays each claim with its result and source, for an administrator without a step-up.",
    async (kind) => {
      const claim_mappings = [{ claim: "groups", attribute: "groups", qualified: true }];
      const { place } = await registered(kind, { claim_mappings });
      const owner = await founded(at, { display_name: SCRIPT });
      await addGroups(at, owner, owner.userId, ["editors"]);
      const [organization] = await at.sql`select slug from organizations where id = ${owner.organizationId}`;
      const weak = await formsOf((await platformUser(at, "admin")).client);
      for (const slug of ["", String(organization?.slug)]) {
        const shown = await weak.send(place, {
          step: "preview",
          user: ` ${owner.email.toUpperCase()} `,
          organization_slug: slug,
        });
        expect(shown.status).toBe(200);
        const { text } = shown;
        for (const part of [`${organization?.slug}:editors`, ">contained<", "Set by organizations", owner.userId]) {
          expect([slug, part, text.includes(part)]).toEqual([slug, part, true]);
        }
        expect(text).not.toContain("<script>alert");
      }
      const records = await at.sql`
        select metadata from audit_logs where action = 'claims.previewed' and resource_id = ${owner.userId}`;
      expect(records).toHaveLength(2);
    },
  );

  test("The form as a browser sends the form, with its hidden fields, has the preview.", async () => {
    const { place } = await registered("application");
    const owner = await founded(at);
    const [form = ""] =
      /<form[^>]*>(?:(?!<\/form>).)*name="user".*?<\/form>/s.exec((await admin.forms.get(place)).text) ?? [];
    const inputs = [...form.matchAll(/<input[^>]*>/g)].map(([tag]) => tag);
    const attribute = (tag: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? "";
    const displayed = Object.fromEntries(inputs.map((tag) => [attribute(tag, "name"), attribute(tag, "value")]));
    expect(displayed).toHaveProperty("organization");
    const { status, text } = await admin.send(place, { ...displayed, step: "preview", user: owner.email });
    expect([status, text.includes('id="claims-id_token"')]).toEqual([200, true]);
  });

  test.each(["application", "api"] as const)(
    "The form of a claim of an %s previews the claim before the claim is saved, and stores nothing (G385).",
    async (kind) => {
      const { place, stored } = await registered(kind, { claim_mappings: [{ claim: "uid", attribute: "user.id" }] });
      const owner = await founded(at);
      await addGroups(at, owner, owner.userId, ["editors"]);
      const user = { step: "preview", user: owner.email };
      const groups = { ...ROW, claim: "teams", value: "groups", qualified: "yes" };
      const before = await stored();
      const added = await send(place, { ...groups, ...user });
      expect([added.status, added.text.includes(":editors"), added.text.includes(owner.userId)]).toEqual([
        200,
        true,
        true,
      ]);
      expect(added.text).toContain('value="teams"');
      expect(added.text).toContain(`value="${owner.email}"`);
      const constant = { ...ROW, claim: "level", kind: "constant", value: '"gold"' };
      const changed = await send(place, { ...constant, ...user }, "uid");
      expect([changed.status, changed.text.includes("&quot;level&quot;: &quot;gold&quot;")]).toEqual([200, true]);
      expect(changed.text).not.toContain("&quot;uid&quot;");
      expect(await stored()).toEqual(before);
      // A problem stands beside its field, of the claim or of the user, and the typed values stay.
      const cases: readonly (readonly [string, Record<string, string>])[] = [
        ["value", { ...groups, qualified: "", ...user }],
        ["value", { ...constant, value: "{no JSON", ...user }],
        ["user", { ...groups, ...user, user: "unknown@example.test" }],
        ["user", { ...groups, ...user, user: "" }],
        ["organization_slug", { ...groups, ...user, organization_slug: "no such slug" }],
      ];
      for (const [field, fields] of cases) {
        const { qualified = "", ...rest } = fields;
        const { status, text } = await send(place, qualified ? fields : rest);
        expect([field, status, text.includes(`id="${field}-error"`)]).toEqual([field, 400, true]);
        expect(text).toContain(`value="${fields.claim}"`);
      }
      const viewer = await formsOf((await platformUser(at, "viewer")).client);
      expect((await viewer.send(`${place}/edit`, { ...groups, ...user })).status).toBe(403);
      expect(await stored()).toEqual(before);
      const records = await at.sql`
        select 1 from audit_logs where action = 'claims.previewed' and resource_id = ${owner.userId}`;
      expect(records).toHaveLength(2);
      // Without a user, the form saves the claim.
      expect(redirectOf(await send(place, { ...groups, user: "" }))).toEqual([place, "claim-saved"]);
      expect((await stored()).map(({ claim }) => claim)).toEqual(["uid", "teams"]);
    },
  );

  test("An unknown user, an unknown organization and another organization are problems beside the field.", async () => {
    const { place } = await registered("application");
    const [owner, other] = [await founded(at), await founded(at)];
    const [foreign] = await at.sql`select slug from organizations where id = ${other.organizationId}`;
    const cases: readonly (readonly [string, Record<string, string>, number])[] = [
      ["user", { user: "unknown@example.test" }, 400],
      ["user", { user: "no address" }, 400],
      ["organization_slug", { user: owner.email, organization_slug: "no such slug \u0000" }, 400],
      ["organization_slug", { user: owner.email, organization_slug: String(foreign?.slug) }, 404],
    ];
    for (const [field, fields, expected] of cases) {
      const { status, text } = await admin.send(place, { step: "preview", ...fields });
      expect([fields, status, text.includes(`id="${field}-error"`)]).toEqual([fields, expected, true]);
    }
  });
});
