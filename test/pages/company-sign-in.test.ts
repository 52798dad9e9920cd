/** The sign-in pages of companies: routing by the address, by the slug and by applications (G158). */
import { beforeAll, describe, expect, test } from "bun:test";
import { PASSWORD } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { authorizePath, Browser, makePkce, registerClient, type TestClient } from "../support/oauth.ts";
import { FormClient, mainOf } from "../support/pages.ts";
import { platformUser } from "../support/platform.ts";
import { type Company, companyWithSso, storeConnection } from "../support/sso-connections.ts";

let at: Deployment;
let wiki: TestClient;
beforeAll(async () => {
  at = await deployment();
  wiki = await registerClient();
});

const LEAD = "Sign in with your company account at";
const visitor = () => new FormClient(at.one.url);
const enter = (email: string, fields: Record<string, string> = {}) =>
  visitor().post("/sign-in", { email, return_to: "/team", ...fields });
const startPath = (id: string, to = "/team") => `/v1/auth/sso/${id}/start?${new URLSearchParams({ redirect_to: to })}`;
/** The targets of the links to single sign-on. */
const companyLinks = (html: string) =>
  [...mainOf(html).matchAll(/href="(\/(?:v1\/auth\/)?sso\/[^"]+)"/g)].map(([, href = ""]) =>
    href.replace("&amp;", "&"),
  );
const hasPassword = (html: string) => mainOf(html).includes('name="password"');
const slugOf = async (id: string) => (await at.sql`select slug from organizations where id = ${id}`)[0]?.slug;
const requiredCompany = () => companyWithSso(at, { mode: "required" });

async function steppedDown({ organizationId }: Company): Promise<void> {
  const { client } = await platformUser(at, "admin");
  expect((await client.patch(`/v1/admin/orgs/${organizationId}`, { suspended: true })).status).toBe(200);
}

describe("after an address in the domain of a company", () => {
  test("the page offers the company's account, with other ways below, for every address", async () => {
    const company = await companyWithSso(at);
    const { domain } = company;
    await at.sql`update users set email = ${`ada@${domain}`} where id = ${company.ownerId}`;
    const [known, unknown] = await Promise.all([enter(`ada@${domain}`), enter(`bob@${domain}`)]);
    expect([known.status, known.setCookies.length]).toEqual([200, 2]);
    expect(known.setCookies[0]).toMatch(/^service_sso_hint=[\w-]+; Max-Age=600; Path=\/v1\/auth\/sso; HttpOnly;/);
    expect(known.text).toContain(`${LEAD} ${domain}.`);
    expect(companyLinks(known.text)).toEqual([startPath(company.connectionId)]);
    expect(known.text.indexOf("Other ways")).toBeGreaterThan(known.text.indexOf(company.connectionId));
    expect(known.text).not.toMatch(/(?:href|action)="[^"]*(?:%40|@)/);
    const plain = (text: string) => text.replaceAll("ada@", "bob@").replace(/name="press" value="[^"]+"/g, "");
    expect(plain(known.text)).toBe(plain(unknown.text));
    for (const name of ["Acme ", "Organization of"]) expect(mainOf(known.text)).not.toContain(name);
  });

  test("other ways lead to the methods, with the company first", async () => {
    const { connectionId, domain } = await companyWithSso(at);
    const { text } = await enter(`ada@${domain}`, { step: "other-ways" });
    expect([companyLinks(text), hasPassword(text)]).toEqual([[startPath(connectionId)], true]);
    expect(text.indexOf(connectionId)).toBeLessThan(text.indexOf('name="password"'));
  });

  test.each([
    ["optional", 303, "/team"],
    ["required", 200, null],
  ] as const)("a filled-in password with the policy %s: %d", async (mode, status, location) => {
    const { connectionId, domain, ownerId } = await companyWithSso(at, { mode });
    const email = `ada@${domain}`;
    await at.sql`update users set email = ${email} where id = ${ownerId}`;
    const filled = await enter(email, { password: PASSWORD });
    expect([filled.status, filled.headers.get("location")]).toEqual([status, location]);
    if (status === 200) expect([filled.text.includes(LEAD), hasPassword(filled.text)]).toEqual([true, false]);
    const refused = await enter(email, { password: "not the password", step: "password" });
    expect([refused.status, hasPassword(refused.text)]).toEqual([401, true]);
    // The right password of a covered member leads to the company.
    const right = await enter(email, { password: PASSWORD, step: "password" });
    const [refresh, leads] = [right.headers.get("refresh"), right.headers.get("location")];
    const start = `/v1/auth/sso/${connectionId}/start?redirect_to=%2Fteam`;
    const wanted = mode === "required" ? [200, `0; url=${start}`, null] : [303, null, "/team"];
    expect([right.status, refresh, leads]).toEqual(wanted);
  });

  test("a remembered or hinted address leads to the company's account too", async () => {
    const { domain, ownerId } = await companyWithSso(at);
    const email = `ada@${domain}`;
    await at.sql`update users set email = ${email} where id = ${ownerId}`;
    const hinted = await visitor().get(`/sign-in?${new URLSearchParams({ login_hint: email })}`);
    expect(hinted.text).toContain(`${LEAD} ${domain}.`);
    const forms = visitor();
    await forms.post("/sign-in", { email, password: PASSWORD, remember: "yes" });
    const remembered = forms.client.jar.getCookiesSync("https://auth.example.test/sign-in");
    const { value } = remembered.find(({ key }) => key === "service_address") ?? {};
    const { text } = await visitor().get("/sign-in", { cookie: `service_address=${value}` });
    expect([text.includes("Welcome back"), text.includes(LEAD)]).toEqual([true, true]);
  });

  test("a suspended company and a foreign domain get the methods", async () => {
    const company = await companyWithSso(at);
    await steppedDown(company);
    for (const email of [`ada@${company.domain}`, "ada@unclaimed.test"]) {
      const { text } = await enter(email);
      expect([text.includes(LEAD), companyLinks(text), hasPassword(text)]).toEqual([false, [], true]);
    }
  });
});

