import type { outbox } from "../../../db/schema/outbox.ts";
import type { BrandTenants } from "../../base/brand-values.ts";
import type { Random } from "../../base/random.ts";
import { open, type SealingKey, seal } from "../../base/seal.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { RowOf } from "../../database/row.ts";
import { EMAIL_LIFETIME_MS } from "../../limits/email-limits.ts";
import {
  type CountedEmail,
  type EmailLimitSettings,
  type EmailPurpose,
  emailLimits,
  queueEmail,
} from "./email-allowance.ts";
import type {
  AccountDeletionValues,
  CodeEmail,
  EmailChangeNoticeValues,
  EmailChangeValues,
  IdentityValues,
  InvitationValues,
  NewBrowserValues,
  NoticeDetails,
  OrganizationDeletionValues,
  OrganizationNoticeValues,
  SecuredValues,
  SetupLinkValues,
} from "./email-values.ts";
import { SIGN_UP_KINDS, SIGN_UP_PURPOSES } from "./email-values.ts";

import { MEMBERSHIP_EMAIL_KINDS, MEMBERSHIP_EMAIL_PURPOSES, type MembershipEmail } from "./membership-email.ts";
import { type DirectoryValues, type OwnerEmail, SSO_NOTICE_KINDS, SSO_NOTICE_PURPOSES } from "./owner-email.ts";

export type * from "./email-values.ts";
export { noticeTime } from "./email-values.ts";

type OutboxRow = RowOf<typeof outbox>;

