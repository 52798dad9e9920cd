/** An attacker who registered the address of a victim and set up every kind of credential. */

import type { CredentialKindName } from "../../src/flows/steps/credentials/credential-kinds.ts";
import { Visitor } from "./browser.ts";
import { Client, newEmail, PASSWORD, signedIn } from "./client.ts";
import { eventually, race } from "./deployment.ts";
import { OAuthBrowser } from "./identity/oauth-browser.ts";
import { FACEBOOK, type SocialDeployment } from "./identity/social.ts";
import { CODE, codeIn, INVITE_LINK, RESET_LINK, tokenTo, VERIFY_LINK } from "./mail.ts";
import { codeOf, forgetUsedStep } from "./mfa.ts";
import { ISSUER } from "./replica.ts";
import { ACCESS_WAYS, openAccess } from "./squatter-access.ts";
import { storeConnection } from "./sso-connections.ts";
import { newOwner } from "./team.ts";

const PASSKEY_BEGIN = "/v1/users/me/passkeys/register/begin";
const PASSKEY_COMPLETE = "/v1/users/me/passkeys/register/complete";

export type Squatter = Awaited<ReturnType<typeof squat>>;

/**
 * Registers, and sets up a passkey, a linked identity, a set-up link, an invitation, a trusted browser, sessions on
 * both replicas, an API key, a webhook, an event stream and an application.
 */
export async function squat(social: SocialDeployment, secondFactor: "totp" | "none" = "none") {
  const { at } = social;
  const person = await newOwner(at);
  const { client, email, userId, organizationId } = person;
  const visitor = await Visitor.at(ISSUER);
  const begun = await client.post(PASSKEY_BEGIN);
  const credential = await visitor.create(begun.body.publicKey);
  await expectStatus(client.post(PASSKEY_COMPLETE, { credential }), 201);
  const totp = secondFactor === "totp" ? await enrol(social, client, userId) : undefined;
  await expectStatus(client.post("/v1/auth/trusted-browsers"), 201);
  const subject = crypto.randomUUID();
  await at.sql`
    insert into user_identities (provider, issuer, subject, user_id, created_at, last_used_at)
    values (${FACEBOOK}, ${social.facebook.url}, ${subject}, ${userId}, now(), now())`;
  const connectionId = await storeConnection(at.sql, organizationId);
  await at.sql`
    insert into sso_identities (id, connection_id, subject_hash, subject, user_id, linked_by, created_at, last_used_at)
    values (${crypto.randomUUID()}, ${connectionId}, sha256('squatter'), 'squatter', ${userId}, 'user', now(), now())`;
  await at.sql`
    with role as (
      insert into organization_roles (id, organization_id, key, name, description, permissions, created_at, updated_at)
      values (gen_random_uuid(), ${organizationId}, 'auditor', 'Auditor', '', '{audit.read}', now(), now()) returning id
    )
    insert into member_roles (organization_id, user_id, role_id, source, granted_at)
    select ${organizationId}, ${userId}, id, 'sso', now() from role`;
  await at.sql`
    insert into sso_setup_links (id, organization_id, intents, token_hash, created_by, by_platform, created_at,
                                 expires_at)
    values (gen_random_uuid(), ${organizationId}, '{connection}', sha256(${userId}::text::bytea), ${userId}, false,
            now(), now() + interval '1 day')`;
  const accomplice = newEmail();
  await expectStatus(client.post(`/v1/orgs/${organizationId}/invitations`, { email: accomplice, role: "admin" }), 201);
  const invitation = await tokenTo(at.mail, accomplice, INVITE_LINK);
  const access = await openAccess(social, person);
  // The trusted browser skips the challenge, so this session exists despite a second factor.
  const second = client.at(at.other.url);
  const cookies = await signInAgain(second, email);
  return { ...person, visitor, subject, invitation, totp, accomplice, access, second: cookies };
}

async function enrol({ at }: SocialDeployment, client: Client, userId: string) {
  const { secret } = (await client.post("/v1/auth/mfa/setup")).body;
  const enabled = await client.post("/v1/auth/mfa/enable", { code: codeOf(secret) });
  if (enabled.status !== 200) throw new Error(`enabling answered ${enabled.status}: ${enabled.text}`);
  await forgetUsedStep(at.sql, userId);
  return { secret: String(secret), recoveryCodes: enabled.body.recovery_codes as string[] };
}

/** Opens a further session of the trusted browser in a separate jar. */
async function signInAgain(trusted: Client, email: string): Promise<Client> {
  const fresh = new Client(trusted.baseUrl);
  fresh.setCookie("service_trust", trusted.cookie("service_trust") ?? "none", "/v1");
  await expectStatus(fresh.post("/v1/auth/login", { email, password: PASSWORD }), 200);
  return fresh;
}

async function expectStatus(asked: Promise<{ status: number; text: string }>, status: number): Promise<void> {
  const response = await asked;
  if (response.status !== status) throw new Error(`answered ${response.status} and not ${status}: ${response.text}`);
}

type Probe = (social: SocialDeployment, squatter: Squatter) => Promise<boolean>;

