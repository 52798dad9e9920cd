/** The pages of sessions, linked providers and the password, over HTTP. */
import { beforeAll, describe, expect, test } from "bun:test";
import { Client, newEmail, PASSWORD } from "../support/client.ts";
import { OAuthBrowser } from "../support/identity/oauth-browser.ts";
import { GOOGLE, type SocialDeployment, socialDeployment } from "../support/identity/social.ts";
import { redirectOf, SAME_ORIGIN, signedInForms } from "../support/pages.ts";
import { addPasskey } from "../support/passkeys.ts";
import { provenUser } from "../support/user-emails.ts";

const SECURITY = "/account/security";
const UNLINK = "/account/security/unlink";
const REMOVE_PASSWORD = "/account/password/remove";
const FIREFOX = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0" };

const FORM_HEADERS = { "content-type": "application/x-www-form-urlencoded", ...SAME_ORIGIN };

let social: SocialDeployment;
let at: SocialDeployment["at"];
beforeAll(async () => {
  social = await socialDeployment();
  ({ at } = social);
});

async function person() {
  const { client, ...user } = await provenUser(at);
  return { client, ...user, ...(await signedInForms(at.one.url, client.jar)) };
}

const signIn = (email: string, headers: Record<string, string>) =>
  new Client(at.one.url).post("/v1/auth/login", { email, password: PASSWORD }, { headers });
const stepUp = (userId: string) =>
  at.sql`update sessions set aal = 'aal2', mfa_verified_at = now() where user_id = ${userId}`;
const age = (userId: string) =>
  at.sql`update sessions set auth_time = auth_time - interval '11 minutes' where user_id = ${userId}`;

describe("the sessions", () => {
  test("of one device are one row, get one name, and end together without the current session", async () => {
    const { forms, send, email, client } = await person();
    for (let count = 0; count < 3; count += 1) await signIn(email, FIREFOX);
    const { text } = await forms.get(SECURITY);
    expect(text).toContain("3 sessions");
    expect(text.match(/Firefox on Linux/g)?.length).toBeGreaterThan(0);
    const { items } = (await client.get("/v1/auth/sessions")).body;
    const ids = items.filter(({ current }: { current: boolean }) => !current).map(({ id }: { id: string }) => id);
    const csrf = await forms.csrf(SECURITY);
    const fields = new URLSearchParams([["csrf", csrf], ...ids.map((id: string) => ["id", id])]);
    const post = (step: string, name = "") => {
      const sent = new URLSearchParams([...fields, ["step", step], ["name", name]]).toString();
      return forms.request("POST", SECURITY, FORM_HEADERS, sent);
    };
    expect(redirectOf(await post("rename-session", "Old laptop"))).toEqual([SECURITY, "session_renamed"]);
    expect((await forms.get(SECURITY)).text).toContain("Old laptop");
    expect((await post("rename-session", "https://evil.example/x")).status).toBe(400);
    expect(redirectOf(await post("revoke-session"))).toEqual([SECURITY, "session"]);
    expect((await client.get("/v1/auth/sessions")).body.total).toBe(1);
    expect((await send(SECURITY, { step: "rename-session", id: ids[0], name: "Late" })).status).toBe(404);
  });
});

describe("a linked provider", () => {
  test("is linked by a form, listed with a masked label, and unlinked with the password", async () => {
    const browser = new OAuthBrowser(at.one.url);
    const fields = { organization_name: "Acme", email: newEmail(), password: PASSWORD };
    await browser.client.post("/v1/auth/register", fields);
    const { forms, send } = await signedInForms(at.one.url, browser.client.jar);
    expect((await forms.get(SECURITY)).text).toContain("Link Google");
    const begun = await send(SECURITY, { step: "link-provider", provider: GOOGLE });
    expect(begun.status).toBe(200);
    const location = begun.headers.get("refresh")?.slice("0; url=".length) ?? "";
    const { login, email } = social.person();
    expect((await browser.finish(await browser.visit(location, login))).status).toBe(204);
    const { text } = await forms.get(SECURITY);
    expect(text).toContain(`${email[0]}***`);
    const id = /security\/unlink\?id=([0-9a-f-]{36})/.exec(text)?.[1] ?? "";
    expect((await forms.get(`${UNLINK}?id=${id}`)).text).toContain("Unlink Google?");
    const wrong = await send(UNLINK, { id, password: "wrong" });
    expect([wrong.status, wrong.text.includes("The password is incorrect.")]).toEqual([401, true]);
    expect(redirectOf(await send(UNLINK, { id, password: PASSWORD }))).toEqual([SECURITY, "unlinked"]);
    expect((await forms.get(`${UNLINK}?id=${id}`)).status).toBe(404);
  });

  test("that is the last way to sign in stays, with the reason", async () => {
    const { login } = social.person();
    const browser = new OAuthBrowser(at.one.url);
    await browser.signIn(GOOGLE, login);
    const { forms, send } = await signedInForms(at.one.url, browser.client.jar);
    const id = /security\/unlink\?id=([0-9a-f-]{36})/.exec((await forms.get(SECURITY)).text)?.[1] ?? "";
    const refused = await send(UNLINK, { id });
    expect([refused.status, refused.text.includes("last way to sign in")]).toEqual([409, true]);
  });

  test("needs a new session or a step-up, and a foreign form links none", async () => {
    const { send, forms, userId } = await person();
    await age(userId);
    const late = await send(SECURITY, { step: "link-provider", provider: GOOGLE });
    expect([late.status, late.headers.get("location")?.split("?")[0]]).toEqual([303, "/sign-in"]);
    const foreign = await forms.post(SECURITY, { step: "link-provider", provider: GOOGLE, csrf: "x" });
    expect(foreign.status).toBe(403);
  });
});

describe("the password", () => {
  test("is removed after a step-up by a user with two passkeys, and a new one is set", async () => {
    const { forms, send, client, userId } = await person();
    const before = await forms.get(REMOVE_PASSWORD);
    expect(before.headers.get("location")).toBe("/step-up?return_to=%2Faccount%2Fpassword%2Fremove");
    await addPasskey(client, { name: "One" });
    await stepUp(userId);
    expect((await forms.get("/account/password")).text).toContain(REMOVE_PASSWORD);
    const refused = await send(REMOVE_PASSWORD, {});
    expect([refused.status, refused.text.includes("second passkey")]).toEqual([409, true]);
    await addPasskey(client, { name: "Two" });
    expect((await forms.get(REMOVE_PASSWORD)).text).toContain("Remove password");
    expect(redirectOf(await send(REMOVE_PASSWORD, {}))).toEqual(["/account", "password_removed"]);
    expect((await forms.get("/account/password")).text).not.toContain('name="current_password"');
    const first = await send("/account/password", { new_password: "another long password" });
    expect(redirectOf(first)).toEqual(["/account", "password"]);
    await age(userId);
    expect((await forms.get("/account/password")).text).toContain('name="current_password"');
  });

  test("of a user without a factor begins with a link by email", async () => {
    const { login } = social.person();
    const browser = new OAuthBrowser(at.one.url);
    await browser.signIn(GOOGLE, login);
    const { forms } = await signedInForms(at.one.url, browser.client.jar);
    expect((await forms.get("/account/password")).status).toBe(200);
    const { user_id: userId } = (await browser.client.get("/v1/auth/session")).body.user;
    await age(userId);
    expect((await forms.get("/account/password")).headers.get("location")).toBe("/forgot-password");
  });
});
