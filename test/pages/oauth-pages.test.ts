/** The pages between the request of an application and the response: names, consent, organization, removal. */
import { beforeAll, describe, expect, test } from "bun:test";
import { PASSWORD, registered } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { enrolled } from "../support/mfa.ts";
import {
  API,
  authorizePath,
  Browser,
  type Code,
  exchange,
  hiddenIn,
  makePkce,
  oauthAdmin,
  personWithBrowser,
  registerClient,
  type TestClient,
  tokensFor,
} from "../support/oauth.ts";
import { redirectOf, textOf } from "../support/pages.ts";
import { insertMember } from "../support/states.ts";

const LOGO = "https://logos.example.test/wiki.svg";
const NATIVE = "com.example.notes:/callback";
const pkce = makePkce();
let at: Deployment;
let wiki: TestClient;
let native: TestClient;
beforeAll(async () => {
  at = await deployment();
  const documents = { policy_uri: "https://app.example.test/privacy", tos_uri: "https://legal.example.test/terms" };
  wiki = await registerClient({ name: "Acme Wiki", first_party: false, logo_url: LOGO, ...documents });
  native = await registerClient({
    name: "Acme Notes",
    application_type: "native",
    token_endpoint_auth_method: "none",
    redirect_uris: [NATIVE],
  });
});

const returnPathOf = (path: string) => new URLSearchParams(path.split("?")[1]).get("return_to") ?? "";

/** A browser without a session at the sign-in of a request. */
async function waitingBrowser(client = wiki, more: Record<string, string> = {}) {
  const browser = new Browser(at.one.url);
  const { path } = await browser.follow(authorizePath(client, pkce.challenge, more));
  return { browser, path, return_to: returnPathOf(path) };
}

/** A user with two organizations; the second was joined by SQL. */
async function userOfTwoOrganizations() {
  const person = await personWithBrowser();
  const host = await registered(at.one.url, { organization_name: "Globex GmbH" });
  await insertMember(at.sql, host.organizationId, person.userId);
  return { ...person, other: host.organizationId };
}

describe("the pages of a waiting request name the application (G112)", () => {
  test("sign-in, registration, code, wrong password: in both languages, with the logo", async () => {
    for (const [ui_locales, sentence] of [
      ["en", "to continue to Acme Wiki"],
      ["de", "weiter zu Acme Wiki"],
    ] as const) {
      const { browser, path, return_to } = await waitingBrowser(wiki, { ui_locales });
      const at = (page: string) => browser.get(`${page}?${new URLSearchParams({ return_to })}`);
      const wrong = { email: "nobody@example.test", password: "wrong wrong wrong", return_to };
      const pages = [
        await browser.get(path),
        await at("/register"),
        await at("/sign-in/code"),
        await browser.post("/sign-in", wrong),
        await browser.post("/register", wrong),
        await browser.post("/sign-in/code", { step: "send", email: "no address", return_to }),
      ];
      for (const page of pages) {
        expect(textOf(page.text)).toContain(sentence);
        expect(page.text).toContain(`src="${LOGO}"`);
        const policy = page.headers.get("content-security-policy") ?? "";
        expect(policy).toContain("img-src 'self' https://logos.example.test data:;");
      }
    }
  });

  test("the second factor, the step-up and the verification of the address", async () => {
    const person = await enrolled(at);
    const { browser, return_to } = await waitingBrowser(wiki, { acr_values: "aal2" });
    const fields = { email: person.email, password: PASSWORD, return_to };
    const challenged = await browser.follow("/sign-in", await browser.post("/sign-in", fields));
    expect(challenged.path).toStartWith("/sign-in/challenge");
    const wrong = await browser.post("/sign-in/challenge", { code: "000000" });
    for (const { text } of [challenged.answer, wrong]) expect(textOf(text)).toContain("to continue to Acme Wiki");

    const { browser: signedIn } = await personWithBrowser();
    const asked = await signedIn.follow(authorizePath(wiki, pkce.challenge));
    const back = asked.path.replace("/oauth2/consent", "/oauth2/interaction");
    const verification = await signedIn.get(`/verify-email?${new URLSearchParams({ return_to: back })}`);
    expect(textOf(verification.text)).toContain("to continue to Acme Wiki");

    const strong = new Browser(at.one.url);
    Object.assign(strong.client, { jar: person.client.jar });
    const stepUp = await strong.get(`/step-up?${new URLSearchParams({ return_to: back })}`);
    expect(textOf(stepUp.text)).toContain("to continue to Acme Wiki");
  });

  test("a return path without a waiting request names no application and loads no foreign picture", async () => {
    const unknown = `/oauth2/interaction?request=${"A".repeat(43)}`;
    const { return_to } = await waitingBrowser();
    const browser = new Browser(at.one.url);
    for (const path of ["/account", unknown, `/account?next=${return_to}`, return_to.replace("interaction", "x")]) {
      const { status, text, headers } = await browser.get(`/sign-in?${new URLSearchParams({ return_to: path })}`);
      expect([path, status, text.includes("to continue to")]).toEqual([path, 200, false]);
      expect(headers.get("content-security-policy")).toContain("img-src 'self' data:;");
    }
  });
});

