/** The OpenID provider without HTTP: a client, and the codes and tokens of accounts for this client. */

import { respondWithCode } from "../../src/flows/oauth/authorize/respond-with-code.ts";
import { validateAuthorization } from "../../src/flows/oauth/authorize/validate-authorization.ts";
import { createClient } from "../../src/flows/oauth/clients/administer-clients.ts";
import type { ClientSettings } from "../../src/flows/oauth/clients/client-change.ts";
import type { ClientCredentials } from "../../src/flows/oauth/request/authenticate-client.ts";
import { readParameters } from "../../src/flows/oauth/request/parameters.ts";
import { issueTokensByGrant } from "../../src/flows/oauth/token/token.ts";
import type { OAuthClient } from "../../src/models/oauth-client/oauth-client.ts";
import type { SessionView } from "../../src/models/session/session.ts";
import { type Account, clientAt, unwrap } from "./accounts.ts";
import type { Flows } from "./flows.ts";
import { makePkce, type Pkce } from "./oauth.ts";

export const REDIRECT_URI = "https://app.example.test/callback";

export interface FlowClient {
  readonly client: OAuthClient;
  readonly secret: string;
}

const SETTINGS: ClientSettings = {
  name: "Wiki",
  logoUrl: null,
  applicationType: "web",
  tokenAuthMethod: "client_secret_basic",
  requirePkce: true,
  requireNonceOrPkce: true,
  refreshRepeatSeconds: 10,
  requirePushedRequests: false,
  dpopBoundAccessTokens: false,
  requireDpopNonce: false,
  managedBy: null,
  idTokenClaims: "none",
  idTokenSignedResponseAlg: "RS256",
  requireSignedRequestObject: false,
  refreshTokenRotation: true,
  profile: "none",
  jwksUri: null,
  exchanges: [],
  organizations: null,
  claimMappings: [],
  preset: null,
  presetInputs: null,
  policyUri: null,
  tosUri: null,
  clientUri: null,
  requireAcr: null,
  registration: null,
  keys: [],
  redirectUris: [REDIRECT_URI],
  postLogoutRedirectUris: [],
  backchannelLogoutUri: "https://app.example.test/logout",
  grantTypes: ["authorization_code", "refresh_token"],
  scopes: ["openid", "offline_access"],
  resources: [],
  audiences: [],
  firstParty: true,
  subjectType: "public",
  sector: null,
};

/** Creates a client. `by` is an account that replaces the administrator required by the routes. */
export async function flowClient(
  { deps }: Flows,
  by: Account,
  changed: Partial<ClientSettings> = {},
): Promise<FlowClient> {
  const session = { ...by.signedIn.session, userId: by.userId, organizationId: by.organizationId };
  const caller = { session, role: "admin" } as never;
  const settings = { ...SETTINGS, ...changed };
  const { client, secret = "" } = unwrap(await createClient(deps, { caller, client: clientAt(), settings }));
  return { client, secret };
}

/** Issues a code for the session of an account. */
export async function flowCode({ deps }: Flows, { client }: FlowClient, account: Account, scope = "openid") {
  const pkce = makePkce();
  const search = new URLSearchParams({
    response_type: "code",
    client_id: client.id,
    redirect_uri: REDIRECT_URI,
    scope,
    code_challenge: pkce.challenge,
    code_challenge_method: "S256",
  });
  const validated = await validateAuthorization(deps, search);
  if (!validated.ok) throw new Error(validated.error.refusal.description);
  const request = { parameters: validated.value, createdAt: new Date(deps.clock.now()) };
  const { id } = account.signedIn.session;
  const session = (await deps.revocations.session(id)) as SessionView;
  const response = await respondWithCode(deps, { request, client, session, requestContext: clientAt() });
  if (!response.ok) throw new Error(response.error.description);
  return { code: response.value.parameters.code ?? "", pkce };
}

/** Calls the token endpoint with client authentication. Returns the tokens, or the code of the error. */
export async function requestTokens({ deps }: Flows, { client, secret }: FlowClient, fields: Record<string, string>) {
  const parameters = readParameters(new URLSearchParams(fields));
  if (!parameters.ok) throw new Error(parameters.error.description);
  // A public client sends `client_id` in the form.
  const authorization = secret === "" ? null : `Basic ${Buffer.from(`${client.id}:${secret}`).toString("base64")}`;
  const presented: ClientCredentials = { authorization, parameters: parameters.value, requestContext: clientAt() };
  const issued = await issueTokensByGrant(deps, { ...presented, proof: null });
  return issued.ok ? issued.value : issued.error.oauth;
}

export async function exchangeIn(flows: Flows, client: FlowClient, { code, pkce }: { code: string; pkce: Pkce }) {
  const fields = { code, redirect_uri: REDIRECT_URI, code_verifier: pkce.verifier };
  return await requestTokens(flows, client, { grant_type: "authorization_code", ...fields });
}

export async function refreshIn(flows: Flows, client: FlowClient, refresh_token: string | undefined) {
  return await requestTokens(flows, client, { grant_type: "refresh_token", refresh_token: refresh_token ?? "" });
}
