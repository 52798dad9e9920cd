import type { Transporter } from "nodemailer";
import { MAIL_SEND_DEADLINE_MS } from "../../limits/email-limits.ts";
import type { MailProvider } from "./mail.ts";

export interface SmtpMailOptions {
  /** `smtp://` (STARTTLS if offered by the server) or `smtps://`, with user and password if required. */
  readonly url: string;
  readonly from: string;
  /** Right-hand side of the Message-ID. */
  readonly host: string;
}

/**
 * SMTP (RFC 5321). The protocol has no idempotency key: a crash between acceptance and deletion of the outbox row sends
 * the mail twice. The copies share one Message-ID, derived from the row's id, so mail programs display only one copy.
 */
export function smtpMail(options: SmtpMailOptions): MailProvider {
  let transport: Promise<Transporter> | undefined;
  return {
    name: "smtp",
    async send({ id, to, subject, text, html }) {
      try {
        transport ??= createTransport(options.url);
        // As an object, an address is a single recipient regardless of the characters in the address (G18a).
        const recipient = { name: "", address: to };
        const messageId = `<${id}@${options.host}>`;
        const mail = { from: options.from, to: recipient, subject, text, html, messageId };
        await withDeadline((await transport).sendMail(mail));
        return { outcome: "sent" };
      } catch (error) {
        return { outcome: isRefusal(error) ? "refused" : "failed", cause: causeOf(error) };
      }
    },
  };
}

/** The first e-mail loads the library: few deployments use SMTP, and an earlier import would delay the start. */
async function createTransport(url: string): Promise<Transporter> {
  const { createTransport: create } = await import("nodemailer");
  return create({
    url,
    connectionTimeout: MAIL_SEND_DEADLINE_MS / 2,
    greetingTimeout: MAIL_SEND_DEADLINE_MS / 2,
    socketTimeout: MAIL_SEND_DEADLINE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

function withDeadline<T>(sending: Promise<T>): Promise<T> {
  const deadline = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(new Error("no response")), MAIL_SEND_DEADLINE_MS);
    sending.finally(() => clearTimeout(timer)).catch(() => undefined);
  });
  return Promise.race([sending, deadline]);
}

/** A permanent negative reply (RFC 5321, section 4.2.1) to recipient or message; a failed login can be corrected. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error) || !("responseCode" in error) || !("code" in error)) return false;
  return Number(error.responseCode) >= 500 && (error.code === "EENVELOPE" || error.code === "EMESSAGE");
}

/** The text of the reply is omitted, because the text may contain the address. */
function causeOf(error: unknown): string {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return [code ?? "failed", responseCode].filter((part) => part !== undefined).join(" ");
}
