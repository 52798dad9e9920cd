/** Owns: delivery of emails. A provider is a function behind this interface; the outbox decides when to send. */

export interface Mail {
  /** Id of the outbox row; idempotency key of the provider call. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * `refused`: a retry cannot succeed. `failed`: a retry may succeed, also after a change of the configuration. `cause`
 * is for the log and holds no content.
 */
export type Delivery =
  | { readonly outcome: "sent" }
  | { readonly outcome: "failed" | "refused"; readonly cause: string };

export interface MailProvider {
  readonly name: "http" | "smtp" | "folder";
  /** Never rejects; resolves within `SMTP_WAIT_MS` and `MAIL_SEND_DEADLINE_MS`. */
  send(mail: Mail): Promise<Delivery>;
}

/** RFC 3834, section 5: no absence note and no list answers the email. */
export const AUTOMATIC = { "Auto-Submitted": "auto-generated" } as const;

/** A dot that a local part without quotes cannot have (RFC 5321, section 4.1.2). */
const UNUSUAL_DOT = /\.(?=[.@])/;

/**
 * An address as a mailbox of an email. Mobile carriers gave out local parts with dots in a row and at the end: such a
 * local part needs quotes, which name the same mailbox.
 */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf("@");
  return UNUSUAL_DOT.test(address) ? `"${address.slice(0, at)}"${address.slice(at)}` : address;
}
