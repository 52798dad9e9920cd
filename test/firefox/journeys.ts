/** `npm run test:firefox`: Back, Forward, Reload and double presses of the sign-in journeys in Firefox (G397). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newEmail, PASSWORD, registered } from "../support/client.ts";
import { CODE, codeIn } from "../support/mail.ts";
import { codeOf, enrolled } from "../support/mfa.ts";
import { linkTo, type PageSite, startSite } from "../support/pages.ts";
import { type Firefox, FirefoxReader, startFirefox } from "./firefox.ts";

/** A new machine installs Firefox first. */
const INSTALL_DEADLINE_MS = 300_000;
const SUBMIT = "main form button.primary";

let site: PageSite;
beforeAll(async () => {
  site = await startSite();
}, INSTALL_DEADLINE_MS);
afterAll(() => site.one.stop());

describe.each([
  ["with", true],
  ["without", false],
])("Firefox %s a cache for Back and Forward:", (_, cached) => {
  let firefox: Firefox;
  const readers: FirefoxReader[] = [];
  beforeAll(async () => {
    firefox = await startFirefox(cached);
  }, INSTALL_DEADLINE_MS);
  afterAll(async () => {
    for (const reader of readers) await reader.close();
    await firefox.close();
  });

  async function open(path: string): Promise<FirefoxReader> {
    const reader = await FirefoxReader.at(firefox, site.origin);
    readers.push(reader);
    await reader.open(path);
    return reader;
  }

  async function toPassword(reader: FirefoxReader, email: string): Promise<void> {
    await reader.open("/sign-in");
    await reader.type("#email", email);
    await reader.press(SUBMIT);
  }

  test("a sign-in with a wrong password goes Back, Forward and reloads.", async () => {
    const { email } = await registered(site.origin);
    const reader = await open("/sign-in");
    await toPassword(reader, email);
    await reader.type("[name=password]", "a wrong password!");
    await reader.press(SUBMIT);
    expect(await reader.text()).toContain("Incorrect");
    await reader.press('a[href^="/forgot-password"]');
    await reader.back();
    expect([await reader.valueOf("#email"), await reader.text()]).toEqual([
      email,
      expect.stringContaining("Incorrect"),
    ]);
    await reader.reload();
    expect(await reader.valueOf("#email")).toBe(email);
    await reader.back();
    expect(await reader.valueOf("[name=password]")).toBe("");
    await reader.forward();
    await reader.type("[name=password]", PASSWORD);
    await reader.press(SUBMIT);
    await reader.arrive(/^\/account/);
    await reader.back();
    await reader.forward();
    await reader.reload();
    expect(await reader.heading()).not.toBe("");
  });

  test("a registration with a wrong field goes Back as typed, and a double press makes one user.", async () => {
    const email = newEmail();
    const reader = await open("/register");
    await reader.type("[name=organization_name]", "Twice");
    await reader.type("[name=email]", email);
    await reader.type("[name=password]", "short");
    await reader.press(SUBMIT);
    await reader.press('main a[href^="/sign-in"]');
    await reader.back();
    expect(await reader.valueOf("[name=email]")).toBe(email);
    await reader.reload();
    await reader.type("[name=password]", PASSWORD);
    await reader.press(SUBMIT, 2);
    await reader.arrive(/^\/(verify-email|account)/);
    expect((await site.sql`select id from users where email = ${email}`).length).toBe(1);
    await reader.back();
    await reader.forward();
    expect(await reader.heading()).not.toBe("");
  });

  test("a second factor goes Back from recovery codes, and a double press of the right code signs in.", async () => {
    const person = await enrolled(site);
    const reader = await open("/sign-in");
    await toPassword(reader, person.email);
    await reader.type("[name=password]", PASSWORD);
    await reader.press(SUBMIT);
    await reader.arrive(/challenge/);
    await reader.type("[name=code]", "000000");
    await reader.arrive(/shown=/);
    await reader.press('a[href*="with=recovery"]');
    await reader.back();
    await reader.reload();
    expect(await reader.valueOf("[name=code]")).not.toBeNull();
    await reader.type("[name=code]", codeOf(person.secret, 1));
    await reader.arrive(/^\/account/);
    await reader.back();
    expect(await reader.heading()).not.toBe("");
  });

  test("an emailed code: a double press sends one code, a wrong code and Reload use up no code.", async () => {
    const { email } = await registered(site.origin);
    const reader = await open("/sign-in");
    await toPassword(reader, email);
    await reader.press('button[value="send"]', 2);
    await reader.arrive(/^\/sign-in\/code/);
    await reader.reload();
    const [mail, ...more] = await site.mail.mailsTo(email, CODE);
    expect(more).toEqual([]);
    const code = codeIn(mail);
    await reader.type("#code", code === "111111" ? "222222" : "111111");
    await reader.arrive(/shown=/);
    await reader.back();
    await reader.forward();
    await reader.reload();
    await reader.type("#code", code);
    await reader.arrive(/^\/account/);
    await reader.back();
    expect(await reader.heading()).not.toBe("");
  });

  test("a forgotten password: a double press sends one email, and the mailed link goes Back.", async () => {
    const { email } = await registered(site.origin);
    const reader = await open("/forgot-password");
    await reader.type("[name=email]", email);
    await reader.press(SUBMIT, 2);
    await reader.back();
    await reader.forward();
    await reader.open(await linkTo(site, email, "/reset-password"));
    await reader.type("[name=new_password]", "passwordpassword");
    await reader.press(SUBMIT);
    await reader.back();
    await reader.forward();
    await reader.type("[name=new_password]", "found a new phrase 7");
    await reader.press(SUBMIT, 2);
    await reader.arrive(/^\/sign-in/);
    await reader.back();
    await reader.forward();
    expect(await reader.heading()).not.toBe("");
  });

  test("after the sign-out, Back displays no page of the account.", async () => {
    const { email } = await registered(site.origin);
    const reader = await open("/sign-in");
    await toPassword(reader, email);
    await reader.type("[name=password]", PASSWORD);
    await reader.press(SUBMIT);
    await reader.arrive(/^\/account/);
    expect(await reader.text()).toContain(email);
    await reader.open("/sign-out");
    await reader.press(SUBMIT);
    await reader.back();
    await reader.back();
    expect(await reader.text()).not.toContain(email);
  });
});
