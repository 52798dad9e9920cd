/** Owns: calls to identity providers. A provider is one function behind this interface; flows interpret the result. */
import { boundedFetch } from "../../base/bounded-fetch.ts";
import type { Result } from "../../base/result.ts";
import { IDENTITY_CALL_DEADLINE_MS, IDENTITY_RESPONSE_MAX_BYTES } from "../../limits/provider-limits.ts";

/** The values that bind the callback to the authorization request. */
export interface Exchange {
  readonly state: string;
  /** RFC 7636, section 4.1. */
  readonly codeVerifier: string;
  readonly nonce: string;
}

/** A user, as asserted by the provider. */
export interface Identity {
  /** The issuer of OpenID Connect, or the base URL of a provider without one. */
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | undefined;
  /** True only if the provider asserts it. */
  readonly emailVerified: boolean;
  readonly name: string | undefined;
  /** The claims of the mapping, of a provider by configuration. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/**
 * `denied`: the user or the provider refused. `unavailable`: the provider cannot be reached or exceeds the bounds of
 * `callProvider`. `not_accepted`: the response failed verification. `cause` is for the log and contains no token.
 */
export interface IdentityFailure {
  readonly kind: "denied" | "unavailable" | "not_accepted";
  readonly cause: string;
}

export interface IdentityProvider {
  /** True: the provider signs in and links, and creates no user. */
  readonly refusesSignUp?: boolean;
  /** The authorization request. Never rejects. */
  authorizationUrl(exchange: Exchange): Promise<Result<URL, IdentityFailure>>;
  /** Redeems the code of the callback. Never rejects. */
  identify(callback: URLSearchParams, exchange: Exchange): Promise<Result<Identity, IdentityFailure>>;
}

/** Registration of this service at a provider. */
export interface ClientSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Exactly as registered at the provider. */
  readonly redirectUri: string;
}

/** OpenID Connect Core, section 2: at most 255 ASCII characters. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;

/** Validates a subject identifier. Throws for a malformed identifier. */
export function subjectOf(value: unknown): string {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text === "string" && SUBJECT.test(text)) return text;
  throw new Error("the provider returned no valid subject");
}

/** A string claim; any other type counts as absent. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The provider is down, too slow, or the response is too large. */
export class Unreachable extends Error {}

/** Bounds every call to an identity provider in time and bytes; follows no redirect. */
export async function callProvider(url: string | URL, init: RequestInit): Promise<Response> {
  const bounds = { deadlineMs: IDENTITY_CALL_DEADLINE_MS, maxBytes: IDENTITY_RESPONSE_MAX_BYTES };
  const response = await boundedFetch(url, init, bounds).catch((error) => {
    throw new Unreachable(error instanceof Error ? error.message : "no response");
  });
  if (response.status >= 500) throw new Unreachable(`status ${response.status}`);
  return response;
}
