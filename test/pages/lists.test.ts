/** Functions of lists: actions on selected rows (G169). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SELECTION_ROWS_MAX } from "../../src/limits/console-limits.ts";
import { newEmail } from "../support/client.ts";
import { type Administrator, administrator } from "../support/console.ts";
import { mainOf, type PageSite, Readers, redirectOf, startSite } from "../support/pages.ts";
import { insertMember, moveSessions } from "../support/states.ts";

let site: PageSite;
let admin: Administrator;
let csrf: string;
const readers = new Readers(() => site);
beforeAll(async () => {
  site = await startSite();
  admin = await administrator(site, "admin");
  csrf = await admin.forms.csrf("/account");
});
afterAll(async () => {
  await readers.close();
  await site.one.stop();
});

/** Adds users to the organization of `host`. */
async function membersOf(host: Administrator, count: number): Promise<Administrator[]> {
  const members = await Promise.all(Array.from({ length: count }, () => administrator(site, null)));
  for (const { userId } of members) {
    await insertMember(site.sql, host.organizationId, userId);
  }
  return members;
}
const idsOf = (users: readonly Administrator[]) => users.map(({ userId }) => userId);
const confirmation = (place: string, step: string, ids: readonly string[], organization?: string) => {
  const values = [...(organization ? [["organization", organization]] : []), ...ids.map((id) => ["id", id])];
  return `${place}/confirm?${new URLSearchParams([["step", step], ...values])}`;
};
const membershipsIn = async ({ organizationId }: Administrator) =>
  (await site.sql`select user_id from members where organization_id = ${organizationId}`).map((row) => row.user_id);

