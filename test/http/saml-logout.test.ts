/** Single logout by SAML 2.0 over two replicas (G182). */
import { beforeAll, describe, expect, test } from "bun:test";
import { Client } from "../support/client.ts";
import { race } from "../support/deployment.ts";
import { signedInForms } from "../support/pages.ts";
import { ISSUER } from "../support/replica.ts";
import { samlKeys } from "../support/saml/keys.ts";
import {
  type LogoutParts,
  logoutForm,
  logoutQuery,
  logoutRequestText,
  logoutResponseText,
  type QueryOptions,
  readMessage,
  SLO_URL,
} from "../support/saml/logout.ts";
import { activeSamlCompany, SamlBrowser, type SamlCompany } from "../support/saml/saml-browser.ts";
import { encrypt } from "../support/saml/sign.ts";
import { attemptsOf, flushRedis, type SsoDeployment, ssoDeployment } from "../support/sso.ts";
import { eventually } from "../support/waiting.ts";

/** The time until a replica knows an event of the other replica. */
const REPLICATED_MS = 1_000;

let sso: SsoDeployment;
let acme: SamlCompany;
beforeAll(async () => {
  sso = await ssoDeployment();
  acme = await activeSamlCompany(sso.at, { slo_url: SLO_URL });
});

let people = 0;
/** A new employee with a session, or a further session of an employee. */
async function enter(company = acme, email = `leaver-${++people}@${company.domain}`, sessionIndex = `_s${++people}`) {
  const browser = new SamlBrowser(sso.at.one.url);
  const { status } = await browser.signIn(company.connectionId, email, { parts: { sessionIndex } });
  expect(status).toBe(200);
  return { client: browser.client, email, sessionIndex };
}
type Employee = Awaited<ReturnType<typeof enter>>;

const pathOf = ({ connectionId } = acme) => `/v1/auth/sso/${connectionId}/slo`;
const addressOf = (company = acme) => `${ISSUER}${pathOf(company)}`;
const isLive = async ({ client }: Employee, url = sso.at.one.url) =>
  (await client.at(url).get("/v1/auth/session")).status === 200;
const endsEverywhere = (employee: Employee) =>
  eventually("both replicas refuse the session", REPLICATED_MS, async () => {
    return !(await isLive(employee)) && !(await isLive(employee, sso.at.other.url));
  });
const latestAttempt = async (company = acme) => (await attemptsOf(company))[0];

const get = (query: string, company = acme, url = sso.at.one.url) => new Client(url).get(`${pathOf(company)}?${query}`);
const post = (form: Record<string, string>, company = acme, url = sso.at.one.url) =>
  new Client(url).request("POST", pathOf(company), {
    headers: { "content-type": "application/x-www-form-urlencoded", origin: "https://idp.acme.example" },
    raw: new URLSearchParams(form).toString(),
  });
const queryFor = (nameId: string, parts: LogoutParts = {}, options: QueryOptions = {}, company = acme) =>
  logoutQuery(logoutRequestText(addressOf(company), nameId, parts), options);

async function serviceCertificate(company = acme): Promise<string> {
  const { text } = await new Client(sso.at.one.url).get(`/v1/auth/sso/${company.connectionId}/metadata`);
  return /<ds:X509Certificate>([^<]+)/.exec(text)?.[1] ?? "";
}

