/** User journeys in Chromium with and without scripts. Each page of a journey is checked for accessibility. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { touchingButtons } from "../page-states/checks.ts";
import { addAuthenticator } from "../support/browser.ts";
import { newEmail, PASSWORD, signedIn } from "../support/client.ts";
import { CODE, codeIn } from "../support/mail.ts";
import { codeOf, forgetUsedStep } from "../support/mfa.ts";
import { linkTo, type PageSite, type Reader, Readers, startSite } from "../support/pages.ts";
import { presentFactor } from "../support/states.ts";
import { stepUpSessions } from "../support/team.ts";
import { until } from "../support/waiting.ts";

/** A new machine installs Chromium first. */
const INSTALL_DEADLINE_MS = 300_000;
const NEW_PASSWORD = "another horse battery staple";

let site: PageSite;
const readers = new Readers(() => site);
beforeAll(async () => {
  site = await startSite();
  await readers.open();
}, INSTALL_DEADLINE_MS);
afterAll(async () => {
  await readers.close();
  await site.one.stop();
});

/** Emails and apps display codes in this format, and users copy the format. */
const spaced = (code: string) => ` ${code.slice(0, 3)} ${code.slice(3)} `;

/**
 * A stand-in for the autofill of a browser, whose passkey list no test can operate: the stand-in counts the requests of
 * the page.
 */
const AUTOFILL = `
  const get = navigator.credentials.get.bind(navigator.credentials);
  let armed = 0;
  navigator.credentials.get = (options) => {
    if (options.mediation !== "conditional") return get(options);
    document.documentElement.dataset.armed = String(++armed);
    return new Promise((resolve, reject) => {
      options.signal.addEventListener("abort", () => reject(options.signal.reason));
      window.choose = () => void get({ publicKey: options.publicKey }).then(resolve, reject);
      window.dismiss = () => reject(new DOMException("dismissed", "NotAllowedError"));
    });
  };`;

/**
 * Collects the violations of every page, for an assertion at the end of the journey. Themes take turns:
 * test/pages/states.test.ts judges the colours of every kind of element.
 */
function inspector(reader: Reader) {
  const found: string[] = [];
  let looks = 0;
  return {
    found,
    async look() {
      looks += 1;
      found.push(...(await reader.violations([looks % 2 === 0 ? "dark" : "light"])));
      if (await reader.scrollsSideways()) found.push(`${reader.path} scrolls sideways at 320 px`);
    },
  };
}

async function register(reader: Reader, email: string): Promise<void> {
  await reader.open("/register");
  await reader.fill({ email, display_name: "Ada Lovelace", organization_name: "Engines", password: PASSWORD });
  await reader.press("Create account");
}

async function signIn(reader: Reader, email: string, password = PASSWORD): Promise<void> {
  await reader.open("/sign-in");
  await reader.signIn(email, password);
}

const userIdOf = async (email: string) => String((await site.sql`select id from users where email = ${email}`)[0]?.id);

async function enable(reader: Reader): Promise<{ secret: string; codes: string[] }> {
  await reader.open("/account/security");
  await reader.press("Set up");
  const secret = (await reader.page.innerText("#secret")).replace(/\s/g, "");
  await reader.fill({ code: codeOf(secret) });
  await reader.press("Turn on");
  expect(await touchingButtons(reader)).toEqual([]);
  return { secret, codes: await reader.page.locator("[data-codes] li").allInnerTexts() };
}