describe("after a failure at the identity provider of a company", () => {
  const failed = (query: Record<string, string>) => visitor().get(`/sign-in?${new URLSearchParams(query)}`);
  const REQUEST_ID = "019a0000-0000-7000-8000-000000000000";

  test.each([
    ["authentication_required", "The sign-in with your company account wasn&#39;t completed."],
    ["forbidden", "Ask your administrator."],
    ["conflict", "Ask your administrator."],
    ["internal_error", "We can&#39;t reach your company&#39;s sign-in."],
  ])("%s names the next step and the id of the request", async (error, message) => {
    const { status, text } = await failed({ error, request_id: REQUEST_ID, return_to: "/team" });
    const page = mainOf(text).replaceAll("'", "&#39;");
    expect([status, page.includes(message), page.includes(REQUEST_ID)]).toEqual([200, true, true]);
    expect(page).toContain('name="return_to" value="/team"');
  });

  test("text that is no id of a request is not displayed", async () => {
    const { text } = await failed({ error: "forbidden", request_id: "call +1 555 0100" });
    expect(text).not.toContain("555 0100");
  });
});

describe("/sso/:slug", () => {
  const open = (name: string, query = "") => visitor().get(`/sso/${name}${query}`);

  test("starts the single connection, by slug and by id, and returns to a local path only", async () => {
    const { connectionId, organizationId } = await companyWithSso(at);
    for (const name of [await slugOf(organizationId), organizationId, organizationId.toUpperCase()]) {
      const { status, headers } = await open(name, "?return_to=/team");
      expect([status, headers.get("location")]).toEqual([303, startPath(connectionId)]);
    }
    const foreign = await open(organizationId, "?return_to=https://evil.test/");
    expect(foreign.headers.get("location")).toBe(startPath(connectionId, "/account"));
  });

  test("lists several connections by name, as text", async () => {
    const company = await companyWithSso(at);
    const { organizationId, owner, connections } = company;
    const second = await storeConnection(at.sql, organizationId);
    await owner.patch(`${connections}/${second}`, { name: "<b>Globex</b> & Sons" });
    const { status, text } = await open(await slugOf(organizationId), "?return_to=/team");
    expect([status, companyLinks(text)]).toEqual([200, [startPath(company.connectionId), startPath(second)]]);
    expect(mainOf(text)).toContain("&lt;b>Globex&lt;/b> &amp; Sons");
    const { text: step } = await enter(`ada@${company.domain}`);
    expect(companyLinks(step)).toEqual([`/sso/${organizationId}?return_to=%2Fteam`]);
  });

  test("404 without a connection, for unknown names, with the policy off and while suspended", async () => {
    const [off, suspended, none] = await Promise.all([
      companyWithSso(at, { mode: "off" }),
      companyWithSso(at),
      companyWithSso(at),
    ]);
    await steppedDown(suspended);
    await none.owner.delete(`${none.connections}/${none.connectionId}`);
    for (const { organizationId } of [off, suspended, none]) {
      expect((await open(await slugOf(organizationId))).status).toBe(404);
    }
    for (const name of ["no-such-organization", crypto.randomUUID(), "%00", "%F0%28"]) {
      expect((await open(name)).status).toBe(404);
    }
  });
});

