/** Reads claims of a provider by JSON pointers (docs/contract.md, section 15.5). */
import { asciiDomain } from "../../base/ascii-domain.ts";
import { SOCIAL_SUBJECT_MAX_CHARACTERS } from "../../limits/social-provider-limits.ts";
import type { SocialProviderConfig } from "../../vocabulary/social-provider-config.ts";
import type { Claims } from "./id-token.ts";
import { textOf } from "./identity-provider.ts";

/** The value at a pointer (RFC 6901, section 4); undefined for no value. Inherited members are no values. */
export function valueAt(claims: Claims, pointer: string): unknown {
  const names = pointer
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", () => "/").replaceAll("~0", () => "~"));
  return names.reduce<unknown>(memberOf, claims);
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Claims)[name];
}

const SUBJECT = new RegExp(`^[^\\p{Cc}\\p{Cs}]{1,${SOCIAL_SUBJECT_MAX_CHARACTERS}}$`, "u");

/** Throws unless the value is a text of 1 to 255 characters or a safe integer: a rounded number names other users. */
export function subjectAt(claims: Claims, pointer: string): string {
  const value = valueAt(claims, pointer);
  const text = Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text === "string" && SUBJECT.test(text)) return text;
  throw new Error("the provider returned no valid subject");
}

export interface AssertedAddress {
  readonly email: string | undefined;
  readonly emailVerified: boolean;
}

/** The address, and whether the settings of the provider trust the address (docs/contract.md, section 16.8). */
export function addressAt(claims: Claims, config: SocialProviderConfig): AssertedAddress {
  const email = textOf(valueAt(claims, config.email_from))?.trim() || undefined;
  const claim = valueAt(claims, config.email_verified_from);
  return { email, emailVerified: email !== undefined && isTrusted(config, email, claim) };
}

function isTrusted(
  { email_trust: trust, email_domains: domains }: SocialProviderConfig,
  email: string,
  claim: unknown,
) {
  const domain = asciiDomain(email.slice(email.lastIndexOf("@") + 1));
  const isListed = domain !== undefined && domains.includes(domain);
  if (domains.length > 0 && !isListed) return false;
  switch (trust) {
    case "claim":
      return claim === true || claim === "true";
    case "always":
      return isListed;
    case "never":
      return false;
  }
}
