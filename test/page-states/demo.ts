/** The service in embedded mode with users, organizations and applications in every state that pages display. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type postgres from "postgres";
import { freePort, runningEmbeddedPostgres } from "../../db/embedded.ts";
import { systemClock } from "../../src/base/clock.ts";
import { makeOpaqueToken } from "../../src/base/opaque-token.ts";
import { systemRandom } from "../../src/base/random.ts";
import { hashToken } from "../../src/base/token-hash.ts";
import { DEVICE_GRANT } from "../../src/vocabulary/grant-type.ts";
import { Client, PASSWORD, registered } from "../support/client.ts";
import { CONFIG_KEY } from "../support/console.ts";
import { codeOf, forgetUsedStep, withAuthenticator } from "../support/mfa.ts";
import {
  authorizePath,
  Browser,
  basic,
  makePkce,
  registerClient,
  sendForm,
  type TestClient,
} from "../support/oauth.ts";
import { type Replica, startReplica } from "../support/replica.ts";
import { samplePlatform } from "../support/sample-platform.ts";
import { openSql, redisUrl } from "../support/services.ts";
import { companyWithSso, storeConnection } from "../support/sso-connections.ts";
import { insertMember, moveSessions, proveMailbox } from "../support/states.ts";
import { eventually, until } from "../support/waiting.ts";
import { fillApplications } from "./demo-applications.ts";
import { fillDirectory } from "./demo-directory.ts";
import { fillJoining } from "./demo-joining.ts";
import { fillPolicies } from "./demo-policies.ts";
import { fillRoles } from "./demo-roles.ts";
import { fillSingleSignOn } from "./demo-single-sign-on.ts";

/** An iCloud Keychain passkey, so that the list displays the name of a product. */
const AAGUID = "fbfc3007-154e-4ecc-8c0b-6e020557d7bd";
const SAFARI =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) " +
  "Version/18.1 Mobile/15E148 Safari/604.1";
const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0";
const CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
const WIKI_SCOPES = ["openid", "profile", "email", "organization", "offline_access", "invoices:read"];
const API = "https://api.example.com/";
/** Decisions about requests are stored within a few seconds. */
const FLUSH_DEADLINE_MS = 30_000;

export interface Person {
  readonly client: Client;
  readonly email: string;
  readonly userId: string;
  readonly organizationId: string;
}

/** The readers of pages. `ada`: owner of the platform and of an organization, signed in with two steps. */
export type Viewer = "visitor" | "newcomer" | "member" | "ada" | "stale";

