import { createHmac } from "node:crypto";
import * as oauth from "oauth4webapi";
import { type ClientSettings, callProvider, type Identity, type IdentityProvider } from "./identity-provider.ts";
import { authorizationUrl, callOptions, clientOf, failing, redeem } from "./oauth.ts";

export interface FacebookOptions {
  readonly client: ClientSettings;
  /** Where the dialog is, with the version of the API. */
  readonly url: string;
  readonly apiUrl: string;
}

/**
 * Facebook Login: OAuth 2.0 and the Graph API. It says nothing about whether an address is verified, so it never counts as such; without the
 * e-mail permission there is none.
 */
export function facebookProvider({ client: settings, url, apiUrl }: FacebookOptions): IdentityProvider {
  const server = { issuer: url, token_endpoint: `${apiUrl}/oauth/access_token` };
  const client = clientOf(settings);
  return {
    authorizationUrl: (exchange) =>
      failing(() => authorizationUrl(`${url}/dialog/oauth`, settings, exchange, { scope: "public_profile email" })),
    identify: (callback, exchange) =>
      failing(async () => {
        const authenticate = oauth.ClientSecretPost(settings.clientSecret);
        const response = await redeem({ server, client }, settings, callback, exchange, authenticate, callOptions(url));
        const { access_token: token } = await oauth.processAuthorizationCodeResponse(server, client, response);
        return await readIdentity(new URL(url).origin, apiUrl, token, settings.clientSecret);
      }),
  };
}

async function readIdentity(issuer: string, apiUrl: string, token: string, appSecret: string): Promise<Identity> {
  // Facebook's "appsecret_proof": a token that was stolen elsewhere is of no use here.
  const proof = createHmac("sha256", appSecret).update(token).digest("hex");
  const url = `${apiUrl}/me?fields=id,name,email&appsecret_proof=${proof}`;
  const response = await callProvider(url, { headers: { authorization: `Bearer ${token}` } });
  if (response.status !== 200) throw new Error(`Facebook's API answered ${response.status}`);
  const { id, name, email } = (await response.json()) as Record<string, unknown>;
  if (typeof id !== "string") throw new Error("Facebook names no user");
  return {
    issuer,
    subject: id,
    email: typeof email === "string" ? email : undefined,
    emailVerified: false,
    name: typeof name === "string" ? name : undefined,
  };
}
