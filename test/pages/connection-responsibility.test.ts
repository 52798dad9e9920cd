/** The confirmations that make a user responsible for a connection, in Chromium (docs/contract.md, section 29.6). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { TEXTS } from "../../src/pages/texts/catalogue.ts";
import { mainOf, type PageSite, Readers, signedInForms, startSite } from "../support/pages.ts";
import { assignRoles, createdRole } from "../support/roles.ts";
import { company, setPolicy, ssoSettings } from "../support/sso.ts";
import { moveSessions } from "../support/states.ts";
import { memberWith, stepUpSessions } from "../support/team.ts";

const { customRoles, roles, ssoConnections: t } = TEXTS.en;
const WIDTHS = [1280, 360] as const;

let site: PageSite;
const readers = new Readers(() => site);
beforeAll(async () => {
  site = await startSite(ssoSettings());
});
afterAll(async () => {
  await readers.close();
  await site.sql.end();
});

/** A company with a connection: an owner, two admins, and a member who reads the audit trail. */
async function acme() {
  const host = await company(site, randomUUID(), "https://idp.example.test");
  const { organizationId, ownerId, owner, connectionId } = host;
  const named = async (userId: string, name: string) => {
    await site.sql`update users set display_name = ${name} where id = ${userId}`;
    await moveSessions(site.sql, userId, organizationId);
  };
  const [ada, bob, eve] = [
    await memberWith(site, organizationId, "admin"),
    await memberWith(site, organizationId, "admin"),
    await memberWith(site, organizationId, "member"),
  ];
  await stepUpSessions(site.sql, ownerId);
  await named(ownerId, "Olga Owner");
  for (const [person, name] of [
    [ada, "Ada Admin"],
    [bob, "Bob Admin"],
    [eve, "Eve Reader"],
  ] as const)
    await named(person.userId, name);
  const caller = { client: owner, userId: ownerId, organizationId };
  const role = await createdRole(caller, ["audit.read", "policies.manage"]);
  expect((await assignRoles(caller, organizationId, eve.userId, [role.id])).status).toBe(200);
  const activatedBy = (userId: string | null, status = "active") =>
    site.sql`update sso_connections set status = ${status}, activated_by = ${userId} where id = ${connectionId}`;
  const stored = async () =>
    (await site.sql`select status, activated_by from sso_connections where id = ${connectionId}`)[0];
  return { ...host, ada, bob, eve, role, activatedBy, stored, item: `/team/single-sign-on/${connectionId}` };
}

const OWNER = `Olga Owner · ${roles.owner}`;
const ADMINS = [`Ada Admin · ${roles.admin}`, `Bob Admin · ${roles.admin}`];
const READER = `Eve Reader · ${customRoles.names["audit.read"]}, ${customRoles.names["policies.manage"]}`;

describe.each([
  ["with scripts", true],
  ["without scripts", false],
] as const)("an administrator %s", (_, javaScriptEnabled) => {
  test("takes a connection over after the list of members who gain access by it (G424).", async () => {
    const { owner, ownerId, ada, activatedBy, stored, item } = await acme();
    await activatedBy(ada.userId);
    const { forms } = await signedInForms(site.origin, owner.jar);
    for (const width of WIDTHS) {
      const reader = await readers.open({ javaScriptEnabled, viewport: { width, height: 800 } }, { forms });
      const { page } = reader;
      await page.goto(site.origin + item);
      await page.getByRole("link", { name: t.takeOver, exact: true }).click();
      const question = page.locator("[data-question]");
      await question.waitFor();
      const lists = () => question.locator("section");
      expect(await lists().count()).toBe(1);
      expect(await lists().first().locator("p").innerText()).toBe(t.differences.newlyCovered);
      expect(await lists().first().locator("li").allInnerTexts()).toEqual([OWNER, READER]);
      const overflow = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
      expect(overflow).toBeLessThanOrEqual(0);
      expect(reader.offences).toEqual([]);
      if (width === 360) {
        await question.getByRole("button", { name: t.takeOver, exact: true }).click();
        await page.getByText(t.takenOver).first().waitFor();
        expect(await page.getByRole("link", { name: t.takeOver, exact: true }).count()).toBe(0);
      } else {
        await question.getByRole("link", { name: TEXTS.en.common.cancel }).click();
        expect(await stored()).toEqual({ status: "active", activated_by: ada.userId });
      }
    }
    expect(await stored()).toEqual({ status: "active", activated_by: ownerId });
  });
});

describe("the confirmation of an activation", () => {
  test("names the members whom the user covers, does not cover, and the roles of the policy (G424).", async () => {
    const { ada, organizationId, activatedBy, stored, item } = await acme();
    await activatedBy(null, "draft");
    await setPolicy(site, organizationId, { defaultRole: "admin" });
    const { forms, send } = await signedInForms(site.origin, ada.client.jar);
    const page = (await forms.get(item)).text;
    const href = /href="([^"]+step=activate[^"]+)"/.exec(page)?.[1]?.replaceAll("&amp;", "&") ?? "none";
    const question = mainOf((await forms.get(href)).text);
    const lists = [...question.matchAll(/<section[^>]*><p[^>]*>([^<]*)<\/p>(.*?)<\/section>/gs)].map(
      ([, title = "", rows = ""]) => [title, [...rows.matchAll(/<li>([^<]*)<\/li>/g)].map(([, row]) => row)],
    );
    expect(lists).toEqual([
      [t.differences.newlyCovered, ADMINS],
      [t.differences.notCovered, [OWNER, READER]],
      [t.differences.roles, [roles.admin]],
    ]);
    const version = /name="version" value="(\d+)"/.exec(question)?.[1] ?? "none";
    expect((await send(item, { step: "activate", version })).status).toBe(303);
    expect(await stored()).toEqual({ status: "active", activated_by: ada.userId });
  });

  test("names no member to a user without permission to read the members (G424).", async () => {
    const { owner, ownerId, organizationId, eve, activatedBy, item } = await acme();
    await activatedBy(null, "draft");
    const caller = { client: owner, userId: ownerId, organizationId };
    const manager = await createdRole(caller, ["sso.manage"]);
    expect((await assignRoles(caller, organizationId, eve.userId, [manager.id])).status).toBe(200);
    const { forms } = await signedInForms(site.origin, eve.client.jar);
    const page = (await forms.get(item)).text;
    const href = /href="([^"]+step=activate[^"]+)"/.exec(page)?.[1]?.replaceAll("&amp;", "&") ?? "none";
    const question = mainOf((await forms.get(href)).text);
    expect(question).toContain(`<li>${roles.owner}</li>`);
    for (const name of ["Olga", "Ada", "Bob"]) expect(question).not.toContain(name);
  });
});
