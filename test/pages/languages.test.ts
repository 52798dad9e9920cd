/** The choice of a language: by visitors, by users, and its order. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { LANGUAGES, languageName, tagOf } from "../../src/vocabulary/languages.ts";
import { newEmail, PASSWORD } from "../support/client.ts";
import { administrator, CONFIG_KEY } from "../support/console.ts";
import { FormClient, type PageSite, Reader, SAME_ORIGIN, startSite } from "../support/pages.ts";

const ROOT = join(import.meta.dir, "../..");

let site: PageSite;
const readers: Reader[] = [];
beforeAll(async () => {
  site = await startSite();
}, 300_000);
afterAll(async () => {
  await Promise.all(readers.map((reader) => reader.close()));
  await site.one.stop();
});

const languageOf = (html: string) => /<html lang="([^"]+)" dir="([^"]+)">/.exec(html)?.slice(1).join(" ");
const GERMAN = { "accept-language": "de-AT,de;q=0.9" };
const KLINGON = { "accept-language": "tlh" };

async function signedUp(): Promise<{ forms: FormClient; email: string }> {
  const forms = new FormClient(site.origin);
  const email = newEmail();
  await forms.post("/register", { email, organization_name: "Engines", password: PASSWORD });
  return { forms, email };
}

/** Chooses a language as the form at the foot of a page does. */
async function choose(
  forms: FormClient,
  language: string,
  headers: Record<string, string> = {},
  hidden: Record<string, string> = {},
) {
  const csrf = await forms.csrf("/account");
  const fields = { language, csrf, ...hidden };
  const response = await forms.post("/language", fields, { ...SAME_ORIGIN, ...headers });
  if (response.status !== 307) return response;
  // The continuation of a session without refresh cookie returns at once; its redirect drops the Referer.
  const back = new URL(response.headers.get("location") ?? "", site.origin).searchParams.get("to") ?? "";
  const { referer: _, ...kept } = headers;
  return await forms.post(`${back}${back.includes("?") ? "&" : "?"}signed_out=1`, fields, { ...SAME_ORIGIN, ...kept });
}

async function localeOf(email: string): Promise<string | null> {
  const [user] = await site.sql`select locale from users where email = ${email}`;
  return user?.locale;
}

describe("every page", () => {
  test.each([...LANGUAGES])(
    "is in %s for a browser that prefers the language, with its tag and direction",
    async (language) => {
      const forms = new FormClient(site.origin);
      const preferred = { "accept-language": `${tagOf(language)},en;q=0.5` };
      for (const path of ["/sign-in", "/register", "/forgot-password", "/nothing"]) {
        expect(languageOf((await forms.get(path, preferred)).text)).toBe(`${tagOf(language)} ltr`);
      }
    },
  );

  test("is in English for a browser without a language that pages speak", async () => {
    expect(languageOf((await new FormClient(site.origin).get("/sign-in", KLINGON)).text)).toBe("en ltr");
  });

  test("offers every language by its own name, with its tag", async () => {
    const { forms } = await signedUp();
    const visitor = new FormClient(site.origin);
    for (const text of [await visitor.get("/sign-in"), await forms.get("/account"), await forms.get("/nothing")].map(
      (page) => page.text,
    )) {
      for (const language of LANGUAGES) {
        expect(text).toContain(`value="${language}" lang="${tagOf(language)}"`);
        expect(text).toContain(languageName(language));
      }
    }
  });
});

