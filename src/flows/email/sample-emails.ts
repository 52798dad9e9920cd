/** Values of an email of every kind, for previews. No address, link or name belongs to a user. */
import type { Clock } from "../../base/clock.ts";
import {
  EMAIL_CODE_LIFETIME_MS,
  EMAIL_VERIFICATION_LIFETIME_MS,
  INVITATION_LIFETIME_MS,
  ORGANIZATION_READY_LIFETIME_MS,
  PASSWORD_RESET_LIFETIME_MS,
} from "../../limits/credential-limits.ts";
import {
  ACCOUNT_DELETION_DAYS_DEFAULT,
  DATA_EXPORT_LIFETIME_MS,
  ORGANIZATION_DELETION_DAYS,
} from "../../limits/deletion-limits.ts";
import { JOIN_REQUEST_LIFETIME_MS } from "../../limits/domain-join-limits.ts";
import { SIGN_IN_NOTICE_LIFETIME_MS } from "../../limits/session-limits.ts";
import { SETUP_LINK_HOURS_DEFAULT } from "../../limits/setup-link-limits.ts";
import { EMAIL_CHANGE_LIFETIME_MS, EMAIL_UNDO_LIFETIME_MS } from "../../limits/user-email-limits.ts";
import { type EmailContent, type NoticeDetails, noticeTime } from "../../models/email/email.ts";
import { singleSignOnPageUrl } from "../steps/email/single-sign-on-page-url.ts";

type Kind = EmailContent["kind"];
type ValuesOf<Content, K> = Content extends { readonly kind: infer Kinds; readonly values: infer Values }
  ? K extends Kinds
    ? Values
    : never
  : never;
export type SampleEmails = { readonly [K in Kind]: ValuesOf<EmailContent, K> };

/** The name of the recipient of a sample. */
export const SAMPLE_RECIPIENT = "Ada Lovelace";

/** Reserved for documents (RFC 5737). */
const SAMPLE_ADDRESS = "198.51.100.24";
const SAMPLE_ORGANIZATION = "Example Organization";

/** `publicBaseUrl`: links of the samples lead to pages of this deployment, without a token. */
export function sampleEmails(clock: Pick<Clock, "now">, publicBaseUrl: string): SampleEmails {
  const at = new Date(clock.now());
  const notice: NoticeDetails = {
    time: noticeTime(at),
    ip_address: SAMPLE_ADDRESS,
    browser: "Firefox",
    system: "Windows",
  };
  const webhook = {
    webhook_host: "hooks.example.com",
    time: notice.time,
    link: `${publicBaseUrl}/machines?part=webhooks`,
  };
  return {
    ...sampleCodes(publicBaseUrl),
    email_verification: { link: `${publicBaseUrl}/verify-email`, hours: EMAIL_VERIFICATION_LIFETIME_MS / 3_600_000 },
    email_change: {
      link: `${publicBaseUrl}/change-email`,
      hours: EMAIL_CHANGE_LIFETIME_MS / 3_600_000,
      is_change: true,
      is_addition: false,
    },
    email_in_use: { link: `${publicBaseUrl}/sign-in` },
    email_change_notice: {
      ...notice,
      new_email: "grace@example.com",
      is_change: true,
      is_addition: false,
      is_switch: false,
      undo_link: `${publicBaseUrl}/undo-email`,
      no_undo: false,
      undo_days: EMAIL_UNDO_LIFETIME_MS / 86_400_000,
      has_ended: true,
    },
    email_removed: { ...notice, email: "grace@example.com" },
    email_reverted: { ...notice, link: `${publicBaseUrl}/forgot-password` },
    password_reset: { link: `${publicBaseUrl}/forgot-password`, minutes: PASSWORD_RESET_LIFETIME_MS / 60_000 },
    invitation: {
      link: `${publicBaseUrl}/accept-invitation`,
      organization_name: SAMPLE_ORGANIZATION,
      inviter_name: SAMPLE_RECIPIENT,
      days: INVITATION_LIFETIME_MS / 86_400_000,
    },
    identity_linked: { ...notice, provider: "Google", by_user: true },
    passkey_removed: { ...notice, passkey_name: "YubiKey 5" },
    identity_unlinked: { ...notice, provider: "Google" },
    ...sampleAccessEmails(notice, publicBaseUrl),
    ...leavingEmails(notice, publicBaseUrl),
    webhook_failing: { ...webhook, is_gone: false, is_backlog: false },
    ...sampleDomainEmails(notice.time, publicBaseUrl),
    sso_linked: { ...notice, organization_name: "Example Ltd" },
    organization_factor_enabled: { ...notice, organization_name: "Example Ltd" },
    ...sampleOrganizationEmails(notice.time, publicBaseUrl),
    webhook_disabled: { ...webhook, is_gone: true, is_backlog: false },
    password_changed: notice,
    password_removed: notice,
    mfa_enabled: notice,
    mfa_disabled: notice,
    mfa_reset: notice,
    recovery_codes_renewed: notice,
    passkey_added: notice,
    new_browser: {
      ...notice,
      location: "Vienna, AT",
      not_me_link: `${publicBaseUrl}/sign-in/not-me`,
      hours: SIGN_IN_NOTICE_LIFETIME_MS / 3_600_000,
    },
  };
}

