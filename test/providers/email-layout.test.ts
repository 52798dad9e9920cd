/** The layout of emails: equal parts, one button, contrast and width, in every language and both themes. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import axe from "axe-core";
import type { BrowserContext, Page } from "playwright-core";
import { contrastOf } from "../../src/base/colour.ts";
import { sampleEmails } from "../../src/flows/email/sample-emails.ts";
import { CREDENTIAL_KINDS } from "../../src/flows/steps/credentials/credential-kinds.ts";
import { EMAIL_KINDS } from "../../src/models/email/email.ts";
import { KINDS } from "../../src/providers/mail/compose.ts";
import type { EmailBrand } from "../../src/providers/mail/email-brand.ts";
import { EMAIL_TEXTS } from "../../src/providers/mail/texts/catalogue.ts";
import { browser } from "../support/browser.ts";
import { emailTemplates } from "../support/mail.ts";

const BASE = "https://id.acme.example";
const AT = Date.UTC(2026, 10, 21, 21, 40);
/** No word of the name fits on the line of a phone. */
const LONG_NAME = `W${"i".repeat(56)}de`;
const LINKS = { supportUrl: `${BASE}/help`, privacyUrl: `${BASE}/privacy`, termsUrl: `${BASE}/terms` };
const BRAND = { name: "Acme", publicBaseUrl: BASE, ...LINKS };
const templates = emailTemplates(undefined, BRAND);
const samples = sampleEmails({ now: () => AT }, BASE);
const languages = Object.keys(EMAIL_TEXTS);
const every = languages.flatMap((language) => EMAIL_KINDS.map((kind) => [language, kind] as const));

function sample(language: string, kind: (typeof EMAIL_KINDS)[number], name = "Ada Lovelace") {
  return templates.render(kind, language, { ...samples[kind], name, account: "ada@acme.example", merged: 3 });
}

const unescaped = (html: string) =>
  html.replace(/&(?:amp|lt|quot|#39|#x2F|#x3D);/g, (entity) => {
    const named: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&quot;": '"', "&#39;": "'", "&#x2F;": "/" };
    return named[entity] ?? "=";
  });

/** The words of the body without preheader, with the addresses of links after the texts of the links. */
function wordsOfHtml(html: string): string[] {
  const body = html.slice(html.indexOf("<main>")).replace(/<!--.*?-->/gs, "");
  const named = body.replace(/<a href="([^"]+)">(.*?)<\/a>/g, (_, link, text) =>
    text === link ? link : `${text} ${link}`,
  );
  return withHyphens(unescaped(named.replace(/<[^>]+>/g, " ")))
    .split(/[\s:·]+/)
    .filter(Boolean);
}

/** HTML has a no-break hyphen in compound words; plain text has the hyphen of the catalogue. */
const withHyphens = (text: string) => text.replaceAll("\u2011", "-");
const wordsOfText = (text: string) =>
  withHyphens(text)
    .replace(/^-+ ?/gm, " ")
    .split(/[\s:]+/)
    .filter(Boolean);

