/** Sign-in by SAML 2.0 over two replicas (G166 to G168). */
import { beforeAll, describe, expect, test } from "bun:test";
import { SAML_FORM_MAX_BYTES } from "../../src/limits/saml-limits.ts";
import { Client } from "../support/client.ts";
import { race } from "../support/deployment.ts";
import { samlKeys } from "../support/saml/keys.ts";
import { describeRequest, type ReceivedRequest, readRequest, respondTo } from "../support/saml/responses.ts";
import {
  activeSamlCompany,
  postResponse,
  SamlBrowser,
  type SamlCompany,
  SSO_URL,
} from "../support/saml/saml-browser.ts";
import { announceConnections, attemptsOf, flushRedis, type SsoDeployment, ssoDeployment } from "../support/sso.ts";
import { startIntent } from "../support/sso-intents.ts";
import { until } from "../support/waiting.ts";

let sso: SsoDeployment;
let acme: SamlCompany;
beforeAll(async () => {
  sso = await ssoDeployment();
  acme = await activeSamlCompany(sso.at);
});

let people = 0;
const employee = () => {
  people += 1;
  return `saml-${people}@${acme.domain}`;
};
const errorOf = (location: string) => new URL(location, "https://service.example").searchParams.get("error");
const latestAttempt = async (company = acme) => (await attemptsOf(company))[0];

