/** How users register (docs/contract.md, section 37.1). */

export const REGISTRATION_MODES = ["organization", "personal", "invitation"] as const;
/** `organization`: with an organization; `personal`: without a team; `invitation`: no user registers. */
export type RegistrationMode = (typeof REGISTRATION_MODES)[number];

export const REGISTRATION_METHODS = ["email_code", "password", "social"] as const;
export type RegistrationMethod = (typeof REGISTRATION_METHODS)[number];

/** An application from which a user comes to register. */
export interface RegisteringApplication {
  readonly id: string;
  /** The mode of registrations from the application; null: the mode of the deployment. */
  readonly registration: RegistrationMode | null;
}

/** The settings in force. */
export interface RegistrationSettings {
  readonly mode: RegistrationMode;
  /** The ways to register, at least one. */
  readonly methods: readonly RegistrationMethod[];
  /** Exact domains, or `*.example.com` for every sub-domain; empty: every domain. */
  readonly allowedDomains: readonly string[];
  readonly blockedDomains: readonly string[];
  /** Whether the email of a code has a link too. */
  readonly link: boolean;
}

/** The settings as stored: absent members have the defaults of the mode. */
export type StoredRegistration = Pick<RegistrationSettings, "mode"> & Partial<RegistrationSettings>;

const DEFAULTS: Readonly<Record<RegistrationMode, Omit<RegistrationSettings, "mode">>> = {
  organization: { methods: ["password", "social"], allowedDomains: [], blockedDomains: [], link: false },
  personal: { methods: ["email_code", "password", "social"], allowedDomains: [], blockedDomains: [], link: true },
  invitation: { methods: ["password", "social"], allowedDomains: [], blockedDomains: [], link: false },
};

/** The settings in force: stored members, and the defaults of the mode. */
export function registrationOf({ mode, ...stored }: StoredRegistration): RegistrationSettings {
  return { ...DEFAULTS[mode], ...stored, mode };
}

/** Whether users register by the method. */
export function isRegistrationOpen(
  { mode, methods }: Pick<RegistrationSettings, "methods" | "mode">,
  method: RegistrationMethod,
): boolean {
  return mode !== "invitation" && methods.includes(method);
}

/** Whether a rule about a domain refuses the registration of an address in stored form. */
export function isDomainRefused(
  { allowedDomains, blockedDomains }: Pick<RegistrationSettings, "allowedDomains" | "blockedDomains">,
  email: string,
): boolean {
  const domain = email.slice(email.lastIndexOf("@") + 1);
  if (blockedDomains.some((pattern) => matchesDomain(pattern, domain))) return true;
  return allowedDomains.length > 0 && !allowedDomains.some((pattern) => matchesDomain(pattern, domain));
}

function matchesDomain(pattern: string, domain: string): boolean {
  return pattern.startsWith("*.") ? domain.endsWith(pattern.slice(1)) : domain === pattern;
}
