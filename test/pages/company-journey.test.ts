/** Journeys of an employee in Chromium, with a real OpenID provider as identity provider (G158, G171, G205). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { testCertificate } from "../support/certificate.ts";
import { OpenidProvider } from "../support/identity/openid-provider.ts";
import { codeOf } from "../support/mfa.ts";
import { type PageSite, type Reader, Readers, signedInForms, startSite } from "../support/pages.ts";
import { type Company, clientOf, company, setPolicy, ssoSettings } from "../support/sso.ts";
import { moveSessions } from "../support/states.ts";
import { memberWith } from "../support/team.ts";
import { until } from "../support/waiting.ts";

let site: PageSite;
let provider: OpenidProvider;
let acme: Company;
const readers = new Readers(() => site);

beforeAll(async () => {
  site = await startSite(ssoSettings());
  const connectionId = randomUUID();
  provider = await OpenidProvider.start([clientOf(connectionId, site.origin)], undefined, testCertificate());
  acme = await company(site, connectionId, provider.issuer, { mfa_trust: ["urn:example:mfa"] });
  await until("the replica knows the connection", async () => {
    const started = await fetch(`${site.origin}/v1/auth/sso/${connectionId}/start`, { redirect: "manual" });
    return started.status === 302;
  });
});
afterAll(async () => {
  await readers.close();
  await site.sql.end();
});

const MODES = [
  ["with scripts", true],
  ["without scripts", false],
] as const;
let employees = 0;

/** An employee at a browser, with an account at the identity provider. */
async function employee(javaScriptEnabled: boolean) {
  employees += 1;
  const email = `employee-${employees}@${acme.domain}`;
  provider.people.set(email, { email, email_verified: true, name: "Ada" });
  const reader = await readers.open({ javaScriptEnabled, ignoreHTTPSErrors: true });
  return { ...reader, reader, email, page: reader.page };
}

/** Signs in at the login page of the identity provider, and consents. */
async function signInAtProvider({ page }: Pick<Reader, "page">, login: string): Promise<void> {
  await page.waitForURL((url) => url.origin === provider.issuer);
  await page.fill("input[name=login]", login);
  await page.fill("input[name=password]", "any password");
  await page.click("button[type=submit]");
  await page.waitForURL((url) => url.origin !== provider.issuer || url.pathname.startsWith("/interaction/"));
  if (new URL(page.url()).origin === provider.issuer) await page.click("button[type=submit]");
}

const arrives = (reader: Reader, path: string) =>
  reader.page.waitForURL((url) => url.origin === site.origin && url.pathname === path);
/** Events on pages of this service that must never happen; pages of the identity provider load their own files. */
const offences = ({ offences: all }: Reader) => all.filter((each) => !each.startsWith("request to"));
const slug = async () => {
  const [row] = await site.sql`select slug from organizations where id = ${acme.organizationId}`;
  return String(row?.slug);
};

describe.each(MODES)("an employee %s", (_, javaScriptEnabled) => {
  test("signs in by the address at /sign-in, and returns to the team of the company.", async () => {
    const { reader, page, email } = await employee(javaScriptEnabled);
    await reader.page.goto(`${site.origin}/sign-in?return_to=%2Fteam`);
    await page.fill("input[name=email]", email);
    await page.keyboard.press("Enter");
    await page.click("a[href*='/v1/auth/sso/']");
    await signInAtProvider(reader, email);
    await arrives(reader, "/team");
    const [session] = await site.sql`
      select s.organization_bound, s.auth_method from sessions s join users u on u.id = s.user_id
      where u.email = ${email}`;
    expect(session).toEqual({ organization_bound: true, auth_method: "sso" });
    expect(offences(reader)).toEqual([]);
  });

  test("signs in at /sso/:slug, sets the factor of the company up and continues.", async () => {
    const { reader, page, email } = await employee(javaScriptEnabled);
    await setPolicy(site, acme.organizationId, { requireOwnFactor: true });
    await page.goto(`${site.origin}/sso/${await slug()}?return_to=%2Fteam`);
    await signInAtProvider(reader, email);
    await arrives(reader, "/step-up");
    await page.click("button[value=begin]");
    const secret = (await page.innerText("#secret")).replace(/\s/g, "");
    await page.fill("input[name=code]", codeOf(secret));
    await page.click("button[value=enable]");
    await page.waitForSelector("a.primary[href='/team']");
    await page.click("a.primary[href='/team']");
    await arrives(reader, "/team");
    expect(offences(reader)).toEqual([]);
    await setPolicy(site, acme.organizationId, {});
  });

  test("links a company account with another address after a confirmation, in the own session.", async () => {
    const member = await memberWith(site, acme.organizationId, "owner");
    await moveSessions(site.sql, member.userId, acme.organizationId);
    const login = `private-${randomUUID()}`;
    provider.people.set(login, { email: `${login}@elsewhere.test`, email_verified: true });
    const { forms } = await signedInForms(site.origin, member.client.jar);
    const reader = await readers.open({ javaScriptEnabled, ignoreHTTPSErrors: true }, { forms });
    await reader.page.goto(`${site.origin}/account/security`);
    await reader.page.click("button[value=link-company]");
    await signInAtProvider(reader, login);
    await arrives(reader, "/account/security/company-account");
    expect(await reader.page.textContent("main")).toContain(`${login}@elsewhere.test`);
    await reader.page.click("main form button.primary");
    await arrives(reader, "/account/security");
    const linked = await site.sql`select linked_by from sso_identities where user_id = ${member.userId}`;
    expect([linked.map((row) => row.linked_by), offences(reader)]).toEqual([["user"], []]);
  });

  test("is sent to the identity provider for a step-up, and back without a trusted factor.", async () => {
    const { reader, page, email } = await employee(javaScriptEnabled);
    await page.goto(`${site.origin}/sso/${await slug()}?return_to=%2Fteam`);
    await signInAtProvider(reader, email);
    await arrives(reader, "/team");
    await page.goto(`${site.origin}/step-up?return_to=%2Fteam`);
    await page.click("main form button.primary");
    await signInAtProvider(reader, email);
    await arrives(reader, "/step-up");
    expect(new URL(page.url()).searchParams.get("error")).toBe("authentication_required");
    expect(offences(reader)).toEqual([]);
  });
});
