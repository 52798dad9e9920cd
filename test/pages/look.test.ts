/** The shell and the style sheet in Chromium: colours of every brand, widths, menus, weights, layout shift. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { newEmail, PASSWORD } from "../support/client.ts";
import { type Administrator, administrator, CONFIG_KEY, stepUp } from "../support/console.ts";
import { FormClient, type PageSite, Readers, startSite } from "../support/pages.ts";

/** A new machine installs Chromium first. */
const INSTALL_DEADLINE_MS = 300_000;
const NAME_MAX_CHARACTERS = 120;
const LONG_NAME = "Gesellschaft für außerordentlich lange Namen ".repeat(3).slice(0, NAME_MAX_CHARACTERS).trim();
const LONG_EMAIL = `${"a".repeat(64)}@${"subdomain.".repeat(12)}example.test`;

let site: PageSite;
let owner: Administrator;
/** The user and the organization with the longest names. */
let longest: Administrator;
const readers = new Readers(() => site);
beforeAll(async () => {
  site = await startSite({ SERVICE_CONFIG_KEY: CONFIG_KEY });
  owner = await administrator(site, "owner");
  await stepUp(owner);
  const csrf = await owner.forms.csrf("/account");
  const flag = { key: "f".repeat(60), description: LONG_NAME, enabled: "yes", rollout_percent: "25", version: "none" };
  await owner.forms.post("/admin/flags/edit", { ...flag, csrf });
  await owner.forms.post("/admin/machines", { csrf, step: "create-account", name: LONG_NAME });
  const hook = { url: `https://siem.example.com/${"x".repeat(200)}`, event_types: "feature_flag.updated" };
  await owner.forms.post("/admin/machines", { csrf, step: "create-webhook", ...hook });
  const wiki = { name: LONG_NAME, token_endpoint_auth_method: "client_secret_basic", application_type: "web", csrf };
  await owner.forms.post("/admin/oauth-clients/new", wiki);
  await owner.forms.post("/admin/resources/new", { name: LONG_NAME, identifier: hook.url, csrf });
  await owner.forms.post("/team", { csrf, step: "invite", email: `b${LONG_EMAIL}`, role: "admin" });
  const other = await administrator(site, "viewer");
  longest = other;
  await site.sql`update users set email = ${LONG_EMAIL}, display_name = ${LONG_NAME} where id = ${other.userId}`;
  await site.sql`update organizations set name = ${LONG_NAME} where id = ${other.organizationId}`;
  await site.sql`insert into members values (${owner.organizationId}, ${other.userId}, 'member', now()),
    (${other.organizationId}, ${owner.userId}, 'member', now())`;
  const long = { step: "invite", email: `c${LONG_EMAIL}`, role: "admin", csrf };
  await owner.forms.post(`/admin/organizations/${other.organizationId}`, long);
}, INSTALL_DEADLINE_MS);
afterAll(async () => {
  await readers.close();
  await site.one.stop();
});

/** Contrasts of the displayed page: text on the button, links on card and paper, edges of a field and of a button. */
const CONTRASTS = `(() => {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const luminance = (color) => {
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    const linear = (part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
    const [red, green, blue] = [...context.getImageData(0, 0, 1, 1).data].map(linear);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one, two) => {
    const [low, high] = [luminance(one), luminance(two)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const styleOf = (selector) => getComputedStyle(document.querySelector(selector));
  const card = styleOf(".card").backgroundColor;
  const paper = styleOf("html").backgroundColor;
  const primary = styleOf(".button.primary");
  const link = styleOf(".card a").color;
  return {
    button: contrast(primary.color, primary.backgroundColor),
    link: Math.min(contrast(link, card), contrast(link, paper)),
    field: contrast(styleOf("#password").borderTopColor, card),
    edge: contrast(styleOf(".button:not(.primary, .quiet)").borderTopColor, card),
  };
})()`;

