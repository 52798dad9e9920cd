/** A deployment with providers by configuration: a real OpenID provider, and doubles with the flaws of providers. */
import { randomBytes } from "node:crypto";
import { allowsReceivers, testCertificate } from "../certificate.ts";
import { newEmail, registered } from "../client.ts";
import { ownDeployment } from "../deployment.ts";
import { steppedUpAdmin } from "../platform.ts";
import { sharedByFiles } from "../shared.ts";
import { ApiProvider } from "./api-provider.ts";
import { ForgedProvider } from "./forged-provider.ts";
import { OpenidProvider } from "./openid-provider.ts";
import { callbackOf } from "./social.ts";

export const APP = { client_id: "acme-web", secret: "a secret of the application" };
export const PROVIDERS_PATH = "/v1/admin/social-providers";
/** The key of the real OpenID provider. */
export const REAL = "corporate";

/** The deployment that the files of configured providers share. */
const sharedDeployment = sharedByFiles(deployConfigured, ({ at }) => [at.one, at.other]);

export type ConfiguredDeployment = Awaited<ReturnType<typeof configuredDeployment>>;

async function deployConfigured() {
  const tls = testCertificate();
  const at = await ownDeployment({ SERVICE_CONFIG_KEY: randomBytes(32).toString("base64"), ...allowsReceivers() });
  const openid = await OpenidProvider.start(
    [{ client_id: APP.client_id, client_secret: APP.secret, redirect_uris: [callbackOf(REAL)] }],
    undefined,
    tls,
  );
  const [forged, api] = [new ForgedProvider(tls), new ApiProvider(tls)];
  return { at, openid, forged, api, made: { keys: 0 } };
}

/** The shared deployment with an administrator of the calling file, whose step-up is fresh. */
export async function configuredDeployment() {
  const shared = await sharedDeployment();
  const { at, api, made } = shared;
  const { client: admin } = await steppedUpAdmin(at);
  function newKey() {
    made.keys += 1;
    return `provider_${made.keys}`;
  }
  return {
    ...shared,
    admin,
    /** Creates an enabled provider under a new key; returns the key. */
    async provider(settings: Record<string, unknown>, key = newKey()): Promise<string> {
      const { status, text } = await admin.post(PROVIDERS_PATH, { provider: key, enabled: true, ...APP, ...settings });
      if (status !== 201) throw new Error(`${key} was not created: ${text}`);
      return key;
    },
    /** Deletes the providers of a file: the bound of providers counts for all files. */
    async removeProviders(): Promise<void> {
      const { body } = await admin.get(PROVIDERS_PATH);
      for (const { provider } of body.items) await admin.delete(`${PROVIDERS_PATH}/${provider}?confirm=true`);
    },
    /** The settings of the double of an OAuth 2.0 provider. */
    apiSettings: {
      protocol: "oauth2",
      authorization_endpoint: `${api.url}/authorize`,
      token_endpoint: `${api.url}/token`,
      userinfo_endpoint: `${api.url}/me`,
    },
    /** Creates a user of the service with a verified address. */
    async verifiedUser(email = newEmail()) {
      const user = await registered(at.one.url, { email });
      await at.sql`update users set email_verified_at = now(), controlled_at = now() where id = ${user.userId}`;
      return { ...user, email };
    },
  };
}
