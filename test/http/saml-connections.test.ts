/** Connections by SAML 2.0: settings, metadata, test and activation (G181). */
import { beforeAll, describe, expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { registered } from "../support/client.ts";
import { samlKey, samlKeys } from "../support/saml/keys.ts";
import { IDP } from "../support/saml/message.ts";
import { base64Of, metadataText } from "../support/saml/metadata.ts";
import { readRequest, respondTo } from "../support/saml/responses.ts";
import {
  activeSamlCompany,
  postResponse,
  SamlBrowser,
  type SamlCompany,
  SSO_URL,
  samlCompany,
} from "../support/saml/saml-browser.ts";
import { encrypt } from "../support/saml/sign.ts";
import { type SsoDeployment, ssoDeployment } from "../support/sso.ts";
import { until } from "../support/waiting.ts";

let sso: SsoDeployment;
beforeAll(async () => {
  sso = await ssoDeployment();
});

const fingerprint = (pem: string) => new X509Certificate(pem).fingerprint256.replaceAll(":", "").toLowerCase();
const settingsOf = ({ owner, item }: SamlCompany) => owner.get(item).then(({ body }) => body);

describe("a connection by SAML", () => {
  test("returns its settings, the addresses for the identity provider and no member of another protocol.", async () => {
    const { body } = await (await samlCompany(sso.at)).owner.get((await samlCompany(sso.at)).item);
    expect(body.error.code).toBe("not_found");
    const company = await samlCompany(sso.at);
    const connection = await settingsOf(company);
    const base = `/v1/auth/sso/${company.connectionId}`;
    expect(connection).toMatchObject({
      protocol: "saml",
      status: "draft",
      entity_id: IDP,
      sso_url: SSO_URL,
      slo_url: null,
      request_binding: "redirect",
      signed_element: "assertion",
      sign_requests: true,
      encrypted_assertions: "off",
      name_id_format: null,
      certificate_details: [{ sha256: fingerprint(samlKeys.idp().certificate) }],
    });
    expect([connection.acs_url, connection.sp_entity_id].map((url) => new URL(url).pathname)).toEqual([
      `${base}/acs`,
      `${base}/metadata`,
    ]);
    expect(Object.keys(connection).filter((name) => ["issuer", "client_id", "redirect_uri"].includes(name))).toEqual(
      [],
    );
  });

  test.each([
    ["entity_id", { entity_id: "" }],
    ["sso_url", { sso_url: "http://idp.acme.example/sso" }],
    ["certificates", { certificates: ["no certificate"] }],
    ["certificates", { certificates: [samlKeys.shortIdp().certificate] }],
    ["certificates", { certificates: [samlKeys.ellipticIdp().certificate] }],
    ["certificates", { certificates: ["no certificate", samlKeys.shortIdp().certificate] }],
    ["certificates", { certificates: Array.from({ length: 21 }, (_, index) => `no certificate ${index}`) }],
    ["metadata_url", { metadata_url: "http://idp.acme.example/metadata" }],
    ["issuer", { issuer: "https://idp.acme.example" }],
    ["client_secret", { client_secret: "a secret of an application" }],
    ["metadata_xml", { metadata_xml: "<not-metadata/>" }],
    ["metadata_xml", { metadata_xml: `<!DOCTYPE a>${metadataText()}` }],
    ["preset", { preset: "unknown" }],
  ])("refuses an invalid %s and changes nothing.", async (field, settings) => {
    const company = await samlCompany(sso.at);
    const before = await settingsOf(company);
    const refused = await company.owner.patch(company.item, settings);
    expect([refused.status, refused.body.error.fields[0]?.field]).toEqual([400, field]);
    expect(await settingsOf(company)).toEqual(before);
  });

  test("accepts a certificate as Base64, and metadata larger than 64 KiB.", async () => {
    const company = await samlCompany(sso.at, { certificates: [base64Of(samlKeys.idp().certificate)] });
    expect((await settingsOf(company)).certificate_details).toHaveLength(1);
    const xml = metadataText({ location: "https://idp.acme.example/from-metadata" });
    const padded = xml.replace("<IDPSSODescriptor", `${" ".repeat(400 * 1024)}<IDPSSODescriptor`);
    const changed = await company.owner.patch(company.item, { metadata_xml: padded });
    expect([changed.status, changed.body.sso_url]).toEqual([200, "https://idp.acme.example/from-metadata"]);
  });

  test("leaves out what cannot be used of several certificates, and names the reasons (G433).", async () => {
    const company = await samlCompany(sso.at);
    const [old, next] = [samlKeys.idp().certificate, samlKeys.nextIdp().certificate];
    const [short, elliptic] = [samlKeys.shortIdp().certificate, samlKeys.ellipticIdp().certificate];
    const submitted = { certificates: ["no certificate", short, old, `${elliptic}${next}`] };
    const changed = await company.owner.patch(company.item, submitted);
    expect(changed.status).toBe(200);
    const listed = (body: { certificate_details: { sha256: string }[] }) =>
      body.certificate_details.map(({ sha256 }) => sha256);
    expect(listed(changed.body)).toEqual([fingerprint(old), fingerprint(next)]);
    const leftOut = [
      { reason: "unreadable" },
      { reason: "short_key", sha256: fingerprint(short), bits: 1024 },
      { reason: "key_type", sha256: fingerprint(elliptic) },
    ];
    expect(changed.body.metadata_report).toMatchObject({ problem: null, left_out: leftOut });
    expect((await settingsOf(company)).metadata_report.left_out).toEqual(leftOut);
    const many = Array.from({ length: 5 }, (_, index) => samlKey(`many-${index}`).certificate);
    const bounded = await company.owner.patch(company.item, { certificates: many });
    expect([bounded.status, listed(bounded.body).length]).toEqual([200, 4]);
    expect(bounded.body.metadata_report.left_out).toMatchObject([{ reason: "surplus" }]);
    const create = { protocol: "saml", name: "Created", certificates: ["no certificate", old] };
    const created = await company.owner.post(company.item.replace(/\/[^/]+$/, ""), create);
    expect([created.status, listed(created.body)]).toEqual([201, [fingerprint(old)]]);
    expect(created.body.metadata_report.left_out).toEqual([{ reason: "unreadable" }]);
  });

  test("clears the test with a change that concerns security, and not with a name.", async () => {
    const company = await samlCompany(sso.at);
    const testedAfter = async (settings: object) => {
      await sso.at.sql`update sso_connections set tested_at = now() where id = ${company.connectionId}`;
      return (await company.owner.patch(company.item, settings)).body.tested_at !== null;
    };
    expect(await testedAfter({ name: "Renamed", groups_from: "groups" })).toBe(true);
    const changes = [
      { certificates: [samlKeys.nextIdp().certificate] },
      { sso_url: "https://idp.acme.example/other" },
      { entity_id: "https://idp.acme.example/other" },
      { signed_element: "either" },
      { encrypted_assertions: "required" },
      { email_from: "mail" },
      { subject_from: "uid" },
    ];
    for (const change of changes) expect([change, await testedAfter(change)]).toEqual([change, false]);
  });
});

describe("metadata of an identity provider", () => {
  test("are a preview until applied, with certificates by fingerprint.", async () => {
    const company = await samlCompany(sso.at);
    const [old, next] = [samlKeys.idp().certificate, samlKeys.nextIdp().certificate];
    const xml = metadataText({ location: "https://idp.acme.example/new", certificates: [old, next] });
    const before = await settingsOf(company);
    const preview = await company.owner.post(`${company.item}/metadata`, { xml });
    expect(preview.status).toBe(200);
    expect(preview.body).toMatchObject({
      applied: false,
      changes: [
        { field: "sso_url", from: SSO_URL, to: "https://idp.acme.example/new" },
        { field: "certificates", from: [fingerprint(old)], to: [fingerprint(old), fingerprint(next)] },
      ],
    });
    expect(await settingsOf(company)).toEqual(before);
    const applied = await company.owner.post(`${company.item}/metadata`, { xml, apply: true });
    expect([applied.status, applied.body.applied, applied.body.connection.certificates.length]).toEqual([200, true, 2]);
    expect((await company.owner.post(`${company.item}/metadata`, { xml })).body.changes).toEqual([]);
    const [entry] = await sso.at.sql`
      select metadata from audit_logs
      where action = 'sso.connection.metadata_changed' and resource_id = ${company.connectionId}`;
    expect(entry?.metadata).toEqual({ fields: "sso_url certificates" });
  });

  test("come from an address, which the connection keeps.", async () => {
    const company = await samlCompany(sso.at);
    const { provider } = sso.forged;
    provider.answers.set(
      "/saml-metadata",
      () => new Response(metadataText({ location: "https://idp.acme.example/by-url" })),
    );
    const url = `${provider.url}/saml-metadata`;
    const applied = await company.owner.post(`${company.item}/metadata`, { url, apply: true });
    expect([applied.status, applied.body.connection?.sso_url, applied.body.connection?.metadata_url]).toEqual([
      200,
      "https://idp.acme.example/by-url",
      url,
    ]);
    expect((await company.owner.post(`${company.item}/metadata`, {})).body.changes).toEqual([]);
    const missing = await company.owner.post(`${company.item}/metadata`, { url: `${provider.url}/missing` });
    expect([missing.status, missing.body.error.fields[0]]).toEqual([400, { field: "url", rule: "format" }]);
  });

  test("belong to owners and admins with a step-up.", async () => {
    const company = await samlCompany(sso.at);
    const stranger = await registered(sso.at.one.url);
    const { organizationId, connectionId } = company;
    const path = `/v1/orgs/${organizationId}/sso/connections/${connectionId}/metadata`;
    expect((await stranger.client.post(path, { xml: metadataText() })).status).toBe(404);
    const own = path.replace(organizationId, stranger.organizationId);
    expect((await stranger.client.post(own, { xml: metadataText() })).body.error.code).toBe("mfa_required");
  });
});

describe("metadata of the service", () => {
  test("name the keys of the connection, also of a draft, and the next key during a rollover.", async () => {
    const company = await samlCompany(sso.at);
    const load = async () => {
      const response = await fetch(`${sso.at.one.url}/v1/auth/sso/${company.connectionId}/metadata`);
      const xml = await response.text();
      return { response, xml, keys: [...new Set(xml.match(/<ds:X509Certificate>[^<]+/g))] };
    };
    const { response, xml, keys } = await load();
    expect([response.status, response.headers.get("content-type"), response.headers.get("cache-control")]).toEqual([
      200,
      "application/samlmetadata+xml",
      "public, max-age=3600",
    ]);
    expect(xml).toContain(`Location="${(await settingsOf(company)).acs_url}"`);
    expect(xml).toContain('WantAssertionsSigned="true"');
    expect(keys).toHaveLength(1);
    expect((await company.owner.post(`${company.item}/service-key`)).status).toBe(201);
    await until("the next key is published", async () => (await load()).keys.length === 2);
    const unknown = await fetch(`${sso.at.one.url}/v1/auth/sso/${sso.acme.connectionId}/metadata`);
    expect(unknown.status).toBe(404);
  });
});

describe("a test of a connection", () => {
  /** Runs a test in the browser of the owner. */
  async function run(company: SamlCompany, options: Parameters<typeof respondTo>[2] = {}, email?: string) {
    const { body } = await company.owner.post(`${company.item}/test`);
    const { pathname, search } = new URL(body.url);
    const started = await company.owner.get(pathname + search);
    const request = readRequest(new URL(started.headers.get("location") ?? ""));
    const address = email ?? `ada@${company.domain}`;
    const form = { SAMLResponse: respondTo(request, address, options), RelayState: request.relayState };
    const { location } = await postResponse(sso.at.other.url, company.connectionId, form);
    const finished = await company.owner.get(location);
    expect(finished.headers.get("location")).toBe(`/team/single-sign-on/${company.connectionId}`);
    return (await company.owner.get(`${company.item}/test`)).body;
  }

  test("allows the activation, and creates no user, session or identity.", async () => {
    const company = await samlCompany(sso.at);
    expect((await company.owner.post(`${company.item}/activate`)).status).toBe(409);
    const result = await run(company);
    expect([result.succeeded, result.current]).toEqual([true, true]);
    expect(result.checks.map(({ name }: { name: string }) => name)).toContain("signature");
    expect(result.claims).toContainEqual({ name: "NameID", value: `ada@${company.domain}` });
    expect(result.effect).toMatchObject({ outcome: "create", role: "member" });
    const [row] = await sso.at.sql`
      select (select count(*)::int from users where email = ${`ada@${company.domain}`}) as users,
             (select count(*)::int from sso_identities where connection_id = ${company.connectionId}) as identities`;
    expect(row).toEqual({ users: 0, identities: 0 });
    expect((await company.owner.post(`${company.item}/activate`)).body.status).toBe("active");
    const signedIn = await new SamlBrowser(sso.at.one.url).signIn(company.connectionId, `ada@${company.domain}`);
    expect(signedIn.status).toBe(200);
  });

  test("names the failed check, and the checks before and after.", async () => {
    const company = await samlCompany(sso.at);
    const { succeeded, checks } = await run(company, { parts: { conditions: "" } });
    expect(succeeded).toBe(false);
    const outcomes = Object.fromEntries(
      checks.map(({ name, outcome }: { name: string; outcome: string }) => [name, outcome]),
    );
    expect(outcomes).toMatchObject({ signature: "pass", key: "pass", audience: "fail", in_response_to: "skipped" });
    expect((await company.owner.post(`${company.item}/activate`)).status).toBe(409);
  });
});

describe("encrypted assertions", () => {
  test("are decrypted with the current, the previous and the next key of the service.", async () => {
    const company = await activeSamlCompany(sso.at, { encrypted_assertions: "required" });
    const published = async () => {
      const xml = await (await fetch(`${sso.at.one.url}/v1/auth/sso/${company.connectionId}/metadata`)).text();
      return [...new Set([...xml.matchAll(/<ds:X509Certificate>([^<]+)/g)].map(([, base64]) => base64 ?? ""))].map(
        (base64) => `-----BEGIN CERTIFICATE-----\n${base64.match(/.{1,64}/g)?.join("\n")}\n-----END CERTIFICATE-----\n`,
      );
    };
    const signIn = async (certificate: string) => {
      const wrap = (assertion: string) => encrypt(assertion, { recipient: { key: "", certificate } });
      const client = new SamlBrowser(sso.at.one.url);
      return (await client.signIn(company.connectionId, `ada@${company.domain}`, { wrap })).status;
    };
    const [first = ""] = await published();
    expect(await signIn(first)).toBe(200);
    await company.owner.post(`${company.item}/service-key`);
    await until("the next key is published", async () => (await published()).length === 2);
    const [, next = ""] = await published();
    expect([await signIn(first), await signIn(next)]).toEqual([200, 200]);
    await company.owner.post(`${company.item}/service-key/promote`);
    await until("the next key is current", async () => (await published())[0] === next);
    expect([await signIn(first), await signIn(next)]).toEqual([200, 200]);
    const plain = await new SamlBrowser(sso.at.one.url).signIn(company.connectionId, `ada@${company.domain}`);
    expect(plain.status).toBe(401);
  });
});
