import * as oauth from "oauth4webapi";
import { storedUrl } from "../../base/stored-url.ts";
import { ID_TOKEN_ALGORITHMS } from "./id-token.ts";

export type Metadata = oauth.AuthorizationServer & { readonly authorization_endpoint: string };

/**
 * Reads the metadata of an issuer (OpenID Connect Discovery 1.0, section 4). The algorithms are a fixed list, whatever
 * the document advertises. Throws for a document of another issuer or without endpoints.
 */
export async function readMetadata(
  issuer: string,
  fetch: (url: string, init: { readonly headers: Readonly<Record<string, string>> }) => Promise<Response>,
): Promise<Metadata> {
  const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const response = await fetch(url, { headers: { accept: "application/json" } });
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
