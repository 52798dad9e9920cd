import { PRESET_KEYS } from "../../src/vocabulary/sso/preset.ts";

/** The pages of single sign-on of an organization (G143, G162, G163). */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SSO_REASONS } from "../../src/flows/sso/sign-in/refusals.ts";
import { JSON_BODY_MAX_BYTES } from "../../src/limits/limits.ts";
import { SAML_METADATA_MAX_BYTES } from "../../src/limits/saml-limits.ts";
import { SAML_GUIDES, SAML_PRODUCT_GUIDES } from "../../src/pages/single-sign-on/saml-guides.ts";
import { TEXTS } from "../../src/pages/texts/catalogue.ts";
import { fileForm } from "../support/brands.ts";
import { registered, signedIn } from "../support/client.ts";
import { administrator, CONFIG_KEY, stepUp } from "../support/console.ts";
import { type DnsServer, startDnsServer } from "../support/dns-server.ts";
import {
  FormClient,
  mainOf,
  type PageSite,
  redirectOf,
  SAME_ORIGIN,
  STEP_UP_ASKED,
  signedInForms,
  startSite,
} from "../support/pages.ts";
import { samlKeys } from "../support/saml/keys.ts";
import { IDP } from "../support/saml/message.ts";
import { metadataText } from "../support/saml/metadata.ts";
import { SSO_URL } from "../support/saml/saml-browser.ts";
import { announceConnections, company, SsoBrowser, ssoDeployment } from "../support/sso.ts";
import { companyWithSso } from "../support/sso-connections.ts";
import { insertMember, presentFactor } from "../support/states.ts";
import { memberOf, memberWith } from "../support/team.ts";
import { until } from "../support/waiting.ts";

const { en: texts } = TEXTS;

const PLACE = "/team/single-sign-on";
const NEW = "/team/single-sign-on/new";
const POLICY = "/team/single-sign-on/policy";
const CONFIRM = "/team/single-sign-on/confirm";
const SECRET = "a-secret-that-no-page-displays";
const VALUES = { name: "Acme", issuer: "https://acme.okta.com", client_id: "service", token_auth: "client_secret" };
const t = texts.ssoConnections;

let site: PageSite;
let dns: DnsServer;
beforeAll(async () => {
  dns = await startDnsServer();
  site = await startSite({ SERVICE_CONFIG_KEY: CONFIG_KEY, SERVICE_DNS_SERVERS: dns.address });
});
afterAll(async () => {
  await site.sql.end();
});

/** An owner with a step-up. */
async function owner() {
  const host = await registered(site.origin);
  await presentFactor(site.sql, host.userId);
  const { forms, send } = await signedInForms(site.origin, host.client.jar);
  const role = (name: string) => site.sql`update members set role = ${name} where user_id = ${host.userId}`;
  const show = async (path: string) => (await forms.get(path)).text;
  const upload = async (path: string, file: string) =>
    uploadTo(forms, path, file, { csrf: await forms.csrf("/account") });
  return { ...host, forms, send, role, show, upload };
}

async function uploadTo(forms: FormClient, path: string, file: string, fields: Record<string, string> = {}) {
  const form = fileForm(Buffer.from(file), fields);
  const headers = { ...SAME_ORIGIN, "content-type": form.headers.get("content-type") ?? "" };
  return await forms.request("POST", path, headers, new Uint8Array(await form.arrayBuffer()));
}
type Owner = Awaited<ReturnType<typeof owner>>;

/** A draft, created on the page of the presets. */
async function draft(host: Owner, preset = "okta", fields: Record<string, string> = {}) {
  const created = await host.send(NEW, { preset, ...fields });
  const [path] = redirectOf(created);
  const id = String(path).split("/").at(-1) ?? "";
  const item = `/team/single-sign-on/${id}`;
  const stored = async () => {
    const [row] = await site.sql`select * from sso_connections where id = ${id}`;
    return row;
  };
  /** Sends a form with the present version. */
  const send = async (fields: Record<string, string>) => {
    const version = String((await stored())?.updated_at.getTime());
    return await host.send(item, { version, ...fields });
  };
  const save = (values: Record<string, string> = {}) => send({ step: "save-values", ...VALUES, ...values });
  const mapping = (values: Record<string, string>) =>
    send({ step: "save-mapping", clock_skew_seconds: "60", ...values });
  return { id, item, stored, save, mapping };
}

async function link(connectionId: string, userId: string): Promise<void> {
  await site.sql`
    insert into sso_identities (id, connection_id, subject_hash, subject, user_id, linked_by, created_at, last_used_at)
    values (${crypto.randomUUID()}, ${connectionId}, sha256('ada'), 'ada', ${userId}, 'domain', now(), now())`;
}

async function addDomain(organizationId: string): Promise<string> {
  const id = crypto.randomUUID();
  await site.sql`
    insert into organization_domains (id, organization_id, domain, token, status, created_at, verified_at, claimed_by)
    values (${id}, ${organizationId}, ${`${id}.test`}, 'token', 'verified', now(), now(),
            (select user_id from members where organization_id = ${organizationId} and role = 'owner' limit 1))`;
  return id;
}

test("the page adds, checks and removes a domain without scripts, after a step-up", async () => {
  const { forms, send } = await owner();
  const domain = "company-of-the-page.test";
  const refused = await send(PLACE, { step: "add", domain: "gmail.com" });
  expect([refused.status, refused.text.includes('id="domain-error"')]).toEqual([400, true]);
  expect((await send(PLACE, { step: "add", domain })).status).toBe(303);
  const [row] = await site.sql`select id, token from organization_domains where domain = ${domain}`;
  const value = `service-domain-verification=${row?.token}`;
  const listed = (await forms.get(PLACE)).text;
  for (const text of [domain, "Not verified", `_service-domain.${domain}`, value]) expect(listed).toContain(text);
  dns.setTxt(`_service-domain.${domain}`, "service-domain-verification=<b>typo");
  const wrong = (await send(PLACE, { step: "check", id: row?.id })).text;
  expect(wrong).toContain("service-domain-verification=&lt;b>typo");
  dns.setTxt(`_service-domain.${domain}`, value);
  expect((await send(PLACE, { step: "check", id: row?.id })).text).toContain("Domain verified.");
  const question = (await forms.get(`${CONFIRM}?step=remove&id=${row?.id}`)).text;
  expect(question).toContain(`Remove ${domain}?`);
  expect((await send(PLACE, { step: "remove", id: row?.id })).status).toBe(303);
  expect((await forms.get(PLACE)).text).not.toContain(domain);
});

