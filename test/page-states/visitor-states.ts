/** Pages without a session: sign-in, registration, mailed links, refusals. */
import { PASSWORD } from "../support/client.ts";
import type { Reader } from "../support/pages.ts";
import { type Demo, wikiRequest } from "./demo.ts";
import { refused, statesOf } from "./page-state.ts";

const state = statesOf("visitor");
const SUBMIT = "main form button.primary";

async function submit({ page }: Reader): Promise<void> {
  await Promise.all([page.waitForEvent("domcontentloaded"), page.locator(SUBMIT).first().click()]);
}

async function enterAddress(reader: Reader, email: string): Promise<void> {
  await reader.fill({ email });
  await submit(reader);
}

async function signIn(reader: Reader, email: string, password: string): Promise<void> {
  await enterAddress(reader, email);
  await reader.fill({ password });
  await submit(reader);
}

const challenge = (reader: Reader, { people }: Demo) => signIn(reader, people.ada.email, PASSWORD);

async function refuseRegistration(reader: Reader): Promise<void> {
  await reader.page.evaluate(`document.querySelector("main form").noValidate = true`);
  await reader.fill({ email: "nobody", password: "password" });
  await submit(reader);
}

const wiki = (demo: Demo) => wikiRequest(demo.wiki);

export const VISITOR_STATES = [
  state("/sign-in", "sign-in"),
  state("/sign-in", "sign-in-application", wiki),
  state("/sign-in", "sign-in-methods", "/sign-in", (reader) => enterAddress(reader, "ada@example.com")),
  refused(
    401,
    state("/sign-in", "sign-in-refused", "/sign-in", (reader) => signIn(reader, "nobody@example.com", "wrong")),
  ),
  state("/sign-in", "sign-in-company", "/sign-in", (reader) => enterAddress(reader, "hank@globex.example")),
  state("/sign-in", "sign-in-company-methods", "/sign-in", async (reader) => {
    await enterAddress(reader, "hank@globex.example");
    await Promise.all([
      reader.page.waitForEvent("domcontentloaded"),
      reader.page.click("main button[value='other-ways']"),
    ]);
  }),
  state("/sso/:slug", "sso-choice", ({ ids }) => `/sso/${ids.initech}`),
  state("/sign-in/code", "sign-in-code"),
  state("/sign-in/code", "sign-in-code-sent", "/sign-in", async (reader) => {
    await enterAddress(reader, "ada@example.com");
    await reader.page.click("main [formaction*='/sign-in/code']");
    await reader.page.waitForSelector("#code");
  }),
  state("/sign-in/challenge", "challenge", "/sign-in", challenge),
  state("/sign-in/challenge", "challenge-recovery", "/sign-in", async (reader, demo) => {
    await challenge(reader, demo);
    await reader.open("/sign-in/challenge?with=recovery");
  }),
  state("/register", "register"),
  refused(400, state("/register", "register-refused", "/register", refuseRegistration)),
  state("/forgot-password", "forgot-password"),
  state("/forgot-password", "forgot-password-sent", "/forgot-password", (reader) =>
    enterAddress(reader, "nobody@example.com"),
  ),
  state("/reset-password", "reset-password", ({ links }) => links.reset ?? ""),
  state("/reset-password", "reset-password-expired"),
  state("/reset-password/review", "reset-review", ({ links }) => links.review ?? ""),
  state("/verify-email", "verify-email", ({ links }) => links.verify ?? ""),
  state("/change-email", "change-email", ({ links }) => links.change ?? ""),
  state("/undo-email", "undo-email", ({ links }) => links.undo ?? ""),
  state("/sign-in/not-me", "not-me", ({ links }) => links.notMe ?? ""),
  state("/cancel-deletion", "cancel-deletion", ({ links }) => links.cancel ?? ""),
  state("/accept-invitation", "accept-invitation", ({ links }) => links.invitation ?? ""),
  state("/sign-in/ticket", "ticket", ({ links }) => links.ticket ?? ""),
  state("/sign-in/ticket", "ticket-dead"),
  state("/sign-in/link", "email-link-other-browser"),
  refused(400, state("/oauth2/authorize", "authorize-refused", "/oauth2/authorize?client_id=unknown")),
  refused(400, state("/oauth2/interaction", "interaction-expired", `/oauth2/interaction?request=${"A".repeat(43)}`)),
  state("/oauth2/logout", "logout"),
  state("/error", "error"),
  refused(404, state("/error", "not-found", "/nothing")),
  state("/dev/mail", "dev-mail"),
  state("/dev/mail/:id", "dev-mail-html", "/dev/mail", async (reader) => {
    await reader.open(String(await reader.page.locator("a[href^='/dev/mail/']").first().getAttribute("href")));
  }),
];