describe("a request of the identity provider", () => {
  test("ends the named session of a user on every replica, and gets a signed response.", async () => {
    const first = await enter();
    const second = await enter(acme, first.email);
    const parts = { id: "_slo-1", sessionIndexes: [first.sessionIndex] };
    const { status, headers } = await get(queryFor(first.email, parts, { relayState: "state of the idp" }));
    expect(status).toBe(303);
    const response = readMessage(headers.get("location") ?? "");
    expect([response.destination, response.relayState]).toEqual([SLO_URL, "state of the idp"]);
    expect(response.xml).toContain('InResponseTo="_slo-1"');
    expect(response.xml).toContain(':status:Success"');
    expect(response.isSignedBy(await serviceCertificate())).toBe(true);
    await endsEverywhere(first);
    expect(await isLive(second)).toBe(true);
    const [event] = await sso.at.sql`
      select a.metadata from audit_logs a join sessions s on a.resource_id = s.id::text
      where a.action = 'auth.session.revoked' and s.sso_session_index = ${first.sessionIndex}`;
    expect(event?.metadata).toMatchObject({ reason: "idp_logout" });
  });

  test("by POST ends all sessions of the name without an index, and the response is a signed form.", async () => {
    const company = await activeSamlCompany(sso.at, { slo_url: SLO_URL });
    const first = await enter(company);
    const sessions = [first, await enter(company, first.email)];
    await company.owner.patch(company.item, { request_binding: "post" });
    await eventually("the other replica knows the binding", REPLICATED_MS, async () => {
      return (await new Client(sso.at.other.url).get(`/v1/auth/sso/${company.connectionId}/start`)).status === 200;
    });
    const xml = logoutRequestText(addressOf(company), first.email);
    const page = await post({ ...logoutForm(xml), RelayState: '"><script>' }, company, sso.at.other.url);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-security-policy")).toContain("form-action https://idp.acme.example;");
    const value = /name="SAMLResponse" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
    expect(Buffer.from(value, "base64").toString()).toContain("<ds:SignatureValue>");
    expect(page.text).not.toContain("<script>'");
    expect(page.text).toContain("&quot;&gt;&lt;script&gt;");
    await Promise.all(sessions.map(endsEverywhere));
  });

  test("finds the user by the NameID where an attribute is the subject, also by an encrypted NameID.", async () => {
    const settings = { slo_url: SLO_URL, subject_from: "uid", email_from: "mail", encrypted_assertions: "off" };
    const company = await activeSamlCompany(sso.at, settings);
    const email = `grace@${company.domain}`;
    const attributes = [
      { name: "uid", values: ["4711"] },
      { name: "mail", values: [email] },
    ];
    const signIn = async () => {
      const browser = new SamlBrowser(sso.at.one.url);
      const parts = { attributes, nameIdFormat: null, sessionIndex: "_grace" };
      expect((await browser.signIn(company.connectionId, "opaque-name", { parts })).status).toBe(200);
      return { client: browser.client, email, sessionIndex: "_grace" };
    };
    const first = await signIn();
    expect((await get(queryFor("4711", {}, {}, company), company)).status).toBe(303);
    expect(await isLive(first)).toBe(true);
    expect((await get(queryFor("opaque-name", {}, {}, company), company)).status).toBe(303);
    await endsEverywhere(first);
    const second = await signIn();
    const name = '<saml:NameID xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">opaque-name</saml:NameID>';
    const recipient = { key: "", certificate: pem(await serviceCertificate(company)) };
    const encrypted = encrypt(name, { recipient }).replaceAll("EncryptedAssertion", "EncryptedID");
    expect((await get(queryFor("", { name: encrypted }, {}, company), company)).status).toBe(303);
    await endsEverywhere(second);
  });

  test("finds the user by another spelling of the address than the first, and by the first (G182).", async () => {
    const first = `Bob-${++people}@${acme.domain}`;
    const later = first.toLowerCase();
    await enter(acme, first);
    for (const named of [later, first]) {
      const employee = await enter(acme, named);
      expect((await get(queryFor(named))).status).toBe(303);
      await endsEverywhere(employee);
    }
  });

  test("counts with further parameters in the query, outside of the signature.", async () => {
    const employee = await enter();
    const query = queryFor(employee.email, {}, { relayState: "state" });
    expect((await get(`hint=SAMLRequest&SigAlgs=x&${query}&RelayStates=y`)).status).toBe(303);
    await endsEverywhere(employee);
  });

  test("counts once in 20 parallel requests to two replicas, and never again with Redis emptied (P5).", async () => {
    const employee = await enter();
    const query = queryFor(employee.email);
    const statuses = await race(async (index) => {
      return (await get(query, acme, index % 2 === 0 ? sso.at.one.url : sso.at.other.url)).status;
    }, 20);
    expect(statuses.toSorted()).toEqual([303, ...Array.from({ length: 19 }, () => 400)]);
    await endsEverywhere(employee);
    const later = await enter(acme, employee.email);
    await flushRedis(sso.at);
    expect((await get(query)).status).toBe(400);
    expect(await latestAttempt()).toBe("failure replayed logout");
    expect(await isLive(later)).toBe(true);
  });

  const yesterday = new Date(Date.now() - 86_400_000).toISOString();
  test.each<[string, LogoutParts, QueryOptions, string]>([
    ["without a signature", {}, { isSigned: false }, "signature"],
    ["signed by a foreign key", {}, { key: samlKeys.attacker() }, "key"],
    ["signed by SHA-1", {}, { algorithm: "http://www.w3.org/2000/09/xmldsig#rsa-sha1" }, "signature"],
    ["of another identity provider", { issuer: "https://evil.example" }, {}, "issuer"],
    ["to another address", { destination: "https://service.example/slo" }, {}, "destination"],
    ["without an address", { destination: null }, {}, "destination"],
    ["that has expired", { notOnOrAfter: yesterday }, {}, "time"],
    ["from yesterday", { issueInstant: yesterday }, {}, "time"],
    ["from tomorrow", { issueInstant: new Date(Date.now() + 86_400_000).toISOString() }, {}, "time"],
    ["without a name", { name: "<saml:NameID> </saml:NameID>" }, {}, "subject"],
    ["with a comment in the name", { name: "<saml:NameID>a<!-- -->b</saml:NameID>" }, {}, "not_xml"],
    ["with two names", { name: "<saml:NameID>a</saml:NameID><saml:NameID>b</saml:NameID>" }, {}, "structure"],
    ["with an assertion", { extra: "<saml:Assertion/>" }, {}, "structure"],
  ])("%s ends no session, and its reason is for the administrators.", async (_, parts, options, reason) => {
    const employee = await enter();
    const { status, body, text } = await get(queryFor(employee.email, parts, options));
    expect([status, body.error.code]).toEqual([400, "invalid_input"]);
    expect(text).not.toContain(reason);
    expect(await latestAttempt()).toBe(`failure ${reason} logout`);
    expect(await isLive(employee)).toBe(true);
    await sso.at.sql`delete from sso_attempts where connection_id = ${acme.connectionId}`;
    await flushRedis(sso.at);
  });

  test("by POST is refused without a signature of the message, and with a signature by a foreign key.", async () => {
    const employee = await enter();
    const xml = logoutRequestText(addressOf(), employee.email);
    for (const signing of [null, { key: samlKeys.attacker() }]) {
      expect((await post(logoutForm(xml, signing))).status).toBe(400);
    }
    const form = logoutForm(xml);
    const changed = Buffer.from(form.SAMLRequest ?? "", "base64")
      .toString()
      .replace(employee.email, "other@acme.test");
    expect((await post({ SAMLRequest: Buffer.from(changed).toString("base64") })).status).toBe(400);
    expect(await isLive(employee)).toBe(true);
    await flushRedis(sso.at);
  });

  test("never has the status 500: any bytes, a bomb, no message, an unknown or another connection.", async () => {
    const bomb = logoutQuery(logoutRequestText(addressOf(), "a".repeat(5_000_000)));
    const queries = ["", "SAMLRequest=", "SAMLRequest=%ff%fe", "SAMLRequest=AAAA&Signature=x&SigAlg=x", bomb];
    for (const query of queries) expect((await get(query)).status).toBe(400);
    const forms = [
      {},
      { SAMLRequest: "x" },
      { SAMLRequest: "PHg+" },
      { SAMLResponse: "PHg+" },
      { SAMLRequest: "x".repeat(400_000) },
    ];
    for (const form of forms) expect((await post(form as Record<string, string>)).status).toBe(400);
    const query = queryFor("nobody");
    expect((await get(`${query}&${query}`)).status).toBe(400);
    for (const connectionId of [crypto.randomUUID(), "not-an-id", sso.acme.connectionId]) {
      expect((await get(query, { ...acme, connectionId })).status).toBe(404);
      expect((await post(logoutForm(logoutRequestText(addressOf(), "x")), { ...acme, connectionId })).status).toBe(404);
    }
    await flushRedis(sso.at);
  });

  test("429 beyond 30 requests of a connection in a second; refused requests do not count.", async () => {
    const company = await activeSamlCompany(sso.at, { slo_url: SLO_URL });
    const statuses = await race(async (index) => {
      const options = index < 20 ? { key: samlKeys.attacker() } : {};
      return (await get(queryFor(`nobody-${index}`, {}, options, company), company)).status;
    }, 60);
    expect(statuses.filter((status) => status === 400)).toHaveLength(20);
    expect(statuses.filter((status) => status === 303).length).toBeGreaterThanOrEqual(30);
    expect(new Set(statuses).isSubsetOf(new Set([303, 400, 429]))).toBe(true);
    await flushRedis(sso.at);
  });
});