describe("a connection", () => {
  test("begins with a preset, whose instructions have every address to copy", async () => {
    const host = await owner();
    for (const preset of PRESET_KEYS) {
      const { id, item, stored } = await draft(host, preset);
      expect([preset, (await stored())?.preset]).toEqual([preset, preset]);
      const page = mainOf(await host.show(item));
      expect(page).toContain(`/v1/auth/sso/${id}/callback</code>`);
      for (const name of ["redirect_uri", "initiate_login_uri", "jwks_uri"]) expect(page).toContain(`<small>${name}<`);
    }
    const refused = await host.send(NEW, { preset: "okta" });
    expect([refused.status, refused.text.includes(t.full)]).toEqual([409, true]);
    expect((await host.send(NEW, { preset: "unknown" })).status).toBe(404);
  });

  test("takes values and a secret, and no page displays the secret", async () => {
    const host = await owner();
    const { item, stored, save } = await draft(host);
    const wrong = await save({ issuer: "https://acme.okta.com/?tenant=1", client_secret: SECRET });
    expect([wrong.status, wrong.text.includes('id="issuer-error"')]).toEqual([400, true]);
    expect(wrong.text).toContain('value="https://acme.okta.com/?tenant=1"');
    expect((await save({ client_secret: SECRET })).status).toBe(303);
    const sealed = (await stored())?.sealed_secret;
    expect(sealed).not.toBeNull();
    expect((await save({ name: "Renamed" })).status).toBe(303);
    expect((await stored())?.sealed_secret).toEqual(sealed);
    const page = await host.show(item);
    expect([page.includes(t.secretStored), page.includes("Renamed")]).toEqual([true, true]);
    for (const text of [wrong.text, page, await host.show(PLACE)]) expect(text).not.toContain(SECRET);
    expect((await save({ clear_secret: "yes" })).status).toBe(303);
    expect((await stored())?.sealed_secret).toBeNull();
  });

  test("takes the expiry of the secret, and warns near the day", async () => {
    const host = await owner();
    const { item, stored, save } = await draft(host);
    const day = (days: number) => new Date(Date.now() + days * 24 * 3600 * 1000).toISOString().slice(0, 10);
    const page = async () => mainOf(await host.show(item));
    const warned = async () => (await page()).includes(t.secretEnds({ date: "%" }).split("%")[0] ?? "");
    expect((await save({ client_secret: SECRET, client_secret_expires_on: day(90) })).status).toBe(303);
    expect([(await stored())?.config.client_secret_expires_on, await warned()]).toEqual([day(90), false]);
    expect((await save({ client_secret_expires_on: day(20) })).status).toBe(303);
    expect(await warned()).toBe(true);
    const refused = await save({ client_secret_expires_on: "soon" });
    expect([refused.status, refused.text.includes('id="client_secret_expires_on-error"')]).toEqual([400, true]);
    expect((await save({ client_secret_expires_on: "" })).status).toBe(303);
    expect((await stored())?.config.client_secret_expires_on).toBeNull();
  });

  test("keeps the typed values without a step-up, and changes nothing", async () => {
    const host = await owner();
    const { item, stored } = await draft(host);
    const { client } = await signedIn(site.origin, host.email);
    const { forms, send } = await signedInForms(site.origin, client.jar);
    expect((await forms.get(item)).text).toContain("save-values");
    const version = String((await stored())?.updated_at.getTime());
    const refused = await send(item, { step: "save-values", version, ...VALUES, client_secret: SECRET });
    expect([refused.status, refused.text.includes(`value="${VALUES.issuer}"`)]).toEqual([401, true]);
    expect([refused.text.includes(SECRET), (await stored())?.config.issuer]).toEqual([false, null]);
    expect(redirectOf(await forms.get(NEW))[0]).toStartWith("/step-up?");
    for (const step of ["activate", "delete", "add-key"]) {
      expect(redirectOf(await send(item, { step }))[0]).toBe(STEP_UP_ASKED);
    }
  });

  test("unlinks users after a confirmation only", async () => {
    const host = await owner();
    const { id, stored, save } = await draft(host);
    await save();
    await link(id, host.userId);
    const issuer = "https://other.okta.com";
    const asked = await save({ issuer });
    expect([asked.status, asked.text.includes(t.unlinkText)]).toEqual([409, true]);
    expect(asked.text).toContain('name="unlink_identities"');
    expect((await stored())?.config.issuer).toBe(VALUES.issuer);
    expect((await save({ issuer, unlink_identities: "yes" })).status).toBe(303);
    expect((await stored())?.config.issuer).toBe(issuer);
    expect(await site.sql`select 1 from sso_identities where connection_id = ${id}`).toHaveLength(0);
  });

  test("is not overwritten by a form of an old version", async () => {
    const host = await owner();
    const { stored, save } = await draft(host);
    const version = String((await stored())?.updated_at.getTime());
    await save({ name: "Changed by another administrator" });
    const refused = await save({ name: "Mine", version });
    expect([refused.status, refused.text.includes("Changed by another administrator")]).toEqual([409, true]);
    expect((await stored())?.name).toBe("Changed by another administrator");
  });

  test("reads claims, attributes and trusted factors line by line", async () => {
    const host = await owner();
    const { item, stored } = await draft(host);
    const version = String((await stored())?.updated_at.getTime());
    const mapping = {
      step: "save-mapping",
      version,
      subject_from: "sub",
      email_from: "mail",
      groups_from: "groups",
      claims_from: "userinfo",
      attributes: "department = dept\r\nplace=https://acme.com/place",
      mfa_trust: "mfa\r\nhwk",
      scopes: "openid email",
      extra_parameters: "domain = acme.com",
      clock_skew_seconds: "30",
      idp_initiated: "yes",
    };
    const refused = await host.send(item, { ...mapping, attributes: "department" });
    expect([refused.status, refused.text.includes('id="attributes-error"')]).toEqual([400, true]);
    expect((await host.send(item, { ...mapping, clock_skew_seconds: "" })).status).toBe(400);
    expect(redirectOf(await host.send(item, mapping))[0]).toBe(`${item}?section=mapping`);
    expect((await stored())?.config).toMatchObject({
      email_from: "mail",
      first_name_from: null,
      groups_from: "groups",
      claims_from: "userinfo",
      attributes: [
        { name: "department", from: "dept" },
        { name: "place", from: "https://acme.com/place" },
      ],
      mfa_trust: ["mfa", "hwk"],
      scopes: "openid email",
      extra_parameters: { domain: "acme.com" },
      clock_skew_seconds: 30,
      idp_initiated: "restart",
    });
    const page = await host.show(`${item}?section=mapping`);
    expect(page).toContain("department = dept\nplace = https://acme.com/place");
  });

  test("rolls its keys over in three steps", async () => {
    const host = await owner();
    const { id, item, save } = await draft(host);
    await save({ token_auth: "private_key_jwt" });
    const statuses = async () =>
      (await site.sql`select status from sso_service_keys where connection_id = ${id} order by created_at`).map(
        ({ status }) => status,
      );
    expect(await statuses()).toEqual(["current"]);
    expect(await host.show(item)).toContain(`/v1/auth/sso/${id}/jwks</code>`);
    await host.send(item, { step: "add-key" });
    expect(await statuses()).toEqual(["current", "next"]);
    await host.send(item, { step: "promote-key" });
    expect(await statuses()).toEqual(["previous", "current"]);
    await host.send(item, { step: "remove-key" });
    expect(await statuses()).toEqual(["current"]);
  });

  test("gets a domain, is activated after a test, deactivated and deleted after a confirmation", async () => {
    const host = await owner();
    const { id, item, stored, save } = await draft(host);
    const domain = await addDomain(host.organizationId);
    await save({ client_secret: SECRET });
    await host.send(item, { step: "assign", domain });
    const [assigned] = await site.sql`select connection_id from organization_domains where id = ${domain}`;
    expect(assigned?.connection_id).toBe(id);
    const early = await host.send(item, { step: "activate" });
    expect([early.status, early.text.includes(t.notReady)]).toEqual([409, true]);
    expect(await host.show(item)).not.toContain("step=activate");
    await site.sql`update sso_connections set tested_at = now() where id = ${id}`;
    expect(await host.show(item)).toContain("step=activate");
    await host.send(item, { step: "activate" });
    expect((await stored())?.status).toBe("active");
    expect(await host.show(`${CONFIRM}?step=deactivate&id=${id}`)).toContain(t.deactivateTitle({ name: "Acme" }));
    await host.send(item, { step: "deactivate" });
    expect((await stored())?.status).toBe("inactive");
    await host.send(item, { step: "release", domain });
    const question = await host.show(`${CONFIRM}?step=delete&id=${id}`);
    for (const text of [t.removeTitle({ name: "Acme" }), `action="${item}"`, 'name="typed_name"'])
      expect(question).toContain(text);
    expect(redirectOf(await host.send(item, { step: "delete" }))).toEqual([PLACE, "deleted"]);
    expect(await stored()).toBeUndefined();
  });

  test("lists sign-ins with a sentence for every reason, and the code of an unknown reason", async () => {
    const host = await owner();
    const { id, item } = await draft(host);
    for (const reason of [null, "later", ...SSO_REASONS]) {
      await site.sql`
        insert into sso_attempts (id, connection_id, at, outcome, reason, step, requested, email, request_id)
        values (${crypto.randomUUID()}, ${id}, now(), ${reason ? "failure" : "success"}, ${reason}, 'session', true,
                '<b>@acme.com', ${crypto.randomUUID()})`;
    }
    await site.sql`update sso_attempts set warning = 'address_taken' where connection_id = ${id} and reason is null`;
    const pages = ["", "&page=2"].map((page) => host.show(`${item}?section=attempts${page}`));
    const page = (await Promise.all(pages)).join("");
    for (const reason of SSO_REASONS) expect(page).toContain(t.reasons[reason]);
    for (const text of [t.succeeded, t.warnings.address_taken, "<code>later</code>", "&lt;b>@acme.com"])
      expect(page).toContain(text);
  });
});

