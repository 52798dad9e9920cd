/** The end of the retention without an erasure; tools/personal-data.ts has the periods. */
export type Retention =
  | "account"
  | "address_change"
  | "address_reservation"
  | "api_key"
  | "application_session"
  | "audit"
  | "authorization"
  | "authorization_request"
  | "copy"
  | "credential"
  | "decision"
  | "delivery"
  | "email"
  | "membership"
  | "organization"
  | "pending_deletion"
  | "removal"
  | "session"
  | "sign_in_attempt"
  | "single_use"
  | "tombstone";

/**
 * The effect of the erasure of the user: `deleted`: the rows; `emptied`: the personal columns; `id_remains`: ids remain
 * until the end of the retention; `hash_remains`: the id is removed, and keyed hashes of addresses remain until the end
 * of the retention; `expires`: keyed hashes and networks remain for at most a day; `unlinked`: the row belongs to an
 * organization or the platform, and loses the id of the user.
 */
export type Erasure = "deleted" | "emptied" | "hash_remains" | "id_remains" | "expires" | "unlinked";

export interface PersonalTable {
  readonly purpose: string;
  readonly retention: Retention;
  readonly erasure: Erasure;
  /** The member of the copy of a user's data (docs/contract.md, section 30.5). */
  readonly copiedAs?: string;
  /** The content of each personal column. */
  readonly columns: Readonly<Record<string, string>>;
  /** Columns of text or bytes without personal data. */
  readonly impersonal?: readonly string[];
}
