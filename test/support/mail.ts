import { brandPaletteOf } from "../../src/config/brand-palettes.ts";
import type { EmailBrand } from "../../src/providers/mail/email-brand.ts";
import {
  type EmailToRender,
  loadTemplates,
  type RenderedEmail,
  type Templates,
} from "../../src/providers/mail/templates.ts";
import { stopLater } from "./services.ts";

export const DEPLOYMENT_BRAND: EmailBrand = {
  name: "acme.test",
  host: "acme.test",
  publicBaseUrl: "https://acme.test",
  palette: brandPaletteOf({}),
};

interface BrandedTemplates extends Pick<Templates, "locales"> {
  render(kind: EmailToRender["kind"], locale: string | null, values: EmailToRender["values"]): RenderedEmail;
}

/** The templates of a deployment, with the files of a folder, in one brand. */
export function emailTemplates(folder?: string, brand: Partial<EmailBrand> = {}): BrandedTemplates {
  const { locales, render } = loadTemplates(folder);
  const given = { ...DEPLOYMENT_BRAND, ...brand };
  return { locales, render: (kind, locale, values) => render({ kind, locale, values, brand: given }) };
}

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A call of the provider, accepted or rejected. */
export interface ProviderCall {
  readonly key: string | null;
  readonly authorization: string | null;
  readonly mail: ReceivedMail;
}

const WAIT_MS = 45_000;

/** An HTTP email provider that accepts each idempotency key once. */
export class MailProvider {
  readonly url: string;
  readonly calls: ProviderCall[] = [];
  readonly #delivered = new Map<string, ReceivedMail>();
  /**
   * The response to the next calls. The email counts as delivered if the status is 2xx, or if the connection ends
   * without a response.
   */
  answer: () => Response | Promise<Response> = () => Response.json({ id: "taken" });

  constructor() {
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      idleTimeout: 60,
      fetch: (request) => this.#receive(request),
    });
    this.url = server.url.origin;
    stopLater(() => server.stop(true));
  }

  /** Delivered emails, a single email for each key. */
  get delivered(): readonly ReceivedMail[] {
    return [...this.#delivered.values()];
  }

  /** Waits for `count` emails to an address whose text matches `like`; returns the emails. */
  async mailsTo(address: string, like: RegExp, count = 1): Promise<readonly ReceivedMail[]> {
    const giveUpAt = performance.now() + WAIT_MS;
    for (;;) {
      const found = this.delivered.filter(({ to, text }) => to.includes(address) && like.test(text));
      if (found.length >= count) return found;
      if (performance.now() > giveUpAt) throw new Error(`${found.length} of ${count} mails to ${address}`);
      await Bun.sleep(5);
    }
  }

  async #receive(request: Request): Promise<Response> {
    const mail = (await request.json()) as ReceivedMail;
    const key = request.headers.get("idempotency-key");
    this.calls.push({ key, authorization: request.headers.get("authorization"), mail });
    const response = await this.answer();
    if (response.ok && key !== null) this.#delivered.set(key, mail);
    return response;
  }
}

/** A sign-in code and a link each have a separate line. */
export const CODE = /^(\d{6})$/m;
export const VERIFY_LINK = /^http:\/\/localhost:3000\/verify-email\?token=([A-Za-z0-9_-]{43})$/m;
export const RESET_LINK = /^http:\/\/localhost:3000\/reset-password\?token=([A-Za-z0-9_-]{43})$/m;
export const INVITE_LINK = /^http:\/\/localhost:3000\/accept-invitation\?token=([A-Za-z0-9_-]{43})$/m;

export function codeIn(mail: ReceivedMail | undefined): string {
  return CODE.exec(mail?.text ?? "")?.[1] ?? "none";
}

/** Returns the token of the newest of `count` links to an address. */
export async function tokenTo(provider: MailProvider, address: string, link: RegExp, count = 1): Promise<string> {
  const mails = await provider.mailsTo(address, link, count);
  return link.exec(mails.at(-1)?.text ?? "")?.[1] ?? "none";
}

/** Returns a code that differs from the given code. */
export function otherCode(code: string): string {
  return code === "000000" ? "000001" : "000000";
}
