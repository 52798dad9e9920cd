/** A reader with a window of 320 px, text of twice the size and forced colours. */
import { join } from "node:path";
import type { Language } from "../../src/vocabulary/languages.ts";
import { beyondWindow } from "../page-states/checks.ts";
import { localeOf } from "../page-states/readers.ts";
import { Reader } from "../support/pages.ts";

const STEP_DEADLINE_MS = 30_000;
export const PHONE = { width: 320, height: 640 };
/** Text of twice the size (WCAG 1.4.4), by a script, because the policy of the page admits no further style. */
const TWICE = `
  addEventListener("DOMContentLoaded", () => { document.documentElement.style.fontSize = "200%"; });`;
/**
 * Texts cut by their box, and controls without an edge: forced colours remove backgrounds, so only a border or an
 * underline separates a control from its surroundings.
 */
const UNREADABLE = `(() => {
  const visible = (selector) =>
    [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility() && !element.closest(".sr"));
  const isCut = (element) => {
    const { overflowX, textOverflow } = getComputedStyle(element);
    return overflowX !== "visible" && textOverflow !== "ellipsis" && element.scrollWidth > element.clientWidth + 1;
  };
  const hasEdge = (element) => {
    const { borderTopWidth, borderTopStyle } = getComputedStyle(element);
    return borderTopStyle !== "none" && parseFloat(borderTopWidth) > 0;
  };
  const named = (kind) => (element) => kind + ": " + element.outerHTML.slice(0, 90);
  return [
    ...(matchMedia("(forced-colors: active)").matches ? [] : ["the colours are not forced"]),
    ...visible("h1, h2, h3, p, label, button, a, td, th, dt, dd").filter(isCut).map(named("cut text")),
    ...visible(".button:not(.quiet), input:not([type=checkbox], [type=radio], [type=file], .sr), select, textarea")
      .filter((element) => !hasEdge(element))
      .map(named("no edge")),
  ];
})()`;

interface LargeReaderOptions {
  readonly language?: Language;
  /** The folder of the pictures. Default: no pictures. */
  readonly pictures?: string | undefined;
}

/** Looks at every page of a journey. */
export class LargeReader {
  readonly reader: Reader;
  readonly found: string[] = [];
  readonly #pictures: string | undefined;
  #looks = 0;

  private constructor(reader: Reader, pictures: string | undefined) {
    this.reader = reader;
    this.#pictures = pictures;
  }

  static async at(origin: string, { language = "en", pictures }: LargeReaderOptions = {}): Promise<LargeReader> {
    const locale = localeOf(language);
    const reader = await Reader.at(origin, { locale, viewport: PHONE, forcedColors: "active", colorScheme: "dark" });
    reader.page.setDefaultTimeout(STEP_DEADLINE_MS);
    await reader.page.addInitScript(TWICE);
    return new LargeReader(reader, pictures);
  }

  /** Records what the reader cannot read or reach on the page. */
  async look(journey: string): Promise<void> {
    const { page, path } = this.reader;
    const wrong = [...(await beyondWindow(this.reader)), ...(await page.evaluate<string[]>(UNREADABLE))];
    this.found.push(...wrong.map((each) => `${journey}, ${path}: ${each}`));
    this.#looks += 1;
    if (!this.#pictures) return;
    const name = `${journey}-${String(this.#looks).padStart(2, "0")}.png`;
    await page.screenshot({ path: join(this.#pictures, name), fullPage: true });
  }

  async close(): Promise<void> {
    this.found.push(...this.reader.offences);
    await this.reader.close();
  }
}
