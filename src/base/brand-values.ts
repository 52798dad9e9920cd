/** The values of a brand: of the deployment by settings, of organizations and applications by the API and pages. */

import { canonicalHost, storedUrl } from "./stored-url.ts";

/** The stored form of the address of a page that pages and emails link to; undefined for other text. */
export function pageUrl(text: string): string | undefined {
  return storedUrl(text);
}

/** The stored form of a page or a mailbox (`mailto:`) for questions of users; undefined for other text. */
export function contactUrl(text: string): string | undefined {
  const [, mailbox, domain = ""] = MAILBOX.exec(text.trim()) ?? [];
  if (mailbox === undefined) return pageUrl(text);
  const host = canonicalHost(domain);
  return host && `mailto:${mailbox}@${host}`;
}

/** Without the characters that begin the fields of an email (RFC 6068, section 2) or separate mailboxes. */
const MAILBOX = /^mailto:([A-Za-z0-9!#$'*+/=^_`{|}~.-]+)@([^@?,;]+)$/i;

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

/** The tenants that a page or an email concerns, for the brand. */
export interface BrandTenants {
  readonly organizationId?: string | undefined;
  /** The application that waits for the sign-in. */
  readonly clientId?: string | undefined;
}

/** A logo has a second picture for the dark theme. */
export type LogoTheme = "light" | "dark";
