/** The page of the API at /docs: search, links, examples with the reader's own values (G645, G646). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DOCS_STYLE } from "../../src/http/openapi/docs/docs-style.ts";
import {
  EXAMPLE_LANGUAGES,
  type ExampleLanguage,
  requestExample,
} from "../../src/http/openapi/docs/request-examples.ts";
import { type Administrator, administrator } from "../support/console.ts";
import { type PageSite, Readers, startSite } from "../support/pages.ts";

const INSTALL_DEADLINE_MS = 300_000;
/** More than the page has; a page of one of the libraries has 300 to 1,000 kB of scripts alone. */
const PAGE_MAX_BYTES = 120_000;

let site: PageSite;
let owner: Administrator;
const readers = new Readers(() => site);
beforeAll(async () => {
  site = await startSite();
  owner = await administrator(site, "owner");
}, INSTALL_DEADLINE_MS);
afterAll(async () => {
  await readers.close();
  await site.one.stop();
});

describe("/docs", () => {
  test("has the colours of the pages, and weighs less than the libraries", async () => {
    const tokens = readFileSync(join(import.meta.dirname, "../../src/pages/styles/tokens.css"), "utf8");
    const packed = (css: string) => css.replace(/\s+/g, "").replaceAll("(0.", "(.").replaceAll(",0.", ",.");
    for (const [, name, value = ""] of DOCS_STYLE.matchAll(/(--[\w-]+):\s*([^;]+);/g))
      expect([name, packed(tokens).includes(packed(`${name}:${value}`))]).toEqual([name, true]);
    const { text } = await owner.forms.get("/docs");
    expect(Bun.gzipSync(Buffer.from(text)).length).toBeLessThan(PAGE_MAX_BYTES);
  });

  test("finds operations by words, opens the operation of the address, and has no violation", async () => {
    const reader = await readers.open();
    await reader.open("/docs#createGroup");
    const { page } = reader;
    expect(await page.locator("details.operation[open]").count()).toBe(1);
    await page.keyboard.press("/");
    await page.keyboard.type("passkey begin");
    const found = page.locator("details.operation:visible");
    expect(await found.count()).toBeGreaterThan(2);
    for (const text of await found.allInnerTexts()) expect(text.toLowerCase()).toContain("passkey");
    await page.fill("#search", "no such endpoint");
    expect(await page.locator("#none").isVisible()).toBe(true);
    // The rules need seconds for each hundred operations: one group has every kind of element.
    await page.fill("#search", "/groups");
    await page.locator("details.operation:visible summary").first().click();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await reader.violations()).toEqual([]);
    }
  });

  test("writes the example in the chosen language, which the next visit has, with the ids of the reader", async () => {
    const reader = await readers.open({}, owner);
    await reader.open("/docs#listGroups");
    const { page } = reader;
    const code = page.locator("#listGroups [data-request]");
    await page.locator("#own").waitFor();
    expect(await code.innerText()).toContain(`${site.origin}/v1/orgs/${owner.organizationId}/groups`);
    await page.selectOption("#language", "python");
    expect(await code.innerText()).toStartWith("import requests");
    await page.reload();
    expect(await code.innerText()).toStartWith("import requests");
    const anonymous = await readers.open();
    await anonymous.open("/docs#listGroups");
    expect(await anonymous.page.locator("#listGroups [data-request]").innerText()).toContain("/v1/orgs/{org_id}/");
    expect(await anonymous.page.locator("#own").isVisible()).toBe(false);
  });

  test("has every operation with curl without scripts", async () => {
    const reader = await readers.open({ javaScriptEnabled: false });
    await reader.open("/docs");
    const { page } = reader;
    expect(await page.locator("#search").isVisible()).toBe(false);
    expect(await page.locator("[data-request]").count()).toBeGreaterThan(200);
    expect(await page.locator("#login [data-request]").textContent()).toStartWith("curl -X POST");
  });
});

test("an example of every language keeps quotes, booleans and null of the body", () => {
  const body = { name: 'Ada\'s "true" wiki', active: true, none: null };
  const request = { method: "POST", path: "/v1/orgs/:org_id/x", hasToken: true, body };
  const examples = Object.fromEntries(
    Object.keys(EXAMPLE_LANGUAGES).map((key) => [
      key,
      requestExample(key as ExampleLanguage, "https://a.example", request),
    ]),
  );
  expect(examples.curl).toContain(`"name": "Ada'\\''s \\"true\\" wiki"`);
  expect(examples.python).toContain(`"name": "Ada's \\"true\\" wiki"`);
  expect(examples.python).toContain(`"active": True`);
  expect(examples.python).toContain(`"none": None`);
  expect(examples.javascript).toContain(`"active": true`);
  expect(examples.go).toContain("strings.NewReader(`{");
});
