import * as oauth from "oauth4webapi";
import { storedUrl } from "../../base/stored-url.ts";
import { IDENTITY_DISCOVERY_MAX_AGE_MS } from "../../limits/provider-limits.ts";
import { ID_TOKEN_ALGORITHMS } from "../identity/id-token.ts";
import { step } from "./openid-failure.ts";
import { callOptions, type OpenidPartyOptions } from "./openid-options.ts";

export type Metadata = oauth.AuthorizationServer & { readonly authorization_endpoint: string };

/** Reads the metadata on demand. Concurrent calls share one read; a failure is not kept. */
export function cachedMetadata(options: OpenidPartyOptions): () => Promise<Metadata> {
  const { clock } = options;
  let cached: { readonly metadata: Metadata; readonly readAt: number } | undefined;
  let reading: Promise<Metadata> | undefined;
  return async () => {
    if (cached && clock.monotonic() - cached.readAt < IDENTITY_DISCOVERY_MAX_AGE_MS) return cached.metadata;
    reading ??= step("discovery", () => discover(options)).finally(() => {
      reading = undefined;
    });
    const metadata = await reading;
    cached = { metadata, readAt: clock.monotonic() };
    return metadata;
  };
}

/** OpenID Connect Discovery 1.0, section 4. The algorithms are a fixed list, whatever the document advertises. */
async function discover(options: OpenidPartyOptions): Promise<Metadata> {
  const { issuer } = options;
  const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const response = await callOptions(options)[oauth.customFetch](url, { headers: { accept: "application/json" } });
  const server = await oauth.processDiscoveryResponse(new URL(issuer), response);
  if (server.issuer !== issuer) throw new Error("the metadata names a different issuer");
  const {
    authorization_endpoint: endpoint,
    token_endpoint: tokens,
    jwks_uri: keys,
    userinfo_endpoint: userinfo,
  } = server;
  if (!isAddress(endpoint, issuer)) throw new Error("the metadata names no authorization endpoint");
  if (!isAddress(tokens, issuer) || !isAddress(keys, issuer)) {
    throw new Error("the metadata names no token endpoint or no keys");
  }
  if (userinfo !== undefined && !isAddress(userinfo, issuer)) throw new Error("the userinfo endpoint is no address");
  const algorithms = [...ID_TOKEN_ALGORITHMS];
  return {
    ...server,
    authorization_endpoint: endpoint,
    id_token_signing_alg_values_supported: algorithms,
    userinfo_signing_alg_values_supported: algorithms,
  };
}

/** Whether an endpoint is an address of https; of http only for an issuer with http. */
function isAddress(text: unknown, issuer: string): text is string {
  const url = typeof text === "string" ? storedUrl(text) : undefined;
  return url !== undefined && (url.startsWith("https:") || issuer.startsWith("http:"));
}