describe("a sign-in", () => {
  test("ends at another replica than the response arrived at, with Redis emptied between.", async () => {
    const { at } = sso;
    const email = employee();
    const browser = new SamlBrowser(at.one.url);
    const request = await browser.request(acme.connectionId, "?redirect_to=/team");
    expect([request.destination, request.acsUrl.endsWith(`${acme.connectionId}/acs`)]).toEqual([SSO_URL, true]);
    const form = { SAMLResponse: respondTo(request, email), RelayState: request.relayState };
    const accepted = await postResponse(at.one.url, acme.connectionId, form);
    expect(accepted.status).toBe(303);
    expect(accepted.location).toMatch(/^\/v1\/auth\/sso\/[0-9a-f-]+\/finish\?h=[\w-]{43}&b=[0-9a-f]{8}$/);
    await flushRedis(at);
    const response = await browser.arrive(accepted.location, at.other.url);
    expect([response.status, response.body.status]).toEqual([200, "success"]);
    const session = await browser.client.get("/v1/auth/session");
    expect(session.body.session.organization_bound).toBe(true);
    expect(session.body.user.email).toBe(email);
    expect(await latestAttempt()).toBe("success  session");
  });

  test("by another spelling of the address finds a link by the domain, and no link in person (G394).", async () => {
    const enter = async (nameId: string) =>
      (await new SamlBrowser(sso.at.one.url).signIn(acme.connectionId, nameId)).status;
    const later = employee();
    const first = later.replace("saml", "Saml");
    expect([await enter(first), await enter(later)]).toEqual([200, 200]);
    await sso.at.sql`update sso_identities set linked_by = 'user' where subject = ${first}`;
    expect([await enter(first), await enter(later)]).toEqual([200, 409]);
    expect(await latestAttempt()).toBe("failure identity_conflict account");
  });

  test("of an earlier tab ends after a start in a later tab, and in no other browser.", async () => {
    const browser = new SamlBrowser(sso.at.one.url);
    const [earlier, later] = [await browser.request(acme.connectionId), await browser.request(acme.connectionId)];
    const accept = async (request: ReceivedRequest) => {
      const form = { SAMLResponse: respondTo(request, employee()), RelayState: request.relayState };
      return (await postResponse(sso.at.one.url, acme.connectionId, form)).location;
    };
    const locations = [await accept(earlier), await accept(later)];
    const foreign = new SamlBrowser(sso.at.one.url);
    await foreign.request(acme.connectionId);
    expect((await foreign.arrive(locations[0] ?? "")).status).toBe(401);
    expect((await browser.arrive(locations[0] ?? "")).status).toBe(200);
  });

  test("of five that start at once in a browser, by SAML and OpenID Connect, each ends (G435).", async () => {
    const { at } = sso;
    const login = `tabs-${crypto.randomUUID().slice(0, 8)}`;
    sso.acme.provider.people.set(login, { email: `${login}@${sso.acme.domain}`, email_verified: true });
    const browser = new SamlBrowser(at.one.url);
    // No start has a cookie of another start, as after a restart of the browser.
    const [first, second, third, fourth, fifth] = await Promise.all([
      browser.request(acme.connectionId),
      browser.begin(sso.acme.connectionId),
      browser.request(acme.connectionId),
      browser.begin(sso.acme.connectionId),
      browser.request(acme.connectionId),
    ]);
    const bySaml = async (request: ReceivedRequest) => {
      const form = { SAMLResponse: respondTo(request, employee()), RelayState: request.relayState };
      const { location } = await postResponse(at.other.url, acme.connectionId, form);
      return (await browser.arrive(location)).status;
    };
    const byOpenId = async (start: string) => {
      const callback = await browser.visit(start, login);
      return (await browser.arrive(`${callback.pathname}${callback.search}`, at.other.url)).status;
    };
    const statuses = [
      await bySaml(fifth),
      await byOpenId(second),
      await bySaml(first),
      await byOpenId(fourth),
      await bySaml(third),
    ];
    expect(statuses).toEqual([200, 200, 200, 200, 200]);
  });

  test("redirects a browser to the path of the start.", async () => {
    const browser = new SamlBrowser(sso.at.one.url);
    const request = await browser.request(acme.connectionId, "?redirect_to=/team");
    const form = { SAMLResponse: respondTo(request, employee()), RelayState: request.relayState };
    const { location } = await postResponse(sso.at.one.url, acme.connectionId, form);
    const finished = await browser.client.get(location);
    expect([finished.status, finished.headers.get("location")]).toEqual([302, "/team"]);
  });

  test("posts the request where the identity provider wants the POST binding, to its origin only.", async () => {
    const company = await activeSamlCompany(sso.at, { request_binding: "post" });
    const browser = new SamlBrowser(sso.at.one.url);
    const page = await browser.client.get(`/v1/auth/sso/${company.connectionId}/start`);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-security-policy")).toContain("form-action https://idp.acme.example;");
    const value = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(page.text)?.[1] ?? "";
    const xml = Buffer.from(value("SAMLRequest"), "base64").toString();
    expect(xml).toContain("<ds:SignatureValue>");
    const request = describeRequest(xml, value("RelayState"));
    const form = { SAMLResponse: respondTo(request, `post@${company.domain}`), RelayState: request.relayState };
    const { location } = await postResponse(sso.at.one.url, company.connectionId, form);
    expect((await browser.arrive(location)).status).toBe(200);
  });

  test("reads attributes by the mapping of the connection.", async () => {
    const company = await activeSamlCompany(sso.at, {
      email_from: "mail",
      subject_from: "uid",
      display_name_from: "displayName",
      attributes: [{ name: "department", from: "ou" }],
    });
    const email = `grace@${company.domain}`;
    const attributes = [
      { name: "urn:oid:0.9.2342.19200300.100.1.3", friendlyName: "mail", values: [email] },
      { name: "uid", values: ["4711"] },
      { name: "displayName", values: ["Grace Hopper"] },
      { name: "ou", values: ["R&amp;D"] },
    ];
    const browser = new SamlBrowser(sso.at.one.url);
    const response = await browser.signIn(company.connectionId, "another-name", { parts: { attributes } });
    expect(response.status).toBe(200);
    const { body } = await browser.client.get("/v1/auth/session");
    expect(body.user.email).toBe(email);
    expect(body.user.extensions.attributes).toEqual({ department: "R&D" });
    const [identity] = await sso.at
      .sql`select subject from sso_identities where connection_id = ${company.connectionId}`;
    expect(identity?.subject).toBe("4711");
  });

  test("with a trusted class of authentication is a sign-in with two factors.", async () => {
    const [context, other] = ["urn:oasis:names:tc:SAML:2.0:ac:classes:TimeSyncToken", "urn:example:password"];
    const company = await activeSamlCompany(sso.at, { mfa_trust: [context] });
    const levels = [context, other].map(async (authnContext, index) => {
      const browser = new SamlBrowser(sso.at.one.url);
      await browser.signIn(company.connectionId, `mfa-${index}@${company.domain}`, { parts: { authnContext } });
      return (await browser.client.get("/v1/auth/session")).body.session.aal;
    });
    expect(await Promise.all(levels)).toEqual(["aal2", "aal1"]);
  });
});