describe("an application that names an organization or an address", () => {
  /** The first page or redirect after the interaction. */
  async function landing(parameters: Record<string, string>): Promise<{ location: string; back: string }> {
    const browser = new Browser(at.one.url);
    const asked = await browser.get(authorizePath(wiki, makePkce().challenge, parameters));
    const back = asked.headers.get("location") ?? "";
    expect(back).toStartWith("/oauth2/interaction?request=");
    const continued = (await browser.get(back)).headers.get("location") ?? "";
    const { headers } = await browser.get(`${back}&signed_out=1`);
    expect(continued).toStartWith("/v1/auth/continue");
    return { location: headers.get("location") ?? "", back };
  }

  test("starts the single required connection without a page", async () => {
    const { connectionId, domain, organizationId } = await requiredCompany();
    for (const parameters of [
      { organization: organizationId },
      { organization: await slugOf(organizationId) },
      { login_hint: `Ada@${domain}` },
      { organization: organizationId, login_hint: "ada@elsewhere.test" },
    ]) {
      const { location, back } = await landing(parameters);
      expect(location).toBe(startPath(connectionId, back));
    }
  });

  test("keeps the address of login_hint in a cookie of the request, in no URL", async () => {
    const { domain } = await companyWithSso(at);
    const browser = new Browser(at.one.url);
    const asked = await browser.get(authorizePath(wiki, makePkce().challenge, { login_hint: `ada@${domain}` }));
    const back = asked.headers.get("location") ?? "";
    const { headers } = await browser.get(`${back}&signed_out=1`);
    const location = headers.get("location") ?? "";
    expect(location).toBe(`/sign-in?${new URLSearchParams({ return_to: back })}`);
    expect((await browser.get(location)).text).toContain(`${LEAD} ${domain}.`);
    expect((await browser.get("/sign-in?return_to=%2Fteam")).text).not.toContain(domain);
  });

  test("leads to the choice among several required connections", async () => {
    const company = await requiredCompany();
    await storeConnection(at.sql, company.organizationId);
    await company.announce();
    const { location, back } = await landing({ organization: company.organizationId });
    expect(location).toBe(`/sso/${company.organizationId}?${new URLSearchParams({ return_to: back })}`);
  });

  test("leads to the sign-in page while single sign-on is optional, suspended or of another organization", async () => {
    const [optional, suspended, required] = [
      await companyWithSso(at),
      await requiredCompany(),
      await requiredCompany(),
    ];
    await steppedDown(suspended);
    for (const parameters of [
      { organization: optional.organizationId },
      { login_hint: `ada@${optional.domain}` },
      { organization: suspended.organizationId },
      { organization: optional.organizationId, login_hint: `ada@${required.domain}` },
      { login_hint: "not an address" },
    ]) {
      expect((await landing(parameters)).location).toStartWith("/sign-in?");
    }
  });

  test("'login_required' with prompt=none", async () => {
    const { organizationId, domain } = await requiredCompany();
    for (const parameters of [{ organization: organizationId }, { login_hint: `ada@${domain}` }]) {
      const path = authorizePath(wiki, makePkce().challenge, { ...parameters, prompt: "none" });
      const { location } = await new Browser(at.one.url).follow(path);
      expect(location?.searchParams.get("error")).toBe("login_required");
    }
  });
});
