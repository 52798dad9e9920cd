/** The values of the kinds of emails. */
import type { Device } from "../../vocabulary/device.ts";

/** Time and origin of the request that caused a notice. The device is named from closed sets (G92). */
export interface NoticeDetails extends Device {
  /** By `noticeTime`. */
  readonly time: string;
  readonly ip_address: string | null;
}

export interface InvitationValues {
  readonly link: string;
  readonly organization_name: string;
  readonly inviter_name: string;
  readonly days: number;
}

/** A link by which a person without an account sets up single sign-on. */
export interface SetupLinkValues {
  readonly link: string;
  readonly organization_name: string;
  readonly inviter_name: string;
  readonly hours: number;
}

/** What the first controlling proof removed from an account, and who joined by an invitation of the account. */
export interface SecuredValues extends NoticeDetails {
  readonly password: boolean;
  readonly second_factor: boolean;
  readonly has_removed: boolean;
  /** A flag with the kind and the name of the credential. */
  readonly removed: readonly Readonly<Record<string, string | boolean | null>>[];
  /** Number of credentials beyond the list `removed`. */
  readonly more_removed: number;
  readonly has_members: boolean;
  readonly members: readonly { readonly name: string; readonly organization_name: string }[];
  readonly more_members: boolean;
  /** The page on which an administrator removes members. */
  readonly members_link: string;
}

/** What a user set up, for a list of an email. */
export interface AccessItemsValues {
  readonly has_items: boolean;
  /** A flag with the kind and the name of the item. */
  readonly items: readonly Readonly<Record<string, string | boolean | null>>[];
  /** Number of items beyond the list `items`. */
  readonly more_items: number;
}

/** What was set up before a reset of the password. */
export interface CredentialReviewValues extends NoticeDetails, AccessItemsValues {
  /** Ends the items of the list. */
  readonly end_link: string;
}

export interface IdentityValues extends NoticeDetails {
  /** The name of the provider. */
  readonly provider: string;
}

export interface PasskeyRemovedValues extends NoticeDetails {
  readonly passkey_name: string;
}

export interface NewBrowserValues extends NoticeDetails {
  /** "Vienna, AT"; null: unknown. */
  readonly location: string | null;
  readonly not_me_link: string;
  readonly hours: number;
}

/** The link that confirms an address of a user. */
export interface EmailChangeValues {
  readonly link: string;
  readonly hours: number;
  readonly is_change: boolean;
  readonly is_addition: boolean;
}

/** A requested or completed change of the addresses, for the primary address of before. */
export interface EmailChangeNoticeValues extends NoticeDetails {
  /** Null for a recipient without a controlling proof, who may be a third party. */
  readonly new_email: string | null;
  readonly is_change: boolean;
  readonly is_addition: boolean;
  /** A verified address of the user has become the primary address. */
  readonly is_switch: boolean;
  readonly undo_link: string | null;
  readonly no_undo: boolean;
  readonly undo_days: number;
  /** The organization moved the account to another mailbox, and access of the former holder ended. */
  readonly has_ended: boolean;
}

/** The requested deletion of an account. */
export interface AccountDeletionValues extends NoticeDetails {
  /** Cancels the deletion; null if the erasure follows at once. */
  readonly link: string | null;
  readonly days: number;
  readonly is_immediate: boolean;
  /** A platform administrator has requested the deletion. */
  readonly by_administrator: boolean;
}

/** The requested deletion of an organization, for the owners. */
export interface OrganizationDeletionValues extends NoticeDetails {
  readonly organization_name: string;
  readonly link: string;
  readonly days: number;
}

/** A notice about an account in one organization. */
export interface OrganizationNoticeValues extends NoticeDetails {
  readonly organization_name: string;
}

/** A code of six digits, and the link that works in the browser that asked; no link while the setting is off. */
export type CodeValues = { readonly code: string; readonly minutes: number; readonly link?: string };

/** An email with a code to sign in or up, or the reason why an address cannot register. */
export type CodeEmail =
  | { readonly kind: "email_code"; readonly values: CodeValues }
  | { readonly kind: "sign_up_code"; readonly values: CodeValues }
  | { readonly kind: "sign_up_refused"; readonly values: { readonly link: string } };
export const SIGN_UP_KINDS = ["sign_up_code", "sign_up_refused"] as const;
/** A code counts as a requested email (docs/contract.md, section 20.2). */
export const SIGN_UP_PURPOSES = { sign_up_code: "request", sign_up_refused: "request" } as const;

/** The time of a notice in an email of the outbox, which the templates write in words. */
export function noticeTime(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