describe("with scripts", () => {
  test("register, verify, second factor, passkey, trusted browser, reset", async () => {
    const reader = await readers.open();
    const { look, found } = inspector(reader);
    const email = newEmail();
    const { page } = reader;
    await addAuthenticator(page);
    // The virtual authenticator responds to the autofill at once; most of this journey uses different sign-in methods.
    await page.addInitScript(`
      if (!localStorage.autofill) PublicKeyCredential.isConditionalMediationAvailable = async () => false;`);

    await reader.open("/");
    expect(reader.path).toBe("/sign-in");
    await look();
    await reader.press("Create an account");
    const strengthOf = async (password: string) => {
      await reader.fill({ password });
      return [await page.locator(".meter + .hint").innerText(), await page.locator(".meter .bad").count()];
    };
    for (const [password, stem] of [
      ["Password1234567!", "password"],
      ["passwordpassword1!", "password"],
      ["qwertyuiop123456", "qwertyuiop"],
    ] as const) {
      expect(await strengthOf(password)).toEqual([`Too easy to guess: based on “${stem}”.`, 2]);
    }
    expect(await strengthOf(PASSWORD)).toEqual(["Strong", 0]);
    await page.getByRole("button", { name: "Show password" }).click();
    expect(await page.getByRole("button", { name: "Show password" }).getAttribute("aria-pressed")).toBe("true");
    expect(await page.getAttribute("#password", "type")).toBe("text");
    await look();
    await register(reader, email);
    expect(await reader.heading).toBe("Check your email");
    await look();

    const link = await linkTo(site, email, "/verify-email");
    await reader.open(link);
    expect(reader.path).toStartWith("/verify-email");
    expect(reader.path).not.toContain("token");
    expect(await page.evaluate("document.cookie")).not.toContain("service_link");
    await look();
    await reader.press("Confirm address");
    expect(reader.path).toBe("/account");
    await look();

    const { secret, codes } = await enable(reader);
    expect(codes).toHaveLength(10);
    await look();
    await reader.press("I've saved them");
    expect(await page.getByRole("status").innerText()).toContain("Authenticator app set up");
    // Simulates the state after a quarter of an hour: the script refreshes, and continues.
    for (const name of ["service_at", "service_csrf"]) await reader.context.clearCookies({ name });
    await reader.press("Add a passkey");
    expect(reader.path).toBe("/account/security");
    await look();
    await page.getByLabel("Rename: Passkey").click();
    await page.getByLabel("New name").locator("visible=true").fill("Work laptop");
    await reader.press("Save");
    expect(await page.getByText("Work laptop", { exact: true }).isVisible()).toBe(true);

    await page.locator("header details.menu > summary:visible").click();
    await look();
    await reader.press("Sign out");
    await reader.press("Use a passkey");
    await page.waitForURL("**/account");
    await reader.open("/sign-out");
    await page.evaluate("localStorage.autofill = 'yes'");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL("**/account");
    await page.evaluate("localStorage.removeItem('autofill')");

    await forgetUsedStep(site.sql, await userIdOf(email));
    await reader.open("/sign-out");
    await reader.press("Sign out");
    await signIn(reader, email);
    expect(await reader.heading).toBe("Verify it's you");
    await look();
    await reader.fill({ code: "000000" === codeOf(secret) ? "111111" : "000000" });
    await reader.press("Sign in");
    expect(await page.getByRole("alert").innerText()).toContain("code is incorrect");
    await page.check("[name=trust]");
    await reader.fill({ code: codeOf(secret) });
    await reader.press("Sign in");
    expect(reader.path).toBe("/account");

    await reader.open("/sign-out");
    await reader.press("Sign out");
    await signIn(reader, email);
    expect(reader.path).toBe("/account");
    // A trusted browser skips the second factor at sign-in, but not before a change of the second factor.
    await reader.open("/account/security");
    await reader.press("New codes");
    expect(reader.path).toStartWith("/step-up?");
    await look();
    await reader.press("Use a passkey");
    expect(reader.path).toBe("/account/security/recovery-codes");
    await reader.open("/step-up?return_to=%2Faccount%2Fsecurity%2Frecovery-codes");
    await reader.press("Use a recovery code instead");
    await reader.fill({ recovery_code: codes[0] ?? "" });
    await reader.press("Continue");
    expect(reader.path).toBe("/account/security/recovery-codes");
    await look();
    await reader.fill({ password: "not my password" });
    await reader.press("Create new codes");
    expect(await page.locator("#password-error").innerText()).toContain("password is incorrect");
    await reader.fill({ password: PASSWORD });
    await reader.press("Create new codes");
    expect(await page.locator("[data-codes] li").count()).toBe(10);

    await page.getByRole("button", { name: "I've saved them" }).click();
    await page.getByRole("link", { name: "Remove" }).click();
    await page.getByRole("dialog").waitFor();
    await look();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Remove" }).click();
    await page.getByRole("dialog").waitFor();
    await reader.press("Remove");
    expect(await page.getByRole("status").innerText()).toContain("Passkey removed");

    await reader.open("/forgot-password");
    await look();
    await reader.fill({ email });
    await reader.press("Send the link");
    await look();
    await reader.open(await linkTo(site, email, "/reset-password"));
    expect(reader.path).toBe("/reset-password");
    await look();
    await reader.fill({ new_password: NEW_PASSWORD });
    await reader.press("Change password");
    expect(await page.getByRole("status").innerText()).toContain("Sign in with your new password");

    expect(found).toEqual([]);
    expect(reader.offences).toEqual([]);
  });

  test("a password manager loses a removed passkey and learns a new address; a second passkey is refused", async () => {
    const reader = await readers.open();
    const { page } = reader;
    const email = newEmail();
    const authenticator = await addAuthenticator(page);
    await register(reader, email);
    const userId = await userIdOf(email);
    await reader.open("/account/security");
    await reader.press("Add a passkey");
    expect(await authenticator.credentials()).toMatchObject([{ userName: email }]);

    const changed = newEmail();
    await site.sql`update users set email = ${changed} where id = ${userId}`;
    await reader.open("/account");
    const isRenamed = async () => (await authenticator.credentials())[0]?.userName === changed;
    await until("the password manager displays the new address", isRenamed);

    await presentFactor(site.sql, userId);
    await reader.open("/account/security");
    await page.getByRole("button", { name: "Add a passkey" }).click();
    const alert = page.getByRole("alert");
    await alert.waitFor();
    expect(await alert.innerText()).toContain("already");

    // A removal in another browser.
    await site.sql`update passkeys set deleted_at = now() where user_id = ${userId}`;
    await reader.open("/account");
    await until("the password manager has no passkey", async () => (await authenticator.credentials()).length === 0);
    expect(reader.offences).toEqual([]);
  });

  test("a password manager loses a new passkey that the service refuses", async () => {
    const reader = await readers.open();
    const { page } = reader;
    const authenticator = await addAuthenticator(page);
    await register(reader, newEmail());
    await reader.open("/account/security");
    let created: readonly object[] = [];
    await page.route("**/register/complete", async (route) => {
      created = await authenticator.credentials();
      await route.continue({ postData: JSON.stringify({ credential: {} }) });
    });
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByRole("alert").waitFor();
    expect(created).toHaveLength(1);
    await until("the password manager has no passkey", async () => (await authenticator.credentials()).length === 0);
  });

  test("a passkey from the autofill that is refused is told so, and the autofill is offered anew", async () => {
    const reader = await readers.open();
    const email = newEmail();
    const { page } = reader;
    await addAuthenticator(page);
    await page.addInitScript(AUTOFILL);
    await register(reader, email);
    await reader.open("/account/security");
    await reader.press("Add a passkey");
    await site.sql`delete from passkeys where user_id = ${await userIdOf(email)}`;
    await reader.open("/sign-out");
    await page.clock.install();
    await reader.press("Sign out");
    const armed = (times: number) => page.locator(`html[data-armed="${times}"]`).waitFor();
    const alert = page.getByRole("alert");
    await armed(1);
    // The first challenge has nearly expired.
    await page.clock.fastForward("04:30");
    await armed(2);
    await page.evaluate("dismiss()");
    await armed(3);
    expect(await alert.isVisible()).toBe(false);
    await page.evaluate("choose()");
    await alert.waitFor();
    expect(await alert.innerText()).toContain("passkey");
    await armed(4);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await armed(5);
    expect(await alert.isVisible()).toBe(true);
    // After repeated immediate refusals by the browser, the page stops requesting passkeys.
    for (const times of [6, 7, 8, 9, 10]) {
      await page.evaluate("dismiss()");
      await armed(times);
    }
    await page.evaluate("dismiss()");
    await page.clock.fastForward("04:30");
    await armed(11);
    expect(reader.offences).toEqual([]);
  });

  test("an invitation of a second person, roles, removal, two organizations; in German", async () => {
    const [owner, guest] = [await readers.open(), await readers.open({ locale: "de-AT" })];
    const { look, found } = inspector(owner);
    const guestLook = inspector(guest);
    const [email, invited] = [newEmail(), newEmail()];
    await register(owner, email);
    await owner.open("/team");
    await owner.fill({ email: "nobody" });
    await owner.page.evaluate("document.querySelector('form[action=\"/team\"]').noValidate = true");
    await owner.press("Send invitation");
    expect(await owner.page.locator("#email-error").innerText()).toContain("Enter an email address");
    expect(await owner.page.inputValue("#email")).toBe("nobody");
    expect(await owner.page.evaluate("document.activeElement.id")).toBe("email");
    expect(await owner.page.title()).toBe("Error: Team · Acme");
    await owner.fill({ email: invited });
    await owner.press("Send invitation");
    await look();

    await guest.open(await linkTo(site, invited, "/accept-invitation"));
    expect(await guest.heading).toBe("Engines beitreten");
    expect(await guest.page.locator("html").getAttribute("lang")).toBe("de");
    await guestLook.look();
    await guest.fill({ display_name: "Grace", password: PASSWORD });
    await guest.press("Konto anlegen und beitreten");
    expect(guest.path).toBe("/account");
    await guestLook.look();
    await guest.open("/team");
    await guestLook.look();
    expect(await guest.page.locator(".rows").innerText()).toContain("Inhaber und Administrator");

    const steppedUp = await signedIn(site.origin, email);
    await stepUpSessions(site.sql, await userIdOf(email));
    await owner.become(steppedUp);
    await owner.open("/team");
    const actions = owner.page.locator("main summary[aria-label='Actions for Grace']");
    await actions.click();
    await owner.press("Make admin");
    expect(await owner.page.locator(".rows li", { hasText: "Grace" }).innerText()).toContain("Admin");
    await actions.click();
    await owner.page.getByRole("link", { name: "Remove: Grace" }).click();
    await owner.page.getByRole("dialog").waitFor();
    await owner.press("Remove");
    expect(await owner.page.getByRole("status").innerText()).toContain("Removed");
    await guest.open("/account");
    expect(guest.path).toStartWith("/sign-in");

    expect([...found, ...guestLook.found, ...owner.offences, ...guest.offences]).toEqual([]);
  });
});

