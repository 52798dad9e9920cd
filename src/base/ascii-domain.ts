import { domainToASCII } from "node:url";

/** The URL parser behind `domainToASCII` would read a path, a port or a user name. */
const DOMAIN_CHARACTERS = /^[\p{L}\p{N}\p{M}.。．｡-]+$/u;

/** Lower case, A-labels (RFC 5890), no trailing dot; undefined for text that is no name of a host. */
export function asciiDomain(text: string): string | undefined {
  const name = text.trim().replace(/[.。．｡]$/u, "");
  if (!DOMAIN_CHARACTERS.test(name)) return undefined;
  const ascii = domainToASCII(name).toLowerCase();
  return ascii === "" ? undefined : ascii;
}