describe("a sign-out everywhere", () => {
  /** Signs out by the API, and returns the request at the identity provider. */
  async function leave(employee: Employee, redirectTo?: string) {
    const { status, body } = await employee.client.post("/v1/auth/logout", {
      everywhere: true,
      redirect_to: redirectTo,
    });
    expect(status).toBe(200);
    const continued = await employee.client.get(body.continue_at);
    expect(continued.status).toBe(303);
    return { path: body.continue_at as string, request: readMessage(continued.headers.get("location") ?? "") };
  }
  const idOf = (xml: string) => /ID="([^"]+)"/.exec(xml)?.[1] ?? "";
  const respond = (xml: string, relayState: string | null, options: QueryOptions = {}) =>
    get(logoutQuery(xml, { parameter: "SAMLResponse", relayState: relayState ?? "", ...options }));

  test("ends the session here and asks the identity provider by a signed request.", async () => {
    const employee = await enter();
    const { request } = await leave(employee);
    await endsEverywhere(employee);
    expect(request.destination).toBe(SLO_URL);
    expect(request.isSignedBy(await serviceCertificate())).toBe(true);
    expect(request.xml).toContain(`>${employee.email}</saml:NameID>`);
    expect(request.xml).toContain(`<samlp:SessionIndex>${employee.sessionIndex}</samlp:SessionIndex>`);
    const response = logoutResponseText(addressOf(), idOf(request.xml));
    const finished = await respond(response, request.relayState);
    expect([finished.status, finished.headers.get("location")]).toEqual([303, "/sign-out"]);
    expect((await respond(response, request.relayState)).status).toBe(400);
    expect(await latestAttempt()).toBe("failure in_response_to logout");
  });

  test("returns to a path of the caller, and a failed sign-out at the provider ends at a page.", async () => {
    const first = await leave(await enter(), "/bye");
    const done = await respond(logoutResponseText(addressOf(), idOf(first.request.xml)), first.request.relayState);
    expect(done.headers.get("location")).toBe("/bye");
    const second = await leave(await enter(), "https://evil.example");
    const status = "urn:oasis:names:tc:SAML:2.0:status:Responder";
    const failed = logoutResponseText(addressOf(), idOf(second.request.xml), { status });
    const finished = await respond(failed, second.request.relayState);
    expect(finished.headers.get("location")).toBe("/sign-out?only=here");
  });

  test("by the button of the page leads to the identity provider, once (G396).", async () => {
    const employee = await enter();
    const { forms } = await signedInForms(sso.at.one.url, employee.client.jar);
    const page = await forms.post("/sign-out", { csrf: await forms.csrf("/sign-out"), everywhere: "1" });
    const next = /^0; url=(.+)$/.exec(page.headers.get("refresh") ?? "")?.[1] ?? "";
    expect([page.status, next]).toEqual([200, expect.stringContaining(pathOf())]);
    const continued = await forms.get(next);
    expect(readMessage(continued.headers.get("location") ?? "").destination).toBe(SLO_URL);
    await endsEverywhere(employee);
  });

  test("accepts no response of another request, issuer or key, and none without a signature.", async () => {
    const { request } = await leave(await enter());
    const right = logoutResponseText(addressOf(), idOf(request.xml));
    const refused = [
      await respond(logoutResponseText(addressOf(), "_other"), request.relayState),
      await respond(right, "A".repeat(43)),
      await respond(right, request.relayState, { isSigned: false }),
      await respond(right, request.relayState, { key: samlKeys.attacker() }),
      await respond(
        logoutResponseText(addressOf(), idOf(request.xml), { issuer: "https://evil.example" }),
        request.relayState,
      ),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    expect((await respond(right, request.relayState)).status).toBe(303);
    await flushRedis(sso.at);
  });

  test("continues in the browser that signed out only.", async () => {
    const { path } = await leave(await enter());
    const other = await new SamlBrowser(sso.at.one.url).client.get(path);
    expect([other.status, other.headers.get("location")]).toEqual([303, "/sign-out"]);
  });

  test("is a sign-out here where the provider has no address for it, and for sessions of other methods.", async () => {
    const company = await activeSamlCompany(sso.at);
    const employee = await enter(company);
    expect((await employee.client.post("/v1/auth/logout", { everywhere: true })).status).toBe(204);
    expect(await isLive(employee)).toBe(false);
    expect((await company.owner.post("/v1/auth/logout", { everywhere: true })).status).toBe(204);
  });
});

function pem(base64: string): string {
  return `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`;
}
