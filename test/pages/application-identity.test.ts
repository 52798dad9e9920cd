/** Pages and endpoints that name an application, and the way out of the service (G320, G322). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { inertName } from "../../src/base/display-name.ts";
import { clientLabel } from "../../src/models/conditions/client-identity.ts";
import { organizationPath } from "../../src/pages/admin/organizations/sections.tsx";
import { userPath } from "../../src/pages/admin/users/sections.tsx";
import { TEXTS } from "../../src/pages/texts/catalogue.ts";
import { DEFAULT_POLICY } from "../../src/vocabulary/policy-settings.ts";
import { signedIn } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import {
  authorizePath,
  Browser,
  CALLBACK,
  hiddenIn,
  makePkce,
  oauthAdmin,
  personWithBrowser,
  sendForm,
  type TestClient,
} from "../support/oauth.ts";
import { type Replica, startReplica } from "../support/replica.ts";
import { BORROWED_NAME, DOCUMENT_HOST, insertStranger, type Stranger } from "../support/strangers.ts";

const KINDS = ["document", "dynamic"] as const;
const { oauth: texts } = TEXTS.en;
/** The only form in which a page names an application. */
const NAMES: Record<Stranger, string> = {
  document: `${DOCUMENT_HOST} (${BORROWED_NAME})`,
  dynamic: texts.unverifiedName({ name: BORROWED_NAME }),
};
const WARNINGS: Record<Stranger, string> = { document: texts.unregistered, dynamic: texts.unverified };

let at: Deployment;
let one: Replica;
beforeAll(async () => {
  at = await deployment();
  one = await startReplica({
    DATABASE_URL: at.databaseUrl,
    SERVICE_OAUTH_CIMD: "on",
    SERVICE_OAUTH_REGISTRATION: "open",
  });
});
afterAll(async () => {
  await one.stop();
});

/** The page names the application under its identity, in titles and labels too, and nowhere by the name alone. */
function expectIdentity(html: string, kind: Stranger, page: string): void {
  expect([page, html.includes(NAMES[kind])]).toEqual([page, true]);
  expect([page, html.replaceAll(NAMES[kind], "").includes(BORROWED_NAME)]).toEqual([page, false]);
}

function expectWarning(html: string, kind: Stranger, page: string): void {
  expect([page, html.includes(WARNINGS[kind])]).toEqual([page, true]);
}

const person = () => personWithBrowser({ one } as Deployment);

async function allow(browser: Browser, client: TestClient) {
  const pkce = makePkce();
  const { path } = await browser.follow(authorizePath(client, pkce.challenge));
  const { location } = await browser.submit(path, { decision: "allow" });
  const issued = await sendForm(one.url, "/oauth2/token", {
    grant_type: "authorization_code",
    client_id: client.id,
    code: location?.searchParams.get("code") ?? "",
    redirect_uri: client.redirectUri,
    code_verifier: pkce.verifier,
  });
  expect(issued.status).toBe(200);
}

async function deviceCode(client: TestClient): Promise<string> {
  const answer = await sendForm(one.url, "/oauth2/device_authorization", { client_id: client.id, scope: "openid" });
  expect(answer.status).toBe(200);
  return answer.body.user_code;
}

test("a response to a loopback address warns of any program, also beside a website (G320)", async () => {
  const loopback = "http://127.0.0.1:7777/callback";
  const client = await insertStranger(at, "document", { redirect_uris: [CALLBACK, loopback] });
  const warnings = { [CALLBACK]: texts.unregistered, [loopback]: texts.anyProgram };
  for (const [redirectUri, warning] of Object.entries(warnings)) {
    const { browser } = await person();
    const { path, answer } = await browser.follow(authorizePath({ ...client, redirectUri }, makePkce().challenge));
    expect([path.split("?")[0], answer.text.includes(warning)]).toEqual(["/oauth2/consent", true]);
  }
});