describe("the style sheet", () => {
  const BRANDS = ["#3d4fd6", "#0f766e", "#ffcc00", "#e11d48", "#00ff00", "#ffffff", "#000000", "#7f7f7f", "#0000ff"];

  test("has the contrasts of WCAG in both themes for every colour of a brand", async () => {
    const reader = await readers.open();
    await reader.open("/sign-in");
    await reader.fill({ email: newEmail() });
    await reader.press(/^Continue$/);
    const low: unknown[] = [];
    for (const colorScheme of ["light", "dark"] as const) {
      await reader.page.emulateMedia({ colorScheme });
      for (const brand of BRANDS) {
        await reader.page.evaluate(`document.documentElement.style.setProperty("--brand", "${brand}")`);
        const found = await reader.page.evaluate<Record<"button" | "link" | "field" | "edge", number>>(CONTRASTS);
        const { button, link, field, edge } = found;
        if (button < 4.5 || link < 4.5 || field < 3 || edge < 2) low.push([colorScheme, brand, found]);
      }
    }
    expect(low).toEqual([]);
  });

  test("keeps marks and tags visible in forced colours, and prints no navigation and no button", async () => {
    const reader = await readers.open({ forcedColors: "active" }, owner);
    await reader.open("/admin/users");
    const styleOf = (selector: string, property: string) =>
      reader.page.evaluate(`getComputedStyle(document.querySelector("${selector}")).${property}`);
    const background = await styleOf("body", "backgroundColor");
    expect(await styleOf(".side .mark", "backgroundColor")).not.toBe(background);
    expect(await styleOf(".tag", "outlineStyle")).toBe("solid");
    await reader.page.emulateMedia({ media: "print" });
    expect(await reader.page.locator("nav:visible, .menu:visible, .top:visible, .button:visible").count()).toBe(0);
    expect(await reader.page.locator("h1, .side .brand").filter({ visible: true }).count()).toBe(2);
  });
});

test("a corrected field has no colour of the problem any more", async () => {
  const reader = await readers.open();
  await reader.open("/register");
  await reader.page.evaluate(`document.querySelector("form").noValidate = true`);
  await reader.fill({ email: "nobody", organization_name: "Engines", password: PASSWORD });
  await reader.press("Create account");
  const edge = () => reader.page.evaluate(`getComputedStyle(document.querySelector("#email")).borderTopColor`);
  const wrong = await edge();
  await reader.fill({ email: newEmail() });
  await reader.page.keyboard.press("Tab");
  expect(await edge()).not.toBe(wrong);
});

