/** Typographic rules of the languages, and the terms that equal their English form. */
import type { Language } from "../../src/vocabulary/languages.ts";
import rules from "./language-rules.json" with { type: "json" };

interface LanguageRules {
  /** The outer quotation marks: open and close. */
  readonly quotes: readonly string[];
  /** Words that the language shares with English. */
  readonly shared: readonly string[];
}

function rulesOf(language: Language): LanguageRules {
  return rules[language];
}

export function quotesOf(language: Language): readonly string[] {
  return rulesOf(language).quotes;
}

/** Names and terms of protocols, equal in every language. */
const TERMS = [
  "API",
  "APIs",
  "ID",
  "Issuer",
  "Discovery",
  "HTML",
  "Host",
  "PKCE",
  "FAPI 2.0",
  "Passkey",
  "Passkey (phr)",
  "Passkeys",
  "Scope",
  "Webhook",
  "Scopes",
  "URL",
  "Webhooks",
];

export function isAllowedInEnglish(language: Language, text: string): boolean {
  return (
    TERMS.includes(text) || rulesOf(language).shared.includes(text) || !/[a-z]{2}/i.test(withoutPlaceholders(text))
  );
}

function withoutPlaceholders(text: string): string {
  return text.replace(/\{\{[^}]+\}\}|⟦\w+⟧/g, "");
}