describe("POST /language", () => {
  test("A choice takes precedence over application and browser, and returns to the page (G138).", async () => {
    const forms = new FormClient(site.origin);
    const address = `${site.origin}/sign-in?return_to=%2Fteam`;
    const response = await choose(forms, "de", { referer: address, cookie: "service_language=en" });
    expect([response.status, response.headers.get("location")]).toEqual([303, "/sign-in?return_to=%2Fteam"]);
    const cookies = response.headers.getSetCookie();
    expect(cookies.find((cookie) => cookie.startsWith("service_locale="))).toMatch(
      /^service_locale=de; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(cookies.find((cookie) => cookie.startsWith("service_language="))).toContain("Max-Age=0");
    const later = { "accept-language": "en-GB", cookie: "service_locale=de; service_language=en" };
    expect(languageOf((await forms.get("/sign-in", later)).text)).toBe("de ltr");
    const unknown = { "accept-language": "en-GB", cookie: "service_locale=tlh" };
    expect(languageOf((await forms.get("/sign-in", unknown)).text)).toBe("en ltr");
  });

  test.each([
    ["a foreign host", { referer: "https://evil.example.test/account/security" }, "/account/security"],
    ["two slashes", { referer: "https://evil.example.test//evil.example.test" }, "/account"],
    ["no URL", { referer: "javascript:alert(1)" }, "/account"],
    ["no Referer", {}, "/account"],
  ])("A Referer with %s leads to a path of this origin.", async (_, headers, location) => {
    const response = await choose(new FormClient(site.origin), "de", headers);
    expect(response.headers.get("location")).toBe(location);
  });

  test("A change of the language on the password step displays the password step with the address (D4).", async () => {
    const forms = new FormClient(site.origin);
    const email = newEmail();
    const typed = await forms.post("/sign-in", { email, return_to: "/team" });
    const page = typed.status === 303 ? await forms.get(typed.headers.get("location") ?? "") : typed;
    expect(page.text).toContain(`<input type="hidden" name="email" value="${email}"/>`);
    const referer = `${site.origin}/sign-in?return_to=%2Fteam`;
    const chosen = await choose(forms, "de", { referer }, { email });
    const location = chosen.headers.get("location") ?? "";
    expect([chosen.status, location]).toEqual([303, "/sign-in?return_to=%2Fteam"]);
    const shown = await forms.get(location);
    expect(languageOf(shown.text)).toBe("de ltr");
    expect(/<input id="email"[^>]*>/.exec(shown.text)?.[0]).toMatch(new RegExp(`value="${email}".* readonly`, "i"));
  });

  test("An unknown language and a form of another origin change nothing.", async () => {
    const { forms, email } = await signedUp();
    const before = await localeOf(email);
    const unknown = await choose(forms, "tlh");
    expect([unknown.status, unknown.headers.getSetCookie()]).toEqual([400, []]);
    const csrf = await forms.csrf("/account");
    const foreign = await forms.post("/language", { language: "de", csrf }, { "sec-fetch-site": "cross-site" });
    const unbound = await forms.post("/language", { language: "de", csrf: "none" });
    expect([foreign.status, unbound.status]).toEqual([403, 403]);
    expect(await localeOf(email)).toBe(before);
  });

  test("The time zone of the account is chosen on the account page and decides the times of pages.", async () => {
    const { forms } = await signedUp();
    expect((await forms.get("/account?edit=time-zone")).text).toContain("data-time-zone");
    const csrf = await forms.csrf("/account");
    const saved = await forms.post("/account", { step: "time-zone", time_zone: "Asia/Tokyo", csrf });
    expect([saved.status, saved.headers.get("location")]).toEqual([303, "/account"]);
    expect((await forms.get("/account")).text).toContain("<small>Asia/Tokyo</small>");
    const after = (await forms.get("/account?edit=time-zone")).text;
    expect(after).toContain("<option selected>Asia/Tokyo</option>");
    expect(after).not.toContain("data-time-zone");
    expect((await forms.get("/account/security")).text).toMatch(/title="[^"]+(?:JST|GMT\+9)"/);
    const unknown = await forms.post("/account", { step: "time-zone", time_zone: "Mars/Base", csrf });
    expect(unknown.status).toBe(400);
    const none = await forms.post("/account", { step: "time-zone", time_zone: "", csrf });
    expect(none.status).toBe(303);
    expect((await forms.get("/account?edit=time-zone")).text).toContain("data-time-zone");
  });

  test("The choice of a user is stored in the account, for every browser, with an audit record.", async () => {
    const { forms, email } = await signedUp();
    await choose(forms, "de", GERMAN);
    expect(await localeOf(email)).toBe("de-at");
    const elsewhere = new FormClient(site.origin);
    await elsewhere.post("/sign-in", { email, password: PASSWORD });
    expect(languageOf((await elsewhere.get("/account", { "accept-language": "en" })).text)).toBe("de ltr");
    const audited = await site.sql`
      select metadata from audit_logs join users on users.id = actor_id
      where email = ${email} and action = 'user.updated'`;
    expect(audited.map(({ metadata }) => metadata)).toEqual([{ fields: "locale" }]);
  });
});

describe("in the browser", () => {
  test("A visitor without scripts changes the language at the foot of a page and stays on the page.", async () => {
    const reader = await Reader.at(site.origin, { javaScriptEnabled: false, viewport: { width: 320, height: 640 } });
    readers.push(reader);
    await reader.open("/sign-in?return_to=%2Fteam");
    const menu = reader.page.locator("footer details");
    await menu.locator("summary").click();
    const target = menu.getByRole("button", { name: "Deutsch" });
    expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(24);
    await reader.press("Deutsch");
    expect([reader.path, await reader.heading]).toEqual(["/sign-in?return_to=%2Fteam", "Anmelden"]);
    expect(await reader.page.locator("html").getAttribute("lang")).toBe("de");
  });

  test("The account changes the language, and says so in the new language; the open menu is accessible.", async () => {
    const { forms } = await signedUp();
    const reader = await Reader.at(site.origin, {});
    readers.push(reader);
    await reader.become(forms);
    await reader.open("/account");
    await reader.page.locator("main select[name=language]").selectOption("de");
    await reader.press("Save the language");
    expect([reader.path, await reader.heading]).toEqual(["/account", "Konto"]);
    expect(await reader.page.locator("main [role=status]").innerText()).toBe("Sprache geändert.");
    await reader.page.locator("footer summary").click();
    expect(await reader.page.locator("footer [aria-current]").innerText()).toBe("Deutsch");
    expect([...(await reader.violations()), ...reader.offences]).toEqual([]);
  });
});

describe("texts 40 % longer", () => {
  const WIDTHS = [320, 390, 600, 820, 1024, 1280];
  const VISITOR = ["/sign-in", "/sign-in/code", "/register", "/forgot-password", "/error", "/nothing"];
  const SIGNED_IN = ["/account", "/account/security", "/account/applications", "/team", "/machines"];
  const CONSOLE = ["", "/organizations", "/users", "/providers", "/oauth-clients", "/resources", "/flags", "/audit"];
  /** Elements that end beyond the window. A line for screen readers is one pixel wide, and a row of tabs scrolls. */
  const OVERFLOWING = `(() => {
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > innerWidth) return ["scrolls to " + scrollWidth];
    return [...document.querySelectorAll("main *, nav a, footer *")]
      .filter((element) => !element.closest(".sr, .tabs, details:not([open]) > :not(summary)"))
      .filter((element) => element.checkVisibility())
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
      .map((element) => element.outerHTML.slice(0, 80));
  })()`;

  test("fit at every width, on pages of visitors, of the account and of the console", async () => {
    const longer = ["--preload", join(ROOT, "test/support/longer-texts.ts"), join(ROOT, "src/main.ts"), "serve"];
    const pseudo = await startSite({ SERVICE_CONFIG_KEY: CONFIG_KEY }, { command: [process.execPath, ...longer] });
    const owner = await administrator(pseudo, "owner");
    const found: string[] = [];
    for (const [paths, forms] of [
      [VISITOR, undefined],
      [[...SIGNED_IN, ...CONSOLE.map((name) => `/admin${name}`)], owner.forms],
    ] as const) {
      const reader = await Reader.at(pseudo.origin, {});
      if (forms) await reader.become(forms);
      for (const path of paths) {
        await reader.open(path);
        expect(await reader.page.locator("footer").innerText()).toContain("Laanguuaagee");
        for (const width of WIDTHS) {
          await reader.page.setViewportSize({ width, height: 800 });
          const wrong = await reader.page.evaluate<string[]>(OVERFLOWING);
          found.push(...wrong.map((each) => `${path} at ${width} px: ${each}`));
        }
      }
      await reader.close();
    }
    await pseudo.one.stop();
    expect(found).toEqual([]);
  }, 300_000);
});
