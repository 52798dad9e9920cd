import { domainToASCII, domainToUnicode } from "node:url";

/** The URL parser behind `domainToASCII` would read a path, a port or a user name. */
const DOMAIN_CHARACTERS = /^[\p{L}\p{N}\p{M}.。．｡-]+$/u;

/** A name in the returned form: the URL parser changes A-labels (`xn--`) and names that end with a number only. */
const PLAIN = /^(?:(?!xn--)[a-z0-9-]+\.)+(?!xn--)[a-z][a-z0-9-]*$/;

const ASCII = /^[\x20-\x7e]*$/;
const A_LABEL = /(?:^|\.)xn--/;

/** Lower case, A-labels (RFC 5890), no trailing dot; undefined for text that is no name of a host. */
export function asciiDomain(text: string): string | undefined {
  if (PLAIN.test(text)) return text;
  const name = text.trim().replace(/[.。．｡]$/u, "");
  if (!DOMAIN_CHARACTERS.test(name)) return undefined;
  const ascii = domainToASCII(name).toLowerCase();
  return ascii === "" ? undefined : ascii;
}

/**
 * The spellings of an address in lower case: with the domain as A-labels first, and as U-labels. An address without an
 * internationalized domain, and text that is no address, have one spelling.
 */
export function addressSpellings(address: string): readonly string[] {
  const at = address.lastIndexOf("@") + 1;
  const domain = address.slice(at);
  const ascii = at > 0 && !ASCII.test(domain) ? asciiDomain(domain) : domain;
  if (ascii === undefined || !A_LABEL.test(ascii)) return [address];
  return [ascii, domainToUnicode(ascii) || ascii].map((spelling) => address.slice(0, at) + spelling);
}
