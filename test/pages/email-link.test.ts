/** The page of the link beside an emailed code, `/sign-in/link` (docs/contract.md, section 37.4; docs/pages.md). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newEmail, PASSWORD } from "../support/client.ts";
import { CODE, codeIn } from "../support/mail.ts";
import { FormClient, type PageSite, startSite, textOf } from "../support/pages.ts";

const PATH = "/sign-in/link";
let site: PageSite;
beforeAll(async () => {
  site = await startSite({ SERVICE_REGISTRATION: "personal" });
});
afterAll(() => site.one.stop());

/** Asks for a code on the sign-in page; returns the email with code and link. */
async function asked(email: string, browser: FormClient) {
  const sent = await browser.post("/sign-in/code", { step: "send", email });
  expect([sent.status, sent.headers.get("location")]).toEqual([303, "/sign-in/code"]);
  const [mail] = await site.mail.mailsTo(email, CODE);
  const link = /\/sign-in\/link\?token=[\w-]{43}/.exec(mail?.text ?? "")?.[0] ?? "none";
  return { code: codeIn(mail), link };
}

describe("The page of the link of a code (G613)", () => {
  test("names the address in part, creates the account by a button, and a GET has no effect", async () => {
    const email = newEmail();
    const browser = new FormClient(site.origin);
    const { link } = await asked(email, browser);
    const taken = await browser.get(link);
    expect([taken.status, taken.headers.get("location")]).toEqual([303, PATH]);
    for (let look = 0; look < 3; look += 1) {
      const page = await browser.get(PATH);
      expect(textOf(page.text)).toContain(`Sign in as ${email[0]}***@example.test?`);
      expect(textOf(page.text)).toContain("Create account");
      expect(page.text).not.toContain(email);
    }
    expect(await site.sql`select 1 from users where email = ${email}`).toHaveLength(0);
    const done = await browser.post(PATH, {});
    expect([done.status, done.headers.get("location")]).toEqual([303, "/account"]);
    expect((await browser.get("/account")).status).toBe(200);
  });

  test("asks for the code in every other browser, and consumes nothing there", async () => {
    const email = newEmail();
    const browser = new FormClient(site.origin);
    const { code, link } = await asked(email, browser);
    const other = new FormClient(site.origin);
    await other.get(link);
    const page = await other.get(PATH);
    expect(textOf(page.text)).toContain("Enter the code of this email there");
    expect((await other.post(PATH, {})).status).toBe(401);
    expect((await fetch(`${site.origin}${link}`, { method: "HEAD" })).status).toBeLessThan(400);
    const signedIn = await browser.post("/sign-in/code", { code });
    expect([signedIn.status, signedIn.headers.get("location")]).toEqual([303, "/account"]);
  });
});

test("The registration page asks for no organization while users register without a team (G610).", async () => {
  const browser = new FormClient(site.origin);
  expect((await browser.get("/register")).text).not.toContain("organization_name");
  const email = newEmail();
  const refused = await browser.post("/register", { email, password: "short" });
  const place = refused.headers.get("location") ?? "";
  expect((await browser.get(place)).text).not.toContain("organization_name");
  const done = await browser.post("/register", { email, password: PASSWORD });
  expect([done.status, done.headers.get("location")]).toEqual([303, "/verify-email"]);
  expect((await browser.get("/account")).status).toBe(200);
});