function sampleCodes(publicBaseUrl: string) {
  return {
    email_code: { code: "123456", minutes: EMAIL_CODE_LIFETIME_MS / 60_000 },
    sign_up_code: { code: "123456", minutes: EMAIL_CODE_LIFETIME_MS / 60_000, link: `${publicBaseUrl}/sign-in/link` },
    sign_up_refused: { link: `${publicBaseUrl}/sign-in` },
  };
}

function sampleAccessEmails(notice: NoticeDetails, publicBaseUrl: string) {
  const items = {
    has_items: true,
    items: [
      { is_setup_links: true, name: null },
      { is_api_keys: true, name: "Deployment" },
    ],
    more_items: 2,
  };
  const [organization_name, address] = [SAMPLE_ORGANIZATION, "grace@example.com"];
  return {
    account_secured: sampleSecured(notice, publicBaseUrl),
    credential_review: { ...notice, ...items, end_link: `${publicBaseUrl}/reset-password/review` },
    member_creations: { organization_name, address, time: notice.time, link: `${publicBaseUrl}/team`, ...items },
  };
}

function sampleSecured(notice: NoticeDetails, publicBaseUrl: string): SampleEmails["account_secured"] {
  return {
    ...notice,
    password: true,
    second_factor: true,
    has_removed: true,
    removed: [
      { is_passkeys: true, name: null },
      { is_api_keys: true, name: "Deployment" },
    ],
    more_removed: 2,
    has_members: true,
    members: [{ name: "grace@example.com", organization_name: SAMPLE_ORGANIZATION }],
    more_members: false,
    members_link: `${publicBaseUrl}/team`,
  };
}

/** A sample of one kind. */
export function sampleEmail<K extends Kind>(
  clock: Pick<Clock, "now">,
  publicBaseUrl: string,
  kind: K,
): { readonly kind: K; readonly values: SampleEmails[K] } {
  return { kind, values: sampleEmails(clock, publicBaseUrl)[kind] };
}