describe.each(KINDS)("an application of the kind %s under a borrowed name (G320)", (kind) => {
  let client: TestClient & { readonly rowId: string };
  beforeAll(async () => {
    client = await insertStranger(at, kind);
  });

  test("is named under its identity, with a warning, on every page of a sign-in", async () => {
    const anonymous = new Browser(one.url);
    const signIn = await anonymous.follow(authorizePath(client, makePkce().challenge));
    expect(signIn.path).toStartWith("/sign-in");
    const back = new URLSearchParams(signIn.path.split("?")[1]).get("return_to") ?? "";
    const register = await anonymous.get(`/register?${new URLSearchParams({ return_to: back })}`);
    const { browser } = await person();
    const consent = await browser.follow(authorizePath(client, makePkce().challenge));
    expect(consent.path).toStartWith("/oauth2/consent");
    const pages = { signIn: signIn.answer, register, consent: consent.answer };
    for (const [page, { text }] of Object.entries(pages)) {
      expectIdentity(text, kind, page);
      expectWarning(text, kind, page);
    }
    // The host of a document beside the name would vouch for a name that no party verified.
    expect(consent.answer.text.includes("(github.com)")).toBe(kind === "document");
  });

  test("is named under its identity at /device, and no claimed address is displayed", async () => {
    const { browser } = await person();
    const found = await browser.submit("/device", { step: "code", user_code: await deviceCode(client) });
    expectIdentity(found.answer.text, kind, found.path);
    expectWarning(found.answer.text, kind, found.path);
    expect(found.answer.text).not.toContain("github.com");
    const { body } = await browser.client.post("/v1/auth/device", { user_code: await deviceCode(client) });
    expect(body.client).toMatchObject({ kind, host: kind === "document" ? DOCUMENT_HOST : null });
  });

  test("is named under its identity in the account, at a sign-out, and in the endpoints of the user", async () => {
    const { browser } = await person();
    await allow(browser, client);
    const { body } = await browser.client.get("/v1/users/me/grants");
    expect(body.items[0].client).toMatchObject({ kind, host: kind === "document" ? DOCUMENT_HOST : null });
    const confirm = `/account/applications/confirm?step=remove&id=${body.items[0].id}`;
    const logout = `/oauth2/logout?${new URLSearchParams({ client_id: client.id })}`;
    for (const page of ["/account/applications", confirm, logout]) {
      const { text } = await browser.get(page);
      expectIdentity(text, kind, page);
      if (page !== logout) expect([page, text.includes("github.com")]).toEqual([page, false]);
    }
    expectWarning((await browser.get(logout)).text, kind, logout);
  });

  test("is named under its identity in the lists of emails, with any id and any length of the name", async () => {
    const marks = { document: `${DOCUMENT_HOST.replaceAll(".", "[.]")} (`, dynamic: "unverified (" };
    for (const name of [...Array(20).fill(BORROWED_NAME), "GitHub ".repeat(12)]) {
      const { rowId } = await insertStranger(at, kind, { name });
      const [row] = await at.sql<{ label: string }[]>`
        select ${clientLabel(at.sql)} as label from oauth_clients c where c.id = ${rowId}`;
      expect(inertName(row?.label ?? "")).toStartWith(marks[kind] + name.slice(0, 10));
    }
  });

  test("is named under its identity for administrators of an organization, and of the platform", async () => {
    const { email, organizationId, userId } = await person();
    const approved = JSON.stringify({ ...DEFAULT_POLICY, thirdPartyClients: "approved" });
    await at.sql`
      insert into organization_policies values (${organizationId}, ${approved}::text::jsonb, now(), null, 1, now())`;
    await at.sql`
      insert into organization_applications (organization_id, client_id, status, decided_at)
      values (${organizationId}, ${client.rowId}, 'approved', now())`;
    const browser = new Browser(one.url);
    Object.assign(browser.client, { jar: (await signedIn(one.url, email)).client.jar });
    await allow(browser, client);
    await at.sql`delete from organization_applications where organization_id = ${organizationId}`;
    const asked = await browser.follow(authorizePath(client, makePkce().challenge));
    expect(asked.path).toStartWith("/oauth2/approval");
    expectIdentity(asked.answer.text, kind, "/oauth2/approval");
    expectWarning(asked.answer.text, kind, "/oauth2/approval");
    await browser.submit(asked.path, { decision: "ask" });
    const confirm = `/team/applications/confirm?step=end&id=${client.rowId}`;
    const listed = JSON.stringify([client.rowId]);
    await at.sql`
      update organization_policies set settings = jsonb_set(settings, '{approvedClients}', ${listed}::text::jsonb)
      where organization_id = ${organizationId}`;
    for (const page of ["/team/applications", confirm, "/team/policies"]) {
      expectIdentity((await browser.get(page)).text, kind, page);
    }
    const { body } = await browser.client.get(`/v1/orgs/${organizationId}/applications`);
    expect(body.items[0]).toMatchObject({ kind, host: kind === "document" ? DOCUMENT_HOST : null });
    const console = new Browser(at.one.url);
    Object.assign(console.client, { jar: (await oauthAdmin()).jar });
    for (const page of [
      userPath(userId, "applications"),
      organizationPath(organizationId, "applications"),
      `/admin/oauth-clients?q=${client.rowId}`,
      `/admin/oauth-clients/${client.rowId}/connect`,
    ]) {
      expectIdentity((await console.get(page)).text, kind, page);
    }
  });
});

