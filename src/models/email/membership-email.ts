/** Emails about roles of an organization, requests to join, and what users set up. */
import type { AccessItemsValues, CredentialReviewValues, PasskeyRemovedValues } from "./email-values.ts";

/** A notice to the owners: the platform has added permissions to a template that the organization uses. */
interface TemplateValues {
  readonly organization_name: string;
  readonly role_name: string;
  /** The names of the added permissions. */
  readonly added: string;
  /** By `noticeTime`. */
  readonly time: string;
  readonly link: string;
}

/** A notice to the owners of a request to join. */
interface JoinRequestValues {
  readonly organization_name: string;
  /** The address in a domain of the organization. */
  readonly address: string;
  /** Until the end of the request. */
  readonly days: number;
  readonly link: string;
}

/** A notice about the channels to a power: to the owners, or to the member whose account the channels reach. */
interface ChannelValues {
  readonly organization_name: string;
  /** The names of the channels, with the people responsible for them. */
  readonly channels: string;
  /** By `noticeTime`. */
  readonly time: string;
  readonly link: string;
}

/** A notice to the user who asked. */
interface JoinDecisionValues {
  readonly organization_name: string;
  /** From a denied request until the next request. */
  readonly days: number;
  readonly link: string;
}

/** A notice to the owners: what a removed or demoted person set up is still valid. */
interface MemberCreationsValues extends AccessItemsValues {
  readonly organization_name: string;
  readonly address: string;
  /** By `noticeTime`. */
  readonly time: string;
  readonly link: string;
}

/** A notice to the owners: several members with fewer permissions created what is still valid. */
interface MembersCreationsValues {
  readonly organization_name: string;
  /** The names or addresses of the members. */
  readonly people: string;
  /** By `noticeTime`. */
  readonly time: string;
  readonly link: string;
}

/** A notice to the user: an administrator of the platform or a program added the membership. */
interface MemberAddedValues {
  readonly organization_name: string;
  /** By `noticeTime`. */
  readonly time: string;
  readonly link: string;
}

/** A link to set the password for the owner of a new organization. */
interface OrganizationReadyValues {
  readonly organization_name: string;
  readonly link: string;
  /** Until the end of the link. */
  readonly hours: number;
}

export type MembershipEmail =
  | { readonly kind: "member_added"; readonly values: MemberAddedValues }
  | { readonly kind: "passkey_removed"; readonly values: PasskeyRemovedValues }
  | { readonly kind: "organization_ready"; readonly values: OrganizationReadyValues }
  | { readonly kind: "credential_review"; readonly values: CredentialReviewValues }
  | { readonly kind: "member_creations"; readonly values: MemberCreationsValues }
  | { readonly kind: "members_creations"; readonly values: MembersCreationsValues }
  | { readonly kind: "account_channels" | "channels_accepted"; readonly values: ChannelValues }
  | { readonly kind: "role_template_widened"; readonly values: TemplateValues }
  | { readonly kind: "join_requested"; readonly values: JoinRequestValues }
  | { readonly kind: "join_approved" | "join_denied"; readonly values: JoinDecisionValues };

export const MEMBERSHIP_EMAIL_KINDS = [
  "credential_review",
  "member_creations",
  "members_creations",
  "account_channels",
  "channels_accepted",
  "role_template_widened",
  "join_requested",
  "join_approved",
  "join_denied",
  "member_added",
  "organization_ready",
  "passkey_removed",
] as const satisfies readonly MembershipEmail["kind"][];

/** The purpose of each kind (docs/contract.md, section 20.2). */
export const MEMBERSHIP_EMAIL_PURPOSES = {
  credential_review: "notice",
  member_creations: "notice",
  members_creations: "notice",
  account_channels: "notice",
  channels_accepted: "notice",
  role_template_widened: "notice",
  join_requested: "notice",
  join_approved: "notice",
  join_denied: "notice",
  member_added: "notice",
  organization_ready: "invitation",
  passkey_removed: "notice",
} as const satisfies Readonly<Record<MembershipEmail["kind"], "invitation" | "notice">>;
