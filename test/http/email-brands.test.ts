/** The brands of tenants in emails: where a brand appears, and that no email has the brand of another tenant. */
import { beforeAll, describe, expect, test } from "bun:test";
import { branded, logo, putLogo, ROSE, TEAL } from "../support/brands.ts";
import { type Client, PASSWORD } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import type { ReceivedMail } from "../support/mail.ts";
import { authorizePath, Browser, makePkce, oauthAdmin, registerClient, type TestClient } from "../support/oauth.ts";
import { insertMember, proveMailbox } from "../support/states.ts";
import { founded, invite, memberWith, verify } from "../support/team.ts";

let at: Deployment;
let admin: Client;
beforeAll(async () => {
  at = await deployment();
  admin = await oauthAdmin();
});

const NEW_PASSWORD = `${PASSWORD} and more`;

async function mailTo(email: string, like: RegExp): Promise<ReceivedMail> {
  const [mail] = await at.mail.mailsTo(email, like);
  if (!mail) throw new Error(`no email to ${email}`);
  return mail;
}

/** The name and the picture above the card, and the colour of links. */
function lookOf({ html }: ReceivedMail) {
  const mark = /<p class="logo">(.*)<\/p>/.exec(html)?.[1]?.replaceAll("&#x2F;", "/") ?? "";
  const [, path, width, height] = /<img src="https?:\/\/[^"/]+([^"]+)" width="(\d+)" height="(\d+)"/.exec(mark) ?? [];
  return {
    name: mark.replace(/<[^>]+>/g, ""),
    picture: path && [path, Number(width), Number(height)],
    link: /^ {2}a \{ color: (#\w{6}) \}/m.exec(html)?.[1],
  };
}

async function lookInBrand({ client, organizationId, name, logo: path }: Awaited<ReturnType<typeof branded>>) {
  const { body } = await client.get(`/v1/orgs/${organizationId}/brand`);
  return { name, picture: [path, 112, 28], link: body.palette.light.link };
}

async function requestCodeFor(email: string, application: TestClient) {
  const browser = new Browser(at.one.url);
  const signIn = await browser.follow(authorizePath(application, makePkce().challenge));
  const return_to = new URLSearchParams(signIn.path.split("?")[1]).get("return_to") ?? "";
  await browser.post("/sign-in/code", { email, return_to, step: "send" });
}

/** Stored as proven: the proof by DNS is the subject of organization-domains.test.ts. */
async function proveDomain(organizationId: string, domain: string) {
  await at.sql`
    insert into organization_domains (id, organization_id, domain, token, status, verified_at, created_at)
    values (${crypto.randomUUID()}, ${organizationId}, ${domain}, 'x', 'verified', now(), now())`;
}

describe("the brand of an organization", () => {
  test("has neither logo nor links in an email to a stranger while no domain is proven (G342)", async () => {
    const plum = await branded(at, "Plum Ltd", { ...TEAL, support_url: "mailto:help@teal.test" }, "teal");
    const email = `guest-${crypto.randomUUID()}@example.test`;
    await invite(plum.client, plum.organizationId, email);
    const mail = await mailTo(email, /Plum Ltd/);
    expect(lookOf(mail)).toEqual({ ...(await lookInBrand(plum)), picture: undefined });
    expect(`${mail.html}${mail.text}`).not.toContain("teal.test");
  });

  test("has the links within a proven domain, and no other link, in an email to a stranger (G342)", async () => {
    const links = { terms_url: "https://www.fig.test/terms", privacy_url: "https://notfig.test/privacy" };
    const fig = await branded(at, "Fig Ltd", { ...links, support_url: "mailto:help@fig.test.evil.test" }, "teal");
    await proveDomain(fig.organizationId, "fig.test");
    const email = `guest-${crypto.randomUUID()}@example.test`;
    await invite(fig.client, fig.organizationId, email);
    const mail = await mailTo(email, /Fig Ltd/);
    expect(lookOf(mail).picture).toBeDefined();
    expect(mail.text).toContain("https://www.fig.test/terms");
    for (const text of ["notfig.test", "evil.test"]) expect(`${mail.html}${mail.text}`).not.toContain(text);
  });

  test("has no link with user information, whatever the form of the address (G340)", async () => {
    const owner = await founded(at, { organization_name: "Kiwi Ltd" });
    for (const terms_url of [
      "https://accounts.google.com@evil.test/",
      "https://x;frame-ancestors/",
      "https://kiwi.test./",
    ]) {
      const path = `/v1/orgs/${owner.organizationId}/brand`;
      const answer = await owner.client.request("PUT", path, { body: { terms_url } });
      expect([answer.status, answer.body.error.fields]).toEqual([400, [{ field: "terms_url", rule: "format" }]]);
    }
  });

  test("leaves out a link that version 1.0.0 stored and that is not accepted (G340)", async () => {
    const lime = await branded(at, "Lime Ltd", { terms_url: "https://lime.test/terms" }, "teal");
    const stored = "https://accounts.google.com@evil.test/";
    await at.sql`update brands set privacy_url = ${stored} where organization_id = ${lime.organizationId}`;
    const { body } = await lime.client.get(`/v1/orgs/${lime.organizationId}/brand`);
    expect([body.terms_url, body.privacy_url]).toEqual(["https://lime.test/terms", null]);
  });

  test("is in an invitation, in both parts; subject and texts name the deployment (G148)", async () => {
    const teal = await branded(at, "Teal Ltd", TEAL, "teal");
    await proveDomain(teal.organizationId, "teal.test");
    const email = `guest-${crypto.randomUUID()}@example.test`;
    await invite(teal.client, teal.organizationId, email);
    const mail = await mailTo(email, /Teal Ltd/);
    expect(lookOf(mail)).toEqual(await lookInBrand(teal));
    expect(mail.text).toContain("\nTeal Ltd\n");
    expect(mail.text).toContain("https://teal.test/terms");
    expect(mail.html).toContain("border-radius: 2px");
    const provider = /Provided by (.+)/.exec(mail.text)?.[1];
    expect(mail.subject).toBe(`Invitation to join “Teal Ltd” at ${provider}`);
    const picture = await fetch(`${at.one.url}${teal.logo}`);
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(picture.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  });

  test("is in notices caused in a session of the organization, and of no other organization (G148)", async () => {
    const teal = await branded(at, "Teal Ltd", TEAL, "teal");
    const rose = await branded(at, "Rose Inc", ROSE, "red");
    const person = await memberWith(at, teal.organizationId, "member");
    await proveMailbox(at.sql, person.userId);
    await insertMember(at.sql, rose.organizationId, person.userId);
    const change = async (organizationId: string, from: string, to: string) => {
      await person.client.post("/v1/auth/organization", { organization_id: organizationId });
      const body = { current_password: from, new_password: to };
      expect((await person.client.post("/v1/users/me/password", body)).status).toBe(204);
    };
    await change(teal.organizationId, PASSWORD, NEW_PASSWORD);
    expect(lookOf(await mailTo(person.email, /Teal Ltd/))).toEqual(await lookInBrand(teal));
    await change(rose.organizationId, NEW_PASSWORD, PASSWORD);
    const second = await mailTo(person.email, /Rose Inc/);
    expect(lookOf(second)).toEqual(await lookInBrand(rose));
    expect(`${second.html}${second.text}`).not.toContain("Teal");
    expect(second.html).not.toContain(teal.logo);
  });

  test("is absent without a tenant, for a name with a domain, and after its removal", async () => {
    const teal = await branded(at, "Teal Ltd", TEAL, "teal");
    await teal.client.post("/v1/auth/password/forgot", { email: teal.email });
    expect(`${(await mailTo(teal.email, /new password/)).html}`).not.toMatch(/Teal|0f766e|teal\.test/);
    const domain = await branded(at, "Claim at prize.example", TEAL, "teal");
    const guest = `guest-${crypto.randomUUID()}@example.test`;
    await invite(domain.client, domain.organizationId, guest);
    const named = await mailTo(guest, /invite/);
    expect(named.html).not.toContain("prize.example");
    expect(lookOf(named)).toMatchObject({ picture: undefined });
    const path = `/v1/orgs/${teal.organizationId}/brand`;
    await teal.client.request("PUT", path, { body: {} });
    await teal.client.request("DELETE", `${path}/logo`);
    const later = `guest-${crypto.randomUUID()}@example.test`;
    await invite(teal.client, teal.organizationId, later);
    const mail = await mailTo(later, /Teal Ltd/);
    expect(mail.text).not.toContain("Provided by");
    expect(lookOf(mail).name).not.toBe("Teal Ltd");
  });

  test("is never in the notice of a first controlling proof: a third party may own the organization", async () => {
    const squatter = await founded(at, { organization_name: "Squat Ltd" });
    const path = `/v1/orgs/${squatter.organizationId}/brand`;
    await squatter.client.request("PUT", path, { body: TEAL });
    await invite(squatter.client, squatter.organizationId, `guest-${crypto.randomUUID()}@example.test`);
    await squatter.client.post("/v1/auth/password/forgot", { email: squatter.email });
    const reset = await mailTo(squatter.email, /new password/);
    const token = /reset-password\?token=([\w-]+)/.exec(reset.text)?.[1];
    await squatter.client.post("/v1/auth/password/reset", { token, new_password: NEW_PASSWORD });
    for (const like of [/yours alone/, /was changed/]) {
      const { html } = await mailTo(squatter.email, like);
      expect(html).not.toMatch(/Squat|0f766e/);
    }
  });
});

describe("the brand of an application", () => {
  test("is in the code of a sign-in for the application, and in no code of another sign-in (G148)", async () => {
    const application = await registerClient({ name: "Rose Wiki" }, admin);
    const path = `/v1/admin/oauth-clients/${application.id}/brand`;
    await admin.request("PUT", path, { body: ROSE });
    const stored = await putLogo(admin, `${path}/logo`, await logo("red"));
    const plain = await registerClient({ name: "Plain" }, admin);
    const [ann, ben] = [await founded(at), await founded(at)];
    await Promise.all([verify(at.sql, ann.userId), verify(at.sql, ben.userId)]);
    await requestCodeFor(ann.email, application);
    await requestCodeFor(ben.email, plain);
    const mail = await mailTo(ann.email, /^\d{6}$/m);
    expect(lookOf(mail)).toMatchObject({ name: "Rose Wiki", picture: [stored, 112, 28] });
    expect(mail.text).toContain("https://rose.test/help");
    expect((await mailTo(ben.email, /^\d{6}$/m)).html).not.toMatch(/Rose|rose\.test/);
  });
});
