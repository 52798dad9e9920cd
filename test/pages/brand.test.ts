/** The brands of tenants on pages: where a brand appears and never appears, and the pages that edit a brand. */
import { beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { branded, fileForm, logo, putLogo, ROSE, TEAL } from "../support/brands.ts";
import type { Client } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { authorizePath, Browser, makePkce, oauthAdmin, registerClient } from "../support/oauth.ts";
import { redirectOf, signedInForms } from "../support/pages.ts";
import { platformUser, steppedUpAdmin } from "../support/platform.ts";
import { companyWithSso, storeConnection } from "../support/sso-connections.ts";
import { insertMember } from "../support/states.ts";
import { founded, invited, memberWith } from "../support/team.ts";
import { eventually } from "../support/waiting.ts";

let at: Deployment;
let admin: Client;
beforeAll(async () => {
  at = await deployment();
  admin = await oauthAdmin();
});

const pkce = makePkce();

/** The rules of a page, which the policy of the page permits by hash. */
function styleOf({ text, headers }: { readonly text: string; readonly headers: Headers }): string {
  const style = /<style>([^<]*)<\/style>/.exec(text)?.[1] ?? "";
  const hash = createHash("sha256").update(style).digest("base64");
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).not.toContain("unsafe-inline");
  expect(policy.includes("style-src 'self' 'sha256-")).toBe(style !== "");
  if (style !== "") expect(policy).toContain(`'sha256-${hash}'`);
  return style;
}

async function pageOf(jar: Client["jar"], path: string, url = at.one.url) {
  const { forms } = await signedInForms(url, jar);
  return await forms.get(path);
}

describe("the brand of an organization", () => {
  test("appears on the pages of a signed-in user and on an invitation, with name, logo, rule and links", async () => {
    const teal = await branded(at, "Teal Ltd", TEAL, "teal");
    const { token } = await invited(at, teal.client, teal.organizationId);
    const browser = new Browser(at.one.url);
    const invitation = await browser.follow(`/accept-invitation?token=${token}`);
    const pages = [await browser.get(invitation.path), await pageOf(teal.client.jar, "/team")];
    for (const page of pages) {
      expect(styleOf(page)).toStartWith(":root{--brand:#0f766e;--fill:light-dark(#");
      expect(styleOf(page)).toContain("--radius:2px");
      expect(page.text).toContain(`<img src="${teal.logo}"`);
      expect(page.text).toContain(" · Teal Ltd</title>");
      // The logo is four times as wide as high, so the icon of the tab is a keyhole in the colour of the buttons.
      const fill = /--fill:light-dark\((#\w+)/.exec(styleOf(page))?.[1];
      const icon = /<link rel="icon" href="data:image\/svg\+xml,([^"]+)"/.exec(page.text)?.[1] ?? "";
      expect(decodeURIComponent(icon)).toContain(`fill='${fill}'`);
    }
    expect(pages[0]?.text).toContain('href="https://teal.test/terms"');
    expect(pages[0]?.text).toContain("Provided by ");
  });

  test("appears at /sso/:slug, where several connections are a choice", async () => {
    const { organizationId, owner, announce } = await companyWithSso(at);
    await storeConnection(at.sql, organizationId);
    await announce();
    await owner.request("PUT", `/v1/orgs/${organizationId}/brand`, { body: TEAL });
    const choice = await new Browser(at.one.url).get(`/sso/${organizationId}`);
    expect(styleOf(choice)).toStartWith(":root{--brand:#0f766e");
    expect(choice.text).toContain("Provided by ");
  });

  test("appears within seconds on another replica after a change", async () => {
    const teal = await branded(at, "Teal Ltd", TEAL, "teal");
    const other = async () => styleOf(await pageOf(teal.client.jar, "/team", at.other.url));
    expect(await other()).toContain("#0f766e");
    await teal.client.request("PUT", `/v1/orgs/${teal.organizationId}/brand`, { body: ROSE });
    await eventually("the other replica displays the change", 10_000, async () => (await other()).includes("#e11d48"));
  });

  test("never appears on a page of another tenant, of the console or of nobody (G142)", async () => {
    const [teal, rose] = [await branded(at, "Teal Ltd", TEAL, "teal"), await branded(at, "Rose Inc", ROSE, "red")];
    const plain = await founded(at);
    const platform = await steppedUpAdmin(at);
    await insertMember(at.sql, teal.organizationId, platform.userId);
    const browser = new Browser(at.one.url);
    const { token } = await invited(at, rose.client, rose.organizationId);
    // A member of one organization opens the invitation of another organization.
    const member = new Browser(at.one.url);
    Object.assign(member.client, { jar: teal.client.jar });
    const invitation = await member.follow(`/accept-invitation?token=${token}`);
    const client = await registerClient({ name: "Plain application" }, admin);
    const signIn = await browser.follow(authorizePath(client, pkce.challenge));
    const foreign = [
      await browser.get("/sign-in"),
      await browser.get("/register"),
      await browser.get(signIn.path),
      await pageOf(plain.client.jar, "/team"),
      await pageOf(rose.client.jar, "/team"),
      await pageOf(platform.client.jar, "/admin"),
      await member.get(invitation.path),
    ];
    const marks = [teal.logo, "#0f766e", "teal.test", "Teal Ltd</title>"];
    const found = foreign.map(({ text }) => marks.filter((mark) => text.includes(mark)));
    expect(found).toEqual(foreign.map(() => []));
  });
});