describe("selected rows of the team", () => {
  test("have one confirmation with the number and the names, and no effect before the confirmation", async () => {
    const host = await administrator(site, null);
    const members = await membersOf(host, 3);
    const [first, second, third] = members as [Administrator, Administrator, Administrator];
    const list = mainOf((await host.forms.get("/team")).text);
    for (const { userId } of members) expect(list).toContain(`value="${userId}" form="select-members"`);
    expect(list).not.toContain(`value="${host.userId}" form="select-members"`);

    const selected = idsOf([first, second]);
    const question = mainOf(
      (await host.forms.get(confirmation("/team", "remove-selected", selected, host.organizationId))).text,
    );
    for (const part of ["Remove 2 members?", first.email, second.email]) expect(question).toContain(part);
    expect(question).not.toContain(third.email);
    for (const id of selected) expect(question).toContain(`<input type="hidden" name="id" value="${id}"/>`);
    expect(await membershipsIn(host)).toHaveLength(4);

    const form = { step: "remove-selected", organization: host.organizationId, csrf: await host.forms.csrf("/team") };
    const removed = await host.forms.post("/team", { ...form, id: selected });
    expect(redirectOf(removed)).toEqual(["/team", "remove-selected%3A2"]);
    expect((await host.forms.get("/team")).text).toContain("2 members removed.");
    expect((await membershipsIn(host)).sort()).toEqual([host.userId, third.userId].sort());
  });

  test("of another organization, of a member without permission, and beyond the bound change nothing", async () => {
    const host = await administrator(site, null);
    const other = await administrator(site, null);
    const [member] = (await membersOf(host, 1)) as [Administrator];
    const step = "remove-selected";
    const foreign = confirmation("/team", step, [member.userId], host.organizationId);
    expect((await other.forms.get(foreign)).status).toBe(404);
    const own = { step, organization: other.organizationId, csrf: await other.forms.csrf("/team") };
    const refused = await other.forms.post("/team", { ...own, id: [member.userId] });
    expect([refused.status, mainOf(refused.text).includes(member.email)]).toEqual([404, false]);
    await moveSessions(site.sql, member.userId, host.organizationId);
    const weak = { step, organization: host.organizationId, csrf: await member.forms.csrf("/team") };
    expect((await member.forms.post("/team", { ...weak, id: [host.userId] })).status).toBe(403);
    const strong = { ...weak, csrf: await host.forms.csrf("/team") };
    const many = Array.from({ length: SELECTION_ROWS_MAX }, () => crypto.randomUUID());
    const tooMany = await host.forms.post("/team", { ...strong, id: [member.userId, ...many] });
    expect([tooMany.status, tooMany.text.includes("Select 1 to 100 rows.")]).toEqual([400, true]);
    expect((await host.forms.post("/team", strong)).status).toBe(400);
    expect(await membershipsIn(host)).toHaveLength(2);
  });

  test("with a refused row change the remaining rows, and the page names the refused row and the reason", async () => {
    const host = await administrator(site, null);
    const [member, owner] = (await membersOf(host, 2)) as [Administrator, Administrator];
    await site.sql`update members set role = 'owner' where user_id = ${owner.userId}`;
    await site.sql`
      update members set role = 'admin' where user_id = ${host.userId} and organization_id = ${host.organizationId}`;
    const form = { step: "remove-selected", organization: host.organizationId, csrf: await host.forms.csrf("/team") };
    const { status, text } = await host.forms.post("/team", { ...form, id: idsOf([owner, member]) });
    expect(status).toBe(403);
    for (const part of ["1 row is unchanged", "1 member removed.", owner.email, "Your role doesn't allow this."]) {
      expect(mainOf(text)).toContain(part);
    }
    expect(mainOf(text)).not.toContain(member.email);
    expect((await membershipsIn(host)).sort()).toEqual([host.userId, owner.userId].sort());
  });

  test("are invitations to send again or to revoke, and sessions to end", async () => {
    const host = await administrator(site, null);
    const addresses = [newEmail(), newEmail()];
    const form = { organization: host.organizationId, csrf: await host.forms.csrf("/team") };
    for (const email of addresses) await host.forms.post("/team", { ...form, step: "invite", email, role: "member" });
    const rows = await site.sql`
      select id, revoked_at from invitations where organization_id = ${host.organizationId}`;
    const ids = rows.map(({ id }) => String(id));
    for (const step of ["resend-selected", "revoke-selected"]) {
      const question = mainOf((await host.forms.get(confirmation("/team", step, ids))).text);
      for (const email of addresses) expect(question).toContain(email);
      expect(redirectOf(await host.forms.post("/team", { ...form, step, id: ids }))).toEqual(["/team", `${step}%3A2`]);
    }
    const actions = await site.sql`
      select action from audit_logs where organization_id = ${host.organizationId} and resource_type = 'invitation'`;
    const counted = (action: string) => actions.filter((row) => row.action === action).length;
    expect([counted("invitation.resent"), counted("invitation.revoked")]).toEqual([2, 2]);

    const members = await membersOf(host, 2);
    const sessions = await site.sql`
      update sessions set organization_id = ${host.organizationId} where user_id in ${site.sql(idsOf(members))}
      returning id`;
    const ended = { ...form, step: "end-selected", id: sessions.map(({ id }) => String(id)) };
    const question = mainOf((await host.forms.get(confirmation("/team", ended.step, ended.id))).text);
    expect(question).toContain("End 2 sessions?");
    expect(question).toContain('action="/team/sessions"');
    expect(redirectOf(await host.forms.post("/team/sessions", ended))).toEqual(["/team/sessions", "end-selected%3A2"]);
    const live = await site.sql`
      select 1 from sessions where user_id in ${site.sql(idsOf(members))} and revoked_at is null`;
    expect(live).toHaveLength(0);
  });
});

