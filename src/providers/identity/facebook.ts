import { createHmac } from "node:crypto";
import {
  type ClientSettings,
  callProvider,
  type Identity,
  type IdentityProvider,
  subjectOf,
  textOf,
} from "./identity-provider.ts";
import { apiProvider } from "./oauth.ts";

export interface FacebookOptions {
  readonly client: ClientSettings;
  /** Base URL of the login dialog, with the API version. */
  readonly url: string;
  readonly apiUrl: string;
}

/**
 * Facebook Login: OAuth 2.0 and the Graph API. The API does not assert the verification of addresses, so an address
 * never counts as verified. Without the email permission there is no address.
 */
export function facebookProvider({ client, url, apiUrl }: FacebookOptions): IdentityProvider {
  const issuer = new URL(url).origin;
  return apiProvider({
    client,
    issuer,
    authorizationEndpoint: `${url}/dialog/oauth`,
    tokenEndpoint: `${apiUrl}/oauth/access_token`,
    scope: "public_profile email",
    readIdentity: (token) => readIdentity(issuer, apiUrl, token, client.clientSecret),
  });
}

async function readIdentity(issuer: string, apiUrl: string, token: string, appSecret: string): Promise<Identity> {
  // Facebook's "appsecret_proof": the API refuses a stolen token without the application secret.
  const proof = createHmac("sha256", appSecret).update(token).digest("hex");
  const url = `${apiUrl}/me?fields=id,name,email&appsecret_proof=${proof}`;
  const response = await callProvider(url, { headers: { authorization: `Bearer ${token}` } });
  if (response.status !== 200) throw new Error(`Facebook's API returned status ${response.status}`);
  const { id, name, email } = (await response.json()) as Record<string, unknown>;
  return {
    issuer,
    subject: subjectOf(id),
    email: textOf(email),
    emailVerified: false,
    name: textOf(name),
  };
}
