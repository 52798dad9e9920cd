/** Pages of copies of data and of deletions, over HTTP and without scripts. */
import { beforeAll, describe, expect, test } from "bun:test";
import { newEmail, PASSWORD } from "../support/client.ts";
import { FormClient, linkTo, type PageSite, redirectOf, startSite } from "../support/pages.ts";
import { assignPlatformRole } from "../support/states.ts";

let site: PageSite;
beforeAll(async () => {
  site = await startSite();
});

async function signedInForms() {
  const forms = new FormClient(site.origin);
  const email = newEmail();
  await forms.post("/register", { email, organization_name: "Engines", password: PASSWORD });
  const [user] = await site.sql<{ id: string }[]>`select id from users where email = ${email}`;
  return { email, userId: user?.id ?? "", forms };
}

describe("leaving", () => {
  test("/account/export requests one copy a day", async () => {
    const { forms } = await signedInForms();
    const csrf = await forms.csrf("/account/export");
    expect(redirectOf(await forms.post("/account/export", { password: PASSWORD, csrf }))).toEqual([
      "/account/export",
      "requested",
    ]);
    expect((await forms.get("/account/export")).text).toContain("We're preparing your copy.");
    expect((await forms.post("/account/export", { password: PASSWORD, csrf })).status).toBe(429);
  });

  test("/account/delete needs address and password, and /cancel-deletion acts by POST alone", async () => {
    const { email, forms } = await signedInForms();
    const page = await forms.get("/account/delete");
    expect(page.text).toContain("After 14 days");
    expect(page.text).toMatch(/data-cancel[^>]*>Cancel<\/a><button class="button loss"/);
    const csrf = await forms.csrf("/account/delete");
    const remove = { step: "delete", email, password: PASSWORD, csrf };
    expect((await forms.post("/account/delete", { ...remove, email: "other@example.com" })).status).toBe(400);
    expect((await forms.post("/account/delete", { ...remove, password: "wrong" })).status).toBe(401);
    expect(redirectOf(await forms.post("/account/delete", remove))).toEqual(["/sign-in", "account_deleted"]);
    const anonymous = new FormClient(site.origin);
    await anonymous.get(await linkTo(site, email, "/cancel-deletion"));
    expect((await anonymous.get("/cancel-deletion")).text).toContain("Keep my account");
    const [pending] = await site.sql`select disabled_at from users where email = ${email}`;
    expect(pending?.disabled_at).not.toBeNull();
    expect(redirectOf(await anonymous.post("/cancel-deletion", {}))).toEqual(["/cancel-deletion", "user"]);
    expect((await anonymous.get("/cancel-deletion")).text).toContain("Your account remains");
    expect((await anonymous.post("/cancel-deletion", {})).status).toBe(401);
  });

  test("/team/delete needs the typed slug; /admin/deletions cancels what /admin/deletions/new requested", async () => {
    const { forms, userId } = await signedInForms();
    const csrf = await forms.csrf("/team/delete");
    const refused = await forms.post("/team/delete", { slug: "other-organization", password: PASSWORD, csrf });
    expect([refused.status, refused.text.includes("This isn't the slug")]).toEqual([400, true]);
    const admin = await signedInForms();
    await assignPlatformRole(site.sql, admin.userId, "admin");
    await site.sql`update sessions set aal = 'aal2' where user_id = ${admin.userId}`;
    const consoleForms = admin.forms;
    const path = `/admin/deletions/new?type=user&id=${userId}`;
    const token = await consoleForms.csrf(path);
    const request = { type: "user", id: userId, csrf: token };
    expect((await consoleForms.post("/admin/deletions/new", { ...request, reason: " " })).status).toBe(400);
    const asked = await consoleForms.post("/admin/deletions/new", { ...request, reason: "Request by letter" });
    expect(redirectOf(asked)).toEqual(["/admin/deletions", "requested"]);
    expect((await consoleForms.get("/admin")).text).toContain('href="/admin/deletions"');
    expect((await consoleForms.get("/admin/deletions")).text).toContain("Request by letter");
    expect(redirectOf(await consoleForms.post("/admin/deletions", request))).toEqual(["/admin/deletions", "cancelled"]);
  });
});
