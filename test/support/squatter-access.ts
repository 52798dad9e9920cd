/** Access that an attacker sets up beside sign-in methods: keys, webhooks, event streams and access of applications. */
import type { CredentialKindName } from "../../src/flows/steps/credentials/credential-kinds.ts";
import { Client, type registered } from "./client.ts";
import type { SocialDeployment } from "./identity/social.ts";
import { authorizePath, Browser, exchange, makePkce, refreshAt, registerClient, type TestClient } from "./oauth.ts";
import { steppedUpAdmin } from "./platform.ts";
import { accountsOf, keyOf } from "./service-accounts.ts";
import { openStream } from "./signal-receiver.ts";
import { stepUpSessions } from "./team.ts";

type Person = Awaited<ReturnType<typeof registered>>;
export type Access = Awaited<ReturnType<typeof openAccess>>;

export const OFFLINE = { scope: "openid offline_access" };
/** No server listens at this address. */
const NOWHERE = "https://127.0.0.1:9/hook";
const KEY_SCOPES = ["members.list", "audit.read", "members.invite", "ssf.read"];
const TRUST = {
  name: "Pipeline",
  issuer: "https://issuer.example.test",
  conditions: [{ claim: "sub", equals: "pipeline" }],
  scopes: ["members.list"],
};
const POLL = "urn:ietf:rfc:8936";

const applications = new WeakMap<SocialDeployment, Promise<TestClient>>();

/** Returns an application of a third party that all tests of a deployment share. */
export async function application(social: SocialDeployment): Promise<TestClient> {
  const registering = applications.get(social) ?? registerApplication(social);
  applications.set(social, registering);
  return await registering;
}

async function registerApplication({ at }: SocialDeployment): Promise<TestClient> {
  const { client } = await steppedUpAdmin(at, "owner");
  return await registerClient({ first_party: false, name: "Wiki of others" }, client);
}

/** Returns the browser of a user, with the cookies of the user's client. */
export function browserOf(person: { readonly client: Client }): Browser {
  const browser = new Browser(person.client.baseUrl);
  Object.assign(browser.client, { jar: person.client.jar });
  return browser;
}

/** Obtains a code of an application after the consent of the user. */
export async function consentedCode(wiki: TestClient, browser: Browser, more: Record<string, string> = OFFLINE) {
  const pkce = makePkce();
  const asked = await browser.follow(authorizePath(wiki, pkce.challenge, { prompt: "consent", ...more }));
  const { location, answer } = await browser.submit(asked.path, { decision: "allow" });
  const code = location?.searchParams.get("code");
  if (!code) throw new Error(`no code: ${location ?? answer.text.replace(/<[^>]+>/g, " ")}`);
  return { code, pkce };
}

export async function openAccess(social: SocialDeployment, person: Person) {
  const { at } = social;
  await stepUpSessions(at.sql, person.userId);
  // The second replica has not read the session before.
  const client = person.client.at(at.other.url);
  const key = await keyOf(client, accountsOf(person.organizationId), KEY_SCOPES);
  const trust = await client.post(`${accountsOf(person.organizationId)}/${key.accountId}/trusts`, TRUST);
  if (trust.status !== 201) throw new Error(`the trust returned ${trust.status}: ${trust.text}`);
  const hook = await client.post(`/v1/orgs/${person.organizationId}/webhooks`, { url: NOWHERE, event_types: ["*"] });
  if (hook.status !== 201) throw new Error(`the webhook returned ${hook.status}: ${hook.text}`);
  const stream = await openStream(at, key, { delivery: { method: POLL } });
  const wiki = await application(social);
  const issued = await exchange(at.one.url, wiki, await consentedCode(wiki, browserOf(person)));
  if (issued.status !== 200) throw new Error(`the exchange returned ${issued.status}: ${issued.text}`);
  return {
    key,
    trustId: String(trust.body.id),
    webhookId: String(hook.body.id),
    streamId: stream.id,
    wiki,
    tokens: issued.body,
  };
}

type Probe = (
  social: SocialDeployment,
  squatter: Pick<Person, "organizationId"> & { readonly access: Access },
) => Promise<boolean>;

async function hasRow(rows: PromiseLike<readonly unknown[]>): Promise<boolean> {
  return (await rows).length > 0;
}

const keyWorks =
  (replica: "one" | "other"): Probe =>
  async ({ at }, { organizationId, access }) =>
    (await new Client(at[replica].url).get(`/v1/orgs/${organizationId}/members`, { bearer: access.key.key })).status ===
    200;

/** Each access method by kind and name. */
export const ACCESS_WAYS = {
  api_keys: { "API key": keyWorks("one"), "API key on the other replica": keyWorks("other") },
  trusts: {
    "trust in an external issuer": ({ at }, { access }) =>
      hasRow(at.sql`select 1 from service_account_trusts where id = ${access.trustId}`),
  },
  webhooks: {
    webhook: ({ at }, { access }) => hasRow(at.sql`select 1 from webhooks where id = ${access.webhookId} and enabled`),
  },
  event_streams: {
    "event stream": ({ at }, { access }) =>
      hasRow(at.sql`select 1 from webhooks where id = ${access.streamId} and stream_status <> 'disabled'`),
  },
  oauth_grants: {
    "access token of an application": async ({ at }, { access }) =>
      (await new Client(at.one.url).get("/oauth2/userinfo", { bearer: access.tokens.access_token })).status === 200,
    "offline token of an application": async ({ at }, { access }) => {
      const refreshed = await refreshAt(at.other.url, access.wiki, access.tokens.refresh_token);
      if (refreshed.status === 200) Object.assign(access.tokens, refreshed.body);
      return refreshed.status === 200;
    },
  },
} as const satisfies Partial<Record<CredentialKindName, Readonly<Record<string, Probe>>>>;
