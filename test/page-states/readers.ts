/** The readers of the states: a browser for every viewer. */
import type { Response } from "playwright-core";
import type { Language } from "../../src/vocabulary/languages.ts";
import { tagOf } from "../../src/vocabulary/languages.ts";
import { Reader } from "../support/pages.ts";
import type { Demo } from "./demo.ts";
import type { PageState } from "./page-state.ts";

/** British dates for the English pictures. */
export const localeOf = (language: Language) => (language === "en" ? "en-GB" : tagOf(language));

/** A state without the expected element fails after this time. */
const ARRIVAL_DEADLINE_MS = 15_000;

/**
 * Opens states in sequence. A session has a single browser for all languages: two browsers with a common refresh token
 * would end the session.
 */
export class StateReaders {
  readonly #demo: Demo;
  readonly #readers = new Map<string, Reader>();

  constructor(demo: Demo) {
    this.#demo = demo;
  }

  async open(state: PageState, language: Language): Promise<Reader> {
    const reader = await this.#readerOf(state);
    await reader.page.setViewportSize({ width: 1280, height: 800 });
    await reader.page.setExtraHTTPHeaders({ "accept-language": localeOf(language) });
    await this.#demo.sql`update sessions set mfa_verified_at = now() where mfa_verified_at is not null`;
    await this.#demo.sql`update users set locale = ${localeOf(language)}`;
    let status = 0;
    const follow = (response: Response) => {
      const request = response.request();
      if (request.isNavigationRequest() && request.frame() === reader.page.mainFrame()) status = response.status();
    };
    reader.page.on("response", follow);
    try {
      await reader.open(state.path(this.#demo));
      await state.arrive(reader, this.#demo);
    } finally {
      reader.page.off("response", follow);
    }
    if (status !== state.status) throw new Error(`${state.name} has the status ${status}`);
    return reader;
  }

  /** The cookies of a visitor end with the page. */
  async leave(state: PageState): Promise<void> {
    if (state.viewer === "visitor") await this.#readers.get("visitor")?.context.clearCookies();
  }

  async close(): Promise<void> {
    for (const reader of this.#readers.values()) await reader.close();
  }

  async #readerOf({ viewer }: PageState): Promise<Reader> {
    const found = this.#readers.get(viewer);
    if (found) return found;
    const reader = await Reader.at(this.#demo.origin);
    reader.page.setDefaultTimeout(ARRIVAL_DEADLINE_MS);
    if (viewer !== "visitor") await reader.become(this.#demo.people[viewer]);
    this.#readers.set(viewer, reader);
    return reader;
  }
}
