/** Owns: the way of an e-mail out of the house. Each provider is one function behind this interface; the outbox decides when. */

export interface Mail {
  /** Id of the outbox row: a provider that has seen it sends nothing again. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** `refused`: this very mail will never be taken. `failed`: it may be, later. The cause is for the log and holds no content. */
export type Delivery =
  | { readonly outcome: "sent" }
  | { readonly outcome: "failed" | "refused"; readonly cause: string };

export interface MailProvider {
  readonly name: "http" | "smtp" | "folder";
  /** Never rejects, and answers within `MAIL_SEND_DEADLINE_MS`. */
  send(mail: Mail): Promise<Delivery>;
}
