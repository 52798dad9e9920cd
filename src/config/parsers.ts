import { existsSync, statSync } from "node:fs";
import ipaddr from "ipaddr.js";
import { readVerifierKey } from "../../clients/js/src/audit/note.ts";
import { asciiDomain } from "../base/ascii-domain.ts";
import * as brandValues from "../base/brand-values.ts";
import { isHexColour } from "../base/colour.ts";
import { readDatabaseUrl } from "../base/database-url.ts";
import { parseRedisUrl } from "../base/redis-url.ts";
import { readServerUrl } from "../base/server-url.ts";
import { KEY_PREFIX_MAX_CHARACTERS } from "../limits/machine-limits.ts";
import { DNS_PORT } from "../limits/sso-limits.ts";

export interface LimitSetting {
  readonly count: number;
  readonly seconds: number;
}

export interface AddressRange {
  contains(address: ipaddr.IPv4 | ipaddr.IPv6): boolean;
}

/** Parses a value. Throws an Error whose message completes "must be …" and never repeats the value. */
export type Parse<T> = (text: string) => T;

export function wholeNumber(least: number, most: number): Parse<number> {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new Error(`a whole number from ${least} to ${most}`);
    return value;
  };
}

export function oneOf<const Choice extends string>(...choices: Choice[]): Parse<Choice> {
  return (text) => {
    const found = choices.find((choice) => choice === text);
    if (!found) throw new Error(`one of ${choices.join(", ")}`);
    return found;
  };
}

const TRUE = new Set(["true", "1", "on"]);
const FALSE = new Set(["false", "0", "off"]);

export function flag(text: string): boolean {
  if (TRUE.has(text)) return true;
  if (FALSE.has(text)) return false;
  throw new Error("true or false");
}

export function plainText(text: string): string {
  return text;
}

export function secretOfAtLeast(bytes: number): Parse<string> {
  return (text) => {
    if (Buffer.byteLength(text) < bytes) throw new Error(`at least ${bytes} bytes (openssl rand -base64 48)`);
    return text;
  };
}

export function base64Key(text: string): Buffer {
  const key = Buffer.from(text, "base64");
  if (key.length !== 32 || key.toString("base64") !== text)
    throw new Error("base64 of exactly 32 bytes (openssl rand -base64 32)");
  return key;
}

export function listOf<T>(parse: Parse<T>): Parse<readonly T[]> {
  return (text) =>
    text
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .map(parse);
}

/** The URL of an SMTP server. */
export function smtpUrl(text: string): string {
  readServerUrl(text, ["smtp", "smtps"]);
  return text;
}

export function databaseUrl(text: string): string {
  readDatabaseUrl(text);
  return text;
}

export function redisUrl(text: string): string {
  parseRedisUrl(text);
  return text;
}

/** Verifiers compare the issuer as a string, so the issuer has exactly one spelling: scheme, host and port only. */
export function baseUrl(text: string): string {
  const message = "an http(s) URL of scheme, host and port only";
  if (!URL.canParse(text)) throw new Error(message);
  const { protocol, origin, pathname, search, hash, username } = new URL(text);
  const plain = (protocol === "https:" || protocol === "http:") && pathname === "/" && !search && !hash && !username;
  if (!plain) throw new Error(message);
  return origin;
}

export function folder(text: string): string {
  if (!existsSync(text) || !statSync(text).isDirectory()) throw new Error("a folder that exists");
  return text;
}

export function file(text: string): string {
  if (!existsSync(text) || !statSync(text).isFile()) throw new Error("a file that exists");
  return text;
}