describe("a response", () => {
  /** Posts one response to a new request, and opens the redirect. */
  async function refusalOf(options: Parameters<typeof respondTo>[2]) {
    const browser = new SamlBrowser(sso.at.one.url);
    const request = await browser.request(acme.connectionId);
    const form = { SAMLResponse: respondTo(request, employee(), options), RelayState: request.relayState };
    const posted = await postResponse(sso.at.one.url, acme.connectionId, form);
    const finished = await browser.client.get(posted.location);
    return { browser, request, posted, finished, attempt: await latestAttempt() };
  }

  test.each([
    ["without a signature", { signed: [] }, "signature"],
    ["signed by a foreign key", { signing: { key: samlKeys.attacker() } }, "key"],
    ["signed over the response alone", { signed: ["Response" as const] }, "signature"],
    ["changed after the signature", { change: (xml: string) => xml.replace(/saml-\d+@/, "admin@") }, "signature"],
    ["for another service", { parts: { conditions: "" } }, "audience"],
    ["of another identity provider", { parts: { issuer: "https://evil.example" } }, "issuer"],
    ["to another request", { parts: { inResponseTo: "_other" } }, "in_response_to"],
    ["from yesterday", { parts: { notOnOrAfter: "2020-01-01T00:00:00Z" } }, "time"],
    ["with a document type", { change: (xml: string) => `<!DOCTYPE a>${xml}` }, "not_xml"],
    ["that is an error", { parts: { status: "urn:oasis:names:tc:SAML:2.0:status:Requester" } }, "status"],
  ])("%s is refused with the reason, and the browser learns no reason.", async (_, options, reason) => {
    const { posted, finished, attempt } = await refusalOf(options);
    expect([posted.status, finished.status]).toEqual([303, 302]);
    const location = new URL(finished.headers.get("location") ?? "", "https://service.example");
    expect(location.pathname).toBe("/sign-in");
    expect(Object.fromEntries(location.searchParams)).toEqual({
      error: "authentication_required",
      request_id: posted.requestId,
    });
    expect(attempt).toBe(`failure ${reason} response`);
  });

  test("that is refused leaves the request usable.", async () => {
    const { browser, request } = await refusalOf({ signed: [] });
    const form = { SAMLResponse: respondTo(request, employee()), RelayState: request.relayState };
    const { location } = await postResponse(sso.at.one.url, acme.connectionId, form);
    expect((await browser.arrive(location)).status).toBe(200);
  });

  test("counts once in 40 parallel posts to two replicas.", async () => {
    const { at } = sso;
    const browser = new SamlBrowser(at.one.url);
    const request = await browser.request(acme.connectionId);
    const form = { SAMLResponse: respondTo(request, employee()), RelayState: request.relayState };
    const posts = await race(
      (index) => postResponse(index % 2 === 0 ? at.one.url : at.other.url, acme.connectionId, form),
      40,
    );
    const accepted = posts.filter(({ location }) => location.includes("/finish?"));
    expect(accepted).toHaveLength(1);
    const [first] = accepted;
    const arrivals = await race(() => browser.arrive(first?.location ?? ""), 4);
    expect(arrivals.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401]);
  });

  test("with the ID of an earlier assertion is replayed.", async () => {
    const parts = { assertionId: `_used-${process.pid}` };
    expect((await new SamlBrowser(sso.at.one.url).signIn(acme.connectionId, employee(), { parts })).status).toBe(200);
    expect((await new SamlBrowser(sso.at.one.url).signIn(acme.connectionId, employee(), { parts })).status).toBe(401);
    expect(await latestAttempt()).toBe("failure replayed response");
  });

  test("works in the browser that began the request only.", async () => {
    const [victim, attacker] = [new SamlBrowser(sso.at.one.url), new SamlBrowser(sso.at.one.url)];
    const request = await attacker.request(acme.connectionId);
    await victim.request(acme.connectionId);
    const form = { SAMLResponse: respondTo(request, employee()), RelayState: request.relayState };
    const { location } = await postResponse(sso.at.one.url, acme.connectionId, form);
    expect((await victim.arrive(location)).status).toBe(401);
    expect((await attacker.arrive(location)).status).toBe(200);
  });

  test("without a request never signs in, and is a redirect in any case.", async () => {
    const { at } = sso;
    const company = await activeSamlCompany(at);
    const unsolicited = respondTo({ id: "_none", acsUrl: "https://service.example/acs" }, employee());
    const forms = [
      { SAMLResponse: unsolicited, RelayState: "" },
      { SAMLResponse: unsolicited, RelayState: "A".repeat(43) },
      { SAMLResponse: "x".repeat(400 * 1024), RelayState: "A".repeat(43) },
      { RelayState: "/team" },
    ];
    const connections = [company.connectionId, sso.acme.connectionId, crypto.randomUUID()];
    for (const connectionId of connections) {
      const posts = await Promise.all(forms.map((form) => postResponse(at.one.url, connectionId, form as never)));
      expect(posts.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
      expect(posts.map(({ location }) => errorOf(location))).toEqual(forms.map(() => "authentication_required"));
    }
    expect(await latestAttempt(company)).toBe("failure in_response_to request");
    const noForm = await fetch(`${at.one.url}/v1/auth/sso/${company.connectionId}/acs`, {
      method: "POST",
      redirect: "manual",
    });
    expect(noForm.status).toBe(303);
    const unknown = await new SamlBrowser(at.one.url).client.get(`/v1/auth/sso/${company.connectionId}/finish?h=x`);
    expect(errorOf(unknown.headers.get("location") ?? "")).toBe("authentication_required");
  });

  test("without a request restarts the sign-in where the connection permits.", async () => {
    const company = await activeSamlCompany(sso.at, { idp_initiated: "restart" });
    const start = `/v1/auth/sso/${company.connectionId}/start`;
    const post = (RelayState: string) =>
      postResponse(sso.at.one.url, company.connectionId, { SAMLResponse: "PHg+", RelayState });
    const locations = await Promise.all(["/team", "https://evil.example", ""].map(post));
    expect(locations.map(({ location }) => location)).toEqual([`${start}?redirect_to=%2Fteam`, start, start]);
  });
});