test("a browser without passkeys reads why it is offered none", async () => {
  const reader = await readers.open();
  await reader.context.addInitScript("delete window.PublicKeyCredential");
  await register(reader, newEmail());
  await reader.open("/account/security");
  await reader.page.getByText("This browser doesn't support passkeys.").waitFor();
  expect(await reader.page.getByRole("button", { name: "Add a passkey" }).isVisible()).toBe(false);
});

describe("without scripts", () => {
  test("register, verify, second factor, code by email, confirmation as a page, sign-out", async () => {
    const reader = await readers.open({ javaScriptEnabled: false });
    const email = newEmail();
    await register(reader, email);
    await reader.open(await linkTo(site, email, "/verify-email"));
    await reader.press("Confirm address");
    const { secret } = await enable(reader);
    await reader.open("/sign-out");
    await reader.press("Sign out");
    expect(await reader.page.locator("[data-passkey-button]").isVisible()).toBe(false);
    await reader.fill({ email });
    await reader.press(/^Continue$/);
    await reader.press("Email me a code");
    expect(reader.path).toBe("/sign-in/code");
    const [mail] = await site.mail.mailsTo(email, CODE);
    await reader.fill({ code: spaced(codeIn(mail)) });
    await reader.press("Sign in");
    expect(reader.path).toBe("/sign-in/challenge");
    await forgetUsedStep(site.sql, await userIdOf(email));
    await reader.fill({ code: codeOf(secret) });
    await reader.press("Sign in");
    await reader.open("/account/security/confirm?step=revoke-sessions");
    expect(await reader.heading).toBe("Sign out everywhere else");
    await reader.press("Cancel");
    await reader.open("/account");
    await reader.fill({ display_name: "Augusta" });
    // The access token expires while the form is open: /v1/auth/continue forwards the form.
    await reader.context.clearCookies({ name: "service_at" });
    await reader.press("Save");
    expect(await reader.page.inputValue("#display_name")).toBe("Augusta");
    expect(reader.offences).toEqual([]);
  });
});
