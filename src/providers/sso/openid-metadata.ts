import * as oauth from "oauth4webapi";
import { IDENTITY_DISCOVERY_MAX_AGE_MS } from "../../limits/provider-limits.ts";
import { ID_TOKEN_ALGORITHMS } from "./openid-claims.ts";
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
  const { authorization_endpoint: endpoint } = server;
  if (!isPageUrl(endpoint, issuer)) throw new Error("the metadata names no authorization endpoint");
  if (!server.token_endpoint || !server.jwks_uri) throw new Error("the metadata names no token endpoint or no keys");
  const algorithms = [...ID_TOKEN_ALGORITHMS];
  return {
    ...server,
    authorization_endpoint: endpoint,
    id_token_signing_alg_values_supported: algorithms,
    userinfo_signing_alg_values_supported: algorithms,
  };
}

/** Whether browsers may be sent to an address: https, and http only for an issuer with http. */
function isPageUrl(text: string | undefined, issuer: string): text is string {
  if (text === undefined || !URL.canParse(text)) return false;
  const { protocol } = new URL(text);
  return protocol === "https:" || (protocol === "http:" && issuer.startsWith("http:"));
}