describe("every list and page of the shell", () => {
  const WIDTHS = [320, 390, 600, 769, 834, 1024, 1600];
  const HEIGHT = 800;
  const MACHINES = ["?part=webhooks", "?form=create-account", "?form=create-webhook"];
  const CONSOLE = ["organizations", "users", "providers", "oauth-clients", "resources", "flags", "machines", "audit"];
  const PAGES = [
    ...["/account", "/account/security", "/account/applications", "/team", "/machines", "/admin", "/admin/requests"],
    ...CONSOLE.map((name) => `/admin/${name}`),
    ...MACHINES.map((query) => `/admin/machines${query}`),
  ];
  /** The sections of the organization and the user with the longest names. */
  const sectionPages = () => [
    ...["overview", "members", "invitations", "applications", "audit"].map(
      (section) => `/admin/organizations/${longest.organizationId}?section=${section}`,
    ),
    ...["overview", "sessions", "factors", "providers", "organizations", "audit"].map(
      (section) => `/admin/users/${longest.userId}?section=${section}`,
    ),
    "/admin/users/new",
  ];
  /** Elements that end beyond the window or beyond the box around them. */
  const OVERFLOWING = `(() => {
    const width = document.documentElement.clientWidth;
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > innerWidth) return ["scrolls to " + scrollWidth];
    return [...document.querySelectorAll("table, .rows > li > *, td > *")]
      .filter((element) => {
        const { left, right } = element.getBoundingClientRect();
        return right > width + 1 || left < -1;
      })
      .map((element) => element.outerHTML.slice(0, 80));
  })()`;

  test("never scrolls sideways from 320 to 1600 px, with the longest names and addresses", async () => {
    const reader = await readers.open({ locale: "de-DE" }, owner);
    const found: string[] = [];
    for (const path of [...PAGES, ...sectionPages()]) {
      await reader.open(path);
      for (const width of WIDTHS) {
        await reader.page.setViewportSize({ width, height: HEIGHT });
        const wrong = await reader.page.evaluate<string[]>(OVERFLOWING);
        found.push(...wrong.map((each) => `${path} at ${width} px: ${each}`));
      }
    }
    expect(found).toEqual([]);
  });

  /** WCAG 1.4.4 and 1.4.12, and the direction of Arabic and Hebrew: an adjustment of the root, and its widths. */
  const READERS: readonly (readonly [string, readonly number[], string])[] = [
    ["text of twice the size", [320, 1280], `document.documentElement.style.fontSize = "200%"`],
    [
      "wide text spacing",
      [320],
      `(() => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync("* { letter-spacing: .12em !important; word-spacing: .16em !important; line-height: 1.5 }");
        document.adoptedStyleSheets = [sheet];
      })()`,
    ],
    ["text from right to left", [320, 820, 1280], `document.documentElement.dir = "rtl"`],
  ];
  const AS_BEFORE = `(() => {
    document.adoptedStyleSheets = [];
    document.documentElement.removeAttribute("style");
    document.documentElement.removeAttribute("dir");
  })()`;

  test("fits with text of twice the size, with wide text spacing, and from right to left", async () => {
    const reader = await readers.open({}, owner);
    const found: string[] = [];
    for (const path of PAGES) {
      await reader.open(path);
      for (const [adjusted, widths, adjust] of READERS) {
        await reader.page.evaluate(adjust);
        for (const width of widths) {
          await reader.page.setViewportSize({ width, height: HEIGHT });
          const wrong = await reader.page.evaluate<string[]>(OVERFLOWING);
          found.push(...wrong.map((each) => `${path} with ${adjusted} at ${width} px: ${each}`));
        }
        await reader.page.evaluate(AS_BEFORE);
      }
    }
    expect(found).toEqual([]);
  });

  test("mirrors the shell where text runs from right to left", async () => {
    const reader = await readers.open({ viewport: { width: 1280, height: 800 } }, owner);
    await reader.open("/account");
    const sideAt = async () => (await reader.page.locator(".side").boundingBox())?.x ?? -1;
    expect(await sideAt()).toBe(0);
    await reader.page.evaluate(`document.documentElement.dir = "rtl"`);
    expect(await sideAt()).toBeGreaterThan(900);
    const scale = `getComputedStyle(document.querySelector(".side .icon.directed")).scale`;
    expect(await reader.page.evaluate(scale)).toBe("-1 1");
  });

  test("has no style with a side of the screen: text from right to left would not be mirrored", () => {
    const folder = join(import.meta.dir, "../../src/pages/styles");
    const SIDES = /\b(?:margin|padding|border)-(?:left|right)\b|^\s*(?:left|right):|text-align: (?:left|right)|float:/;
    const found = readdirSync(folder).flatMap((name) =>
      readFileSync(join(folder, name), "utf8")
        .split("\n")
        .flatMap((line) => (SIDES.test(line) ? [`${name}: ${line.trim()}`] : [])),
    );
    expect(found).toEqual([]);
  });

  test("displays cards in a narrow box and a table in a wide box; a long address ends in an ellipsis", async () => {
    const reader = await readers.open({}, owner);
    await reader.open("/admin/users");
    const row = () => reader.page.evaluate(`getComputedStyle(document.querySelector("tbody tr")).display`);
    await reader.page.setViewportSize({ width: 820, height: 800 });
    expect(await row()).toBe("grid");
    await reader.page.setViewportSize({ width: 1280, height: 800 });
    expect(await row()).toBe("table-row");
    const isCut = `(() => {
      const { scrollWidth, clientWidth } = document.querySelector('[title="${LONG_EMAIL}"]');
      return scrollWidth > clientWidth;
    })()`;
    expect(await reader.page.evaluate(isCut)).toBe(true);
  });
});