describe.each(KINDS)("the service redirects no browser for an application of the kind %s (G322)", (kind) => {
  let client: TestClient;
  beforeAll(async () => {
    client = await insertStranger(at, kind);
  });

  const requests: [string, Record<string, string | undefined>, number][] = [
    ["an invalid request", { response_type: "token" }, 200],
    ["a silent request", { prompt: "none" }, 400],
    ["an invalid scope", { scope: "unknown" }, 200],
    ["an invalid request in a form", { response_type: "token", response_mode: "form_post" }, 200],
    ["a silent request in a form", { prompt: "none", response_mode: "form_post" }, 400],
    ["a signed response", { prompt: "none", response_mode: "query.jwt" }, 400],
  ];
  test.each(requests)("%s is a page with a button, also for an anonymous browser", async (_, more, status) => {
    for (const browser of [new Browser(one.url), (await person()).browser]) {
      const { answer, location } = await browser.follow(authorizePath(client, makePkce().challenge, more));
      expect([location, answer.status, answer.headers.get("refresh")]).toEqual([undefined, status, null]);
      expect(answer.text).toContain(texts.leaveTo({ host: new URL(CALLBACK).host }));
      expect(answer.text).not.toContain("data-submit");
      expect(answer.headers.get("x-frame-options")).toBe("DENY");
      expect(answer.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    }
  });

  test("a declined consent is a page with a button, and a consent is a redirect", async () => {
    const { browser } = await person();
    const { path } = await browser.follow(authorizePath(client, makePkce().challenge));
    const declined = await browser.submit(path, { decision: "deny" });
    expect([declined.location, declined.answer.text.includes("error=access_denied")]).toEqual([undefined, true]);
    await allow(browser, client);
    const silent = await browser.follow(authorizePath(client, makePkce().challenge, { prompt: "none" }));
    expect(silent.location?.searchParams.get("code")).toBeString();
  });
});

test("a logout for an application that registered itself leaves the service by a button alone (G322)", async () => {
  const client = await insertStranger(at, "dynamic");
  const logout = `/oauth2/logout?${new URLSearchParams({ client_id: client.id, post_logout_redirect_uri: CALLBACK })}`;
  const anonymous = await new Browser(one.url).follow(logout);
  const { browser } = await person();
  const question = await browser.get(logout);
  const confirmed = await browser.follow(logout, await browser.post(logout, hiddenIn(question.text)));
  for (const { location, answer } of [anonymous, confirmed]) {
    expect([location, answer.text.includes(texts.leaveTo({ host: new URL(CALLBACK).host }))]).toEqual([
      undefined,
      true,
    ]);
  }
});

test("a page whose form leaves the service has no other form, and no CSRF value", async () => {
  const client = await insertStranger(at, "document");
  const { browser } = await person();
  await allow(browser, client);
  const form = { response_mode: "form_post" };
  const granted = await browser.get(authorizePath(client, makePkce().challenge, { ...form, prompt: "none" }));
  const refused = await browser.get(authorizePath(client, makePkce().challenge, { ...form, scope: "unknown" }));
  for (const { text } of [granted, refused]) {
    expect([text.match(/<form/g)?.length, text.includes('name="csrf"')]).toEqual([1, false]);
  }
  expect(granted.text).toContain('name="code"');
});
