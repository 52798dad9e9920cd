/** The page of a ticket, `/sign-in/ticket` (docs/contract.md, section 36.6; docs/pages.md). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { registered } from "../support/client.ts";
import { FormClient, mainOf, type PageSite, startSite, textOf } from "../support/pages.ts";
import { type Program, program } from "../support/programs.ts";

const PATH = "/sign-in/ticket";
let site: PageSite;
let robot: Program;
beforeAll(async () => {
  site = await startSite();
  robot = await program(site, ["users.credentials"]);
});
afterAll(() => site.one.stop());

async function ticketFor(userId: string, fields: Record<string, unknown> = {}): Promise<string> {
  const issued = await robot.post(`/v1/admin/users/${userId}/tickets`, { purpose: "sign_in", ...fields });
  if (issued.status !== 201) throw new Error(`the ticket was answered ${issued.status}: ${issued.text}`);
  return new URL(issued.body.url).searchParams.get("token") ?? "";
}

describe("The page of a ticket (G533)", () => {
  test("takes the token out of the address, names the account in part, and signs in by a button", async () => {
    const { userId, email } = await registered(site.origin);
    const token = await ticketFor(userId, { redirect_to: "/account/security" });
    const forms = new FormClient(site.origin);
    const taken = await forms.get(`${PATH}?token=${token}`);
    expect([taken.status, taken.headers.get("location")]).toEqual([303, PATH]);
    for (let look = 0; look < 3; look += 1) {
      const page = await forms.get(PATH);
      expect(page.status).toBe(200);
      expect(textOf(page.text)).toContain(`Sign in as ${email[0]}***@example.test?`);
      expect(page.text).not.toContain(email);
      expect(mainOf(page.text)).not.toContain(token);
    }
    const done = await forms.post(PATH, {});
    expect([done.status, done.headers.get("location")]).toEqual([303, "/account/security"]);
    expect((await forms.get("/account/security")).status).toBe(200);
  });

  test("of a used or unknown ticket says where to get another, and signs no one in", async () => {
    const { userId } = await registered(site.origin);
    const token = await ticketFor(userId);
    const first = new FormClient(site.origin);
    await first.get(`${PATH}?token=${token}`);
    expect((await first.post(PATH, {})).headers.get("location")).toBe("/account");
    for (const used of [token, "unknown"]) {
      const late = new FormClient(site.origin);
      await late.get(`${PATH}?token=${used}`);
      const page = await late.get(PATH);
      expect(textOf(page.text)).toContain("This link was used or has expired.");
      const sent = await late.post(PATH, {});
      expect([sent.status, textOf(sent.text).includes("Ask for a new link")]).toEqual([401, true]);
    }
  });

  test("displayed for one ticket uses no other ticket that the browser opened since (G80)", async () => {
    const [one, other] = [await registered(site.origin), await registered(site.origin)];
    const forms = new FormClient(site.origin);
    await forms.get(`${PATH}?token=${await ticketFor(one.userId)}`);
    const link = /name="link" value="([^"]+)"/.exec((await forms.get(PATH)).text)?.[1] ?? "none";
    await forms.get(`${PATH}?token=${await ticketFor(other.userId)}`);
    const sent = await forms.post(PATH, { link });
    expect(sent.status).toBe(409);
    expect(textOf(sent.text)).toContain("opened another link");
  });
});
