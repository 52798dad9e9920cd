/** Firefox of Debian by WebDriver BiDi, with puppeteer-core: a second engine, with another cache for Back. */
import { importPackage } from "../support/npm-package.ts";
import { findProgram } from "../support/packages.ts";
import { stopLater } from "../support/services.ts";
import { eventually } from "../support/waiting.ts";

const PUPPETEER = "25.16.0";
const ARRIVAL_MS = 20_000;

/** The part of puppeteer-core in use: the package is fetched, so that the compiler has no types of the package. */
interface Puppeteer {
  readonly default: {
    launch(options: {
      readonly browser: "firefox";
      readonly executablePath: string;
      readonly headless: true;
      readonly extraPrefsFirefox: Readonly<Record<string, number | string | boolean>>;
    }): Promise<Firefox>;
  };
}

export interface Firefox {
  createBrowserContext(): Promise<{ newPage(): Promise<FirefoxPage>; close(): Promise<void> }>;
  close(): Promise<void>;
}

interface FirefoxElement {
  click(options?: { readonly count?: number }): Promise<void>;
  type(text: string): Promise<void>;
}

interface FirefoxPage {
  goto(url: string): Promise<unknown>;
  $(selector: string): Promise<FirefoxElement | null>;
  evaluate<Value>(run: string): Promise<Value>;
}

/** `cached`: with the cache for Back and Forward, as users have it. */
export async function startFirefox(cached: boolean): Promise<Firefox> {
  const { default: puppeteer } = await importPackage<Puppeteer>("puppeteer-core", PUPPETEER);
  const firefox = await puppeteer.launch({
    browser: "firefox",
    executablePath: findProgram("firefox"),
    headless: true,
    extraPrefsFirefox: {
      "browser.sessionhistory.max_total_viewers": cached ? -1 : 0,
      "intl.accept_languages": "en-GB, en",
    },
  });
  stopLater(() => firefox.close());
  return firefox;
}

/** A person at one tab of Firefox. Every step waits for the document that the step displays. */
export class FirefoxReader {
  readonly #page: FirefoxPage;
  readonly #origin: string;
  readonly close: () => Promise<void>;
  #marks = 0;

  private constructor(page: FirefoxPage, origin: string, close: () => Promise<void>) {
    this.#page = page;
    this.#origin = origin;
    this.close = close;
  }

  /** A browser without cookies. */
  static async at(firefox: Firefox, origin: string): Promise<FirefoxReader> {
    const context = await firefox.createBrowserContext();
    return new FirefoxReader(await context.newPage(), origin, () => context.close());
  }

  open = async (path: string) => void (await this.#page.goto(`${this.#origin}${path}`));
  back = () => this.#travel(() => this.#run("void setTimeout(() => history.back())"));
  forward = () => this.#travel(() => this.#run("void setTimeout(() => history.forward())"));
  reload = () => this.#travel(() => this.#run("void setTimeout(() => location.reload())"));
  address = async () => (await this.#run<string>("location.href")).replace(this.#origin, "");
  text = () => this.#run<string>("document.querySelector('main')?.innerText ?? ''");
  valueOf = (selector: string) => this.#run<string | null>(`document.querySelector(${quote(selector)})?.value ?? null`);

  /** The heading of a page of the service. Throws for a page of the browser, such as "Document Expired". */
  async heading(): Promise<string> {
    const [url, heading] = await this.#run<[string, string]>(
      "[document.documentURI, document.querySelector('h1')?.innerText ?? '']",
    );
    if (!url.startsWith(this.#origin) || heading === "") throw new Error(`a page of the browser: ${url}`);
    return heading;
  }

  /** Replaces the value of a field by typed text. */
  async type(selector: string, value: string): Promise<void> {
    await this.#run(`void (document.querySelector(${quote(selector)}).value = "")`);
    await (await this.#element(selector)).type(value);
  }

  /** `times`: 2 presses twice before the next page arrives. */
  async press(selector: string, times = 1): Promise<void> {
    const element = await this.#element(selector);
    await this.#travel(() => element.click({ count: times }));
  }

  /** Waits until the address without the origin matches. */
  async arrive(address: RegExp): Promise<void> {
    await eventually(`Firefox at ${address}`, ARRIVAL_MS, async () => address.test(await this.address()));
    await this.#settle("the arrival", () => true);
  }

  async #element(selector: string): Promise<FirefoxElement> {
    const element = await this.#page.$(selector);
    if (!element) throw new Error(`no ${selector} at ${await this.address()}: ${await this.text()}`);
    return element;
  }

  /** Marks the document, acts, and waits for a loaded document without that mark. */
  async #travel(act: () => Promise<unknown>): Promise<void> {
    this.#marks += 1;
    const mark = this.#marks;
    await this.#run(`void (window.mark = ${mark})`);
    await act();
    const at = await this.address().catch(() => "a page");
    await this.#settle(`the page after ${at}`, (of) => of !== mark).catch(async (error) => {
      throw new Error(`${error}: ${await this.address()}: ${await this.text()}`);
    });
    await this.heading();
  }

  async #settle(what: string, holds: (mark: number | null) => boolean): Promise<void> {
    await eventually(what, ARRIVAL_MS, async () => {
      const state = this.#run<[number | null, string]>("[window.mark ?? null, document.readyState]");
      const [mark, readyState] = await state.catch(() => [undefined, ""] as const);
      return mark !== undefined && readyState === "complete" && holds(mark);
    });
  }

  #run<Value = unknown>(script: string): Promise<Value> {
    return this.#page.evaluate<Value>(script);
  }
}

const quote = (text: string) => JSON.stringify(text);
