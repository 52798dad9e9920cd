/** Names of domains as stored and compared (docs/contract.md, section 29.2). */
import { isIP } from "node:net";
import freeEmailDomains from "free-email-domains";
import { parse } from "tldts";
import { asciiDomain } from "../../base/ascii-domain.ts";
import type { InputFlaw } from "../../base/invalid-input.ts";
import { err, ok, type Result } from "../../base/result.ts";
import {
  DOMAIN_INPUT_MAX_CHARACTERS,
  DOMAIN_LABEL_MAX_CHARACTERS,
  DOMAIN_MAX_CHARACTERS,
} from "../../limits/sso-limits.ts";

export interface DomainRules {
  /** `SERVICE_DOMAIN_BLOCKLIST`, normalised. */
  readonly blocklist: ReadonlySet<string>;
  /** The host of the service, which no organization may claim; undefined for a caller with a platform role. */
  readonly reservedHost: string | undefined;
}

const LABEL = new RegExp(`^(?!-)[a-z0-9-]{1,${DOMAIN_LABEL_MAX_CHARACTERS}}(?<!-)$`);
const FREE_MAIL: ReadonlySet<string> = new Set(freeEmailDomains);

const NOT_A_DOMAIN: InputFlaw = { rule: "format", text: "not a domain such as example.com" };
const TOO_LONG: InputFlaw = { rule: "too_long", text: `longer than ${DOMAIN_MAX_CHARACTERS} characters` };
const IP_ADDRESS: InputFlaw = { rule: "format", text: "an IP address, not a domain" };
const PUBLIC_SUFFIX: InputFlaw = { rule: "not_allowed", text: "a public suffix, under which others register domains" };
const FREE_MAIL_DOMAIN: InputFlaw = { rule: "not_allowed", text: "a domain of a free email provider" };
const RESERVED: InputFlaw = { rule: "not_allowed", text: "a domain that this service does not accept" };

/** The domain of a normalised email address in the form of `asciiDomain`. */
export function domainOfAddress(email: string): string | undefined {
  return asciiDomain(email.slice(email.lastIndexOf("@") + 1));
}

/** Validates a domain that an organization claims, and returns the stored form. */
export function validateDomain(text: string, { blocklist, reservedHost }: DomainRules): Result<string, InputFlaw> {
  const name = validateMailDomain(text);
  if (!name.ok) return name;
  const domain = name.value;
  if (FREE_MAIL.has(domain)) return err(FREE_MAIL_DOMAIN);
  return blocklist.has(domain) || domain === reservedHost ? err(RESERVED) : ok(domain);
}

/** Validates the domain of email addresses, and returns the form for comparisons. */
export function validateMailDomain(text: string): Result<string, InputFlaw> {
  if (text.length > DOMAIN_INPUT_MAX_CHARACTERS) return err(TOO_LONG);
  if (isIpLiteral(text.trim())) return err(IP_ADDRESS);
  const domain = asciiDomain(text);
  if (domain === undefined) return err(NOT_A_DOMAIN);
  // The URL parser turns numbers such as 127.1 into an address.
  if (isIpLiteral(domain)) return err(IP_ADDRESS);
  if (domain.length > DOMAIN_MAX_CHARACTERS) return err(TOO_LONG);
  const labels = domain.split(".");
  if (!labels.every((label) => LABEL.test(label))) return err(NOT_A_DOMAIN);
  return labels.length < 2 || isPublicSuffix(domain) ? err(PUBLIC_SUFFIX) : ok(domain);
}

function isIpLiteral(text: string): boolean {
  return isIP(text.replace(/^\[(.*)\]$/, "$1")) !== 0;
}

/** Both sections of the list count: ICANN, and private such as `github.io`. */
function isPublicSuffix(domain: string): boolean {
  return parse(domain, { allowPrivateDomains: true }).publicSuffix === domain;
}
