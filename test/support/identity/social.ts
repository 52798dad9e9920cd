/**
 * A deployment with all five identity providers on loopback: a real OpenID provider, and test doubles of the remaining
 * providers.
 */
import { randomBytes } from "node:crypto";
import { exportPKCS8, generateKeyPair, jwtVerify } from "jose";
import { freePort } from "../../../db/embedded.ts";
import { newEmail, registered } from "../client.ts";
import { ownDeployment } from "../deployment.ts";
import { steppedUpAdmin } from "../platform.ts";
import { ISSUER, startReplica } from "../replica.ts";
import { sharedByFiles } from "../shared.ts";
import { CLIENT_SECRET, Facebook, Github } from "./api-providers.ts";
import { ForgedProvider } from "./forged-provider.ts";
import { OpenidProvider } from "./openid-provider.ts";

export const GOOGLE = "oauth_idp_a";
export const GITHUB = "oauth_idp_b";
export const MICROSOFT = "oauth_idp_c";
export const APPLE = "oauth_idp_d";
export const FACEBOOK = "oauth_idp_e";

const appleKeys = generateKeyPair("ES256", { extractable: true });

export function callbackOf(provider: string, origin = ISSUER): string {
  return `${origin}/v1/auth/oauth/${provider}/callback`;
}

/** The deployment that the files of social sign-in share. */
export const socialDeployment = sharedByFiles(deploySocial, ({ at, fooled }) => [at.one, at.other, fooled]);

export type SocialDeployment = Awaited<ReturnType<typeof deploySocial>>;

async function deploySocial() {
  const browserPort = await freePort();
  const browserOrigin = `http://localhost:${browserPort}`;
  const openid = await OpenidProvider.start(
    [
      // Most servers register an application with a secret in the header (`client_secret_basic`).
      {
        client_id: "google-app",
        client_secret: CLIENT_SECRET,
        redirect_uris: [callbackOf(GOOGLE), callbackOf(GOOGLE, browserOrigin)],
      },
      {
        client_id: "services.id",
        client_secret: "replaced by a signed one",
        token_endpoint_auth_method: "client_secret_post",
        redirect_uris: [callbackOf(APPLE), callbackOf(APPLE, browserOrigin)],
      },
    ],
    (clientId, secret, issuer) => (clientId === "services.id" ? isAppleSecret(secret, issuer) : undefined),
  );
  const [forged, github, facebook] = [new ForgedProvider(), new Github(), new Facebook()];
  const settings = {
    SERVICE_CONFIG_KEY: randomBytes(32).toString("base64"),
    SERVICE_OAUTH_IDP_A_CLIENT_ID: "google-app",
    SERVICE_OAUTH_IDP_A_CLIENT_SECRET: CLIENT_SECRET,
    SERVICE_OAUTH_IDP_A_ISSUER: openid.issuer,
    SERVICE_OAUTH_IDP_B_CLIENT_ID: "github-app",
    SERVICE_OAUTH_IDP_B_CLIENT_SECRET: CLIENT_SECRET,
    SERVICE_OAUTH_IDP_B_URL: github.url,
    SERVICE_OAUTH_IDP_B_API_URL: github.url,
    SERVICE_OAUTH_IDP_C_ISSUER: forged.url,
    SERVICE_OAUTH_IDP_D_ISSUER: openid.issuer,
    SERVICE_OAUTH_IDP_E_URL: facebook.url,
    SERVICE_OAUTH_IDP_E_API_URL: facebook.url,
  };
  const at = await ownDeployment(settings);
  const own = { DATABASE_URL: at.databaseUrl, REDIS_URL: at.redis.url, ...settings };
  const fooled = await startReplica({ ...own, SERVICE_OAUTH_IDP_A_ISSUER: forged.url });
  const { client } = await steppedUpAdmin(at);
  const put = (provider: string, publicConfig: object, secret: string) =>
    client.put(`/v1/admin/integrations/${provider}`, { enabled: true, public_config: publicConfig, secret });
  await put(MICROSOFT, { client_id: "entra-app" }, CLIENT_SECRET);
  const pem = await exportPKCS8((await appleKeys).privateKey);
  await put(APPLE, { client_id: "services.id", team_id: "TEAM", key_id: "KEY" }, pem);
  await put(FACEBOOK, { client_id: "facebook-app" }, CLIENT_SECRET);
  return {
    at,
    openid,
    /** The forged provider is Google for `fooled`, and Microsoft for all replicas. */
    forged,
    github,
    facebook,
    /** A replica for which the forged provider is Google. */
    fooled,
    /** The environment of all replicas without the settings of database and Redis. */
    settings,
    /** The port of a replica to which the providers redirect browsers. */
    browserPort,
    browserOrigin,
    /** Creates a user of the real provider. */
    person(fields: { email?: string; email_verified?: boolean; name?: string } = {}) {
      const login = crypto.randomUUID();
      const email = fields.email ?? newEmail();
      openid.people.set(login, { email, email_verified: true, name: "Ada Lovelace", ...fields });
      return { login, email };
    },
    /** Creates a user of the service with a verified address. */
    async verifiedUser() {
      const user = await registered(at.one.url);
      await at.sql`update users set email_verified_at = now() where id = ${user.userId}`;
      return user;
    },
  };
}

/** Verifies a client secret like Apple: signed by the team's key, issued for this audience, not expired. */
async function isAppleSecret(secret: string, issuer: string): Promise<boolean> {
  const expected = { issuer: "TEAM", subject: "services.id", audience: issuer, maxTokenAge: 60 };
  const { protectedHeader } = await jwtVerify(secret, (await appleKeys).publicKey, expected);
  return protectedHeader.alg === "ES256" && protectedHeader.kid === "KEY";
}
