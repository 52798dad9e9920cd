/** Values of the emails to the owners of an organization. */

interface DomainValues {
  readonly domain: string;
  /** By `noticeTime`: the time since which the record has been missing, or of the transfer. */
  readonly time: string;
  /** The page with the domains of the organization. */
  readonly link: string;
}

interface DomainFailingValues extends DomainValues {
  readonly record_name: string;
  readonly record_value: string;
  /** Until the organization loses the domain. */
  readonly days: number;
}

interface DomainTransferValues extends DomainValues {
  readonly is_gained: boolean;
  readonly is_given_up: boolean;
}

/** A webhook that fails, or that the service has switched off. The flags tell templates why. */
interface WebhookNoticeValues {
  readonly webhook_host: string;
  /** By `noticeTime`. */
  readonly time: string;
  readonly link: string;
  readonly is_gone: boolean;
  readonly is_backlog: boolean;
}

/** A second subject of an identity provider with the address of a member. */
interface IdentityConflictValues {
  readonly address: string;
  /** The name of the connection. */
  readonly connection: string;
  /** By `noticeTime`. */
  readonly time: string;
  readonly link: string;
}

/** A key of a directory that ends soon. */
interface KeyExpiryValues {
  /** The name of the service account. */
  readonly key_name: string;
  readonly days: number;
  readonly link: string;
}

/** A change by a directory that was refused, or a membership that a directory created. */
export interface DirectoryValues {
  readonly organization_name: string;
  /** By `noticeTime`. */
  readonly time: string;
  readonly link: string;
}

/** A sign-in with emergency access. */
interface BreakGlassValues {
  readonly address: string;
  /** By `noticeTime`. */
  readonly time: string;
  readonly link: string;
}

/** A pause of the requirement of single sign-on by the operator. */
interface PauseValues {
  readonly reason: string;
  /** By `noticeTime`: the end of the pause. */
  readonly time: string;
  readonly link: string;
}

/** A change of a setting that an enforced policy relies on. */
interface RequirementValues {
  /** A domain, or the name of a connection. */
  readonly setting: string;
  /** By `noticeTime`. */
  readonly time: string;
  readonly link: string;
}

/** A certificate or client secret that ends soon or has ended, or a reading of metadata. */
interface CertificateValues {
  /** The name of the connection. */
  readonly connection: string;
  /** By `noticeTime`: the end of the certificate or secret, or the time of the reading. */
  readonly time: string;
  readonly link: string;
}

/** A connection that a set-up link has made ready: an owner activates the connection. */
interface ActivationValues {
  /** The name of the connection. */
  readonly connection: string;
  /** By `noticeTime`. */
  readonly time: string;
  readonly link: string;
}

/** The warnings about the end of a credential of a connection. */
export const EXPIRY_KINDS = ["sso_certificate_expiring", "sso_secret_expiring"] as const;
export type ExpiryKind = (typeof EXPIRY_KINDS)[number];

/** The notices about certificates and metadata of an identity provider. */
export const METADATA_KINDS = ["sso_certificates_changed", "sso_metadata_failed", "sso_certificates_left_out"] as const;

/** The notices about the single sign-on of an organization. */
export const SSO_NOTICE_KINDS = [
  "sso_identity_conflict",
  "sso_break_glass_used",
  "sso_paused",
  "requirement_lifted",
  ...METADATA_KINDS,
  ...EXPIRY_KINDS,
] as const;

/** The purpose of each kind (docs/contract.md, section 20.2). */
export const SSO_NOTICE_PURPOSES = {
  sso_identity_conflict: "notice",
  sso_break_glass_used: "notice",
  sso_paused: "notice",
  requirement_lifted: "notice",
  sso_certificates_changed: "notice",
  sso_metadata_failed: "notice",
  sso_certificates_left_out: "notice",
  sso_certificate_expiring: "notice",
  sso_secret_expiring: "notice",
} as const satisfies Readonly<Record<(typeof SSO_NOTICE_KINDS)[number], "notice">>;

export type OwnerEmail =
  | { readonly kind: ExpiryKind | (typeof METADATA_KINDS)[number]; readonly values: CertificateValues }
  | { readonly kind: "api_key_expiring"; readonly values: KeyExpiryValues }
  | {
      readonly kind: "directory_deactivation_refused" | "directory_refused" | "directory_role_withheld";
      readonly values: DirectoryValues;
    }
  | { readonly kind: "sso_break_glass_used"; readonly values: BreakGlassValues }
  | { readonly kind: "sso_activation_requested"; readonly values: ActivationValues }
  | { readonly kind: "sso_paused"; readonly values: PauseValues }
  | { readonly kind: "requirement_lifted"; readonly values: RequirementValues }
  | { readonly kind: "sso_identity_conflict"; readonly values: IdentityConflictValues }
  | { readonly kind: "domain_failing"; readonly values: DomainFailingValues }
  | { readonly kind: "domain_lost"; readonly values: DomainValues }
  | { readonly kind: "domain_transferred"; readonly values: DomainTransferValues }
  | { readonly kind: "webhook_failing" | "webhook_disabled"; readonly values: WebhookNoticeValues };