describe("every email", () => {
  test("has the same kinds in the outbox, in the layout and in every language", () => {
    expect([...KINDS].sort()).toEqual([...EMAIL_KINDS].sort());
    for (const texts of Object.values(EMAIL_TEXTS)) expect(Object.keys(texts.kinds).sort()).toEqual([...KINDS].sort());
  });

  test.each(every)("has equal content in text and HTML: %s %s", (language, kind) => {
    const { subject, text, html } = sample(language, kind);
    // The logo row has the name of the brand; a code or link has the address in full below the button.
    const copy = EMAIL_TEXTS[language as "en"].copyLink;
    const withoutCopy = html.replace(new RegExp(`<p class="link">${copy}.*?</p>`, "s"), "");
    expect(wordsOfHtml(withoutCopy).slice(1)).toEqual(wordsOfText(text));
    const ownWords = html.match(/<(?:p class="after"|th [^>]*)>[^<]*/g)?.join() ?? "";
    expect(ownWords).not.toMatch(/\b(?:e[-]mail|IP-Adresse)\b/i);
    expect(`${subject}${text}${html}`).not.toContain("{{");
    expect(`${text}${html}`).not.toMatch(/\b(?:undefined|null|NaN)\b/);
  });

  test.each(every)(
    "has a heading, a preheader and at most one button; a notice has a button: %s %s",
    (language, kind) => {
      const { html, text } = sample(language, kind);
      expect(html.match(/<h1>[^<]+<\/h1>/g)).toHaveLength(1);
      expect(html).toMatch(/<div class="preheader">[^<]{10,150}<\/div>/);
      expect(html.match(/<table class="button"/g) ?? []).toHaveLength(kind === "email_code" ? 0 : 1);
      const link = /<table class="button".*?<a href="([^"]+)"/s.exec(html)?.[1];
      if (link) expect(text.split("\n")).toContain(unescaped(link));
    },
  );

  test("begins sentences with a capital letter, also after the greeting", () => {
    for (const [language, kind] of every) {
      const paragraphs = sample(language, kind).text.split("\n-- \n")[0]?.split(/\n\n+/) ?? [];
      const prose = paragraphs.filter((each) => !/^(?:https?:|-|\d|[a-z]+ \(|ada@)/.test(each));
      expect(prose.filter((each) => /^[a-zäöü]/.test(each))).toEqual([]);
    }
  });

  test("writes the time in words, in the zone of the reader if known, else in UTC", () => {
    const time = (locale: string, time_zone?: string) => {
      const values = { ...samples.new_browser, time_zone: time_zone ?? null };
      return /^(?:Time|Zeit): (.*)$/m.exec(templates.render("new_browser", locale, values).text)?.[1];
    };
    expect(time("en-GB")).toBe("21 November 2026 at 21:40 UTC");
    expect(time("en-GB", "Europe/Vienna")).toBe("21 November 2026 at 22:40 CET");
    expect(time("de-AT", "Europe/Vienna")).toBe("21. November 2026 um 22:40 MEZ");
    expect(time("de")).toBe("21. November 2026 um 21:40 UTC");
  });

  test("breaks no word after a short first part: neither in the foot nor in the number of merged notices", () => {
    const broken = every.flatMap(([language, kind]) => {
      const { html } = templates.render(kind, language, { ...samples[kind], merged: 2 });
      const [words] = [html.slice(html.indexOf("<main>")).replace(/<[^>]+>/g, " ")];
      return (
        words.match(/(?<![\w.@/-])(?:e|ip)-(?=\p{L})[^ ]*/giu)?.map((word) => `${language} ${kind}: ${word}`) ?? []
      );
    });
    expect(broken).toEqual([]);
  });

  test("completes the number of merged notices by the plural rules of the language", () => {
    const merged = (count: number) =>
      templates.render("mfa_enabled", "en", { ...samples.mfa_enabled, merged: count }).text;
    expect(merged(1)).toContain("1 more change of this kind was made");
    expect(merged(1204)).toContain("1,204 more changes of this kind were made");
    expect(merged(0)).not.toContain("of this kind");
  });

  test("names every kind of removed credential in the notice to the owner", () => {
    const noticed = Object.entries(CREDENTIAL_KINDS).filter(([, { isNoticed }]) => isNoticed);
    for (const { kinds } of Object.values(EMAIL_TEXTS)) {
      expect(Object.keys(kinds.account_secured.items).sort()).toEqual(noticed.map(([name]) => name).sort());
    }
  });

  test("has the direction of the language", () => {
    expect(sample("en", "new_browser").html).toContain('dir="ltr"');
  });
});

