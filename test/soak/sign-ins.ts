/** Sign-ins of the soak to the end, beside password, passkey and OpenID Connect of a company (journeys.ts). */
import { randomUUID } from "node:crypto";
import type postgres from "postgres";
import { Client, newEmail, PASSWORD, registered } from "../support/client.ts";
import { CLIENT_SECRET } from "../support/identity/api-providers.ts";
import { OAuthBrowser } from "../support/identity/oauth-browser.ts";
import { OpenidProvider } from "../support/identity/openid-provider.ts";
import { callbackOf, GOOGLE } from "../support/identity/social.ts";
import { CODE, codeIn, MailProvider } from "../support/mail.ts";
import { enrolled, passwordShown, weakSession } from "../support/mfa.ts";
import { SamlBrowser, samlCompany } from "../support/saml/saml-browser.ts";
import { expectStatus } from "./expect-status.ts";
import type { Journey, Place } from "./journeys.ts";

const GOOGLE_CLIENT = "google-app";

/** The servers that the sign-ins need, and the settings of the replicas. */
export interface SignInServers {
  readonly mail: MailProvider;
  readonly google: OpenidProvider;
  readonly settings: Readonly<Record<string, string>>;
}

export async function startSignInServers(): Promise<SignInServers> {
  const mail = new MailProvider();
  const redirect_uris = [callbackOf(GOOGLE)];
  const google = await OpenidProvider.start([
    { client_id: GOOGLE_CLIENT, client_secret: CLIENT_SECRET, redirect_uris },
  ]);
  const settings = {
    SERVICE_EMAIL_API_URL: mail.url,
    SERVICE_EMAIL_API_KEY: "re_test",
    SERVICE_OAUTH_IDP_A_CLIENT_ID: GOOGLE_CLIENT,
    SERVICE_OAUTH_IDP_A_CLIENT_SECRET: CLIENT_SECRET,
    SERVICE_OAUTH_IDP_A_ISSUER: google.issuer,
  };
  return { mail, google, settings };
}

/** Creates the company by SAML; the caller announces the connections. */
export async function prepareSignIns(
  place: Place,
  { mail, google }: SignInServers,
): Promise<Readonly<Record<string, Journey>>> {
  const { url } = place.one;
  const at = place as never;
  const { connectionId, domain } = await samlCompany(at);
  await place.sql`
    update sso_connections set status = 'active', tested_at = now(), activated_by = created_by, updated_at = now()
    where id = ${connectionId}`;
  const visitor = () => new Client(url);

  return {
    async "emailed code sign-in"() {
      const { email } = await registered(url);
      expectStatus(204, await visitor().post("/v1/auth/email-otp/request", { email }));
      const code = codeIn((await mail.mailsTo(email, CODE)).at(-1));
      expectStatus(200, await visitor().post("/v1/auth/email-otp/verify", { email, code }));
    },
    async "recovery code sign-in"() {
      const { email, recoveryCodes } = await enrolled(at);
      const mfa_token = await passwordShown(url, email);
      const [recovery_code] = recoveryCodes;
      expectStatus(200, await visitor().post("/v1/auth/mfa/challenge", { mfa_token, recovery_code }));
    },
    async "trusted browser sign-in"() {
      const client = await weakSession(url, await enrolled(at));
      expectStatus(200, await client.get("/v1/auth/session"));
    },
    async "sign-in with Google"() {
      const login = randomUUID();
      google.people.set(login, { email: newEmail(), email_verified: true, name: "Ada Lovelace" });
      const browser = new OAuthBrowser(url);
      expectStatus(200, await browser.signIn(GOOGLE, login));
      google.people.delete(login);
      expectStatus(200, await browser.client.get("/v1/auth/session"));
    },
    async "sign-in by SAML"() {
      const browser = new SamlBrowser(url);
      const answer = await browser.signIn(connectionId, `${randomUUID()}@${domain}`);
      if (answer.status !== 200) throw new Error(`${answer.status} by reason ${await lastSsoReason(place.sql)}`);
      expectStatus(200, await browser.client.get("/v1/auth/session"));
    },
    async "wrong password, then the right one"() {
      const { email } = await registered(url);
      expectStatus(401, await visitor().post("/v1/auth/login", { email, password: "wrong" }));
      expectStatus(200, await visitor().post("/v1/auth/login", { email, password: PASSWORD }));
    },
  };
}

/** The recorded reason of the last refusal, which the response does not contain. */
async function lastSsoReason(sql: postgres.Sql): Promise<string> {
  const [row] = await sql<{ reason: string }[]>`
    select metadata->>'reason' as reason from audit_logs
    where action = 'auth.sso.login' and outcome = 'failure' order by timestamp desc limit 1`;
  return row?.reason ?? "no recorded reason";
}