describe("the menu", () => {
  test("of a phone needs no script: user, places, switch and sign-out, with targets of 44 px", async () => {
    const reader = await readers.open({ javaScriptEnabled: false, viewport: { width: 320, height: 640 } }, owner);
    await reader.open("/account/security");
    const menu = reader.page.locator(".top details.menu");
    const bar = await reader.page.locator(".top").boundingBox();
    expect(bar?.height).toBeLessThanOrEqual(58);
    expect(await menu.getByRole("link", { name: "Team" }).isVisible()).toBe(false);
    await menu.locator("summary").click();
    expect(await menu.innerText()).toContain(owner.email);
    expect(await menu.locator("[aria-current=page]").innerText()).toBe("Security");
    const targets = await menu.locator(".places :is(a, button)").all();
    expect(targets.length).toBeGreaterThan(6);
    for (const target of targets) expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await reader.press(LONG_NAME);
    expect(reader.path).toBe("/account");
    await menu.locator("summary").click();
    expect(await menu.locator("[aria-current=true]").innerText()).toContain(LONG_NAME);
    await reader.press("Engines");
    await menu.locator("summary").click();
    expect(await menu.getByRole("link", { name: "Console" }).isVisible()).toBe(true);
  });

  test("of the account ends the session by POST, at once", async () => {
    const forms = new FormClient(site.origin);
    const email = newEmail();
    await forms.post("/register", { email, organization_name: "Engines", password: PASSWORD });
    const reader = await readers.open();
    await reader.become(forms);
    await reader.open("/team");
    await reader.signOut();
    expect(reader.path).toBe("/sign-in");
    const [session] = await site.sql`
      select revoked_at from sessions join users on users.id = user_id where email = ${email}`;
    expect(session?.revoked_at).not.toBeNull();
  });

  test("is accessible when it is open, in both themes, on a phone and beside the content", async () => {
    const reader = await readers.open({}, owner);
    const found: string[] = [];
    for (const width of [320, 1280]) {
      await reader.page.setViewportSize({ width, height: 800 });
      for (const path of ["/account", "/admin"]) {
        await reader.open(path);
        await reader.page.locator("details.menu > summary:visible").first().click();
        found.push(...(await reader.violations()));
      }
    }
    expect([...found, ...reader.offences]).toEqual([]);
  });
});

describe("a page that does not exist", () => {
  test("keeps the navigation of a signed-in user, and displays none to a visitor", async () => {
    const { status, text } = await owner.forms.get("/nothing");
    expect([status, text.includes('href="/team"'), text.includes("Sign out")]).toEqual([404, true, true]);
    const visitor = await new FormClient(site.origin).get("/nothing");
    expect([visitor.status, visitor.text.includes('href="/team"')]).toEqual([404, false]);
    const forged = await new FormClient(site.origin).get("/nothing", { cookie: "service_at=forged" });
    expect([forged.status, forged.text.includes('href="/team"')]).toEqual([404, false]);
  });

  test("of the console keeps the navigation of the console", async () => {
    const { status, text } = await owner.forms.get(`/admin/users/${crypto.randomUUID()}`);
    expect([status, text.includes('href="/admin/audit"')]).toEqual([404, true]);
  });
});

test("the title names the console, the search and the page of a list", async () => {
  const titleOf = async (path: string) => /<title>([^<]*)<\/title>/.exec((await owner.forms.get(path)).text)?.[1];
  expect(await titleOf("/admin/users?q=ada&page=2")).toBe("“ada” · Users, page 2 · Console · Acme");
  expect(await titleOf("/admin")).toBe("Overview · Console · Acme");
  expect(await titleOf("/admin/oauth-clients")).not.toBe(await titleOf("/account/applications"));
  expect(await titleOf("/admin/machines")).not.toBe(await titleOf("/machines"));
});