export interface S3Setting {
  readonly endpoint: string;
  readonly bucket: string;
  readonly prefix: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** `https://<key>:<secret>@<host>/<bucket>[/<prefix>][?region=<region>]`. */
export function s3Url(text: string): S3Setting {
  const { username, password } = readServerUrl(text, ["https", "http"]);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const [bucket, ...prefix] = url?.pathname.split("/").filter(Boolean) ?? [];
  if (!url || !username || !password || !bucket) throw new Error("https://<key>:<secret>@<host>/<bucket>");
  return {
    endpoint: url.origin,
    bucket,
    prefix: prefix.map((part) => `${part}/`).join(""),
    region: url.searchParams.get("region") ?? "us-east-1",
    accessKeyId: username,
    secretAccessKey: password,
  };
}

/** A page of the operator, linked from pages and emails. */
export function pageUrl(text: string): string {
  const url = brandValues.pageUrl(text);
  if (url === undefined) throw new Error("an http(s) URL");
  return url;
}

/** Base URL of an API, which may have a path. The trailing slash is removed. */
export function httpUrl(text: string): string {
  const known = URL.canParse(text) ? new URL(text) : undefined;
  if (!known || !/^https?:$/.test(known.protocol) || known.search || known.hash) throw new Error("an http(s) URL");
  return text.replace(/\/+$/, "");
}

/** A page or a mailbox for questions of users. */
export function contactUrl(text: string): string {
  const url = brandValues.contactUrl(text);
  if (url === undefined) throw new Error("an http(s) URL, or mailto: with an address");
  return url;
}

export function hexColour(text: string): string {
  if (!isHexColour(text)) throw new Error("a colour such as #3d4fd6");
  return text.toLowerCase();
}

/** `Name <address>` or an address, on one line (RFC 5322, section 3.4). */
export function emailSender(text: string): string {
  if (!/^(?:[^<>@\p{Cc}]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/u.test(text))
    throw new Error("an address, or a name and an address such as Acme <no-reply@example.com>");
  return text;
}

export function emailAddress(text: string): string {
  if (!/^[^<>@\s]+@[^<>@\s]+$/.test(text)) throw new Error("an email address");
  return text;
}

/** RFC 6454, section 7: an exact origin; no path, no wildcard. */
export function exactOrigin(text: string): string {
  if (!URL.canParse(text) || new URL(text).origin !== text)
    throw new Error("exact origins, such as https://app.example.com");
  return text;
}

const RESERVED_PREFIXES = [
  ...["/.well-known", "/healthz", "/readyz", "/metrics", "/docs", "/openapi.json", "/avatars"],
  ...["/assets", "/sign-in", "/sign-out", "/register", "/forgot-password", "/reset-password", "/verify-email"],
  ...["/change-email", "/undo-email", "/cancel-deletion", "/sso", "/setup", "/device"],
  ...[
    "/accept-invitation",
    "/account",
    "/language",
    "/step-up",
    "/team",
    "/machines",
    "/error",
    "/dev",
    "/admin",
    "/oauth2",
  ],
];

export function routePrefix(text: string): string {
  const prefix = text.replace(/\/+$/, "");
  const reserved = RESERVED_PREFIXES.some((each) => prefix === each || prefix.startsWith(`${each}/`));
  if (!/^(\/[A-Za-z0-9_-]+)+$/.test(prefix) || reserved)
    throw new Error("a path that begins with a slash, such as /v1, and that no other route uses");
  return prefix;
}

const KEY_PREFIX = /^[A-Za-z][0-9A-Za-z]*(?:_[0-9A-Za-z]+)*$/;

/** How API keys of the deployment begin; a final underscore is part of every key anyway. */
export function keyPrefix(text: string): string {
  const prefix = text.replace(/_$/, "");
  if (!KEY_PREFIX.test(prefix) || prefix.length > KEY_PREFIX_MAX_CHARACTERS)
    throw new Error(`up to ${KEY_PREFIX_MAX_CHARACTERS} letters and digits that begin with a letter, such as acme`);
  return prefix;
}

/** A CIDR range, or a single address as a range. */
export function addressRange(text: string): AddressRange {
  try {
    // A zone (RFC 4007) names an interface of a single host.
    if (text.includes("%")) throw new Error("zone");
    const cidr = text.includes("/") ? text : `${text}/${ipaddr.parse(text).kind() === "ipv4" ? 32 : 128}`;
    const [network, bits] = ipaddr.parseCIDR(cidr);
    return { contains: (address) => network.kind() === address.kind() && address.match(network, bits) };
  } catch {
    throw new Error("addresses or CIDR ranges, such as 10.0.0.0/8");
  }
}

export function limitSetting(text: string): LimitSetting {
  const match = /^(\d{1,9})\/(\d{1,9})$/.exec(text);
  const [count, seconds] = [Number(match?.[1]), Number(match?.[2])];
  if (!match || count < 1 || seconds < 1) throw new Error("count/seconds, such as 60/60");
  return { count, seconds };
}

export interface WitnessSetting {
  readonly verifierKey: string;
  readonly url: string;
}

/** A verifier key of the type of cosignatures (c2sp.org/tlog-cosignature), a space, and the witness's address. */
export function witnessSetting(text: string): WitnessSetting {
  const [verifierKey = "", url = "", ...rest] = text.split(/\s+/);
  if (rest.length > 0 || !isWitnessKey(verifierKey)) {
    throw new Error("verifier keys of witnesses, each with a space and an http(s) URL after it");
  }
  return { verifierKey, url: httpUrl(url) };
}

function isWitnessKey(text: string): boolean {
  try {
    return readVerifierKey(text).kind === "cosignature";
  } catch {
    return false;
  }
}

export interface DnsServerSetting {
  readonly host: string;
  readonly port: number;
}

/** `host`, `host:port`, an IPv6 address, or `[address]:port`. */
export function dnsServer(text: string): DnsServerSetting {
  const [, bracketed, plain, port] = /^(?:\[([\da-f:.]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const host = bracketed ?? plain ?? text;
  const isHost = ipaddr.isValid(host) || (bracketed === undefined && asciiDomain(host) !== undefined);
  const number = port === undefined ? DNS_PORT : Number(port);
  if (!isHost || number < 1 || number > 65_535) throw new Error("a list of servers, each `host[:port]`");
  return { host, port: number };
}

/** A host name, or `*.` and a domain. Lower case. */
export function hostPattern(text: string): string {
  const domain = asciiDomain(text.replace(/^\*\./, ""));
  if (domain === undefined && text !== "localhost")
    throw new Error("a list of hosts such as example.com or *.example.com");
  return text.startsWith("*.") ? `*.${domain}` : (domain ?? text);
}

export function domainName(text: string): string {
  const domain = asciiDomain(text);
  if (domain === undefined) throw new Error("a list of domains such as example.com");
  return domain;
}
