/** The sign-in journey in Chromium, step by step, and the scripts of every page. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newEmail } from "../support/client.ts";
import { type PageSite, Reader, startSite } from "../support/pages.ts";
import { until } from "../support/waiting.ts";

/** A new machine installs Chromium first. */
const INSTALL_DEADLINE_MS = 300_000;
/** A faster response displays no pending state (src/pages/islands/submit.ts). */
const VISIBLE_AFTER_MS = 300;

let site: PageSite;
const readers: Reader[] = [];
beforeAll(async () => {
  site = await startSite();
}, INSTALL_DEADLINE_MS);
afterAll(async () => {
  await Promise.all(readers.map((reader) => reader.close()));
  await site.one.stop();
});

async function newReader(options: Parameters<typeof Reader.at>[1] = {}): Promise<Reader> {
  const reader = await Reader.at(site.origin, options);
  readers.push(reader);
  return reader;
}

describe("a submitted form", () => {
  /** Counts the forms of a page. The response without content leaves the page in place, as a slow service does. */
  async function countForms({ page }: Reader) {
    const sent: string[] = [];
    await page.route("**/*", async (route) => {
      if (route.request().method() !== "POST") return await route.continue();
      sent.push(route.request().url());
      await route.fulfill({ status: 204 });
    });
    return sent;
  }

  test("has a spinner and a verb on the button, ignores a second press, and works again after Back", async () => {
    const reader = await newReader();
    const { page } = reader;
    await page.clock.install();
    await reader.open("/forgot-password");
    const sent = await countForms(reader);
    await reader.fill({ email: newEmail() });
    const button = page.locator("button.primary");
    await button.click();
    await page.clock.runFor(VISIBLE_AFTER_MS - 1);
    expect(await button.getAttribute("aria-busy")).toBeNull();
    await page.clock.runFor(1);
    expect(await button.getAttribute("aria-busy")).toBe("true");
    expect(await button.innerText()).toBe("Sending…");
    expect(await button.evaluate((node) => getComputedStyle(node, "::before").borderRadius)).toBe("50%");
    expect(await reader.violations(["light"])).toEqual([]);
    await button.click();
    await page.keyboard.press("Enter");
    await until("the form is sent", async () => sent.length > 0);
    expect(sent).toHaveLength(1);
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
    expect(await button.getAttribute("aria-busy")).toBeNull();
    expect(await button.innerText()).toBe("Send the link");
    await button.click();
    await page.clock.runFor(VISIBLE_AFTER_MS);
    expect(await button.getAttribute("aria-busy")).toBe("true");
    await until("the form is sent again", async () => sent.length === 2);
    expect(reader.offences).toEqual([]);
  });
});
