/**
 * A real OpenID provider (oidc-provider) with the token exchange of identity assertion grants: an agent with the ID
 * token of an employee receives an ID-JAG (draft-ietf-oauth-identity-assertion-authz-grant, section 4.3). The library
 * authenticates the agent, verifies the ID token, and publishes the key.
 */
import { randomUUID } from "node:crypto";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import Provider, { type ClientMetadata, errors, type KoaContextWithOIDC } from "oidc-provider";
import { stopLater } from "../services.ts";

export const TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
export const ID_JAG = "urn:ietf:params:oauth:token-type:id-jag";
const ID_TOKEN = "urn:ietf:params:oauth:token-type:id_token";
const PARAMETERS = ["requested_token_type", "subject_token", "subject_token_type", "audience", "resource", "scope"];
const LIFETIME_SECONDS = 300;
const KID = "of the company";

/** The part of the library that verifies an ID token of the provider for a client. */
interface IdTokens {
  validate(jwt: string, client: unknown): Promise<{ readonly payload: Record<string, unknown> }>;
}

export interface AssertionProviderSetup {
  readonly clients: readonly ClientMetadata[];
  readonly tls: { readonly key: string; readonly cert: string };
  readonly emailOf: (login: string) => string;
  /** The ids of the agents at the service. */
  readonly idAtService: Readonly<Record<string, string>>;
}

/** Starts the provider; returns the issuer. */
export async function startAssertionProvider({ clients, tls, emailOf, idAtService }: AssertionProviderSetup) {
  const server = createServer(tls);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", () => listening()));
  stopLater(() => void server.close());
  const issuer = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), kid: KID, alg: "RS256", use: "sig" };
  const provider = new Provider(issuer, {
    clients: clients.map((client) => ({ ...client, response_types: ["code"] })),
    jwks: { keys: [jwk as never] },
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    findAccount: (_, login) => ({
      accountId: login,
      claims: async () => ({ sub: login, email: emailOf(login), email_verified: true }),
    }),
  });

  async function exchange(context: KoaContextWithOIDC): Promise<void> {
    const { params = {}, client } = context.oidc;
    if (params.subject_token_type !== ID_TOKEN || params.requested_token_type !== ID_JAG) {
      throw new errors.InvalidRequest("an ID token is exchanged for an ID-JAG");
    }
    const idTokens = provider.IdToken as unknown as IdTokens;
    const { payload } = await idTokens.validate(String(params.subject_token), client);
    const { audience: aud, resource, scope } = params;
    const { sub, email, email_verified } = payload;
    const access = { aud, resource, scope, client_id: idAtService[client?.clientId ?? ""], jti: randomUUID() };
    const assertion = await new SignJWT({ iss: issuer, sub, email, email_verified, ...access } as never)
      .setProtectedHeader({ typ: "oauth-id-jag+jwt", alg: "RS256", kid: KID })
      .setIssuedAt()
      .setExpirationTime(`${LIFETIME_SECONDS} s`)
      .sign(privateKey);
    const issued = { issued_token_type: ID_JAG, access_token: assertion, token_type: "N_A" };
    context.body = { ...issued, scope, expires_in: LIFETIME_SECONDS };
  }

  provider.registerGrantType(TOKEN_EXCHANGE, exchange, PARAMETERS);
  server.on("request", provider.callback());
  return { issuer };
}
