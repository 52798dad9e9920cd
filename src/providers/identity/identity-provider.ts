/** Owns: what is said to other people's identity providers. Each is one function behind this interface; flows decide what it means. */
import { boundedFetch } from "../../base/bounded-fetch.ts";
import { IDENTITY_ANSWER_MAX_BYTES, IDENTITY_CALL_DEADLINE_MS } from "../../base/limits.ts";
import type { Result } from "../../base/result.ts";

/** A sign-in under way, as both halves of it must know it. */
export interface Exchange {
  readonly state: string;
  /** RFC 7636; the provider learns its hash first and the verifier with the code. */
  readonly codeVerifier: string;
  readonly nonce: string;
}

/** Whom a provider vouches for. */
export interface Identity {
  /** OpenID Connect's issuer, or the address of a provider that has none. */
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | undefined;
  /** True only when the provider says so. */
  readonly emailVerified: boolean;
  readonly name: string | undefined;
}

/**
 * `denied`: the person or the provider said no. `unavailable`: it cannot be reached, or answers too slowly or too much. `not_accepted`: what
 * it answered does not hold. The cause is for the log and holds no token.
 */
export interface IdentityFailure {
  readonly kind: "denied" | "unavailable" | "not_accepted";
  readonly cause: string;
}

export interface IdentityProvider {
  /** Where the browser is sent. */
  authorizationUrl(exchange: Exchange): Promise<Result<URL, IdentityFailure>>;
  /** Redeems what the browser brought back. Neither rejects; each call to the provider is bounded in time and bytes. */
  identify(callback: URLSearchParams, exchange: Exchange): Promise<Result<Identity, IdentityFailure>>;
}

/** What every provider is set up with. */
export interface ClientSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Exactly as it is registered at the provider. */
  readonly redirectUri: string;
}

/** OpenID Connect Core, section 2: at most 255 ASCII characters. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;

/** The name by which a provider knows somebody. Throws for what cannot be one. */
export function subjectOf(value: unknown): string {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text === "string" && SUBJECT.test(text)) return text;
  throw new Error("the provider names nobody");
}

/** What a provider says in words; anything else it has not said. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The provider did not answer as it must: it is down, slow, or says too much. */
export class Unreachable extends Error {}

/** Every call to an identity provider goes this way. */
export async function callProvider(url: string | URL, init: RequestInit): Promise<Response> {
  const bounds = { deadlineMs: IDENTITY_CALL_DEADLINE_MS, maxBytes: IDENTITY_ANSWER_MAX_BYTES };
  const response = await boundedFetch(url, init, bounds).catch((error) => {
    throw new Unreachable(error instanceof Error ? error.message : "no answer");
  });
  if (response.status >= 500) throw new Unreachable(`status ${response.status}`);
  return response;
}
