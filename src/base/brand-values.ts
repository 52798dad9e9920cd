/** The values of a brand: of the deployment by settings, of organizations and applications by the API and pages. */

/** A page that pages and e-mails link to. */
export function isPageUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** A page or a mailbox for questions of users. */
export function isContactUrl(text: string): boolean {
  return /^mailto:[^<>@\s?\p{Cc}]+@[^<>@\s?\p{Cc}]+$/u.test(text) || isPageUrl(text);
}

/** The settings of a brand that are not pictures. Null: the value of the deployment applies. */
export interface BrandSettings {
  /** `#rgb` or `#rrggbb`. */
  readonly accent: string | null;
  /** Corner radius in pixels. */
  readonly radius: number | null;
  readonly termsUrl: string | null;
  readonly privacyUrl: string | null;
  readonly supportUrl: string | null;
}

/** The tenants that a page or an e-mail concerns, for the brand. */
export interface BrandTenants {
  readonly organizationId?: string | undefined;
  /** The application that waits for the sign-in. */
  readonly clientId?: string | undefined;
}

/** A logo has a second picture for the dark theme. */
export type LogoTheme = "light" | "dark";