describe("the brand of an application", () => {
  test("appears on sign-in, registration, code and consent, and takes precedence over the organization", async () => {
    const teal = await branded(at, "Teal Ltd", TEAL, "teal");
    const client = await registerClient({ name: "Rose Wiki", first_party: false }, admin);
    const path = `/v1/admin/oauth-clients/${client.id}/brand`;
    await admin.request("PUT", path, { body: ROSE });
    const stored = await putLogo(admin, `${path}/logo`, await logo("red"));
    const browser = new Browser(at.one.url);
    const signIn = await browser.follow(authorizePath(client, pkce.challenge));
    const return_to = new URLSearchParams(signIn.path.split("?")[1]).get("return_to") ?? "";
    const inRequest = (page: string) => browser.get(`${page}?${new URLSearchParams({ return_to })}`);
    const pages = [await inRequest("/sign-in"), await inRequest("/register"), await inRequest("/sign-in/code")];
    for (const page of pages) {
      expect(styleOf(page)).toContain("--brand:#e11d48");
      expect(page.text).toContain(`<img src="${stored}"`);
      expect(page.text).toContain('href="https://rose.test/help"');
      expect(page.text).not.toContain("teal");
    }
    const visitor = new Browser(at.one.url);
    Object.assign(visitor.client, { jar: teal.client.jar });
    const consent = await visitor.follow(authorizePath(client, pkce.challenge));
    const page = await visitor.get(consent.path);
    expect(page.text).toContain("Rose Wiki");
    expect(styleOf(page)).toContain("--brand:#e11d48");
    // The application leaves out the terms, which the organization has.
    expect(page.text).toContain("https://teal.test/terms");
    expect(page.text).not.toContain(teal.logo);
  });
});

describe("/team/brand", () => {
  test("saves settings and logos, and displays the correction in words", async () => {
    const owner = await founded(at);
    const { send, forms } = await signedInForms(at.one.url, owner.client.jar);
    const organization = owner.organizationId;
    const saved = await send("/team/brand", { organization, step: "save", accent: "#ffd500", radius: "4" });
    expect(redirectOf(saved)).toEqual(["/team/brand", "saved"]);
    const page = await forms.get("/team/brand");
    expect(page.text).toContain("Text on this color would be hard to read. Buttons are darkened to #");
    expect(styleOf(page)).toContain(".brand-preview{--brand:#ffd500");
    const csrf = await forms.csrf("/team/brand");
    for (const path of ["/team/brand/logo", "/team/brand/logo-dark"]) {
      const request = fileForm(await logo("teal"), { csrf, organization });
      const headers = {
        "content-type": request.headers.get("content-type") ?? "",
        "sec-fetch-site": "same-origin",
        origin: "http://localhost:3000",
      };
      const uploaded = await forms.request("POST", path, headers, new Uint8Array(await request.arrayBuffer()));
      expect(redirectOf(uploaded)).toEqual(["/team/brand", "logo"]);
    }
    expect((await forms.get("/team/brand")).text).toContain("Remove logo for the dark theme");
    const removed = await send("/team/brand", { organization, step: "remove-logo" });
    expect(redirectOf(removed)).toEqual(["/team/brand", "removed"]);
    const { body } = await owner.client.get(`/v1/orgs/${organization}/brand`);
    expect(body).toMatchObject({ accent: "#ffd500", radius: 4, logo_url: null });
    expect(body.logo_dark_url).toBeString();
  });

  test("previews submitted values and stores nothing; wrong fields keep their text and are named", async () => {
    const owner = await founded(at);
    const { send } = await signedInForms(at.one.url, owner.client.jar);
    const organization = owner.organizationId;
    const preview = await send("/team/brand", { organization, step: "preview", accent: "#0f766e", radius: "9" });
    expect(preview.status).toBe(200);
    expect(styleOf(preview)).toContain(".brand-preview{--brand:#0f766e");
    expect(preview.text).toContain("White text on this color is easy to read.");
    const wrong = { organization, step: "save", accent: "red", radius: "x", terms_url: "javascript:alert(1)" };
    const refused = await send("/team/brand", wrong);
    expect(refused.status).toBe(400);
    for (const text of ["Enter a color with #", "Enter a whole number", "Enter a complete URL"]) {
      expect(refused.text).toContain(text);
    }
    expect(refused.text).toContain('value="red"');
    expect((await owner.client.get(`/v1/orgs/${organization}/brand`)).body.updated_at).toBeNull();
  });

  test("refuses a picture that is no logo beside the field, and a member with 403", async () => {
    const owner = await founded(at);
    const organization = owner.organizationId;
    const { forms } = await signedInForms(at.one.url, owner.client.jar);
    const request = fileForm(Buffer.from("<svg/>"), { csrf: await forms.csrf("/team/brand"), organization });
    const headers = {
      "content-type": request.headers.get("content-type") ?? "",
      "sec-fetch-site": "same-origin",
      origin: "http://localhost:3000",
    };
    const refused = await forms.request(
      "POST",
      "/team/brand/logo",
      headers,
      new Uint8Array(await request.arrayBuffer()),
    );
    expect(refused.status).toBe(400);
    expect(refused.text).toContain("Choose a PNG, JPEG or WebP picture");
    const member = await memberWith(at, organization, "member");
    await member.client.post("/v1/auth/organization", { organization_id: organization });
    const displayed = await pageOf(member.client.jar, "/team/brand");
    expect(displayed.status).toBe(403);
    expect(displayed.text).toContain("Only owners and admins can edit the brand");
  });
});