describe("the weight", () => {
  const PAGE_MAX_BYTES = 25_000;
  const SIGN_IN_MAX_BYTES = 14_000;
  const GZIP = { "accept-encoding": "gzip" };
  const SESSION_PAGES = [
    "/account",
    "/account/security",
    "/team",
    "/machines",
    "/admin",
    "/admin/users",
    "/admin/audit",
  ];

  /** Bytes on the wire of a page with its style sheets and scripts. */
  async function weightOf(path: string, cookie = ""): Promise<number> {
    const load = async (address: string) => {
      const response = await fetch(site.origin + address, {
        headers: { ...GZIP, cookie, accept: "text/html" },
        decompress: false,
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      expect([address, response.status, response.headers.get("content-encoding")]).toEqual([address, 200, "gzip"]);
      return { bytes: bytes.length, text: gunzipSync(bytes).toString() };
    };
    const page = await load(path);
    const waiting = [...page.text.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:css|js))"/g)].map(
      ([, file = ""]) => file,
    );
    const seen = new Set<string>();
    let sum = page.bytes;
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      if (seen.has(file)) continue;
      seen.add(file);
      const { bytes, text } = await load(file);
      sum += bytes;
      waiting.push(...[...text.matchAll(/["']\.\/([\w-]+\.js)["']/g)].map(([, name]) => `/assets/${name}`));
    }
    return sum;
  }

  test("is below 14 kB for the sign-in and below 25 kB for every page, compressed, without pictures", async () => {
    expect(await weightOf("/sign-in")).toBeLessThan(SIGN_IN_MAX_BYTES);
    const cookie = owner.forms.client.jar.getCookieStringSync("https://auth.example.test/");
    const heavy: unknown[] = [];
    for (const path of SESSION_PAGES) {
      const bytes = await weightOf(path, cookie);
      if (bytes >= PAGE_MAX_BYTES) heavy.push([path, bytes]);
    }
    expect(heavy).toEqual([]);
  });

  test("is not reduced for a page that a foreign site opens: its length would reveal secrets (BREACH)", async () => {
    const encodingOf = async (from: string) => {
      const headers = { ...GZIP, accept: "text/html", "sec-fetch-site": from };
      const response = await fetch(`${site.origin}/sign-in`, { headers, decompress: false });
      return response.headers.get("content-encoding");
    };
    expect(await Promise.all(["none", "same-origin", "same-site", "cross-site"].map(encodingOf))).toEqual([
      "gzip",
      "gzip",
      null,
      null,
    ]);
  });
});

test("icons and /.well-known/change-password are where programs look for them", async () => {
  for (const [path, type] of [
    ["/favicon.ico", "image/x-icon"],
    ["/apple-touch-icon.png", "image/png"],
  ] as const) {
    const response = await fetch(site.origin + path);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, type]);
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100);
  }
  const response = await fetch(`${site.origin}/.well-known/change-password`, { redirect: "manual" });
  expect([response.status, response.headers.get("location")]).toEqual([303, "/account/password"]);
  const { text } = await new FormClient(site.origin).get("/sign-in");
  expect(text).toContain('name="theme-color" media="(prefers-color-scheme: dark)"');
});

test("neither shell of the pages moves while it loads on a device that is 20 times slower", async () => {
  const SHIFT_MAX = 0.01;
  const OBSERVE = `globalThis.shift = 0; new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) globalThis.shift += entry.value;
  }).observe({ type: "layout-shift", buffered: true });`;
  const moved: unknown[] = [];
  for (const [paths, as] of [
    [["/register"], undefined],
    [["/admin"], owner],
  ] as const) {
    const reader = await readers.open({ viewport: { width: 1280, height: 600 } }, as);
    const session = await reader.context.newCDPSession(reader.page);
    // One rate for all pages: after a change of the rate Chromium may never report an idle network.
    await session.send("Emulation.setCPUThrottlingRate", { rate: 20 });
    await reader.page.addInitScript(OBSERVE);
    for (const path of paths) {
      await reader.page.goto(site.origin + path, { waitUntil: "networkidle" });
      const shift = await reader.page.evaluate<number>("globalThis.shift");
      if (shift > SHIFT_MAX) moved.push([path, shift]);
    }
  }
  expect(moved).toEqual([]);
});