/** Notices about changes to an account, so that the owner detects a takeover. */
const NOTICE_KINDS = [
  "password_changed",
  "password_removed",
  "mfa_enabled",
  "mfa_disabled",
  "mfa_reset",
  "recovery_codes_renewed",
  "passkey_added",
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** Template and values of an email. */
export type EmailContent =
  | { readonly kind: "account_deletion"; readonly values: AccountDeletionValues }
  | { readonly kind: "account_secured"; readonly values: SecuredValues }
  | { readonly kind: "data_export"; readonly values: { readonly link: string; readonly hours: number } }
  | { readonly kind: "directory_joined"; readonly values: DirectoryValues }
  | CodeEmail
  | { readonly kind: "email_change"; readonly values: EmailChangeValues }
  | { readonly kind: "email_change_notice"; readonly values: EmailChangeNoticeValues }
  | { readonly kind: "email_in_use"; readonly values: { readonly link: string } }
  | { readonly kind: "email_removed"; readonly values: NoticeDetails & { readonly email: string } }
  | { readonly kind: "email_reverted"; readonly values: NoticeDetails & { readonly link: string } }
  | { readonly kind: "email_verification"; readonly values: { readonly link: string; readonly hours: number } }
  | { readonly kind: "identity_linked"; readonly values: IdentityValues & { readonly by_user: boolean } }
  | { readonly kind: "identity_unlinked"; readonly values: IdentityValues }
  | { readonly kind: "invitation"; readonly values: InvitationValues }
  | { readonly kind: "new_browser"; readonly values: NewBrowserValues }
  | { readonly kind: "organization_deletion"; readonly values: OrganizationDeletionValues }
  | { readonly kind: "sso_setup_link"; readonly values: SetupLinkValues }
  | { readonly kind: "sso_linked" | "organization_factor_enabled"; readonly values: OrganizationNoticeValues }
  | { readonly kind: "password_reset"; readonly values: { readonly link: string; readonly minutes: number } }
  | OwnerEmail
  | MembershipEmail
  | { readonly kind: NoticeKind; readonly values: NoticeDetails };

export const EMAIL_KINDS = [
  "email_code",
  ...SIGN_UP_KINDS,
  "email_verification",
  "email_change",
  "email_in_use",
  "email_change_notice",
  "email_removed",
  "email_reverted",
  "password_reset",
  "invitation",
  "identity_linked",
  "identity_unlinked",
  "new_browser",
  "account_secured",
  "account_deletion",
  "organization_deletion",
  "data_export",
  "webhook_failing",
  "webhook_disabled",
  "domain_failing",
  "domain_lost",
  "domain_transferred",
  ...SSO_NOTICE_KINDS,
  "sso_setup_link",
  "sso_activation_requested",
  "sso_linked",
  "organization_factor_enabled",
  "api_key_expiring",
  "directory_joined",
  "directory_refused",
  "directory_role_withheld",
  "directory_deactivation_refused",
  ...MEMBERSHIP_EMAIL_KINDS,
  ...NOTICE_KINDS,
] as const satisfies readonly EmailContent["kind"][];

/** Decides the limits of each kind (docs/contract.md, section 20.2). */
const PURPOSES = {
  email_code: "request",
  ...SIGN_UP_PURPOSES,
  email_verification: "request",
  email_change: "request",
  email_in_use: "request",
  email_change_notice: "notice",
  email_removed: "notice",
  email_reverted: "notice",
  password_reset: "request",
  invitation: "invitation",
  identity_linked: "notice",
  identity_unlinked: "notice",
  account_secured: "notice",
  account_deletion: "notice",
  organization_deletion: "notice",
  data_export: "notice",
  password_changed: "notice",
  password_removed: "notice",
  mfa_enabled: "notice",
  mfa_disabled: "notice",
  mfa_reset: "notice",
  recovery_codes_renewed: "notice",
  passkey_added: "notice",
  new_browser: "notice",
  webhook_failing: "notice",
  webhook_disabled: "notice",
  domain_failing: "notice",
  domain_lost: "notice",
  domain_transferred: "notice",
  ...SSO_NOTICE_PURPOSES,
  sso_setup_link: "invitation",
  sso_activation_requested: "notice",
  sso_linked: "notice",
  organization_factor_enabled: "notice",
  api_key_expiring: "notice",
  directory_joined: "notice",
  directory_refused: "notice",
  directory_role_withheld: "notice",
  directory_deactivation_refused: "notice",
  ...MEMBERSHIP_EMAIL_PURPOSES,
} as const satisfies Readonly<Record<EmailContent["kind"], EmailPurpose>>;

/** An email with recipient. */
export interface AddressedEmail {
  readonly to: string;
  readonly name: string | null;
  /** Preferred language tag of the recipient (RFC 5646). */
  readonly locale: string | null;
  /** Time zone of the recipient. Absent in an email of an earlier release: UTC, as for null. */
  readonly timeZone?: string | null;
  readonly mail: EmailContent;
  /** The tenants of the brand, proven parts only `toStranger`. Absent, as in an earlier release: the deployment. */
  readonly tenants?: BrandTenants | undefined;
  readonly toStranger?: boolean;
  /** `traceparent` of the causing request, for a link in the trace of the delivery. */
  readonly cause?: string | undefined;
}

/** Cause and recipient of an email, for the limits. */
export interface EmailOrigin {
  /** Keyed hash of the recipient's address. */
  readonly addressHash: string;
  /** Client network; empty for the command line. */
  readonly network: string;
  /** Whether the recipient's address has a controlling proof. */
  readonly isMailboxOwner: boolean;
  readonly limits: EmailLimitSettings;
}

/** An email in the form of the outbox. */
export interface SealedEmail extends CountedEmail {
  readonly sealed: Buffer;
  readonly at: Date;
}

/** Seals an email with the id as associated data: a row copied to a different id does not open (G22). */
export function sealEmail(
  deps: { readonly sealing: SealingKey; readonly random: Random },
  addressed: AddressedEmail,
  origin: EmailOrigin,
  at: Date,
): SealedEmail {
  const id = deps.random.uuid();
  const plaintext = Buffer.from(JSON.stringify(addressed));
  const { kind } = addressed.mail;
  const { addressHash, network } = origin;
  const purpose = PURPOSES[kind];
  const limits = emailLimits(origin.limits, purpose, origin.isMailboxOwner);
  const sealed = seal(deps.sealing, deps.random, identity(id), plaintext);
  return { id, kind, purpose, addressHash, network, limits, sealed, at };
}

/** Counts an email as a request of the kind `test`: tests neither delay nor merge a notice to the address. */
export function asTest(email: SealedEmail, settings: EmailLimitSettings): SealedEmail {
  const limits = emailLimits(settings, "request", true);
  return { ...email, kind: "test", purpose: "request", limits };
}

/** `undefined` if the row was tampered with or sealed under a different root secret. */
export function openEmail(sealing: SealingKey, id: string, sealed: Buffer): AddressedEmail | undefined {
  const plaintext = open(sealing, identity(id), sealed);
  return plaintext && JSON.parse(plaintext.toString());
}

function identity(id: string): string {
  return `letter:${id}`;
}

/**
 * CTE fragment of the statement that makes the reported change: queues the email, once per row if `from` is given, and
 * within the limits. Beyond the limits a notice is held and merged into the next notice of the kind; any further email
 * is not queued, and `returning id` has no row.
 */
export function insertEmail(sql: Sql, mail: SealedEmail, from = sql``): Fragment {
  const expiresAt = new Date(mail.at.getTime() + EMAIL_LIFETIME_MS);
  // OFFSET 0 keeps the planner from calling the function for rows that the conditions of `from` exclude.
  return sql`
    insert into outbox (id, sealed_letter, kind, address_hash, network, held, merged, next_attempt_at, expires_at,
                        created_at)
    select ${mail.id}::uuid, ${mail.sealed}::bytea, ${mail.kind}::text, ${mail.addressHash}::text,
           ${mail.network}::text, queued.is_held, queued.merged_count, queued.due_at, ${expiresAt}::timestamptz,
           cause.at
    from (select ${mail.at}::timestamptz as at ${from} offset 0) cause
    cross join lateral ${queueEmail(sql, mail, sql`cause.at`, mail.at)} queued`;
}

/** Delays an email of the outbox; the email has the whole lifetime from then on. */
export async function delayEmail(sql: Sql, id: string, dueAt: Date): Promise<void> {
  const expiresAt = new Date(dueAt.getTime() + EMAIL_LIFETIME_MS);
  await sql`update outbox set next_attempt_at = ${dueAt}, expires_at = ${expiresAt} where id = ${id}`;
}

export interface DueEmail extends Pick<OutboxRow, "id"> {
  readonly sealed: Buffer;
  /** Attempts so far, including the present attempt. */
  readonly attempts: OutboxRow["attempts"];
  /** Held notices of the kind that were merged into this email. */
  readonly merged: OutboxRow["merged"];
}

/**
 * Leases due emails to this replica until `leaseEnds`; after the end of the lease, any replica finds the emails
 * again.
 */
export async function leaseDueEmails(sql: Sql, at: Date, leaseEnds: Date, limit: number): Promise<DueEmail[]> {
  return await sql<DueEmail[]>`
    update outbox set next_attempt_at = ${leaseEnds}, attempts = attempts + 1
    where id in (
      select id from outbox where next_attempt_at <= ${at} and expires_at > ${at} and not held
      order by next_attempt_at limit ${limit} for update skip locked
    )
    returning id, sealed_letter as sealed, attempts, merged`;
}

/** Creation time of the oldest email that is not held; undefined if there is no such email. */
export async function findOldestEmail(sql: Sql): Promise<Date | undefined> {
  const [row] = await sql<{ createdAt: Date }[]>`
    select created_at as "createdAt" from outbox where not held order by created_at limit 1`;
  return row?.createdAt;
}

export async function deleteEmail(sql: Sql, id: string): Promise<void> {
  await sql`delete from outbox where id = ${id}`;
}

export async function postponeEmail(sql: Sql, id: string, until: Date): Promise<void> {
  await sql`update outbox set next_attempt_at = ${until} where id = ${id}`;
}

/** Deletes a bounded batch of expired emails; returns how many. */
export async function deleteExpiredEmails(sql: Sql, before: Date, batch: number): Promise<number> {
  const deleted = await sql`
    delete from outbox where id in (
      select id from outbox where expires_at < ${before} order by next_attempt_at limit ${batch} for update skip locked
    )`;
  return deleted.count;
}

/** The number of emails, up to `countedMax`, that wait after at least `attempts` attempts. */
export async function countFailedEmails(sql: Sql, attempts: number, countedMax: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (
      select 1 from outbox where attempts >= ${attempts} and not held limit ${countedMax}
    ) failed`;
  return row?.count ?? 0;
}