describe("the consent page", () => {
  test("names host, account, organization, access in words, and the documents of the application", async () => {
    const { browser, email } = await personWithBrowser();
    const scope = "openid email organization offline_access";
    const { answer } = await browser.follow(authorizePath(wiki, pkce.challenge, { scope, resource: API }));
    const text = textOf(answer.text);
    for (const part of ["Sign in to Acme Wiki", "app.example.test", email, "Not you?", "Use another account", API]) {
      expect(text).toContain(part);
    }
    expect(text).toContain(`see your email address ${email}`);
    for (const raw of ["offline_access", ">openid<", ">organization<"]) expect(answer.text).not.toContain(raw);
    for (const [url, host] of [
      ["https://app.example.test/privacy", "app.example.test"],
      ["https://legal.example.test/terms", "legal.example.test"],
    ]) {
      const link = new RegExp(`<a href="${url}" target="_blank" rel="noopener noreferrer">[^<]+ of Acme Wiki</a>`);
      expect(answer.text).toMatch(link);
      expect(text).toContain(`of Acme Wiki (${host})`);
    }
  });

  test("changes the organization, and the code is for the organization that the page displays (G112)", async () => {
    const { browser, organizationId, other } = await userOfTwoOrganizations();
    const asked = await browser.follow(authorizePath(wiki, pkce.challenge, { scope: "openid organization" }));
    const choice = `name="switch_to" value="${other}"`;
    expect([asked.answer.text.includes(choice), asked.answer.text.includes("Switch to Globex GmbH")]).toEqual([
      true,
      true,
    ]);
    const displayedBefore = hiddenIn(asked.answer.text);
    const chosen = await browser.submit(asked.path, { switch_to: other });
    expect(chosen.path).toBe(asked.path);
    expect(chosen.answer.text).toContain(`name="switch_to" value="${organizationId}"`);
    expect(textOf(chosen.answer.text)).toContain("Globex GmbH Access applies to this organization");

    // A decision for the page of the earlier organization has no effect.
    const stale = await browser.post(asked.path, { ...displayedBefore, decision: "allow" });
    expect([stale.status, stale.headers.get("location")]).toEqual([303, asked.path]);
    const allowed = await browser.submit(asked.path, { decision: "allow" });
    const code: Code = { code: allowed.location?.searchParams.get("code") ?? "", pkce };
    const tokens = await exchange(at.one.url, wiki, code);
    expect(tokens.status).toBe(200);
    const headers = { authorization: `Bearer ${tokens.body.access_token}` };
    const claims = await browser.request("GET", "/oauth2/userinfo", headers);
    expect(JSON.parse(claims.text).organization.id).toBe(other);
  });

  test("refuses an organization of other users, and keeps the organization of the session", async () => {
    const { browser, organizationId } = await personWithBrowser();
    const foreign = await registered(at.one.url);
    const asked = await browser.follow(authorizePath(wiki, pkce.challenge));
    expect(asked.answer.text).not.toContain("switch_to");
    const refused = await browser.submit(asked.path, { switch_to: foreign.organizationId });
    expect([refused.answer.status, refused.location]).toEqual([404, undefined]);
    const session = await browser.client.get("/v1/auth/session");
    expect(session.body.user.organization_id).toBe(organizationId);
  });
});

describe("an application with a private-use scheme", () => {
  test("gets a page with a link to the application; prompt=none stays a redirect", async () => {
    const { browser } = await personWithBrowser();
    const direct = await browser.get(authorizePath(native, pkce.challenge));
    expect([direct.status, textOf(direct.text).includes("Open Acme Notes")]).toEqual([200, true]);
    const link = /href="(com\.example\.notes:[^"]+)"/.exec(direct.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(new URL(link).searchParams.get("code")).toMatch(/^[\w-]{43}$/);
    expect(direct.headers.get("refresh")).toBe(`0; url=${link}`);
    const silent = await browser.get(authorizePath(native, pkce.challenge, { prompt: "none" }));
    expect([silent.status, silent.headers.get("location")?.startsWith(NATIVE)]).toEqual([303, true]);
    await (await oauthAdmin()).patch(`/v1/admin/oauth-clients/${native.id}`, { first_party: false });
    const asked = await browser.follow(authorizePath(native, pkce.challenge));
    expect(textOf(asked.answer.text)).toContain("You'll be sent back to com.example.notes.");
    const allowed = await browser.submit(asked.path, { decision: "allow" });
    expect([allowed.answer.status, textOf(allowed.answer.text).includes("Open Acme Notes")]).toEqual([200, true]);
  });
});

describe("/account/applications and /account/applications/confirm", () => {
  test("lists logo, host, date and access; a confirmation precedes the removal", async () => {
    const { browser, userId } = await personWithBrowser();
    const own = await registerClient({ name: "Acme Wiki", logo_url: LOGO });
    await tokensFor(own, browser, { scope: "openid email" });
    const list = await browser.get("/account/applications");
    expect(textOf(list.text)).toMatch(/Acme Wiki part of this service app\.example\.test · Since \w+ \d+, \d{4}/);
    expect(list.text).toMatch(/<li><span class="sentence">see your email address<\/span>/);
    expect(list.headers.get("content-security-policy")).toContain("https://logos.example.test");
    const ask = /href="(\/account\/applications\/confirm\?[^"]+)"/.exec(list.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const question = await browser.get(ask);
    expect(textOf(question.text)).toContain("Remove Acme Wiki?");
    const count = async () => (await at.sql`select 1 from oauth_grants where user_id = ${userId}`).length;
    expect(await count()).toBe(1);

    const stranger = (await personWithBrowser()).browser;
    expect((await stranger.get(ask)).status).toBe(404);
    expect((await stranger.get(ask.replace("step=remove", "step=other"))).status).toBe(404);
    const id = new URLSearchParams(ask.split("?")[1]).get("id") ?? "";
    const removed = await browser.post("/account/applications", { ...hiddenIn(question.text), step: "remove", id });
    expect([...redirectOf(removed), await count()]).toEqual(["/account/applications", "taken_back", 0]);
  });
});