describe("a form", () => {
  const FORM = "application/x-www-form-urlencoded";
  const encode = encodeURIComponent;
  const lines = (text: string, end: string) => text.replace(/.{76}/g, `$&${end}`);

  async function post(type: string | undefined, body: string): Promise<string> {
    const response = await fetch(`${sso.at.one.url}/v1/auth/sso/${acme.connectionId}/acs`, {
      method: "POST",
      redirect: "manual",
      headers: type === undefined ? {} : { "content-type": type },
      body: new TextEncoder().encode(body),
    });
    await response.text();
    expect(response.status).toBe(303);
    return response.headers.get("location") ?? "";
  }

  /** A response whose Base64 ends with a padding. */
  async function begin() {
    const browser = new SamlBrowser(sso.at.one.url);
    const request = await browser.request(acme.connectionId);
    const xml = Buffer.from(respondTo(request, employee()), "base64").toString();
    const message = Buffer.from(xml.padEnd(3 * Math.ceil(xml.length / 3) + 1)).toString("base64");
    return { browser, message, state: `RelayState=${request.relayState}` };
  }

  test.each<[string, string, (message: string) => string]>([
    ["an encoded name of a field", FORM, (message) => `%53AML%52esponse=${encode(message)}`],
    ["lines of Base64", FORM, (message) => `SAMLResponse=${encode(lines(message, "\r\n"))}`],
    ["blanks as plus signs", FORM, (message) => `SAMLResponse=${encode(lines(message, " ")).replaceAll("%20", "+")}`],
    [
      "every byte encoded",
      FORM,
      (message) => `SAMLResponse=${Buffer.from(message).toString("hex").replace(/../g, "%$&")}`,
    ],
    ["a later field of the name", FORM, (message) => `SAMLResponse=${encode(message)}&SAMLResponse=PHg%2B`],
    ["a charset, in capitals", `${FORM.toUpperCase()}; charset=UTF-8`, (message) => `SAMLResponse=${encode(message)}`],
  ])("with %s signs in.", async (_, type, fields) => {
    const { browser, message, state } = await begin();
    const location = await post(type, `${fields(message)}&${state}`);
    expect((await browser.arrive(location)).status).toBe(200);
  });

  test("that is malformed is refused with its reason, and leaves the request usable.", async () => {
    const { browser, message, state } = await begin();
    const value = encode(message);
    const bodies: [string, string][] = [
      ["not_xml", `SAMLResponse=${encode(message.replace(/=+$/, ""))}`],
      ["not_xml", `SAMLResponse=${value.slice(0, -1)}`],
      ["not_xml", `SAMLResponse=${value.slice(0, -2)}`],
      ["not_xml", `SAMLResponse=${value}%00`],
      ["not_xml", `SAMLResponse=PHg%2B&SAMLResponse=${value}`],
      ["not_xml", `SAMLResponse=${value.replaceAll("%", "%25")}`],
      ["not_xml", "SAMLResponse="],
      ["not_xml", "SAMLResponse"],
      ["too_large", `SAMLResponse=${"A".repeat(SAML_FORM_MAX_BYTES - state.length - 14)}`],
    ];
    for (const [reason, body] of bodies) {
      expect(await post(FORM, `${body}&${state}`)).toContain("/finish?h=");
      expect(await latestAttempt()).toBe(`failure ${reason} response`);
    }
    expect((await browser.arrive(await post(FORM, `SAMLResponse=${value}&${state}`))).status).toBe(200);
  });

  test("of another type, beyond a bound or without the request signs no user in.", async () => {
    const { browser, message, state } = await begin();
    const fields = `SAMLResponse=${encode(message)}&${state}`;
    const posts: [string | undefined, string][] = [
      [undefined, fields],
      ["text/plain", fields],
      ["application/json", JSON.stringify({ SAMLResponse: message, RelayState: state.slice(11) })],
      ["multipart/form-data; boundary=x", `--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n${fields}\r\n--x--`],
      [FORM, `${"&".repeat(256)}${fields}`],
      [FORM, `${fields}&more=${"A".repeat(SAML_FORM_MAX_BYTES - fields.length - 5)}`],
      [FORM, `SAMLResponse=${encode(message)}&${state.replace("=", "=%20")}`],
      [FORM, `SAMLResponse=${encode(message)}&RelayState=&${state}`],
      [FORM, `SAMLResponse=${encode(message)}&RelayState=${"r".repeat(100_000)}`],
      [FORM, state],
    ];
    for (const [type, body] of posts) expect(errorOf(await post(type, body))).toBe("authentication_required");
    expect((await browser.arrive(await post(FORM, fields))).status).toBe(200);
  });
});