/** Each access method by the kind of the credential; `test/conventions/credentials.test.ts` compares the kinds. */
export const WAYS = {
  sessions: {
    session: async (_, { client }) => (await client.get("/v1/auth/session")).status === 200,
    "session on the other replica": async (_, { second }) => (await second.get("/v1/auth/session")).status === 200,
    refresh: async (_, { client }) => (await client.post("/v1/auth/refresh")).status === 200,
  },
  password: { password: async ({ at }, { email }) => (await signedIn(at.one.url, email)).answer.status === 200 },
  passkeys: { passkey: passkeyOpens },
  identities: { identity: identityOpens },
  company_accounts: {
    "company account": async ({ at }, { userId }) =>
      (await at.sql`select 1 from sso_identities where user_id = ${userId}`).length > 0,
    "role of the company account": async ({ at }, { userId }) =>
      (await at.sql`select 1 from member_roles where user_id = ${userId} and source = 'sso'`).length > 0,
  },
  invitations: {
    invitation: async ({ at }, { invitation }) =>
      (await new Client(at.one.url).get(`/v1/auth/invitations/preview?token=${invitation}`)).status === 200,
  },
  trusted_browsers: {
    "trusted browser": async ({ at }, { userId }) =>
      (await at.sql`select 1 from trusted_browsers where user_id = ${userId} and revoked_at is null`).length > 0,
  },
  setup_links: {
    "set-up link": async ({ at }, { userId }) =>
      (await at.sql`select 1 from sso_setup_links where created_by = ${userId} and ended_at is null`).length > 0,
  },
  ...ACCESS_WAYS,
} as const satisfies Partial<Record<CredentialKindName, Readonly<Record<string, Probe>>>>;

const PROBES: readonly [string, Probe][] = Object.values(WAYS).flatMap((ways) => Object.entries<Probe>(ways));

/** All access methods of an account that the owner of the address has not claimed. */
export const ALL_WAYS = PROBES.map(([name]) => name);

/** Returns the access methods that still work for the squatter. */
export async function openWays(social: SocialDeployment, squatter: Squatter): Promise<string[]> {
  const open: string[] = [];
  for (const [name, works] of PROBES) if (await works(social, squatter)) open.push(name);
  return open;
}

async function passkeyOpens({ at }: SocialDeployment, { visitor }: Squatter): Promise<boolean> {
  const client = new Client(at.other.url);
  const { body } = await client.post("/v1/auth/passkey/login/begin");
  const credential = await visitor.get(body.publicKey);
  return (await client.post("/v1/auth/passkey/login/complete", { credential })).status === 200;
}

/** Without an email address, the unlinked identity matches no account. */
async function identityOpens({ at, facebook }: SocialDeployment, { subject }: Squatter): Promise<boolean> {
  facebook.user = { id: subject, name: "Squatter" };
  return (await new OAuthBrowser(at.one.url).signIn(FACEBOOK)).status === 200;
}

/** Every replica applies a revocation within a second. */
export async function waitForRevocation({ at }: SocialDeployment, { second, access }: Squatter): Promise<void> {
  const { access_token } = access.tokens;
  await eventually("every replica", 1000, async () => {
    const responses = await Promise.all([
      second.at(at.other.url).get("/v1/auth/session"),
      ...[at.one, at.other].map(({ url }) => new Client(url).get("/oauth2/userinfo", { bearer: access_token })),
    ]);
    return responses.every(({ status }) => status === 401);
  });
}

/** Actions of the mailbox owner; `nth` selects among the emails of a kind to the address. */
export const owner = {
  /** Opens the mailed link in a browser without a session. */
  async opensLink({ at }: SocialDeployment, email: string) {
    const token = await tokenTo(at.mail, email, VERIFY_LINK);
    return await new Client(at.one.url).post("/v1/auth/email/verify", { token });
  },
  async resets({ at }: SocialDeployment, email: string, password: string, nth = 1) {
    const client = new Client(at.one.url);
    await client.post("/v1/auth/password/forgot", { email });
    const token = await tokenTo(at.mail, email, RESET_LINK, nth);
    // A full hashing pool refuses before the token is consumed; the client retries.
    for (;;) {
      const response = await client.post("/v1/auth/password/reset", { token, new_password: password });
      if (response.status !== 429) return response;
    }
  },
  async entersCode({ at }: SocialDeployment, email: string, nth = 1) {
    const client = new Client(at.one.url);
    await client.post("/v1/auth/email-otp/request", { email });
    const code = codeIn((await at.mail.mailsTo(email, CODE, nth)).at(-1));
    return { client, answer: await client.post("/v1/auth/email-otp/verify", { email, code }) };
  },
  async signsInAt({ at, ...social }: SocialDeployment, provider: string, email: string) {
    const browser = new OAuthBrowser(at.one.url);
    const { login } = social.person({ email });
    return { client: browser.client, login, answer: await browser.signIn(provider, login) };
  },
};

/** Runs `proof` while the squatter performs all actions concurrently on both replicas. */
export async function whileSquatting<T>(
  { at }: SocialDeployment,
  { client, email }: Pick<Squatter, "client" | "email">,
  proof: () => Promise<T>,
): Promise<T> {
  const url = (index: number) => (index % 2 ? at.one.url : at.other.url);
  const attempts: ((index: number) => Promise<unknown>)[] = [
    (index: number) => signedIn(url(index), email),
    (index: number) => client.at(url(index)).post("/v1/auth/refresh"),
    (index: number) => client.at(url(index)).post("/v1/auth/mfa/setup"),
  ];
  const [proven] = await Promise.all([proof(), ...attempts.map((attempt) => race((index) => attempt(index)))]);
  return proven;
}
