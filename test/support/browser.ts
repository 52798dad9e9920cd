/** Chromium with a virtual authenticator on a page of the service's own origin: passkeys in a real browser. */
import { type Browser, type CDPSession, chromium, type Page } from "playwright-core";
import { findProgram } from "./packages.ts";
import { stopLater } from "./services.ts";

const QUIET = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The globals that functions find inside the page. The DOM types of the compiler would apply to every file. */
declare const document: { readonly cookie: string };
declare const PublicKeyCredential: {
  parseCreationOptionsFromJSON(options: unknown): unknown;
  parseRequestOptionsFromJSON(options: unknown): unknown;
};
declare const navigator: {
  readonly credentials: Record<"create" | "get", (options: { publicKey: unknown }) => Promise<{ toJSON(): unknown }>>;
};

let running: Promise<Browser> | undefined;

export function browser(): Promise<Browser> {
  running ??= launch();
  return running;
}

async function launch(): Promise<Browser> {
  const executablePath = findProgram("chromium");
  const started = await chromium.launch({ executablePath, headless: true, args: QUIET });
  stopLater(() => started.close());
  return started;
}

export interface PageResponse {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape.
  readonly body: any;
}

/** A PublicKeyCredential in its JSON form. */
// biome-ignore lint/suspicious/noExplicitAny: tests tamper with its members.
export type CredentialJson = any;

/** A visitor with a browser, cookies and an authenticator. */
export class Visitor {
  readonly page: Page;
  readonly authenticator: Authenticator;

  private constructor(page: Page, authenticator: Authenticator) {
    this.page = page;
    this.authenticator = authenticator;
  }

  static async at(origin: string): Promise<Visitor> {
    const context = await (await browser()).newContext();
    const page = await context.newPage();
    const visitor = new Visitor(page, await Authenticator.of(await context.newCDPSession(page)));
    await visitor.visit(origin);
    return visitor;
  }

  /** Opens an empty page of an origin. The page is served locally; no server receives a request. */
  async visit(origin: string): Promise<void> {
    const address = `${origin}/a-page-of-its-own`;
    await this.page.route(address, (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html>" }));
    await this.page.goto(address);
  }

  /** Calls the service from the page, with the cookies of the page and the CSRF header. */
  async call(method: string, path: string, body?: unknown): Promise<PageResponse> {
    return await this.page.evaluate(
      async ([method, path, body]) => {
        const csrf = /service_csrf=([^;]*)/.exec(document.cookie)?.[1];
        const headers: Record<string, string> = csrf ? { "x-service-csrf": csrf } : {};
        if (body !== undefined) headers["content-type"] = "application/json";
        const response = await fetch(path, { method, headers, ...(body === undefined ? {} : { body }) });
        const text = await response.text();
        return { status: response.status, body: text ? JSON.parse(text) : undefined };
      },
      [method, path, body === undefined ? undefined : JSON.stringify(body)] as const,
    );
  }

  /** Calls navigator.credentials.create() with options of the service. */
  async create(publicKey: unknown): Promise<CredentialJson> {
    return await this.page.evaluate(async (options) => {
      const parsed = PublicKeyCredential.parseCreationOptionsFromJSON(options);
      const credential = await navigator.credentials.create({ publicKey: parsed });
      return credential.toJSON();
    }, publicKey);
  }

  /** Calls navigator.credentials.get() with options of the service. */
  async get(publicKey: unknown): Promise<CredentialJson> {
    return await this.page.evaluate(async (options) => {
      const parsed = PublicKeyCredential.parseRequestOptionsFromJSON(options);
      const credential = await navigator.credentials.get({ publicKey: parsed });
      return credential.toJSON();
    }, publicKey);
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}

/** Attaches to a page an authenticator that holds passkeys and always consents. */
export async function addAuthenticator(page: Page): Promise<Authenticator> {
  return await Authenticator.of(await page.context().newCDPSession(page));
}

interface StoredCredential {
  readonly credentialId: string;
  readonly userName?: string;
  readonly signCount: number;
}

/** The authenticator of a page (WebDriver's virtual authenticators, WebAuthn level 3, section 11). */
class Authenticator {
  readonly #session: CDPSession;
  readonly #id: string;

  private constructor(session: CDPSession, id: string) {
    this.#session = session;
    this.#id = id;
  }

  static async of(session: CDPSession): Promise<Authenticator> {
    await session.send("WebAuthn.enable");
    const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return new Authenticator(session, authenticatorId);
  }

  async credentials(): Promise<readonly StoredCredential[]> {
    const { credentials } = await this.#session.send("WebAuthn.getCredentials", { authenticatorId: this.#id });
    return credentials as StoredCredential[];
  }

  /** Sets back the counter of the only credential, to imitate a copy of the key from an earlier time. */
  async setCounter(signCount: number): Promise<void> {
    const authenticatorId = this.#id;
    const [credential] = await this.credentials();
    if (!credential) throw new Error("the authenticator has no credential");
    const { credentialId } = credential;
    await this.#session.send("WebAuthn.removeCredential", { authenticatorId, credentialId });
    await this.#session.send("WebAuthn.addCredential", {
      authenticatorId,
      credential: { ...credential, signCount } as never,
    });
  }

  async setUserVerified(isUserVerified: boolean): Promise<void> {
    await this.#session.send("WebAuthn.setUserVerified", { authenticatorId: this.#id, isUserVerified });
  }
}
