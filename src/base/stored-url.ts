/**
 * The only reader of URLs from third parties that the service stores, displays, fetches or puts into a header
 * (docs/contract.md, section 2.13). The URL parser accepts `;`, `'`, `$`, `&`, `*` and `,` in the name of a host; each
 * of these characters has a meaning in a header or in a text that programs compose.
 */
import { isIPv4 } from "node:net";
import { URL_MAX_CHARACTERS } from "../limits/input-limits.ts";
import { err, ok, type Result } from "./result.ts";

declare const IS_URL: unique symbol;
declare const IS_ORIGIN: unique symbol;

/** An http(s) URL with the host of `canonicalHost`, without user information. Only this file makes values. */
export type StoredUrl = string & { readonly [IS_URL]: true };

/** Scheme, host and port of a `StoredUrl`: the only text of other parties in a Content-Security-Policy. */
export type Origin = string & { readonly [IS_ORIGIN]: true };

export type ExactUriProblem = "too_long" | "not_absolute" | "user_information" | "host";
export type UrlProblem = ExactUriProblem | "not_http";

/**
 * Reads a URL in its stored form: trimmed, scheme and host in lower case, an internationalized name in ASCII form, no
 * default port. The rest stays as given; characters outside of RFC 3986 are escaped.
 */
export function readStoredUrl(text: string, maxCharacters = URL_MAX_CHARACTERS): Result<StoredUrl, UrlProblem> {
  const trimmed = text.trim();
  if (trimmed.length > maxCharacters) return err("too_long");
  const parts = partsOf(trimmed);
  if (!parts) return err("not_absolute");
  const { scheme, authority, rest } = parts;
  const defaultPort = DEFAULT_PORTS[scheme];
  if (defaultPort === undefined || authority === undefined) return err("not_http");
  if (authority.includes("@")) return err("user_information");
  const host = hostWithPort(authority, defaultPort);
  if (host === undefined) return err("host");
  const url = `${scheme}://${host}${escaped(rest)}`;
  return url.length > maxCharacters ? err("too_long") : ok(url as StoredUrl);
}

/** The stored form of a URL of a row or a response; undefined for an unaccepted URL, such as a row of 1.0.0. */
export function storedUrl(text: string | null | undefined): StoredUrl | undefined {
  const read = typeof text === "string" ? readStoredUrl(text) : undefined;
  return read?.ok ? read.value : undefined;
}

/** The stored form of a submitted setting. A text that is not accepted stays, and validation names its flaw. */
export function normalizeUrl<Text extends string | null>(text: Text): Text | StoredUrl {
  return storedUrl(text) ?? text;
}

/** As `normalizeUrl`, for a URI that a peer may compare to the letter: only another form of the host is replaced. */
export function normalizeExactUri(text: string): string {
  const trimmed = text.trim();
  return exactUriProblem(trimmed) === undefined ? trimmed : normalizeUrl(trimmed);
}

/**
 * The problem of a URI that peers compare to the letter (redirect URIs, issuers, identifiers of APIs) and that the
 * service therefore stores as given. The host of an http(s) URI is in ASCII form; further schemes have their own names.
 */
export function exactUriProblem(text: string, maxCharacters = URL_MAX_CHARACTERS): ExactUriProblem | undefined {
  if (text.length > maxCharacters) return "too_long";
  const parts = URI_CHARACTERS.test(text) ? partsOf(text) : undefined;
  if (!parts || !URL.canParse(text)) return "not_absolute";
  const { scheme, authority } = parts;
  if (authority?.includes("@")) return "user_information";
  if (DEFAULT_PORTS[scheme] === undefined) return OTHER_AUTHORITY.test(authority ?? "") ? undefined : "host";
  const named = AUTHORITY.exec(authority ?? "")?.[1]?.toLowerCase();
  return named !== undefined && canonicalHost(named) === named ? undefined : "host";
}

export function originOf(url: StoredUrl): Origin {
  return new URL(url).origin as Origin;
}

/**
 * A name of DNS (RFC 1123, section 2.1; with the underscores of private networks) or a literal address, as URLs have
 * it: lower case, ASCII form, no dot at the end. Undefined for every other text.
 */
export function canonicalHost(text: string): string | undefined {
  if (PLAIN_NAME.test(text) && NAME.test(text)) return text;
  const isLiteral = IPV6_LITERAL.test(text);
  if (!isLiteral && !NAME_CHARACTERS.test(text)) return undefined;
  const host = URL.parse(`http://${text}/`)?.hostname ?? "";
  return isLiteral || isIPv4(host) || NAME.test(host) ? host || undefined : undefined;
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: "80", https: "443" };

/** The printable ASCII characters of RFC 3986, section 2. */
const URI_CHARACTERS = /^[\x21\x23-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]*$/;

/** Control and direction characters and line ends; a backslash is a slash for the parser and none for a reader. */
const NEVER = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\]/u;

const PARTS = /^([A-Za-z][A-Za-z0-9+.-]*):(?:\/\/([^/?#]*))?(.*)$/;
const AUTHORITY = /^(\[[^\]]*\]|[^:[\]]+)(?::(\d{1,5}))?$/;
/** The part after `//` of a private-use scheme, which names no host of DNS. */
const OTHER_AUTHORITY = /^[A-Za-z0-9._~-]*(?::\d{1,5})?$/;

const IPV6_LITERAL = /^\[[0-9a-f:.]+\]$/i;
/** No dot at the end, which the parser drops from an IPv4 address. */
const NAME_CHARACTERS = /^[\p{L}\p{N}\p{M}.。．｡_-]*[\p{L}\p{N}\p{M}_]$/u;
/** A text that the parser returns unchanged: no label in ASCII form, and no number at the end. */
const PLAIN_NAME = /^(?:(?!xn--)[a-z0-9_-]+\.)*(?!xn--)[a-z][a-z0-9_-]*$/;
const NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/;

interface UrlParts {
  readonly scheme: string;
  /** Undefined for a URI without `//`. */
  readonly authority: string | undefined;
  readonly rest: string;
}

function partsOf(text: string): UrlParts | undefined {
  if (NEVER.test(text) || !text.isWellFormed()) return undefined;
  const [, scheme, authority, rest] = PARTS.exec(text) ?? [];
  return scheme === undefined || rest === undefined ? undefined : { scheme: scheme.toLowerCase(), authority, rest };
}

function hostWithPort(authority: string, defaultPort: string): string | undefined {
  const [, name = "", port = defaultPort] = AUTHORITY.exec(authority) ?? [];
  const host = canonicalHost(name);
  const number = Number(port);
  if (host === undefined || number > PORT_MAX) return undefined;
  return String(number) === defaultPort ? host : `${host}:${number}`;
}

const PORT_MAX = 65_535;

/** Path, query and fragment, with every character outside of RFC 3986 escaped as the URL parser does. */
function escaped(rest: string): string {
  if (URI_CHARACTERS.test(rest)) return rest;
  const { pathname, search, hash } = new URL(`http://localhost${rest}`);
  return `${pathname}${search}${hash}`;
}
