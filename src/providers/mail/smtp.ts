import type { Transporter } from "nodemailer";
import { causeOfConnection } from "../../base/connection-cause.ts";
import { MAIL_SEND_DEADLINE_MS, SMTP_MESSAGES_PER_CONNECTION, SMTP_WAIT_MS } from "../../limits/email-limits.ts";
import { AUTOMATIC, type MailProvider, mailboxOf } from "./mail.ts";

export interface SmtpMailOptions {
  /** `smtp://` (STARTTLS if offered by the server) or `smtps://`, with user and password if required. */
  readonly url: string;
  readonly from: string;
  /** Right-hand side of the Message-ID. */
  readonly host: string;
  /** Connections of this replica to the server. */
  readonly connections: number;
}

/**
 * SMTP (RFC 5321). The protocol has no idempotency key: a crash between acceptance and deletion of the outbox row sends
 * the mail twice. The copies share one Message-ID, derived from the row's id, so mail programs display only one copy.
 */
export function smtpMail(options: SmtpMailOptions): MailProvider {
  let transport: Promise<Transporter> | undefined;
  const slots = connectionSlots(options.connections);
  return {
    name: "smtp",
    async send({ id, to, subject, text, html }) {
      // The queue of the library would send an email after this call has given the email up.
      if (!(await slots.take())) return { outcome: "failed", cause: "no free connection" };
      try {
        transport ??= createTransport(options);
        // As an object, an address is a single recipient regardless of the characters in the address (G18a).
        const recipient = { name: "", address: mailboxOf(to) };
        const messageId = `<${id}@${options.host}>`;
        const mail = { from: options.from, to: recipient, subject, text, html, messageId, headers: AUTOMATIC };
        await withDeadline((await transport).sendMail(mail));
        return { outcome: "sent" };
      } catch (error) {
        return { outcome: isRefusal(error) ? "refused" : "failed", cause: causeOf(error) };
      } finally {
        slots.give();
      }
    },
  };
}

/** The connections of a replica: an email beyond them waits in order of arrival, for `SMTP_WAIT_MS` at most. */
function connectionSlots(connections: number) {
  let free = connections;
  const waiting: (() => void)[] = [];
  return {
    /** False: no connection was free in time. */
    take(): Promise<boolean> {
      if (free > 0) {
        free -= 1;
        return Promise.resolve(true);
      }
      return new Promise((resolve) => {
        const giveUp = setTimeout(() => {
          waiting.splice(waiting.indexOf(begin), 1);
          resolve(false);
        }, SMTP_WAIT_MS);
        const begin = () => {
          clearTimeout(giveUp);
          resolve(true);
        };
        waiting.push(begin);
      });
    },
    give(): void {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    },
  };
}

/** The first email loads the library: few deployments use SMTP, and an earlier import would delay the start. */
async function createTransport({ url, connections }: SmtpMailOptions): Promise<Transporter> {
  const { createTransport: create } = await import("nodemailer");
  return create({
    url,
    pool: true,
    maxConnections: connections,
    maxMessages: SMTP_MESSAGES_PER_CONNECTION,
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

/** What nodemailer adds to an error. */
interface SmtpError {
  readonly code?: string;
  readonly responseCode?: number;
  /** The reply of the server. */
  readonly response?: string;
  /** The refused command, such as `RCPT TO`. */
  readonly command?: string;
}

/**
 * Enhanced status codes (RFC 3463) of a permanent reply that an operator can correct, so that the email waits: the
 * address of the sender (X.1.7, X.1.8), the mail system (X.3.2, X.3.5), a quota (X.4.5), protocol (X.5), and security
 * or policy (X.7), which includes authentication, relaying and TLS.
 */
const CORRECTABLE = /(?:^|\s)5\.(?:1\.[78]|3\.[25]|4\.5|[57]\.\d+)(?:\s|$)/;
/** Authentication required, mechanism too weak, and encryption required (RFC 4954, RFC 3207). */
const CORRECTABLE_CODES = new Set([530, 534, 535, 538]);
const RELAYING = /relay/i;

/**
 * A permanent reply (RFC 5321, section 4.2.1) about the recipient or the message. A reply about the configuration is no
 * refusal: a wrong setting of an hour would delete every email of that hour.
 */
function isRefusal(error: unknown): boolean {
  const { code, command, responseCode = 0, response = "" } = error as SmtpError;
  if (responseCode < 500 || (code !== "EENVELOPE" && code !== "EMESSAGE")) return false;
  if (CORRECTABLE_CODES.has(responseCode) || command === "MAIL FROM") return false;
  return !CORRECTABLE.test(response) && !RELAYING.test(response);
}

/** The text of the reply is omitted, because the text may contain the address. */
function causeOf(error: unknown): string {
  const { code, command, responseCode, response = "" } = error as SmtpError;
  const status = /(?:^|\s)([245]\.\d{1,3}\.\d{1,3})(?:\s|$)/.exec(response)?.[1];
  const network = responseCode === undefined ? causeOfConnection(error)?.cause : undefined;
  const parts = [code ?? "failed", command, responseCode, status, network && `(${network})`];
  return parts.filter((part) => part !== undefined).join(" ");
}
