/**
 * The texts of the e-mails of one language. A missing text does not compile. Texts contain Mustache tags of the values
 * in docs/operating.md.
 */
interface KindTexts {
  readonly subject: string;
  /** The beginning of the e-mail in the list of a mailbox. */
  readonly preheader: string;
  readonly title: string;
  readonly lead: string;
  /** What to do if the reader did not cause the e-mail. */
  readonly after: string;
}

interface ButtonTexts extends KindTexts {
  readonly button: string;
}

interface NewBrowserTexts extends ButtonTexts {
  /** Introduces the link that disowns the sign-in. */
  readonly notMe: string;
}

interface WebhookDisabledTexts extends ButtonTexts {
  readonly gone: string;
  readonly backlog: string;
}

interface AddressNoticeTexts extends ButtonTexts {
  readonly change: string;
  readonly addition: string;
  /** A verified address of the user has become the primary address. */
  readonly replaced: string;
  /** Introduces the undo link. */
  readonly undo: string;
  readonly noUndo: string;
}

/** The items of `removed`; a test compares the names with the kinds of credentials. */
export type RemovedItem =
  | "password"
  | "second_factor"
  | "passkeys"
  | "identities"
  | "company_accounts"
  | "trusted_browsers"
  | "invitations"
  | "api_keys"
  | "webhooks"
  | "event_streams"
  | "oauth_grants"
  | "setup_links";

interface SecuredTexts extends ButtonTexts {
  readonly secondFactor: string;
  readonly password: string;
  readonly removed: string;
  readonly items: Readonly<Record<RemovedItem, string>>;
  /** Quotation of the name of an item. */
  readonly named: string;
  readonly moreRemoved: (count: number) => string;
  readonly joined: string;
  readonly member: string;
  readonly moreMembers: string;
  readonly members: string;
}

/** E-mails about the addresses of a user. */
export interface AddressEmailKinds {
  readonly email_change: ButtonTexts;
  readonly email_in_use: ButtonTexts;
  readonly email_change_notice: AddressNoticeTexts;
  readonly email_removed: ButtonTexts;
  readonly email_reverted: ButtonTexts;
}

interface DomainTransferTexts extends ButtonTexts {
  readonly gained: string;
  readonly givenUp: string;
}

/** E-mails about the domains and the single sign-on of an organization. */
export interface DomainEmailKinds {
  readonly domain_failing: ButtonTexts;
  readonly domain_lost: ButtonTexts;
  readonly domain_transferred: DomainTransferTexts;
  readonly sso_identity_conflict: ButtonTexts;
  readonly sso_break_glass_used: ButtonTexts;
  readonly sso_paused: ButtonTexts;
  readonly requirement_lifted: ButtonTexts;
  readonly sso_certificate_expiring: ButtonTexts;
  readonly sso_secret_expiring: ButtonTexts;
  readonly sso_certificates_changed: ButtonTexts;
  readonly sso_linked: ButtonTexts;
  readonly organization_factor_enabled: ButtonTexts;
  readonly sso_setup_link: ButtonTexts;
  readonly sso_activation_requested: ButtonTexts;
}

/** E-mails about the directory of an organization. */
export interface DirectoryEmailKinds {
  readonly api_key_expiring: ButtonTexts;
  readonly directory_joined: ButtonTexts;
  readonly directory_refused: ButtonTexts;
}

interface AccountDeletionTexts extends ButtonTexts {
  readonly byAdministrator: string;
  /** A link cancels the deletion. */
  readonly pending: string;
  /** The erasure follows at once. */
  readonly immediate: string;
}

/** E-mails about deletions and exports. */
export interface LeavingEmailKinds {
  readonly account_deletion: AccountDeletionTexts;
  readonly organization_deletion: ButtonTexts;
  readonly data_export: ButtonTexts;
}

/** E-mails about roles of an organization and requests to join. */
export interface MembershipEmailKinds {
  readonly account_channels: ButtonTexts;
  readonly channels_accepted: ButtonTexts;
  readonly role_template_widened: ButtonTexts;
  readonly join_requested: ButtonTexts;
  readonly join_approved: ButtonTexts;
  readonly join_denied: ButtonTexts;
}

/** What a user set up, by kind: credentials, and what acts in an organization. */
export type AccessItem =
  | Exclude<RemovedItem, "password" | "trusted_browsers">
  | "address_changes"
  | "connections"
  | "domains";
export type AccessItemNames = Readonly<Record<AccessItem, string>>;

interface ListTexts extends ButtonTexts {
  /** Introduces the list of the items. */
  readonly listed: string;
}

/** E-mails that list what a user set up. */
export interface AccessEmailKinds {
  readonly credential_review: ListTexts & {
    /** Introduces the link that ends the items. */
    readonly end: string;
  };
  readonly member_creations: ListTexts;
}

export interface EmailKinds
  extends AccessEmailKinds,
    AddressEmailKinds,
    DirectoryEmailKinds,
    DomainEmailKinds,
    LeavingEmailKinds,
    MembershipEmailKinds {
  readonly email_code: KindTexts;
  readonly email_verification: ButtonTexts;
  readonly password_reset: ButtonTexts;
  readonly invitation: ButtonTexts;
  readonly password_changed: ButtonTexts;
  readonly password_removed: ButtonTexts;
  readonly mfa_enabled: ButtonTexts;
  readonly mfa_disabled: ButtonTexts;
  readonly mfa_reset: ButtonTexts;
  readonly recovery_codes_renewed: ButtonTexts;
  readonly passkey_added: ButtonTexts;
  readonly new_browser: NewBrowserTexts;
  readonly identity_linked: ButtonTexts;
  readonly identity_unlinked: ButtonTexts;
  readonly account_secured: SecuredTexts;
  readonly webhook_failing: ButtonTexts;
  readonly webhook_disabled: WebhookDisabledTexts;
}
export type EmailKind = keyof EmailKinds;

/** Why the reader receives an e-mail, in the foot of the e-mail. */
export type EmailReason = "request" | "invitation" | "security" | "webhook" | "owner" | "data";

export interface EmailTexts {
  readonly kinds: EmailKinds;
  readonly accessItems: AccessItemNames;
  readonly greeting: string;
  readonly codeValidity: string;
  readonly linkValidity: string;
  readonly copyLink: string;
  readonly labels: {
    readonly device: string;
    readonly address: string;
    /** Estimated place of the address. */
    readonly location: string;
    readonly time: string;
    readonly account: string;
    readonly provider: string;
    readonly endpoint: string;
    readonly since: string;
    readonly domain: string;
    readonly recordName: string;
    readonly recordValue: string;
  };
  readonly unknownBrowser: string;
  readonly browserOn: string;
  readonly unknownBrowserOn: string;
  readonly moreChanges: (merged: number) => string;
  readonly reasons: Readonly<Record<EmailReason, string>>;
  /** The name of the deployment, in an e-mail with the name of a tenant. */
  readonly providedBy: string;
  readonly links: { readonly support: string; readonly privacy: string; readonly terms: string };
}