describe("selected rows of the console", () => {
  test("are users to disable, after typing the number; never the own account or a higher role", async () => {
    const users = await Promise.all([administrator(site, null), administrator(site, null)]);
    const above = await administrator(site, "owner");
    const list = mainOf((await admin.forms.get("/admin/users?page_size=100")).text);
    expect(list).toContain(`value="${users[0]?.userId}" form="select-users"`);
    expect(list).not.toContain(`value="${admin.userId}" form="select-users"`);
    const ids = idsOf([...users, above, admin]);
    const question = mainOf(
      (
        await admin.forms.get(
          `/admin/users/confirm?${new URLSearchParams([["step", "disable-selected"], ...ids.map((id) => ["id", id])])}`,
        )
      ).text,
    );
    for (const part of ["Disable 3 users?", 'pattern="3"', above.email]) expect(question).toContain(part);
    const { status, text } = await admin.forms.post("/admin/users", { step: "disable-selected", id: ids, csrf });
    expect(status).toBe(403);
    for (const part of ["2 rows are unchanged", "2 users disabled.", above.email]) expect(mainOf(text)).toContain(part);
    const disabled = await site.sql`select id from users where disabled_at is not null and id in ${site.sql(ids)}`;
    expect(disabled.map(({ id }) => id).sort()).toEqual(idsOf(users).sort());
    const viewer = await administrator(site, "viewer");
    const forged = { step: "disable-selected", id: ids, csrf: await viewer.forms.csrf("/account") };
    expect((await viewer.forms.post("/admin/users", forged)).status).toBe(403);
    expect(mainOf((await viewer.forms.get("/admin/users")).text)).not.toContain("select-users");
    expect((await admin.forms.post("/admin/users", { step: "remove", id: ids, csrf })).status).toBe(404);
  });

  test("are members and invitations of an organization, and sessions of a user", async () => {
    const host = await administrator(site, null);
    const members = await membersOf(host, 2);
    const path = `/admin/organizations/${host.organizationId}`;
    expect(mainOf((await admin.forms.get(`${path}?section=members`)).text)).toContain('form="select-members"');
    expect(mainOf((await admin.forms.get(confirmation(path, "remove-selected", idsOf(members)))).text)).toContain(
      "Remove 2 members?",
    );
    const removal = await admin.forms.post(path, { step: "remove-selected", id: idsOf(members), csrf });
    expect(redirectOf(removal)).toEqual([`${path}?section=members`, "remove-selected%3A2"]);
    expect((await admin.forms.get(`${path}?section=members`)).text).toContain("2 members removed.");

    await admin.forms.post(path, { step: "invite", email: newEmail(), role: "member", csrf });
    const [invitation] = await site.sql`select id from invitations where organization_id = ${host.organizationId}`;
    const revocation = await admin.forms.post(path, { step: "revoke-selected", id: String(invitation?.id), csrf });
    expect(redirectOf(revocation)).toEqual([`${path}?section=invitations`, "revoke-selected%3A1"]);

    const [session] = await site.sql`select id from sessions where user_id = ${host.userId}`;
    const [id, user] = [String(session?.id), `/admin/users/${host.userId}`];
    const question = mainOf((await admin.forms.get(confirmation(user, "end-selected", [id]))).text);
    expect(question).toContain("End 1 session?");
    const foreign = await admin.forms.post(`/admin/users/${members[0]?.userId}`, { step: "end-selected", id, csrf });
    expect(foreign.status).toBe(404);
    const ended = await admin.forms.post(user, { step: "end-selected", id, csrf });
    expect(redirectOf(ended)).toEqual([`${user}?section=sessions`, "end-selected%3A1"]);
  });

  test("are selected by keyboard without scripts; the actions are visible while a row is selected", async () => {
    await administrator(site, null);
    const reader = await readers.open({ javaScriptEnabled: false }, admin);
    await reader.open("/admin/users");
    const bar = reader.page.locator("#select-users");
    expect(await bar.isVisible()).toBe(false);
    await reader.page.locator("[data-select]").first().focus();
    await reader.page.keyboard.press("Space");
    expect(await bar.isVisible()).toBe(true);
    expect(await reader.page.locator("[data-select-all]").isVisible()).toBe(false);
    await reader.press("Sign out everywhere");
    expect(await reader.heading).toBe("Sign 1 user out everywhere?");
  });

  test("are all rows of the page by one button, with scripts", async () => {
    const reader = await readers.open({}, admin);
    await reader.open("/admin/users");
    const boxes = reader.page.locator("[data-select]");
    await boxes.first().check();
    await reader.page.locator("[data-select-all]").click();
    expect(await reader.page.locator("[data-select]:checked").count()).toBe(await boxes.count());
    expect(await reader.violations()).toEqual([]);
    await reader.page.locator("[data-select-all]").click();
    expect(await reader.page.locator("[data-select]:checked").count()).toBe(0);
    await boxes.first().check();
    expect(await reader.scrollsSideways()).toBe(false);
    await reader.press("Disable");
    expect(await reader.heading).toBe("Disable 1 user?");
    expect(await reader.violations()).toEqual([]);
    expect(await reader.scrollsSideways()).toBe(false);
    expect(reader.offences).toEqual([]);
  });
});
