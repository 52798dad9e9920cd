import {
  type ClientSettings,
  callProvider,
  type Identity,
  type IdentityProvider,
  subjectOf,
  textOf,
} from "./identity-provider.ts";
import { apiProvider } from "./oauth.ts";

export interface GithubOptions {
  readonly client: ClientSettings;
  /** `https://github.com`, or the URL of a GitHub Enterprise server. */
  readonly url: string;
  readonly apiUrl: string;
}

/**
 * GitHub: OAuth 2.0 and the REST API. Only the primary address counts, if verified (docs/contract.md, section 16.4).
 */
export function githubProvider({ client, url, apiUrl }: GithubOptions): IdentityProvider {
  return apiProvider({
    client,
    issuer: url,
    authorizationEndpoint: `${url}/login/oauth/authorize`,
    tokenEndpoint: `${url}/login/oauth/access_token`,
    scope: "read:user user:email",
    readIdentity: (token) => readIdentity(url, apiUrl, token),
  });
}

interface User {
  readonly id?: unknown;
  readonly name?: unknown;
}

interface Address {
  readonly email?: unknown;
  readonly primary?: unknown;
  readonly verified?: unknown;
}

async function readIdentity(issuer: string, apiUrl: string, token: string): Promise<Identity> {
  const [user, addresses] = await Promise.all([
    getJson(`${apiUrl}/user`, token),
    getJson(`${apiUrl}/user/emails`, token),
  ]);
  const { id, name } = user as User;
  const listed = Array.isArray(addresses) ? (addresses as Address[]) : [];
  const email = textOf(listed.find(({ primary, verified }) => primary === true && verified === true)?.email);
  return {
    issuer,
    subject: subjectOf(id),
    email,
    emailVerified: email !== undefined,
    name: textOf(name),
  };
}

async function getJson(url: string, token: string): Promise<unknown> {
  const headers = {
    accept: "application/vnd.github+json",
    authorization: `Bearer ${token}`,
    "user-agent": "identity-service",
    "x-github-api-version": "2022-11-28",
  };
  const response = await callProvider(url, { headers });
  if (response.status !== 200) throw new Error(`GitHub's API returned status ${response.status}`);
  return await response.json();
}
