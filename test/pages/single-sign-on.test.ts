/** The page of the domains of an organization (G143). */
import { beforeAll, expect, test } from "bun:test";
import { registered } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { signedInForms } from "../support/pages.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

test("the page adds, checks and removes a domain without scripts, after a step-up", async () => {
  const host = await registered(at.one.url);
  await at.sql`update sessions set aal = 'aal2', mfa_verified_at = now() where user_id = ${host.userId}`;
  const domain = "company-of-the-page.test";
  const path = "/team/single-sign-on";
  const { forms, send } = await signedInForms(at.one.url, host.client.jar);
  const refused = await send(path, { step: "add", domain: "gmail.com" });
  expect([refused.status, refused.text.includes('id="domain-error"')]).toEqual([400, true]);
  expect((await send(path, { step: "add", domain })).status).toBe(303);
  const [row] = await at.sql`select id, token from organization_domains where domain = ${domain}`;
  const value = `service-domain-verification=${row?.token}`;
  const listed = (await forms.get(path)).text;
  for (const text of [domain, "Not verified", `_service-domain.${domain}`, value]) expect(listed).toContain(text);
  at.dns.setTxt(`_service-domain.${domain}`, "service-domain-verification=<b>typo");
  const wrong = (await send(path, { step: "check", id: row?.id })).text;
  expect(wrong).toContain("service-domain-verification=&lt;b>typo");
  at.dns.setTxt(`_service-domain.${domain}`, value);
  expect((await send(path, { step: "check", id: row?.id })).text).toContain("The domain is verified.");
  const question = (await forms.get(`/team/single-sign-on/confirm?step=remove&id=${row?.id}`)).text;
  expect(question).toContain(`Remove ${domain}?`);
  expect((await send(path, { step: "remove", id: row?.id })).status).toBe(303);
  expect((await forms.get(path)).text).not.toContain(domain);
});