export interface Demo {
  readonly origin: string;
  readonly sql: postgres.Sql;
  readonly people: Readonly<Record<Exclude<Viewer, "visitor">, Person>>;
  /** The key of Ada's authenticator app. */
  readonly secret: string;
  readonly wiki: TestClient;
  /** Ids of records that addresses name. */
  readonly ids: Readonly<Record<string, string>>;
  /** Paths of mailed links with their tokens. */
  readonly links: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

type Site = Pick<Demo, "origin" | "sql"> & { readonly one: Replica };

export async function startDemo(env: Record<string, string> = {}): Promise<Demo> {
  const folder = await mkdtemp(join(tmpdir(), "demo-"));
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const one = await startReplica({
    SERVICE_DATA_DIRECTORY: folder,
    SERVICE_JWT_SECRET: "",
    REDIS_URL: await redisUrl(),
    PORT: String(port),
    SERVICE_PUBLIC_BASE_URL: origin,
    SERVICE_BRAND_NAME: "Acme",
    SERVICE_CONFIG_KEY: CONFIG_KEY,
    SERVICE_TERMS_URL: "https://acme.example/terms",
    SERVICE_PRIVACY_URL: "https://acme.example/privacy",
    SERVICE_SUPPORT_URL: "https://acme.example/help",
    SERVICE_OAUTH_IDP_A_CLIENT_ID: "acme-web.apps.example.com",
    SERVICE_OAUTH_IDP_A_CLIENT_SECRET: "a-secret-of-google",
    SERVICE_OAUTH_IDP_B_CLIENT_ID: "acme-web",
    SERVICE_OAUTH_IDP_B_CLIENT_SECRET: "a-secret-of-github",
    ...env,
  });
  const databaseUrl = runningEmbeddedPostgres(folder);
  if (!databaseUrl) throw new Error("the embedded PostgreSQL does not run");
  const sql = openSql(databaseUrl);
  await samplePlatform(databaseUrl);
  const content = await fill({ origin, sql, one });
  const stop = async () => {
    await sql.end();
    await one.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { origin, sql, ...content, stop };
}

async function fill(site: Site): Promise<Omit<Demo, "origin" | "sql" | "stop">> {
  const newcomer = await register(site, "Nora Newcomer", "nora@example.com", "Nora’s Studio");
  const first = await register(site, "Ada Lovelace", "ada@analytical.example", "Analytical Engines");
  const owner = await enrol(site, first);
  const member = await register(site, "Charles Babbage", "charles@analytical.example", "Difference Engines");
  await insertMember(site.sql, owner.organizationId, member.userId);
  await moveSessions(site.sql, member.userId, owner.organizationId);
  const stale = { ...owner, client: await secondSession(site, owner) };
  const wiki = await addApplications(owner.client);
  const ids = {
    ...(await fillOrganization(site, owner)),
    ...(await fillRoles({ ...owner, memberId: member.userId })),
    ...(await fillSingleSignOn({ ...site, ...owner })),
    directoryGroup: await fillDirectory({ ...site, ...owner }),
    ...(await fillAccount(site, owner)),
    ...(await fillPlatform(site, owner)),
    ...(await fillCompanies(site)),
    wiki: wiki.id,
    organization: owner.organizationId,
    owner: owner.userId,
    member: member.userId,
    newcomer: newcomer.userId,
  };
  await allow(site, owner, wiki);
  const device = await claimDevice(site, owner, wiki);
  await fillPolicies(owner);
  const { organizationId } = owner;
  const joinRequest = await fillJoining({ ...site, organizationId, newcomerId: newcomer.userId });
  await fillApplications(site.sql, { owner, member, newcomer });
  const links = await mailedLinks(site, { owner, newcomer });
  return {
    people: { newcomer, member, ada: owner, stale },
    secret: owner.secret,
    wiki,
    ids: { ...ids, device, joinRequest },
    links,
  };
}

async function register(site: Site, name: string, email: string, organization: string): Promise<Person> {
  const person = await registered(site.origin, { email, display_name: name, organization_name: organization });
  await site.sql`
    update sessions set user_agent = ${CHROME}, ip_address = '203.0.113.20' where user_id = ${person.userId}`;
  return { ...person, email };
}

async function enrol(site: Site, person: Person) {
  await site.sql`
    update users set platform_role = 'owner', controlled_at = now(), email_verified_at = now()
    where id = ${person.userId}`;
  const enrolled = await withAuthenticator(site, person);
  await stepUp(site, enrolled);
  return enrolled;
}

async function stepUp({ sql }: Pick<Site, "sql">, { client, userId, secret }: Person & { readonly secret: string }) {
  expectStatus(await client.post("/v1/auth/mfa/verify", { code: codeOf(secret) }), 200);
  await forgetUsedStep(sql, userId);
}

/** A session without a fresh second factor. */
async function secondSession(site: Site, owner: Person & { readonly secret: string }): Promise<Client> {
  const trusted = await owner.client.post("/v1/auth/trusted-browsers");
  const client = new Client(site.origin);
  client.setCookie("service_trust", owner.client.cookie("service_trust") ?? "", "/v1");
  expectStatus(trusted, 201);
  expectStatus(await client.post("/v1/auth/login", { email: owner.email, password: PASSWORD }), 200);
  return client;
}

function expectStatus({ status, text }: { readonly status: number; readonly text: string }, expected: number): void {
  if (status !== expected) throw new Error(`the demo expected ${expected}, got ${status}: ${text.slice(0, 500)}`);
}

async function addApplications(admin: Client): Promise<TestClient> {
  const resource = {
    identifier: API,
    name: "Invoices",
    claim_mappings: [{ claim: "tier", constant: "business" }],
    scopes: [
      { name: "invoices:read", description_en: "see your invoices" },
      { name: "invoices:approve", description_en: "approve invoices", permission: "invoices.approve" },
    ],
  };
  expectStatus(await admin.post("/v1/admin/resources", resource), 201);
  const urls = { policy_uri: "https://wiki.example.com/privacy", tos_uri: "https://wiki.example.com/terms" };
  const wiki = await registerClient(
    {
      name: "Acme Wiki",
      grant_types: ["authorization_code", "refresh_token", DEVICE_GRANT],
      first_party: false,
      scopes: WIKI_SCOPES,
      resources: [API],
      redirect_uris: ["https://wiki.example.com/callback"],
      claim_mappings: [
        { claim: "groups", attribute: "groups", qualified: true },
        { claim: "wiki_role", expression: 'session.acr == "aal2" ? "editor" : "reader"', in: ["id_token"] },
        { claim: "quota", constant: { gigabytes: 10 } },
        { claim: "badge", attribute: "user.display_name", allow_user_control: true },
      ],
      ...urls,
    },
    admin,
  );
  await registerClient(
    {
      name: "Acme Notes",
      application_type: "native",
      token_endpoint_auth_method: "none",
      redirect_uris: ["com.example.notes:/callback"],
      resources: [],
    },
    admin,
  );
  return wiki;
}

/** Gives the consent that the account displays. */
async function allow(site: Site, owner: Person, wiki: TestClient): Promise<void> {
  const browser = new Browser(site.origin);
  Object.assign(browser.client, { jar: owner.client.jar });
  const asked = await browser.follow(wikiRequest(wiki));
  const allowed = await browser.submit(asked.path, { decision: "allow" });
  if (!allowed.location) throw new Error(`the consent ended at ${allowed.path}`);
}

/** A device of the demo application that waits for the decision of a user; returns the id. */
async function claimDevice({ origin, sql }: Site, { client }: Person, wiki: TestClient): Promise<string> {
  const scope = "openid profile offline_access";
  const codes = await sendForm(origin, "/oauth2/device_authorization", { scope }, basic(wiki));
  expectStatus(codes, 200);
  const found = await client.post("/v1/auth/device", { user_code: codes.body.user_code });
  expectStatus(found, 200);
  await sql`
    update oauth_device_codes set expires_at = now() + interval '1 day', ip_address = '198.51.100.24'
    where id = ${found.body.id}`;
  return found.body.id;
}

/** The authorization request of the demo application. */
export function wikiRequest(wiki: TestClient, more: Record<string, string> = {}): string {
  return authorizePath(wiki, makePkce().challenge, { scope: WIKI_SCOPES.join(" "), resource: API, ...more });
}

async function fillOrganization({ sql }: Site, { client, organizationId }: Person): Promise<Record<string, string>> {
  const base = `/v1/orgs/${organizationId}`;
  for (const email of ["grace@analytical.example", "alan@analytical.example"]) {
    expectStatus(await client.post(`${base}/invitations`, { email, role: "member" }), 201);
  }
  const [invitation] = await sql`select id from invitations where organization_id = ${organizationId} limit 1`;
  const account = await client.post(`${base}/service-accounts`, { name: "Nightly export" });
  expectStatus(account, 201);
  const key = await client.post(`${base}/service-accounts/${account.body.id}/keys`, {
    scopes: ["members.list", "audit.read"],
  });
  expectStatus(key, 201);
  const trust = await client.post(`${base}/service-accounts/${account.body.id}/trusts`, {
    name: "Release",
    issuer: "https://token.actions.githubusercontent.com",
    conditions: [
      { claim: "repository_id", equals: "64511" },
      { claim: "ref", equals: "refs/heads/main" },
    ],
    scopes: ["members.list", "audit.read"],
  });
  expectStatus(trust, 201);
  const webhook = await client.post(`${base}/webhooks`, {
    url: "https://hooks.example.com/identity",
    event_types: ["member.*"],
  });
  expectStatus(webhook, 201);
  for (const domain of ["analytical.example", "engines.example"]) {
    expectStatus(await client.post(`${base}/domains`, { domain }), 201);
  }
  await sql`
    update organization_domains set status = 'verified', verified_at = now(), checked_at = now(), seen_at = now()
    where domain = 'analytical.example'`;
  const [domain] = await sql`select id from organization_domains where domain = 'engines.example'`;
  return {
    account: account.body.id,
    key: key.body.id,
    trust: trust.body.id,
    webhook: webhook.body.id,
    invitation: String(invitation?.id),
    domain: String(domain?.id),
  };
}

async function fillAccount({ sql }: Site, person: Person): Promise<Record<string, string>> {
  const { client, userId } = person;
  const identity = crypto.randomUUID();
  const passkey = crypto.randomUUID();
  await sql`
    insert into passkeys (id, user_id, credential_id, public_key, sign_count, name, transports, device_type, backed_up,
                          aaguid, created_at, last_used_at)
    values (${passkey}, ${userId}, 'demo', 'demo', 0, 'iCloud Keychain', '{internal}', 'multiDevice', true,
            ${AAGUID}, now() - interval '20 days', now() - interval '3 hours')`;
  await sql`
    insert into user_identities (id, provider, issuer, subject, label, user_id, created_at, last_used_at)
    values (${identity}, 'oauth_idp_a', 'https://accounts.google.com', ${userId}, 'ada.lovelace@gmail.example',
            ${userId}, now() - interval '40 days', now() - interval '2 days')`;
  for (const [agent, address] of [
    [SAFARI, "198.51.100.24"],
    [FIREFOX, "192.0.2.61"],
  ] as const) {
    const other = new Client(client.baseUrl);
    other.setCookie("service_trust", client.cookie("service_trust") ?? "", "/v1");
    const login = await other.post("/v1/auth/login", { email: person.email, password: PASSWORD });
    expectStatus(login, 200);
    await sql`
      update sessions set user_agent = ${agent}, ip_address = ${address}, created_at = now() - interval '3 days'
      where id = (select id from sessions where user_id = ${userId} order by created_at desc limit 1)`;
  }
  await sql`
    insert into user_emails (id, user_id, email, verified_at, created_at)
    values (gen_random_uuid(), ${userId}, 'ada@lovelace.example', now(), now())`.catch(() => undefined);
  const emails = await client.get("/v1/users/me/emails");
  const second = emails.body?.items?.find?.((each: { primary?: boolean }) => !each.primary);
  return { passkey, identity, address: String(second?.id ?? "") };
}

async function fillPlatform({ sql, origin }: Site, { client, userId, email }: Person): Promise<Record<string, string>> {
  const flag = { key: "new-dashboard", description: "The dashboard with charts", enabled: true, rollout_percent: 25 };
  expectStatus(await client.put("/v1/admin/feature-flags", flag), 200);
  const [contoso] = await sql`select id from organizations where name = 'Contoso'`;
  const [grace] = await sql`select id from users where display_name = 'Grace Hopper'`;
  const [resource] = await sql`select id from oauth_resources limit 1`;
  const session = await sql`select id from sessions where user_id = ${userId} order by created_at limit 1`;
  const deleted = await sql`select id from users where display_name = 'Konrad Zuse'`;
  expectStatus(
    await client.post(`/v1/admin/users/${deleted[0]?.id}/deletion`, { reason: "Request of 12 November" }),
    202,
  );
  const account = await client.post("/v1/admin/service-accounts", { name: "Deployment" });
  expectStatus(account, 201);
  const token = await client.post("/v1/admin/registration-tokens", { name: "Partner portal", max_uses: 20 });
  expectStatus(token, 201);
  await sql`insert into oauth_blocked_hosts (host, created_at) values ('*.phishing.example', now())`;
  expectStatus(await new Client(origin).post("/v1/auth/login", { email, password: "not the password" }), 401);
  const request = () => sql`select request_id from request_decisions order by at desc limit 1`;
  await eventually("a decision is stored", FLUSH_DEADLINE_MS, async () => (await request()).length > 0);
  return {
    platformAccount: account.body.id,
    registrationToken: token.body.id,
    contoso: String(contoso?.id),
    grace: String(grace?.id),
    resource: String(resource?.id),
    session: String(session[0]?.id),
    request: String((await request())[0]?.request_id),
  };
}

/** `globex.example` has one connection for single sign-on, and the organization `initech` has two by name. */
async function fillCompanies(site: Site): Promise<Record<string, string>> {
  await companyWithSso(site, {}, "globex.example");
  const { organizationId, owner, connections, connectionId } = await companyWithSso(site, {}, "initech.example");
  const second = await storeConnection(site.sql, organizationId);
  expectStatus(await owner.patch(`${connections}/${connectionId}`, { name: "Initech Entra ID" }), 200);
  expectStatus(await owner.patch(`${connections}/${second}`, { name: "Initech Ventures Okta" }), 200);
  return { initech: organizationId };
}

interface LinkReaders {
  readonly owner: Person;
  readonly newcomer: Person;
}

/** Requests each kind of mailed link once; a GET of a link consumes nothing. */
async function mailedLinks(site: Site, { owner, newcomer }: LinkReaders): Promise<Record<string, string>> {
  const { origin } = site;
  const review = await reviewLink(site);
  await new Client(origin).post("/v1/auth/password/forgot", { email: newcomer.email });
  const leaver = await register(site, "Luigi Menabrea", "luigi@example.com", "Menabrea & Sons");
  const request = { email: leaver.email, password: PASSWORD };
  await new Client(origin).post("/v1/auth/login", request, { headers: { "user-agent": FIREFOX } });
  const notMe = await linkIn(site, "/sign-in/not-me");
  const mover = await register(site, "Mary Somerville", "mary@example.com", "Somerville");
  await proveMailbox(site.sql, mover.userId);
  const change = { new_email: "mary@somerville.example", password: PASSWORD };
  expectStatus(await mover.client.post("/v1/users/me/email", change), 204);
  const changed = await linkIn(site, "/change-email");
  expectStatus(await mover.client.post("/v1/auth/email/change", { token: changed.split("token=")[1] }), 204);
  const undo = await linkIn(site, "/undo-email");
  const next = { new_email: "countess@lovelace.example", password: PASSWORD };
  expectStatus(await owner.client.post("/v1/users/me/email", next), 204);
  expectStatus(await leaver.client.post("/v1/users/me/deletion", { password: PASSWORD }), 202);
  return {
    notMe,
    review,
    undo,
    change: await linkIn(site, "/change-email", changed),
    cancel: await linkIn(site, "/cancel-deletion"),
    verify: await linkIn(site, "/verify-email"),
    reset: await linkIn(site, "/reset-password"),
    invitation: await linkIn(site, "/accept-invitation"),
    ticket: await ticketLink(site, newcomer.userId),
  };
}

/** A ticket of a program for a user. */
async function ticketLink({ sql }: Site, userId: string): Promise<string> {
  const token = makeOpaqueToken(systemRandom(systemClock));
  await sql`
    insert into mailed_tokens (token_hash, purpose, user_id, expires_at, created_at)
    values (${hashToken(token)}, 'ticket', ${userId}, now() + interval '1 day', now())`;
  return `/sign-in/ticket?token=${token}`;
}

/** Resets the password of a user with a recent provider; returns the link that ends the recent credentials. */
async function reviewLink(site: Site): Promise<string> {
  const { email, userId } = await register(site, "Sophie Germain", "sophie@example.com", "Germain");
  await site.sql`
    update users set controlled_at = now() - interval '1 year', email_verified_at = now() - interval '1 year'
    where id = ${userId}`;
  await site.sql`
    insert into user_identities (provider, issuer, subject, user_id, created_at, last_used_at)
    values ('oauth_idp_a', 'https://accounts.example', ${userId}, ${userId}, now(), now())`;
  const visitor = new Client(site.origin);
  await visitor.post("/v1/auth/password/forgot", { email });
  const reset = await linkIn(site, "/reset-password");
  const body = { token: reset.split("token=")[1], new_password: `${PASSWORD} again` };
  expectStatus(await visitor.post("/v1/auth/password/reset", body), 204);
  return await linkIn(site, "/reset-password/review");
}

/** Returns the newest link to a page in the emails of embedded mode, except an earlier link. */
async function linkIn({ origin }: Pick<Site, "origin">, path: string, except?: string): Promise<string> {
  let found: string | undefined;
  await until(`an email links to ${path}`, async () => {
    const html = await (await fetch(`${origin}/dev/mail`)).text();
    found = new RegExp(`${path}\\?token=[\\w-]+`).exec(html)?.[0];
    return found !== undefined && found !== except;
  });
  return found ?? "";
}
