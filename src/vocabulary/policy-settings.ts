/** The policies of organizations (docs/contract.md, chapter 33), which only tighten the settings of the deployment. */

export const MFA_POLICIES = ["optional", "required", "phishing_resistant"] as const;
export const CLIENT_POLICIES = ["any", "approved", "none"] as const;
export const DOMAIN_JOIN_POLICIES = ["off", "ask", "join"] as const;

/** Values of `methods` that are no provider. Single sign-on has its own policy (docs/contract.md, section 29.9). */
export const OWN_METHODS = ["password", "passkey", "email_otp"] as const;
/** One of `OWN_METHODS`, or the key of an identity provider. The key of a deleted provider admits no user. */
export type PolicyMethod = string;

/** The settings by the names that the database functions read (`organization_access`). */
export interface PolicySettings {
  readonly mfa: (typeof MFA_POLICIES)[number];
  /** Days for members without the factor, from the start of the policy or of the membership. */
  readonly mfaGraceDays: number;
  /** Null: all methods of the deployment. */
  readonly methods: readonly PolicyMethod[] | null;
  readonly sessionMaxHours: number | null;
  readonly sessionIdleMinutes: number | null;
  /** Canonical ranges; empty: every address. */
  readonly allowedIps: readonly string[];
  /** Domains as A-labels; empty: every domain. */
  readonly inviteDomains: readonly string[];
  readonly thirdPartyClients: (typeof CLIENT_POLICIES)[number];
  /** Ids of the third-party clients that `approved` admits. */
  readonly approvedClients: readonly string[];
  readonly deviceFlow: boolean;
  readonly trustedBrowsers: boolean;
  readonly passwordMinLength: number | null;
  readonly passwordCheck: boolean;
  readonly domainJoin: (typeof DOMAIN_JOIN_POLICIES)[number];
  /** Whether members in bound sessions receive notices of new browsers. */
  readonly signInNotices: boolean;
}

/** The settings in force, as stored. */
export type PolicyInForce = PolicySettings & {
  /** RFC 3339: start of the days of grace. */
  readonly mfaSince: string;
  /** Whether an owner has confirmed a lock-out: the last user with emergency access stays (section 33.6). */
  readonly reliesOnEmergencyAccess?: boolean;
};

/** The settings of an organization without a policy. */
export const DEFAULT_POLICY: PolicySettings = {
  mfa: "optional",
  mfaGraceDays: 0,
  methods: null,
  sessionMaxHours: null,
  sessionIdleMinutes: null,
  allowedIps: [],
  inviteDomains: [],
  thirdPartyClients: "any",
  approvedClients: [],
  deviceFlow: true,
  trustedBrowsers: true,
  passwordMinLength: null,
  passwordCheck: false,
  domainJoin: "off",
  signInNotices: true,
};

/** The rules by which a preview counts members (docs/contract.md, section 33.7), sorted. */
export const AFFECTING_RULES = [
  "allowed_ips",
  "device_flow",
  "invite_domains",
  "methods",
  "mfa",
  "passwords",
  "session",
  "third_party_clients",
  "trusted_browsers",
] as const;
export type AffectingRule = (typeof AFFECTING_RULES)[number];

/**
 * The rule by which an organization refuses a session. `session`: too old or idle; `factor`: the session may only enrol
 * a second factor.
 */
export type AccessRule = "sso_required" | "address" | "method" | "session" | "factor";