describe("a connection by SAML", () => {
  const words = texts.saml;
  const XML = metadataText();
  const createSaml = (host: Owner) => draft(host, "adfs", { protocol: "saml" });

  test("has the recommended protocol of the identity provider, without a choice of the protocol", async () => {
    const host = await owner();
    for (const [preset, protocol] of [
      ["okta", "saml"],
      ["auth0", "oidc"],
    ] as const)
      expect((await (await draft(host, preset, { protocol: "recommended" })).stored())?.protocol).toBe(protocol);
  });

  test("is set up by metadata as XML: preview, application, mapping", async () => {
    const host = await owner();
    const { id, item, stored, mapping } = await createSaml(host);
    expect((await stored())?.protocol).toBe("saml");
    const empty = mainOf(await host.show(item));
    for (const path of ["acs", "metadata"]) expect(empty).toContain(`/v1/auth/sso/${id}/${path}</code>`);
    expect(empty).toContain(words.incomplete);
    const preview = await host.send(item, { step: "preview-metadata", metadata_xml: XML });
    expect([preview.status, preview.text.includes(words.changes)]).toEqual([200, true]);
    for (const text of [SSO_URL, 'value="apply-metadata"', "&lt;EntityDescriptor"])
      expect(preview.text).toContain(text);
    expect((await stored())?.config.entity_id).toBeNull();
    expect((await host.send(item, { step: "apply-metadata", metadata_xml: XML })).status).toBe(303);
    expect((await stored())?.config).toMatchObject({ entity_id: IDP, sso_url: SSO_URL });
    const again = await host.send(item, { step: "preview-metadata", metadata_xml: XML });
    expect([again.text.includes(words.noChanges), again.text.includes('value="apply-metadata"')]).toEqual([
      true,
      false,
    ]);
    expect((await mapping({ email_from: "mail", groups_from: "groups" })).status).toBe(303);
    expect((await stored())?.config).toMatchObject({ entity_id: IDP, email_from: "mail", groups_from: "groups" });
  });

  test("has the same instructions on the page and in the guide", async () => {
    const guide = await Bun.file(new URL("../../docs/guides/single-sign-on.md", import.meta.url)).text();
    for (const [preset, actions] of Object.entries(SAML_GUIDES).filter(([key]) => key !== "custom")) {
      const section = guide.split(`(preset \`${preset}\`)`)[1]?.split("(preset `")[0] ?? "";
      const fields = actions.flatMap((action) => ("field" in action ? [action.field] : []));
      expect([preset, fields.filter((field) => !section.includes(field))]).toEqual([preset, []]);
    }
    const host = await owner();
    const custom = mainOf(await host.show((await draft(host, "custom", { protocol: "saml" })).item));
    for (const [name, actions] of Object.entries(SAML_PRODUCT_GUIDES)) {
      const section = guide.split(`**${name}**`)[1]?.split("\n**")[0] ?? "";
      const fields = actions.flatMap((action) => ("field" in action ? [action.field] : []));
      expect([name, fields.filter((field) => !section.includes(field))]).toEqual([name, []]);
      expect(custom).toContain(`<span class="fold-title">${name}</span>`);
    }
  });

  test("is set up by a file, also by a file that is larger than the form", async () => {
    const host = await owner();
    const { id, item, stored } = await createSaml(host);
    expect(mainOf(await host.show(item))).toContain(`action="/team/single-sign-on/${id}/metadata"`);
    const large = XML.replace("<IDPSSODescriptor", `<!-- ${"x".repeat(400_000)} --><IDPSSODescriptor`);
    const preview = await host.upload(`${item}/metadata`, large);
    expect([preview.status, preview.text.includes(words.changes)]).toEqual([200, true]);
    expect((await stored())?.config.entity_id).toBeNull();
    const summary = /<textarea[^>]*name="metadata_xml"[^>]*>([^<]*)</.exec(preview.text)?.[1] ?? "";
    const xml = summary.replaceAll("&lt;", "<").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
    expect((await host.send(item, { step: "apply-metadata", metadata_xml: xml })).status).toBe(303);
    const { config } = (await stored()) ?? { config: {} };
    expect(config).toMatchObject({ entity_id: IDP, sso_url: SSO_URL, certificates: [samlKeys.idp().certificate] });
  });

  test("names a file that cannot be read or is too large beside the file", async () => {
    const host = await owner();
    const { item, stored } = await createSaml(host);
    const before = await stored();
    const refusals = [
      ["<html></html>", words.rules.metadata],
      [`<x>${"x".repeat(SAML_METADATA_MAX_BYTES)}</x>`, words.rules.fileTooLong],
      ["x".repeat(2 * SAML_METADATA_MAX_BYTES), words.rules.fileTooLong],
    ] as const;
    for (const [content, text] of refusals) {
      const refused = await host.upload(`${item}/metadata`, content);
      const error = /id="metadata_file-error"[^>]*>([^<]*)</.exec(refused.text)?.[1];
      expect([refused.status, error]).toEqual([400, text]);
    }
    expect(await stored()).toEqual(before);
    expect(redirectOf(await host.forms.get(`${item}/metadata`))).toEqual([item, undefined]);
  });

  test("names unreadable and oversized metadata beside the field, and keeps the other forms usable", async () => {
    const host = await owner();
    const { item, stored } = await createSaml(host);
    const before = await stored();
    const refused = await host.send(item, { step: "preview-metadata", metadata_xml: "<html></html>" });
    expect([refused.status, refused.text.includes('id="metadata_xml-error"')]).toEqual([400, true]);
    for (const text of [words.rules.metadata, "&lt;html>"]) expect(refused.text).toContain(text);
    const oversized = await host.send(item, { step: "apply-metadata", metadata_xml: "<".repeat(JSON_BODY_MAX_BYTES) });
    expect([oversized.status, oversized.text.includes(words.rules.metadataTooLong)]).toEqual([400, true]);
    const version = `name="version" value="${before?.updated_at.getTime()}"`;
    for (const { text } of [refused, oversized]) expect(text).toContain(version);
    expect(await stored()).toEqual(before);
  });

  test("changes the identity provider of linked users after a confirmation only", async () => {
    const host = await owner();
    const { id, item, stored } = await createSaml(host);
    await host.send(item, { step: "apply-metadata", metadata_xml: XML });
    await link(id, host.userId);
    const metadata = { step: "apply-metadata", metadata_xml: metadataText({ entityId: "https://other.example" }) };
    const asked = await host.send(item, metadata);
    expect([asked.status, asked.text.includes(t.unlinkText)]).toEqual([409, true]);
    for (const text of ['name="unlink_identities"', 'value="apply-metadata"']) expect(asked.text).toContain(text);
    expect((await stored())?.config.entity_id).toBe(IDP);
    expect((await host.send(item, { ...metadata, unlink_identities: "yes" })).status).toBe(303);
    expect((await stored())?.config.entity_id).toBe("https://other.example");
    expect(await site.sql`select 1 from sso_identities where connection_id = ${id}`).toHaveLength(0);
  });
});

