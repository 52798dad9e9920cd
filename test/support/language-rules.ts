/** Typographic rules of the languages, and the terms that equal their English form. */
import type { DescriptionLanguage } from "../../src/base/languages.ts";

/** The outer quotation marks. */
export const QUOTES: Readonly<Record<DescriptionLanguage, readonly [open: string, close: string]>> = {
  en: ["“", "”"],
  de: ["„", "“"],
  fr: ["«", "»"],
  es: ["«", "»"],
  it: ["“", "”"],
  pt: ["“", "”"],
  nl: ["“", "”"],
  pl: ["„", "”"],
  ja: ["「", "」"],
};

/** Names and terms of protocols, equal in every language. */
const TERMS = [
  "APIs",
  "ID",
  "Issuer",
  "Discovery",
  "HTML",
  "PKCE",
  "Passkey",
  "Passkeys",
  "Scope",
  "Scopes",
  "URL",
  "Webhooks",
];

/** Words that a language shares with English. */
const SHARED_WORDS: Readonly<Record<Exclude<DescriptionLanguage, "en">, readonly string[]>> = {
  de: [
    "Domain",
    "Domains",
    "Links",
    "Logo",
    "Logos",
    "(optional)",
    "Browser",
    "Details",
    "Enterprise",
    "Name",
    "Standard",
    "Status",
    "Team",
  ],
  fr: [
    "⟦0⟧ · Console",
    "⟦0⟧, page ⟦1⟧",
    "active",
    "E-mails",
    "Actions",
    "Application",
    "Applications",
    "Console",
    "Description",
    "Exceptions",
    "Feature flags",
    "Invitations",
    "Logo",
    "Logos",
    "Sessions",
    "Slug",
    "Standard",
  ],
  es: [
    "Discovery",
    "Endpoint",
    "Endpoints",
    "Enterprise",
    "Error: ⟦0⟧",
    "Feature flags",
    "Logo",
    "Logos",
    "Plan",
    "Sector",
    "Slug",
    "Tokens",
    "Zoom",
  ],
  it: [
    "{{name}} in “{{organization_name}}”",
    "⟦0⟧ · Console",
    "Account",
    "Brand",
    "Browser",
    "Console",
    "Endpoint",
    "Enterprise",
    "Logo",
    "Password",
    "Privacy",
    "Provider",
    "Single sign-on",
    "Slug",
    "Standard",
    "Team",
    "Tenant",
    "Zoom",
  ],
  pt: [
    "Console",
    "E-mails",
    "Endpoint",
    "Endpoints",
    "Enterprise",
    "Feature flags",
    "Links",
    "Slug",
    "Standard",
    "Status",
    "Tokens",
    "⟦0⟧ · Console",
  ],
  nl: [],
  pl: [],
  ja: ["recovery-codes"],
};

export function isAllowedInEnglish(language: Exclude<DescriptionLanguage, "en">, text: string): boolean {
  return TERMS.includes(text) || SHARED_WORDS[language].includes(text) || !/[a-z]{2}/i.test(withoutPlaceholders(text));
}

function withoutPlaceholders(text: string): string {
  return text.replace(/\{\{[^}]+\}\}|⟦\d⟧/g, "");
}
