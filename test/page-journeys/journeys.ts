/** Journeys of a reader with large text in forced colours (`LargeReader`), over the data of the demo. */
import { type Demo, type Viewer, wikiRequest } from "../page-states/demo.ts";
import { newEmail, PASSWORD, registered } from "../support/client.ts";
import { codeOf, forgetUsedStep, withAuthenticator } from "../support/mfa.ts";
import { basic, sendForm } from "../support/oauth.ts";
import { until } from "../support/waiting.ts";
import type { LargeReader } from "./large-reader.ts";

export interface Journey {
  readonly name: string;
  /** A visitor by default. */
  readonly viewer?: Exclude<Viewer, "visitor">;
  /** `look`: checks the displayed page. */
  run(demo: Demo, visit: LargeReader, look: () => Promise<void>): Promise<void>;
}

/** Returns the path of the newest link to a page in the emails for an address. */
async function linkFor({ origin }: Demo, email: string, path: string): Promise<string> {
  const article = new RegExp(`${email.replaceAll(".", "\\.")} ·(?:(?!</article>)[^])*?(${path}\\?token=[\\w-]+)`);
  let found: string | undefined;
  await until(`an email to ${email} links to ${path}`, async () => {
    found = article.exec(await (await fetch(`${origin}/dev/mail`)).text())?.[1];
    return found !== undefined;
  });
  return found ?? "";
}

const PRIMARY = "main button.primary";

/** Activates a control and waits for the next page. */
async function press({ reader: { page } }: LargeReader, selector = PRIMARY): Promise<void> {
  await Promise.all([page.waitForEvent("domcontentloaded"), page.locator(selector).first().click()]);
}

const signUp: Journey = {
  name: "sign-up",
  async run(demo, visit, look) {
    const { reader } = visit;
    const email = newEmail();
    await reader.open("/register");
    await look();
    await reader.fill({ email, display_name: "Ada", organization_name: "Engines", password: PASSWORD });
    await press(visit);
    await look();
    await reader.open(await linkFor(demo, email, "/verify-email"));
    await look();
    await press(visit);
    await look();
  },
};

const signIn: Journey = {
  name: "sign-in",
  async run(demo, visit, look) {
    const { reader } = visit;
    const person = await withAuthenticator(demo, await registered(demo.origin));
    await reader.open("/sign-in");
    await look();
    await reader.fill({ email: person.email });
    await press(visit);
    await look();
    await reader.fill({ password: "a wrong password" });
    await press(visit);
    await look();
    await reader.fill({ password: PASSWORD });
    await press(visit);
    await look();
    await forgetUsedStep(demo.sql, person.userId);
    await reader.fill({ code: codeOf(person.secret) });
    await press(visit);
    await look();
  },
};

const reset: Journey = {
  name: "reset",
  async run(demo, visit, look) {
    const { reader } = visit;
    const { email } = await registered(demo.origin);
    await reader.open("/forgot-password");
    await look();
    await reader.fill({ email });
    await press(visit);
    await look();
    await reader.open(await linkFor(demo, email, "/reset-password"));
    await look();
    await reader.fill({ new_password: "another horse battery staple" });
    await press(visit);
    await look();
  },
};

const account: Journey = {
  name: "account",
  viewer: "ada",
  async run(_demo, visit, look) {
    const { reader } = visit;
    await reader.open("/account");
    await look();
    await reader.fill({ display_name: "Augusta Ada King" });
    await press(visit, "main form:has([name=display_name]) button");
    await look();
    await reader.page.locator(".top details.menu > summary").click();
    await look();
    await press(visit, ".top details.menu a[href='/account/security']");
    await look();
    await reader.page.locator("a[data-confirm][href*='revoke-sessions']").click();
    await reader.page.locator("dialog[open]").waitFor();
    await look();
  },
};

const invite: Journey = {
  name: "invite",
  viewer: "newcomer",
  async run(demo, visit, look) {
    const { reader } = visit;
    const email = newEmail();
    await reader.open("/team");
    await look();
    await reader.fill({ email });
    await press(visit, "main form:has([name=email]) button.primary");
    await look();
    await reader.context.clearCookies();
    await reader.open(await linkFor(demo, email, "/accept-invitation"));
    await look();
    await reader.fill({ display_name: "Grace", password: PASSWORD });
    await press(visit);
    await look();
  },
};

const singleSignOn: Journey = {
  name: "single-sign-on",
  viewer: "ada",
  async run(_demo, visit, look) {
    const { reader } = visit;
    await reader.open("/team/single-sign-on");
    await look();
    await reader.fill({ domain: "journey.example" });
    await press(visit, "main form:has([name=domain]) button:not([name=id])");
    await look();
    await reader.open("/team/single-sign-on/new");
    await look();
    await press(visit, "button[name=preset][value=okta]");
    await look();
    await reader.fill({ issuer: "https://acme.invalid", client_id: "acme", client_secret: "a secret of Okta" });
    await press(visit, "button[value=save-values]");
    await look();
    await reader.page.click("button[value=test]");
    await reader.page.locator(".dot.bad").first().waitFor();
    await look();
    await reader.open("/team/single-sign-on/policy");
    await look();
  },
};

const directory: Journey = {
  name: "directory",
  viewer: "ada",
  async run(_demo, visit, look) {
    const { reader } = visit;
    await reader.open("/team/directory");
    await look();
    await press(visit, "button[value=create-key]");
    await look();
    await press(visit, "main a.primary");
    await reader.open("/team/directory?section=groups");
    await look();
    await reader.page.selectOption("main tbody select", "admin");
    await press(visit, "main tbody form button");
    await look();
  },
};

const approval: Journey = {
  name: "approval",
  viewer: "newcomer",
  async run({ wiki }, visit, look) {
    const { reader } = visit;
    await reader.open(wikiRequest(wiki));
    await look();
    await press(visit, "button[value=ask]");
    await look();
    await reader.open("/team/applications");
    await look();
    await press(visit, "button[value=approve]");
    await look();
    await reader.open(wikiRequest(wiki));
    await look();
  },
};

const device: Journey = {
  name: "device",
  viewer: "ada",
  async run({ origin, wiki }, visit, look) {
    const { reader } = visit;
    const scope = "openid profile offline_access";
    const { body } = await sendForm(origin, "/oauth2/device_authorization", { scope }, basic(wiki));
    await reader.open("/device");
    await look();
    await reader.fill({ user_code: body.user_code });
    await press(visit);
    await look();
    await press(visit, "button[value=approve]");
    await look();
  },
};

export const JOURNEYS: readonly Journey[] = [
  signUp,
  signIn,
  reset,
  account,
  invite,
  singleSignOn,
  directory,
  approval,
  device,
];