describe("the test of a connection", () => {
  /** A draft of a company at the forged provider, and an owner with a step-up. */
  async function tested(config: object = {}) {
    const { at, forged } = await ssoDeployment();
    forged.provider.reset();
    const made = await company(at, crypto.randomUUID(), forged.provider.url, config);
    await at.sql`update sso_connections set status = 'draft', tested_at = null where id = ${made.connectionId}`;
    await announceConnections(at);
    await presentFactor(at.sql, made.ownerId);
    const { forms, send } = await signedInForms(at.one.url, made.owner.jar);
    const item = `/team/single-sign-on/${made.connectionId}`;
    /** Presses the button and follows the browser to the result. */
    const run = async (claims: object) => {
      forged.provider.claims = { ...claims };
      const begun = await send(item, { step: "test" });
      const url = new URL((begun.headers.get("refresh") ?? "").replace("0; url=", ""));
      let location = "";
      await until("the replica knows the connection", async () => {
        const started = await made.owner.get(url.pathname + url.search, { headers: { accept: "application/json" } });
        location = started.headers.get("location") ?? "";
        return started.status === 302;
      });
      const browser = Object.assign(new SsoBrowser(at.one.url), { client: made.owner });
      const callback = await browser.visit(location);
      const finished = await made.owner.get(callback.pathname + callback.search);
      expect(finished.headers.get("location")).toBe(item);
      return mainOf((await forms.get(item)).text);
    };
    return { ...made, at, forms, send, item, run };
  }
  const words = texts.ssoTests;

  test("An activation confirms the displayed settings: after a change of the draft it is 409 (G313).", async () => {
    const host = await tested({ groups_from: "groups" });
    const page = await host.run({ sub: "ada", email: `ada@${host.domain}`, name: "Ada" });
    const question = /href="([^"]+step=activate[^"]+)"/.exec(page)?.[1]?.replaceAll("&amp;", "&") ?? "none";
    const version = /name="version" value="(\d+)"/.exec((await host.forms.get(question)).text)?.[1] ?? "none";
    await host.at
      .sql`update sso_connections set updated_at = now() + interval '1 second' where id = ${host.connectionId}`;
    const late = await host.send(host.item, { step: "activate", version });
    expect([late.status, late.text.includes(texts.common.changedSince)]).toEqual([409, true]);
    const [row] = await host.at.sql`select status from sso_connections where id = ${host.connectionId}`;
    expect(row?.status).not.toBe("active");
  });

  test("displays every check in words, the claims and the effect, and allows the activation", async () => {
    const host = await tested({ groups_from: "groups" });
    expect((await host.forms.get(host.item)).text).not.toContain("step=activate");
    const page = await host.run({ sub: "ada", email: `ada@${host.domain}`, name: "<b>Ada" });
    for (const check of Object.values(words.checks)) expect(page).toContain(check);
    for (const text of [words.passed, words.effects.create, words.hints.groups]) expect(page).toContain(text);
    expect([page.includes("&lt;b>Ada"), page.includes("<b>Ada")]).toEqual([true, false]);
    expect(page).toContain("step=activate");
    expect(redirectOf(await host.send(host.item, { step: "activate" }))[1]).toBe("activated");
  });

  test("names the failed check and the next step, and allows no activation", async () => {
    const host = await tested();
    const page = await host.run({ sub: "ada" });
    for (const text of [words.failed, words.hints.email]) expect(page).toContain(text);
    expect(page).not.toContain("step=activate");
    expect((await host.send(host.item, { step: "activate" })).status).toBe(409);
  });

  test("needs complete settings and a role", async () => {
    const host = await owner();
    const { item } = await draft(host);
    expect(await host.show(item)).toContain(words.incomplete);
    expect((await host.send(item, { step: "test" })).status).toBe(409);
    await host.role("member");
    expect((await host.send(item, { step: "test" })).status).toBe(403);
  });
});