function sampleDomainEmails(time: string, publicBaseUrl: string) {
  const link = singleSignOnPageUrl(publicBaseUrl);
  const domain = { domain: "example.com", time, link };
  const record = {
    record_name: "_service-domain.example.com",
    record_value: "service-domain-verification=0123456789ABCDEFGHIJKLMNOPQRSTUV",
  };
  return {
    domain_failing: { ...domain, ...record, days: 3 },
    domain_lost: domain,
    domain_transferred: { ...domain, is_gained: true, is_given_up: false },
    sso_identity_conflict: {
      address: "grace@example.com",
      connection: "Example ID",
      time,
      link,
    },
    sso_certificate_expiring: { connection: "Example ID", time, link },
    sso_secret_expiring: { connection: "Example ID", time, link },
    sso_certificates_changed: { connection: "Example ID", time, link },
    sso_metadata_failed: { connection: "Example ID", time, link },
    sso_certificates_left_out: { connection: "Example ID", time, link },
    sso_break_glass_used: { address: "grace@example.com", time, link },
    sso_paused: {
      reason: "The identity provider is unavailable.",
      time,
      link,
    },
    requirement_lifted: { setting: "example.com", time, link },
    sso_activation_requested: { connection: "Example ID", time, link },
    sso_setup_link: {
      link: `${publicBaseUrl}/setup`,
      organization_name: SAMPLE_ORGANIZATION,
      inviter_name: SAMPLE_RECIPIENT,
      hours: SETUP_LINK_HOURS_DEFAULT,
    },
  };
}

function sampleOrganizationEmails(time: string, publicBaseUrl: string) {
  return { ...sampleDirectoryEmails(time, publicBaseUrl), ...sampleMembershipEmails(time, publicBaseUrl) };
}

function sampleDirectoryEmails(time: string, publicBaseUrl: string) {
  const link = `${publicBaseUrl}/team/directory`;
  const directory = { organization_name: SAMPLE_ORGANIZATION, time };
  return {
    api_key_expiring: { key_name: "Entra ID", days: 14, link },
    directory_joined: { ...directory, link: `${publicBaseUrl}/account` },
    directory_refused: { ...directory, link },
    directory_role_withheld: { ...directory, link },
    directory_deactivation_refused: { ...directory, link },
  };
}

/** Emails about roles of an organization and requests to join. */
function sampleMembershipEmails(time: string, publicBaseUrl: string) {
  const organization_name = SAMPLE_ORGANIZATION;
  const days = JOIN_REQUEST_LIFETIME_MS / 86_400_000;
  const decision = { organization_name, days, link: `${publicBaseUrl}/account` };
  return {
    account_channels: {
      organization_name: SAMPLE_ORGANIZATION,
      channels: "Example ID (Grace Hopper), Directory (sk_1234…) (Grace Hopper)",
      time,
      link: `${publicBaseUrl}/account/security`,
    },
    channels_accepted: {
      organization_name: SAMPLE_ORGANIZATION,
      channels: "Example ID (Grace Hopper)",
      time,
      link: `${publicBaseUrl}/team`,
    },
    members_creations: {
      organization_name,
      people: "Ada Lovelace, grace@example.com",
      time,
      link: `${publicBaseUrl}/team`,
    },
    role_template_widened: {
      organization_name,
      role_name: "Auditor",
      added: "audit.read, members.list",
      time,
      link: `${publicBaseUrl}/team/roles`,
    },
    join_requested: { organization_name, address: "grace@example.com", days, link: `${publicBaseUrl}/team` },
    join_approved: decision,
    join_denied: decision,
    member_added: { organization_name, time, link: `${publicBaseUrl}/sign-in` },
    organization_ready: {
      organization_name,
      link: `${publicBaseUrl}/forgot-password`,
      hours: ORGANIZATION_READY_LIFETIME_MS / 3_600_000,
    },
  };
}

/** Emails about deletions and exports. */
function leavingEmails(
  notice: NoticeDetails,
  publicBaseUrl: string,
): Pick<SampleEmails, "account_deletion" | "data_export" | "organization_deletion"> {
  const link = `${publicBaseUrl}/cancel-deletion`;
  const days = ACCOUNT_DELETION_DAYS_DEFAULT;
  return {
    account_deletion: { ...notice, link, days, is_immediate: false, by_administrator: false },
    organization_deletion: {
      ...notice,
      organization_name: SAMPLE_ORGANIZATION,
      link,
      days: ORGANIZATION_DELETION_DAYS,
    },
    data_export: { link: `${publicBaseUrl}/account/export`, hours: DATA_EXPORT_LIFETIME_MS / 3_600_000 },
  };
}
