/** The test of the settings of a provider by configuration (docs/contract.md, section 15.7), without a user. */
import * as oauth from "oauth4webapi";
import { parseJsonObject } from "../../vocabulary/json-object.ts";
import type { SocialProviderConfig } from "../../vocabulary/social-provider-config.ts";
import type { GuardedFetch } from "../guarded-fetch.ts";
import { configuredCalls } from "./configured-calls.ts";
import { particularsOf } from "./particulars.ts";
import { readMetadata } from "./read-metadata.ts";

export interface ProviderCheck {
  readonly check: "discovery" | "issuer" | "jwks" | "endpoints" | "secret";
  readonly ok: boolean;
  /** Safe to display: no secret, and no text of the provider. */
  readonly detail: string;
}

type Examined = Partial<Pick<SocialProviderConfig, "jwks_uri" | "token_endpoint" | "authorization_endpoint">>;

/** Reads metadata and keys of an OpenID provider; asks the token endpoint for a response. Never rejects. */
export async function examineProvider(
  config: SocialProviderConfig,
  fetch: GuardedFetch,
): Promise<readonly ProviderCheck[]> {
  const call = configuredCalls(fetch, config.issuer ?? config.userinfo_endpoint ?? "")[oauth.customFetch];
  const { checks, endpoints } = await discovered(config, call);
  const keys = config.protocol === "oidc" ? [await examineKeys(config, endpoints.jwks_uri, call)] : [];
  return [...checks, ...keys, await examineEndpoints(endpoints, call)];
}

type Call = (url: string, init: { readonly headers: Readonly<Record<string, string>> }) => Promise<Response>;

async function discovered(
  config: SocialProviderConfig,
  call: Call,
): Promise<{ readonly checks: readonly ProviderCheck[]; readonly endpoints: Examined }> {
  const { issuer, authorization_endpoint: authorization, token_endpoint: token, jwks_uri: jwks } = config;
  const isGiven = authorization !== null && token !== null && (config.protocol === "oauth2" || jwks !== null);
  if (isGiven || issuer === null) return { checks: [], endpoints: config };
  try {
    const server = await readMetadata(issuer, call);
    const checks = [passed("discovery", "The metadata were read."), passed("issuer", "The metadata name the issuer.")];
    const found = { jwks_uri: server.jwks_uri ?? null, token_endpoint: server.token_endpoint ?? null };
    return { checks, endpoints: { ...found, ...present({ jwks_uri: jwks, token_endpoint: token }) } };
  } catch (error) {
    const isOther = error instanceof Error && /issuer/.test(error.message);
    const check = isOther
      ? failed("issuer", "The metadata name a different issuer. Copy the issuer exactly, with or without a slash.")
      : failed("discovery", "The metadata cannot be read at the address of the issuer.");
    return { checks: [check], endpoints: present({ jwks_uri: jwks, token_endpoint: token }) };
  }
}

function present(given: Examined): Examined {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}

async function examineKeys({ preset }: SocialProviderConfig, url: string | null | undefined, call: Call) {
  if (particularsOf(preset).signsBySecret) return passed("jwks", "The provider signs with the secret.");
  if (!url) return failed("jwks", "No address of keys is known.");
  try {
    const response = await call(url, { headers: { accept: "application/json" } });
    const keys = parseJsonObject(await response.text())?.keys;
    const count = response.status === 200 && Array.isArray(keys) ? keys.length : 0;
    return count > 0 ? passed("jwks", `${count} keys were read.`) : failed("jwks", "The address has no keys.");
  } catch {
    return failed("jwks", "The keys cannot be read.");
  }
}

/** A token endpoint refuses a GET: any response shows that the address can be called. */
async function examineEndpoints({ token_endpoint: url }: Examined, call: Call): Promise<ProviderCheck> {
  if (!url) return failed("endpoints", "No token endpoint is known.");
  try {
    await call(url, { headers: { accept: "application/json" } });
    return passed("endpoints", "The token endpoint responds.");
  } catch {
    return failed("endpoints", "The token endpoint does not respond, or has an address that is not public.");
  }
}

function passed(check: ProviderCheck["check"], detail: string): ProviderCheck {
  return { check, ok: true, detail };
}

function failed(check: ProviderCheck["check"], detail: string): ProviderCheck {
  return { check, ok: false, detail };
}
