/** The previews of emails in the console, and the test to the administrator. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { EMAIL_KINDS } from "../../src/flows/email/preview-email.ts";
import { type Administrator, administrator } from "../support/console.ts";
import { mainOf, type PageSite, Reader, redirectOf, startSite } from "../support/pages.ts";
import { eventually } from "../support/waiting.ts";

const EMAILS = "/admin/emails";
const ADMIN_COUNT = 4;
let site: PageSite;
let viewer: Administrator;
let admin: Administrator;
beforeAll(async () => {
  site = await startSite({ SERVICE_RATE_LIMITS: "on", SERVICE_RATE_LIMIT_MAIL: `${ADMIN_COUNT}/900` });
  [viewer, admin] = await Promise.all([administrator(site, "viewer"), administrator(site, "admin")]);
});
afterAll(() => site.one.stop());

const send = async ({ forms }: Administrator, path: string) =>
  await forms.post(path, { step: "test", csrf: await forms.csrf("/account") });
const isTestTo = ({ userId }: Administrator) => site.sql`
  select metadata, actor_id from audit_logs where action = 'email.tested' and resource_id = ${userId}`;

describe("a preview", () => {
  test("exists for every kind of email in every language, for a viewer too, and for no ordinary user", async () => {
    const list = (await viewer.forms.get(EMAILS)).text;
    for (const kind of EMAIL_KINDS) {
      expect(list).toContain(`href="${EMAILS}/${kind}"`);
      for (const language of ["en", "de"]) {
        const page = await viewer.forms.get(`${EMAILS}/${kind}?language=${language}`);
        expect([kind, language, page.status]).toEqual([kind, language, 200]);
        expect(page.text).toContain(`src="${EMAILS}/${kind}/html?language=${language}"`);
        expect(mainOf(page.text)).not.toContain('name="step"');
      }
    }
    const invitation = (await viewer.forms.get(`${EMAILS}/invitation?language=de`)).text;
    expect(invitation).toContain('lang="de"');
    expect(invitation).toContain("Example Organization");
    const person = await administrator(site, null);
    for (const path of [EMAILS, `${EMAILS}/invitation`, `${EMAILS}/invitation/html`]) {
      expect([path, (await person.forms.get(path)).status]).toEqual([path, 403]);
    }
    for (const path of ["/admin/emails/constructor", "/admin/emails/nothing/html"]) {
      expect([path, (await viewer.forms.get(path)).status]).toEqual([path, 404]);
    }
  });

  test("has the brand of the chosen organization, else the brand of the deployment", async () => {
    const [organization] = await site.sql`select id, name from organizations order by id limit 1`;
    const id = String(organization?.id);
    await site.sql`
      insert into brands (id, organization_id, accent, created_at, updated_at)
      values (${id}, ${id}, '#0f766e', now(), now())`;
    const path = `${EMAILS}/invitation?language=en&brand=organization%3A${id}`;
    const page = await viewer.forms.get(path);
    expect(page.text).toContain(`<option value="organization:${id}" selected`);
    expect(page.text).toContain(`src="${EMAILS}/invitation/html?language=en&amp;brand=organization%3A${id}"`);
    const mark = async (brand: string) => {
      const { text } = await viewer.forms.get(`${EMAILS}/invitation/html?language=en&brand=${brand}`);
      return /<p class="logo">(.*)<\/p>/.exec(text)?.[1];
    };
    const displays = async () => (await mark(`organization%3A${id}`)) === organization?.name;
    await eventually("the replica knows the brand", 10_000, displays);
    for (const brand of ["", "organization", `application%3A${id}`, `constructor%3A${id}`, "organization%3Aabc"]) {
      expect([brand, await mark(brand)]).not.toEqual([brand, organization?.name]);
    }
    const reader = await administrator(site, "admin");
    expect(redirectOf(await send(reader, path))).toEqual([path, "test"]);
    const [mail] = await site.mail.mailsTo(reader.email, new RegExp(`^${organization?.name}$`, "m"));
    expect(mail?.text).toContain("Provided by");
  });

  test("finds a brand by a part of its name, keeps the chosen brand, and is the brand of the list too", async () => {
    const [first, second] = await site.sql`select id, name from organizations order by id limit 2`;
    const keys = [first, second].map((each) => `organization:${each?.id}`);
    await site.sql`
      insert into brands (id, organization_id, accent, created_at, updated_at)
      select id, id, '#0f766e', now(), now() from organizations
      where id in ${site.sql([first?.id, second?.id])} on conflict do nothing`;
    await site.sql`update organizations set name = '100% Fine' where id = ${second?.id}`;
    const offered = async (query: string) => {
      const { text } = await viewer.forms.get(`${EMAILS}${query}`);
      return [...text.matchAll(/<option value="(organization:[^"]+)"/g)].map(([, key]) => key);
    };
    expect(new Set(await offered(""))).toEqual(new Set(keys));
    expect(await offered("?q=0%25%20f")).toEqual([keys[1]]);
    expect(await offered("?q=%25%25")).toEqual([]);
    expect(await offered(`?q=fine&brand=${keys[0]}`)).toEqual(keys);
    const { text } = await viewer.forms.get(`${EMAILS}?brand=${keys[0]}`);
    expect(text).toContain(`href="${EMAILS}/invitation?brand=organization%3A${first?.id}"`);
  });

  test("has a frame for this origin alone, in which nothing runs, and the page permits no further frame", async () => {
    const page = await viewer.forms.get(`${EMAILS}/email_code`);
    expect(page.headers.get("content-security-policy")).toEndWith("frame-ancestors 'none'; frame-src 'self'");
    const html = await viewer.forms.get(`${EMAILS}/email_code/html`);
    const policy = html.headers.get("content-security-policy") ?? "";
    expect(policy.split("; ")).toContain("sandbox");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'self'");
    expect(html.headers.get("x-frame-options")).toBe("SAMEORIGIN");
  });

  test("is displayed in Chromium beside the text, without a violation of a policy and of WCAG", async () => {
    const reader = await Reader.at(site.origin);
    await reader.become(admin.forms);
    await reader.open(`${EMAILS}/invitation`);
    const frame = reader.page.frameLocator("iframe");
    expect(await frame.locator("body").innerText()).toContain("Example Organization");
    expect(await reader.violations()).toEqual([]);
    expect(await reader.scrollsSideways()).toBe(false);
    await reader.press("German");
    expect(await reader.page.locator("pre").getAttribute("lang")).toBe("de");
    expect(reader.offences).toEqual([]);
    await reader.close();
  });
});

describe("a test", () => {
  test("goes to the address of the administrator, in the chosen language, with an audit record", async () => {
    const path = `${EMAILS}/invitation?language=de`;
    expect(redirectOf(await send(admin, path))).toEqual([path, "test"]);
    const [mail] = await site.mail.mailsTo(admin.email, /Example Organization/);
    expect(mail?.text).toContain("Ada Lovelace");
    expect(mail?.html).toContain('lang="de"');
    const [entry] = await isTestTo(admin);
    expect(entry?.metadata).toEqual({ kind: "invitation", language: "de" });
    expect(entry?.actor_id).toBe(admin.userId);
  });

  test("is refused for a viewer and for an address without confirmation, and sends nothing", async () => {
    expect((await send(viewer, `${EMAILS}/invitation`)).status).toBe(403);
    const person = await administrator(site, "admin");
    await site.sql`update users set controlled_at = null where id = ${person.userId}`;
    const refused = await send(person, `${EMAILS}/invitation`);
    expect([refused.status, refused.text.includes("only to confirmed addresses")]).toEqual([409, true]);
    expect((await send(admin, `${EMAILS}/constructor`)).status).toBe(404);
    expect([...(await isTestTo(viewer)), ...(await isTestTo(person))]).toEqual([]);
  });

  test("has the limits of emails, and delays no notice of the same kind", async () => {
    const person = await administrator(site, "admin");
    const statuses: number[] = [];
    for (let sent = 0; sent <= ADMIN_COUNT; sent += 1) {
      statuses.push((await send(person, `${EMAILS}/password_changed`)).status);
    }
    expect(statuses.at(0)).toBe(303);
    expect(statuses.at(-1)).toBe(429);
    const counted = await site.sql`select count(*)::int as count from email_log where kind = 'password_changed'`;
    expect(counted[0]?.count).toBe(0);
    expect((await isTestTo(person)).length).toBe(statuses.filter((status) => status === 303).length);
  });
});
