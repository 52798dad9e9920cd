/** Owns: delivery of e-mails. A provider is a function behind this interface; the outbox decides when to send. */

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