test("The duration of verifications of accepted and refused responses is a metric of the protocol.", async () => {
  const count = async () => {
    const { text } = await new Client(sso.at.one.url).get("/metrics");
    return Number(/service_sso_verification_duration_seconds_count\{[^}]*protocol="saml"[^}]*\} (\d+)/.exec(text)?.[1]);
  };
  const [browser, before] = [new SamlBrowser(sso.at.one.url), await count()];
  const request = await browser.request(acme.connectionId);
  for (const signed of [[], undefined]) {
    const form = { SAMLResponse: respondTo(request, employee(), signed && { signed }), RelayState: request.relayState };
    await postResponse(sso.at.one.url, acme.connectionId, form);
  }
  expect(await count()).toBe(before + 2);
});

describe("the end of a worker", () => {
  test("loses the response of the worker alone, whose request stays usable.", async () => {
    const { at } = sso;
    const company = await activeSamlCompany(at);
    const setCertificate = async (certificate: string) => {
      await at.sql`
        update sso_connections
        set config = config || ${at.sql.json({ certificates: [certificate] })}, updated_at = now()
        where id = ${company.connectionId}`;
      await announceConnections(at);
    };
    const begin = async (of: SamlCompany, email: string) => {
      const browser = new SamlBrowser(at.one.url);
      const request = await browser.request(of.connectionId);
      const form = { SAMLResponse: respondTo(request, email), RelayState: request.relayState };
      const post = async () => (await postResponse(at.one.url, of.connectionId, form)).location;
      // A new worker may take longer than the deadline of a response on a busy machine; the request stays usable.
      const finish = () =>
        until("the response is accepted", async () => {
          const location = await post();
          return location.includes("/finish?") && (await browser.arrive(location)).status === 200;
        });
      return { post, finish };
    };
    const lost = () => begin(company, `worker@${company.domain}`);
    await setCertificate("no certificate: the worker ends by an exception");
    let waiting = await lost();
    await until("the replica has the certificate", async () => {
      waiting = await lost();
      const others = await Promise.all([begin(acme, employee()), begin(acme, employee())]);
      const [location] = await Promise.all([waiting.post(), ...others.map(({ finish }) => finish())]);
      return errorOf(location) === "internal_error";
    });
    await setCertificate(samlKeys.idp().certificate);
    await waiting.finish();
  });
});