describe("/admin/organizations/:id/brand", () => {
  test("A platform administrator with a step-up sets brand and logo; the page displays the logo.", async () => {
    const { organizationId } = await founded(at);
    const { send, forms } = await signedInForms(at.one.url, (await steppedUpAdmin(at)).client.jar);
    const path = `/admin/organizations/${organizationId}/brand`;
    expect((await forms.get(`/admin/organizations/${organizationId}`)).text).toContain(`href="${path}"`);
    expect(redirectOf(await send(path, { step: "save", accent: "#7c3aed" }))).toEqual([path, "saved"]);
    const csrf = await forms.csrf("/account");
    const upload = async (file: Uint8Array) => {
      const request = fileForm(file, { csrf });
      const type = request.headers.get("content-type") ?? "";
      const headers = { "content-type": type, "sec-fetch-site": "same-origin", origin: "http://localhost:3000" };
      return await forms.request("POST", `${path}/logo`, headers, new Uint8Array(await request.arrayBuffer()));
    };
    expect(redirectOf(await upload(await logo("violet")))).toEqual([path, "logo"]);
    const hash = /\/logos\/[0-9a-f]+\.png/.exec((await forms.get(path)).text)?.[0] ?? "none";
    const displays = async () =>
      (await forms.get(`/admin/organizations/${organizationId}`)).text.includes(`src="${hash}"`);
    await eventually("the page displays the logo", 5000, displays);
    const records = await at.sql`
      select metadata from audit_logs
      where organization_id = ${organizationId} and action = 'organization.brand_updated' order by id`;
    expect(records.map(({ metadata }) => metadata)).toEqual([{ fields: "accent" }, { fields: "logo" }]);
    for (const receiver of [
      `/admin/organizations/${organizationId}/brand/logo`,
      `/admin/organizations/${organizationId}/brand/logo-dark`,
    ]) {
      expect((await forms.get(receiver)).headers.get("location")).toBe(path);
    }
    const refused = await upload(Buffer.from("<svg/>"));
    expect([refused.status, refused.text.includes('id="logo-error"')]).toEqual([400, true]);
  });

  test("A viewer sees the brand without a form, and a member of the organization finds no page.", async () => {
    const { organizationId, client } = await founded(at);
    const path = `/admin/organizations/${organizationId}/brand`;
    const viewer = await signedInForms(at.one.url, (await platformUser(at, "viewer")).client.jar);
    const page = await viewer.forms.get(path);
    expect([page.status, page.text.includes('name="accent"')]).toEqual([200, false]);
    expect((await viewer.send(path, { step: "save", accent: "#7c3aed" })).status).toBe(403);
    const owner = await signedInForms(at.one.url, client.jar);
    expect((await owner.forms.get(path)).status).toBe(403);
    expect((await owner.send(path, { step: "save", accent: "#7c3aed" })).status).toBe(403);
    const brands = await at.sql`select 1 from brands where organization_id = ${organizationId}`;
    expect(brands).toHaveLength(0);
  });
});

describe("/admin/oauth-clients/:id/brand", () => {
  test("saves the brand of an application; the console keeps the brand of the deployment", async () => {
    const client = await registerClient({ name: "Rose Wiki" }, admin);
    const { send, forms } = await signedInForms(at.one.url, (await steppedUpAdmin(at)).client.jar);
    const path = `/admin/oauth-clients/${client.id}/brand`;
    expect(redirectOf(await send(path, { step: "save", accent: "#e11d48" }))).toEqual([path, "saved"]);
    const page = await forms.get(path);
    expect(page.text).toContain("Brand of Rose Wiki");
    expect(styleOf(page)).toStartWith(".brand-preview{--brand:#e11d48");
    for (const upload of [
      `/admin/oauth-clients/${client.id}/brand/logo`,
      `/admin/oauth-clients/${client.id}/brand/logo-dark`,
    ]) {
      expect((await forms.get(upload)).headers.get("location")).toBe(path);
    }
    expect((await forms.get(`/admin/oauth-clients/${"0".repeat(8)}-0000-7000-8000-000000000000/brand`)).status).toBe(
      404,
    );
  });
});