describe("the pictures and colours of the brand", () => {
  const logo = { url: `${BASE}/logos/a.png`, width: 112, height: 28 };
  const markOf = (html: string) => unescaped(/<p class="logo">.*<\/p>/.exec(html)?.[0] ?? "");

  test("has the logo as PNG at the public address, with its size, without a text that repeats the name", () => {
    const { html } = emailTemplates(undefined, { ...BRAND, logo }).render("email_code", "en", samples.email_code);
    const picture = `<img src="${logo.url}" width="112" height="28" alt="">`;
    expect(markOf(html)).toBe(`<p class="logo"><picture>${picture}</picture>Acme</p>`);
    const dark = { ...logo, darkUrl: `${BASE}/logos/b.png` };
    const both = emailTemplates(undefined, { ...BRAND, logo: dark }).render("email_code", "en", samples.email_code);
    expect(markOf(both.html)).toContain(`<source srcset="${dark.darkUrl}" media="(prefers-color-scheme: dark)">`);
    expect(sample("en", "email_code").html).not.toContain("<img");
  });

  test("has name, logo and radius of a tenant; texts and subject name the deployment (G148)", () => {
    const tenant = { ...BRAND, name: "Teal Ltd", provider: "Acme", radius: 2, logo };
    for (const language of languages) {
      const mail = emailTemplates(undefined, tenant).render("password_changed", language, {
        ...samples.password_changed,
      });
      expect(markOf(mail.html)).toEndWith("</picture>Teal Ltd</p>");
      expect(mail.subject).toContain("Acme");
      expect(mail.subject).not.toContain("Teal");
      expect(mail.html).toContain("border-radius: 2px");
      const foot = mail.text.split("\n-- \n")[1] ?? "";
      expect(foot).toContain("\nTeal Ltd\n");
      expect(foot.trimEnd().split("\n").at(-1)).toContain("Acme");
    }
  });

  test("keeps name and logo of the deployment together in the layout of an earlier release", () => {
    const folder = mkdtempSync(join(tmpdir(), "identity-layout-"));
    writeFileSync(join(folder, "layout.html"), "{{#logo}}[{{{logo}}}]{{/logo}}{{brand}}");
    const rendered = (brand: Partial<EmailBrand>) =>
      emailTemplates(folder, { ...BRAND, logo, ...brand }).render("email_code", "en", samples.email_code).html;
    expect(rendered({})).toBe(`[${logo.url}]Acme`);
    expect(rendered({ name: "Teal Ltd", provider: "Acme" })).toBe("Acme");
    rmSync(folder, { recursive: true });
  });

  test("has equal content in text and HTML with the brand of a tenant", () => {
    const { text, html } = emailTemplates(undefined, { ...BRAND, name: "Teal", provider: "Acme", logo }).render(
      "mfa_enabled",
      "en",
      { ...samples.mfa_enabled, name: "Ada", account: "ada@acme.example" },
    );
    expect(wordsOfHtml(html).slice(1)).toEqual(wordsOfText(text));
  });
});

/** Colours and sizes as Chromium computes the values, of every element with text. */
const MEASURE = `(() => {
  const byte = (value) => Number(value).toString(16).padStart(2, "0");
  const hex = (colour) => "#" + colour.match(/\\d+/g).slice(0, 3).map(byte).join("");
  const surface = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (backgroundColor !== "rgba(0, 0, 0, 0)") return hex(backgroundColor);
    }
    return "#ffffff";
  };
  const hasText = (node) => [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
  const texts = [...document.querySelectorAll("main *")].filter(hasText);
  return {
    wide: document.documentElement.scrollWidth > innerWidth,
    pairs: texts.map((node) => [node.className || node.tagName, hex(getComputedStyle(node).color), surface(node)]),
  };
})()`;

describe("in a browser", () => {
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    context = await (await browser()).newContext({ viewport: { width: 320, height: 640 } });
    page = await context.newPage();
  });
  afterAll(() => context.close());

  const measure = () => page.evaluate<{ wide: boolean; pairs: [string, string, string][] }>(MEASURE);

  test.each(languages)(
    "every email has contrast 4.5 in both themes and no sideways scroll at 320 px: %s",
    async (language) => {
      for (const kind of EMAIL_KINDS) {
        await page.setContent(sample(language, kind, LONG_NAME).html);
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          const { wide, pairs } = await measure();
          expect([kind, colorScheme, wide]).toEqual([kind, colorScheme, false]);
          const low = pairs.filter(([, text, surface]) => contrastOf(text, surface) < 4.5);
          expect([kind, colorScheme, low]).toEqual([kind, colorScheme, []]);
        }
      }
    },
  );

  test("axe finds no violation in a notice", async () => {
    await page.setContent(sample("en", "new_browser").html);
    await page.evaluate(axe.source);
    const ids = await page.evaluate(
      "axe.run({ resultTypes: ['violations'] }).then((r) => r.violations.map((v) => v.id))",
    );
    expect(ids).toEqual([]);
  });
});