describe("a step-up", () => {
  test("asks for a new authentication with a trusted class, and takes no other response.", async () => {
    const trusted = "urn:oasis:names:tc:SAML:2.0:ac:classes:TimeSyncToken";
    const company = await activeSamlCompany(sso.at, { mfa_trust: [trusted] });
    const email = `step-up@${company.domain}`;
    const browser = new SamlBrowser(sso.at.one.url);
    await browser.signIn(company.connectionId, email);
    const begin = async () => {
      const started = await startIntent(browser.client, company.connectionId, { intent: "step_up" });
      return readRequest(new URL(started.headers.get("location") ?? ""));
    };
    const finish = async (request: ReceivedRequest, parts: object) => {
      const form = { SAMLResponse: respondTo(request, email, { parts }), RelayState: request.relayState };
      const { location } = await postResponse(sso.at.other.url, company.connectionId, form);
      await browser.client.get(location);
      return (await browser.client.get("/v1/auth/session")).body.session.aal;
    };
    const request = await begin();
    expect(request.xml).toContain('ForceAuthn="true"');
    expect(request.xml).toContain(`>${trusted}</saml:AuthnContextClassRef>`);
    expect(await finish(request, {})).toBe("aal1");
    const old = { authnContext: trusted, authnInstant: new Date(Date.now() - 3_600_000).toISOString() };
    expect(await finish(await begin(), old)).toBe("aal1");
    expect(await finish(await begin(), { authnContext: trusted, nameId: `other@${company.domain}` })).toBe("aal1");
    expect(await finish(await begin(), { authnContext: trusted })).toBe("aal2");
  });
});