describe("the policy", () => {
  const p = texts.ssoPolicy;
  const settings = { mode: "optional", jit: "invited_only", guests: "required", default_role: "member", sync: "first" };

  test("is saved by an owner; an incomplete rule is named, and an empty rule is ignored", async () => {
    const host = await owner();
    const rule = { "rule-0-from": "groups", "rule-0-value": "it", "rule-0-role": "admin" };
    const refused = await host.send(POLICY, { ...settings, ...rule, "rule-2-from": "groups" });
    expect([refused.status, refused.text.includes(p.badRules)]).toEqual([400, true]);
    expect(redirectOf(await host.send(POLICY, { ...settings, ...rule }))).toEqual([POLICY, "saved"]);
    const [row] = await site.sql`select * from sso_policies where organization_id = ${host.organizationId}`;
    expect(row).toMatchObject({
      mode: "optional",
      jit: "invited_only",
      guests: "required",
      sync: "first",
      role_rules: [{ from: "groups", value: "it", role: "admin" }],
      require_own_factor: false,
    });
    expect(await host.show(PLACE)).toContain(p.modes.optional);
  });

  test("A policy changed by a second owner after its display is 409, and stays (G313).", async () => {
    const host = await owner();
    const version = /name="version" value="(\w+)"/.exec(await host.show(POLICY))?.[1] ?? "";
    expect(version).toBe("none");
    expect(redirectOf(await host.send(POLICY, { ...settings, version }))).toEqual([POLICY, "saved"]);
    const late = await host.send(POLICY, { ...settings, jit: "on", version });
    expect([late.status, late.text.includes(texts.common.changedSince)]).toEqual([409, true]);
    const [row] = await site.sql`select jit from sso_policies where organization_id = ${host.organizationId}`;
    expect(row?.jit).toBe("invited_only");
  });

  test("requires single sign-on once the organization is ready, and gives the owner emergency access", async () => {
    const host = await owner();
    const required = { ...settings, mode: "required" };
    const refused = await host.send(POLICY, required);
    expect([refused.status, refused.text.includes(p.notReady)]).toEqual([409, true]);
    const { id } = await draft(host);
    await site.sql`update sso_connections set status = 'active' where id = ${id}`;
    await addDomain(host.organizationId);
    await site.sql`update users set controlled_at = now() where id = ${host.userId}`;
    await site.sql`
      insert into totp_factors (user_id, sealed_secret, created_at, confirmed_at)
      values (${host.userId}, 'x', now(), now())`;
    await site.sql`
      insert into sso_attempts (id, connection_id, at, outcome, step, requested, request_id, user_id)
      values (gen_random_uuid(), ${id}, now(), 'success', 'session', true, 'request', ${host.userId})`;
    expect(redirectOf(await host.send(POLICY, required))).toEqual([POLICY, "saved"]);
    const [row] = await site.sql`select * from sso_policies where organization_id = ${host.organizationId}`;
    expect(row).toMatchObject({ mode: "required", break_glass: [host.userId] });
    const stored = async () =>
      (await site.sql`select * from sso_policies where organization_id = ${host.organizationId}`)[0];
    const later = { ...required, break_glass_listed: "yes", [`break_glass-${host.userId}`]: "yes", start: "7" };
    const previewed = await host.send(POLICY, { ...later, guests: "own_methods", step: "preview" });
    expect([previewed.status, previewed.text.includes(p.covered({ count: 0 }))]).toEqual([200, true]);
    expect(await stored()).toMatchObject({ required_at: null, guests: "required" });
    expect(redirectOf(await host.send(POLICY, later))).toEqual([POLICY, "saved"]);
    const days = (Number((await stored())?.required_at) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(7);
    const page = await host.show(POLICY);
    expect([page.includes('value="keep" selected'), page.includes(host.email)]).toEqual([true, true]);
    expect(redirectOf(await host.send(POLICY, { ...later, start: "keep", jit: "off" }))).toEqual([POLICY, "saved"]);
    expect((Number((await stored())?.required_at) - Date.now()) / 86_400_000).toBeCloseTo(days, 1);
    const admin = await administrator(site, "admin");
    await stepUp(admin);
    const place = `/admin/organizations/${host.organizationId}?section=sso`;
    const csrf = await admin.forms.csrf("/account");
    const send = (fields: Record<string, string>) => admin.forms.post(place, { csrf, ...fields });
    const blank = await send({ step: "pause", pause_reason: " " });
    expect([blank.status, blank.text.includes("pause_reason-error")]).toEqual([400, true]);
    expect(redirectOf(await send({ step: "pause", pause_reason: "The IdP is down." }))[1]).toBe("paused");
    expect((await stored())?.paused_until).not.toBeNull();
    expect((await admin.forms.get(place)).text).toContain(p.console.end);
    expect(redirectOf(await send({ step: "end-pause" }))[1]).toBe("pauseEnded");
    expect((await stored())?.paused_until).toBeNull();
  });

  test("is read by an admin and changed by an owner only", async () => {
    const host = await owner();
    await host.role("admin");
    const page = await host.show(POLICY);
    expect([page.includes(p.ownersOnly), page.includes('type="submit">Save')]).toEqual([true, false]);
    expect((await host.send(POLICY, settings)).status).toBe(403);
    expect(await site.sql`select 1 from sso_policies where organization_id = ${host.organizationId}`).toHaveLength(0);
  });
});

describe("/team/policies", () => {
  const p = texts.policies;
  const LIST = "/team/policies";
  const EDIT = "/team/policies/edit";
  const settings = { mfa: "optional", session_max_hours: "24", revision: "0", start: "0" };
  const stored = async ({ organizationId }: Owner) =>
    (await site.sql`select * from organization_policies where organization_id = ${organizationId}`)[0];

  test("displays the effect on members before a change, and stores the change after the confirmation", async () => {
    const host = await owner();
    expect(await host.show(LIST)).toContain(p.allMethods);
    const other = await registered(site.origin);
    await insertMember(site.sql, host.organizationId, other.userId);
    const required = { ...settings, mfa: "required", mfa_grace_days: "7" };
    const review = await host.send(EDIT, { ...required, step: "review" });
    expect([review.status, await stored(host)]).toEqual([200, undefined]);
    for (const text of [
      p.affected({ count: 2 }),
      other.email,
      p.rules.mfa,
      p.mfa.required,
      p.days({ count: 7 }),
      p.hours({ count: 24 }),
    ]) {
      expect(mainOf(review.text)).toContain(text);
    }
    expect(redirectOf(await host.send(EDIT, { ...required, step: "save" }))).toEqual([LIST, "saved"]);
    expect((await stored(host))?.settings).toMatchObject({ mfa: "required", mfaGraceDays: 7, sessionMaxHours: 24 });
    const page = await host.show(LIST);
    for (const text of [p.saved, p.mfa.required, p.hours({ count: 24 })]) expect(page).toContain(text);
    const late = await host.send(EDIT, { ...required, mfa: "optional", step: "save" });
    expect([late.status, late.text.includes(texts.common.changedSince)]).toEqual([409, true]);
  });

  test("refuses wrong values in words, and a lock-out of the user until emergency access exists", async () => {
    const host = await owner();
    const wrong = await host.send(EDIT, { ...settings, session_max_hours: "x", allowed_ips: "0.0.0.0/0" });
    expect(wrong.status).toBe(400);
    for (const text of [p.badNumber, p.badNetworks]) expect(wrong.text).toContain(text);
    const outside = { ...settings, allowed_ips: "192.0.2.0/24" };
    const review = await host.send(EDIT, { ...outside, step: "review" });
    for (const text of [p.lockOuts.policy_address, p.accept]) expect(review.text).toContain(text);
    const refused = await host.send(EDIT, { ...outside, step: "save" });
    expect([refused.status, refused.text.includes(p.lockOuts.policy_address)]).toEqual([409, true]);
    const early = await host.send(EDIT, { ...outside, step: "save", confirm: "yes" });
    expect([early.status, early.text.includes(`role="alert">${p.noEmergency}`), await stored(host)]).toEqual([
      409,
      true,
      undefined,
    ]);
    await site.sql`update users set controlled_at = now() where id = ${host.userId}`;
    await site.sql`
      insert into totp_factors (user_id, sealed_secret, created_at, confirmed_at)
      values (${host.userId}, 'x', now(), now())`;
    const emergency = { mode: "off", break_glass: [host.userId] };
    expect((await host.client.put(`/v1/orgs/${host.organizationId}/sso/policy`, emergency)).status).toBe(200);
    const confirmed = await host.send(EDIT, { ...outside, step: "save", confirm: "yes" });
    expect(redirectOf(confirmed)).toEqual([LIST, "saved"]);
  });

  test("displays policies with a later start, which the owner cancels; days of grace continue", async () => {
    const host = await owner();
    const required = { ...settings, mfa: "required", mfa_grace_days: "7" };
    await host.send(EDIT, { ...required, step: "save" });
    const since = (await stored(host))?.settings.mfaSince;
    const later = { ...settings, revision: "1", start: "14", step: "save" };
    expect(redirectOf(await host.send(EDIT, later))).toEqual([LIST, "saved"]);
    const page = mainOf(await host.show(LIST));
    expect([page.includes(p.cancelPending), page.includes(p.noDays)]).toEqual([true, true]);
    const cancelled = await host.send(LIST, { step: "cancel", revision: "2" });
    expect(redirectOf(cancelled)).toEqual([LIST, "cancelled"]);
    expect((await stored(host))?.settings).toMatchObject({ mfa: "required", mfaSince: since });
    expect(mainOf(await host.show(LIST))).not.toContain(p.cancelPending);
  });

  test("are read by an admin, changed after a step-up, and hidden from members", async () => {
    const host = await owner();
    await site.sql`update sessions set mfa_verified_at = null where user_id = ${host.userId}`;
    const stale = await signedInForms(site.origin, (await signedIn(site.origin, host.email)).client.jar);
    const refused = await stale.send(EDIT, { ...settings, session_max_hours: "77", step: "save" });
    expect([redirectOf(refused)[0], await stored(host)]).toEqual([STEP_UP_ASKED, undefined]);
    await host.role("admin");
    const page = mainOf(await host.show(LIST));
    expect([page.includes(p.ownersOnly), page.includes(p.change)]).toEqual([true, false]);
    expect((await host.send(EDIT, settings)).status).toBe(403);
    await host.role("member");
    expect((await host.forms.get(LIST)).status).toBe(403);
    const admin = await administrator(site, "admin");
    const place = `/admin/organizations/${host.organizationId}?section=policies`;
    expect((await admin.forms.get(place)).text).toContain(p.names.mfa);
  });
});

describe("a member without the role", () => {
  test("finds no link in the navigation, and every page is refused", async () => {
    const host = await owner();
    const { item } = await draft(host);
    expect(await host.show("/account")).toContain(`href="${PLACE}"`);
    const second = await memberWith(site, host.organizationId, "owner");
    const path = memberOf(host.organizationId, host.userId);
    expect((await second.client.patch(path, { role: "member" })).status).toBe(200);
    expect(await host.show("/account")).not.toContain(`href="${PLACE}"`);
    for (const path of [PLACE, NEW, POLICY, item]) {
      const refused = await host.forms.get(path);
      expect([path, refused.status, refused.text.includes(texts.singleSignOn.notYours)]).toEqual([path, 403, true]);
    }
    expect((await host.send(item, { step: "activate" })).status).toBe(403);
    expect((await host.send(NEW, { preset: "okta" })).status).toBe(403);
  });

  test("of another organization finds no connection", async () => {
    const { item } = await draft(await owner());
    const foreign = await owner();
    expect((await foreign.forms.get(item)).status).toBe(404);
    expect((await foreign.send(item, { step: "delete" })).status).toBe(404);
    expect((await foreign.send(item, { step: "save-values", ...VALUES, version: "0" })).status).toBe(404);
  });
});

describe("the console", () => {
  test("lists organizations with an active connection on the overview, and none with a draft alone", async () => {
    const viewer = await administrator(site, "viewer");
    const { organizationId } = await companyWithSso(site);
    const preparing = await owner();
    await draft(preparing);
    const page = mainOf((await viewer.forms.get("/admin")).text);
    expect(page).toContain(`href="/admin/organizations/${organizationId}?section=sso"`);
    expect(page).not.toContain(preparing.organizationId);
    expect(page).not.toContain(texts.firstRun.companySignInNone);
  });

  /** A domain with a holder, and the claim of another organization. */
  async function conflict() {
    const [holder, claimant] = [await owner(), await owner()];
    const domain = `${crypto.randomUUID()}.test`;
    const insert = async (organizationId: string, status: string) => {
      const id = crypto.randomUUID();
      await site.sql`
        insert into organization_domains (id, organization_id, domain, token, status, created_at, claimed_by)
        values (${id}, ${organizationId}, ${domain}, 'token', ${status}, now(),
                (select user_id from members where organization_id = ${organizationId} and role = 'owner' limit 1))`;
      return id;
    };
    await insert(holder.organizationId, "verified");
    const claim = await insert(claimant.organizationId, "pending");
    const statusOf = async ({ organizationId }: Owner) => {
      const [row] = await site.sql`
        select status from organization_domains where organization_id = ${organizationId} and domain = ${domain}`;
      return row?.status;
    };
    return { holder, claimant, domain, claim, statusOf };
  }

  test("displays connections and domains of an organization, and transfers a domain with a reason", async () => {
    const { holder, claimant, domain, claim, statusOf } = await conflict();
    await draft(claimant);
    const admin = await administrator(site, "admin");
    await stepUp(admin);
    const path = `/admin/organizations/${claimant.organizationId}?section=sso`;
    const page = (await admin.forms.get(path)).text;
    for (const text of [domain, "Okta", t.console.claimed, t.console.transferText]) expect(page).toContain(text);
    const csrf = await admin.forms.csrf("/account");
    const send = (fields: Record<string, string>) =>
      admin.forms.post(path, { csrf, step: "transfer", id: claim, reason: "The owner asked.", ...fields });
    const refused = await send({ reason: " " });
    expect([refused.status, refused.text.includes(`id="reason-${claim}-error"`)]).toEqual([400, true]);
    expect((await send({ id: crypto.randomUUID() })).status).toBe(404);
    expect([await statusOf(holder), await statusOf(claimant)]).toEqual(["verified", "pending"]);
    expect(redirectOf(await send({}))[1]).toBe("transferred");
    expect([await statusOf(holder), await statusOf(claimant)]).toEqual(["lost", "verified"]);
    expect((await send({})).status).toBe(409);
  });

  test("offers the transfer to no viewer, and refuses the form of an administrator without a step-up", async () => {
    const { claimant, claim, statusOf } = await conflict();
    const path = `/admin/organizations/${claimant.organizationId}?section=sso`;
    for (const role of ["viewer", "admin"] as const) {
      const { forms } = await administrator(site, role);
      expect([role, (await forms.get(path)).text.includes('value="transfer"')]).toEqual([role, role === "admin"]);
      const csrf = await forms.csrf("/account");
      const sent = await forms.post(path, { csrf, step: "transfer", id: claim, reason: "The owner asked." });
      expect([role, sent.status]).toEqual([role, role === "viewer" ? 403 : 303]);
    }
    expect(await statusOf(claimant)).toBe("pending");
  });
});

describe("the company accounts of members", () => {
  test("are listed for administrators, unlinked and reset after a confirmation, and in the console", async () => {
    const host = await owner();
    const { id: connectionId } = await draft(host);
    const { title, origins, unlinkMemberText, resetText } = texts.companyAccounts;
    expect(await host.show(PLACE)).toContain(texts.companyAccounts.noMembers);
    await link(connectionId, host.userId);
    const [identity] = await site.sql`select id from sso_identities where connection_id = ${connectionId}`;
    const id = String(identity?.id);
    const page = mainOf(await host.show(PLACE));
    for (const text of [title, host.email, "ada", origins.domain]) expect(page).toContain(text);
    const console = await administrator(site, "viewer");
    const path = `/admin/organizations/${host.organizationId}?section=sso`;
    const displayed = mainOf((await console.forms.get(path)).text);
    expect([displayed.includes(host.email), displayed.includes("unlink-account")]).toEqual([true, false]);
    await site.sql`
      insert into organization_factors
        (organization_id, user_id, sealed_secret, confirmed_at, recovery_codes, created_at)
      values (${host.organizationId}, ${host.userId}, '', now(), '{}', now())`;
    expect(await host.show(`${CONFIRM}?step=reset-factor&id=${host.userId}`)).toContain(resetText);
    expect(redirectOf(await host.send(PLACE, { step: "reset-factor", id: host.userId }))).toEqual([
      PLACE,
      "factorReset",
    ]);
    expect(await site.sql`select 1 from organization_factors where user_id = ${host.userId}`).toHaveLength(0);
    expect(await host.show(`${CONFIRM}?step=unlink-account&id=${id}`)).toContain(unlinkMemberText);
    const stranger = await owner();
    expect((await stranger.send(PLACE, { step: "unlink-account", id })).status).toBe(404);
    expect(redirectOf(await host.send(PLACE, { step: "unlink-account", id }))).toEqual([PLACE, "unlinked"]);
    expect(await site.sql`select 1 from sso_identities where id = ${id}`).toHaveLength(0);
  });
});

describe("a company account", () => {
  test("is displayed to its user, and unlinked after a confirmation; an administrator needs a step-up", async () => {
    const [host, foreign] = [await owner(), await owner()];
    const { id: connectionId } = await draft(host);
    await link(connectionId, host.userId);
    const [identity] = await site.sql`select id from sso_identities where connection_id = ${connectionId}`;
    const id = String(identity?.id);
    const question = `/account/security/confirm?step=unlink-company&id=${id}`;
    expect(await host.show("/account/security")).toContain(texts.companyAccounts.title);
    expect(await foreign.show("/account/security")).not.toContain(texts.companyAccounts.title);
    expect((await foreign.forms.get(question)).status).toBe(404);
    expect((await foreign.send("/account/security", { step: "unlink-company", id })).status).toBe(404);
    expect(await host.show(question)).toContain(texts.companyAccounts.unlinkText);
    const { client } = await signedIn(site.origin, host.email);
    const late = await signedInForms(site.origin, client.jar);
    const asked = await late.send("/account/security", { step: "unlink-company", id });
    expect(redirectOf(asked)[0]).toStartWith("/step-up?");
    expect(await site.sql`select 1 from sso_identities where id = ${id}`).toHaveLength(1);
    const unlinked = await host.send("/account/security", { step: "unlink-company", id });
    expect(redirectOf(unlinked)).toEqual(["/account/security", "company_unlinked"]);
    expect(await site.sql`select 1 from sso_identities where id = ${id}`).toHaveLength(0);
  });

  test("is linked by an owner after a form with subject and address; a failed link names the next step", async () => {
    const { at, forged } = await ssoDeployment();
    forged.provider.reset();
    const made = await company(at, crypto.randomUUID(), forged.provider.url);
    await announceConnections(at);
    const { forms, send } = await signedInForms(at.one.url, made.owner.jar);
    const show = async (path: string) => mainOf((await forms.get(path)).text);
    const security = "/account/security";
    await until("the replica knows the connection", async () => (await show(security)).includes(made.connectionId));
    forged.provider.claims = { sub: "the <owner>", email: "owner@elsewhere.test" };
    const follow = async () => {
      const begun = await send(security, { step: "link-company", id: made.connectionId });
      const url = (begun.headers.get("refresh") ?? "").replace("0; url=", "");
      const callback = await Object.assign(new SsoBrowser(at.one.url), { client: made.owner }).visit(url);
      return (await made.owner.get(callback.pathname + callback.search)).headers.get("location") ?? "";
    };
    const question = await follow();
    expect(question).toStartWith("/account/security/company-account?link=");
    const displayed = await show(question);
    for (const text of ["the &lt;owner>", "owner@elsewhere.test", texts.companyAccounts.linkTitle])
      expect(displayed).toContain(text);
    const link = new URL(question, at.one.url).searchParams.get("link") ?? "";
    const sent = await send("/account/security/company-account", { link, return_to: security });
    expect(redirectOf(sent)).toEqual([security, "company_linked"]);
    const identities = await at.sql`select linked_by from sso_identities where connection_id = ${made.connectionId}`;
    expect(identities).toEqual([{ linked_by: "user" }] as never);
    expect(await show(security)).not.toContain('value="link-company"');
    const failed = await show("/account/security/company-account?error=conflict&request_id=nothing");
    expect(failed).toContain(texts.companyAccounts.linkTaken);
    expect((await forms.get("/account/security/company-account?link=nothing")).status).toBe(404);
  });

  test("is named to its identity provider by the typed address, and to no other", async () => {
    const { at, acme, forged } = await ssoDeployment();
    forged.provider.reset();
    const visitor = new FormClient(at.one.url);
    const email = `ada@${forged.domain}`;
    const { text } = await visitor.post("/sign-in", { email, return_to: "/team" });
    expect(text).toContain(`/v1/auth/sso/${forged.connectionId}/start`);
    const hintAt = async (connectionId: string) => {
      const { headers } = await visitor.client.get(`/v1/auth/sso/${connectionId}/start?login_hint=eve%40acme.test`);
      return new URL(headers.get("location") ?? "").searchParams.get("login_hint");
    };
    expect([await hintAt(forged.connectionId), await hintAt(acme.connectionId)]).toEqual([email, null]);
  });

  test("steps its session up at the identity provider, or the page names the setting", async () => {
    const { at, forged } = await ssoDeployment();
    forged.provider.reset();
    const made = await company(at, crypto.randomUUID(), forged.provider.url, { mfa_trust: ["mfa"] });
    await announceConnections(at);
    await until("the replica knows the connection", async () => {
      const path = `/v1/auth/sso/${made.connectionId}/start`;
      return (await fetch(`${at.one.url}${path}`, { redirect: "manual" })).status === 302;
    });
    const claims = { sub: "an employee", email: `employee@${made.domain}` };
    forged.provider.claims = claims;
    const browser = new SsoBrowser(at.one.url);
    await browser.enter(made.connectionId);
    const { forms, send } = await signedInForms(at.one.url, browser.client.jar);
    const show = async (path: string) => mainOf((await forms.get(path)).text);
    const page = "/step-up?return_to=%2Fteam";
    expect(await show(page)).toContain(texts.companyAccounts.stepUpLead);
    const begun = await send(page, { csrf: await forms.csrf(page), step: "company" });
    forged.provider.claims = { ...claims, amr: ["mfa"], auth_time: Math.floor(Date.now() / 1000) };
    const callback = await browser.visit((begun.headers.get("refresh") ?? "").replace("0; url=", ""));
    const finished = await browser.client.get(callback.pathname + callback.search);
    expect(finished.headers.get("location")).toBe("/team");
    expect((await browser.client.get("/v1/auth/session")).body.session.aal).toBe("aal2");
    expect(await show(`${page}&error=authentication_required`)).toContain(texts.companyAccounts.stepUpFailed);
    await at.sql`
      update sso_connections set config = config || '{"mfa_trust": "never"}', revision = revision + 1
      where id = ${made.connectionId}`;
    await announceConnections(at);
    await until("the page names the setting", async () => (await show(page)).includes("mfa_trust"));
    expect(await show(page)).not.toContain('value="company"');
  });

  test("has attributes, which administrators read in the list of members", async () => {
    const host = await owner();
    await site.sql`
      update members set attributes = '{"department": "<b>Research"}'::jsonb where user_id = ${host.userId}`;
    expect(await host.show("/team")).toContain("department: &lt;b>Research");
  });
});

describe("set-up links", () => {
  const s = texts.ssoSetup;

  /** The URL that the page displays once. */
  const urlIn = (page: string) => /<code id="setup-link">([^<]+)<\/code>/.exec(page)?.[1] ?? "";

  test("are created with a task, listed and revoked on the page; the URL is displayed once", async () => {
    const host = await owner();
    const refused = await host.send(PLACE, { step: "create-link", email: "it@acme.test", hours: "72" });
    expect([refused.status, refused.text.includes(s.badTasks)]).toEqual([400, true]);
    const bad = await host.send(PLACE, { step: "create-link", domains: "yes", email: "nobody", hours: "400" });
    expect([bad.status, bad.text.includes('value="nobody"')]).toEqual([400, true]);
    const created = await host.send(PLACE, { step: "create-link", domains: "yes", hours: "72" });
    const url = urlIn(created.text);
    expect(url).toStartWith(`${site.origin}/setup?token=`);
    const listed = await host.show(PLACE);
    expect([listed.includes(s.tasks.domains), listed.includes(url)]).toEqual([true, false]);
    const [row] = await site.sql`select id from sso_setup_links where organization_id = ${host.organizationId}`;
    expect(await host.show(`${CONFIRM}?step=revoke-link&id=${row?.id}`)).toContain(s.revokeTitle);
    const revoked = await host.send(PLACE, { step: "revoke-link", id: row?.id });
    expect(redirectOf(revoked)).toEqual([PLACE, "revoked"]);
    expect(await host.show(PLACE)).toContain(s.statuses.revoked);
  });

  test("lead without an account and without scripts to the tasks, in the language of the browser", async () => {
    const host = await owner();
    const tasks = { domains: "yes", connection: "yes", directory: "yes" };
    const created = await host.send(PLACE, { step: "create-link", ...tasks, hours: "1" });
    const { search } = new URL(urlIn(created.text));
    const guest = new FormClient(site.origin);
    const german = { "accept-language": "de" };
    await guest.get(`/setup${search}`);
    expect((await guest.get("/setup", german)).text).toContain("Sie brauchen kein Konto.");
    const invitation = mainOf((await guest.get("/setup")).text);
    for (const text of Object.values(s.tasks)) expect(invitation).toContain(text);
    const field = /name="link" value="([^"]+)"/.exec(invitation)?.[1] ?? "";
    expect((await guest.post("/setup", { step: "begin", link: field })).status).toBe(303);
    expect(mainOf((await guest.get("/setup")).text)).toContain(s.states.open);
    const choice = mainOf((await guest.get("/setup/connection")).text);
    for (const preset of PRESET_KEYS) expect(choice).toContain(`value="${preset}"`);
    expect((await guest.post("/setup/connection", { preset: "okta", protocol: "saml" })).status).toBe(303);
    const page = mainOf((await guest.get("/setup/connection")).text);
    for (const text of ["acs_url", "sp_entity_id", "data-copies", "<svg"]) expect(page).toContain(text);
    for (const step of ["activate", "deactivate", "delete", "add-key", "assign"]) {
      expect([step, page.includes(`value="${step}"`)]).toEqual([step, false]);
      expect([step, (await guest.post("/setup/connection", { step })).status]).toEqual([step, 404]);
    }
    const metadata = metadataText();
    const preview = await guest.post("/setup/connection", { step: "preview-metadata", metadata_xml: metadata });
    expect([preview.status, preview.text.includes(SSO_URL)]).toEqual([200, true]);
    const long = `${metadata}<!--${"x".repeat(20_000)}-->`;
    const applied = await guest.post("/setup/connection", { step: "apply-metadata", metadata_xml: long });
    expect(redirectOf(applied)).toEqual(["/setup/connection", "imported"]);
    const uploaded = await uploadTo(
      guest,
      "/setup/connection/metadata",
      metadataText({ entityId: "https://b.example" }),
    );
    expect([uploaded.status, uploaded.text.includes("https://b.example")]).toEqual([200, true]);
    const anonymous = new FormClient(site.origin);
    expect((await uploadTo(anonymous, "/setup/connection/metadata", metadata)).status).toBe(401);
    expect((await anonymous.post("/setup/connection", { step: "apply-metadata", metadata_xml: long })).status).toBe(
      400,
    );
    expect((await guest.get("/setup/directory")).text).toContain(s.createToken);
    expect((await guest.get("/setup/domains", german)).text).toContain("Domain hinzufügen");
    const finished = await guest.post("/setup", { step: "finish" });
    expect(finished.status).toBe(303);
    expect((await guest.get("/setup")).text).toContain(s.finishedTitle);
    expect((await guest.get("/setup")).status).toBe(401);
    const [record] = await site.sql`
      select actor_id from audit_logs where organization_id = ${host.organizationId} and actor_type = 'setup_link'`;
    const actor = `${texts.events.targetNames.setup_link} ${String(record?.actor_id).slice(-6)}`;
    expect(await host.show("/team/audit")).toContain(`title="${actor}"`);
  });
});
