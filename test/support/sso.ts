/** A deployment with identity providers of several organizations: real OpenID providers, and a forged provider. */

import { randomBytes, randomUUID } from "node:crypto";
import Redis from "ioredis";
import { sealingKey } from "../../src/base/seal.ts";
import { sealConnectionSecret } from "../../src/models/sso-connection/connection-secret.ts";
import { SSO_CONNECTION_STREAM } from "../../src/models/sso-connection/held-connection.ts";
import { DEFAULT_OIDC_CONFIG, type OidcConfig } from "../../src/vocabulary/sso/oidc-config.ts";
import { allowsReceivers, testCertificate } from "./certificate.ts";
import type { Answer, Client } from "./client.ts";
import { type Deployment, ownDeployment } from "./deployment.ts";
import { insertVerifiedDomain } from "./directories.ts";
import { ForgedProvider } from "./identity/forged-provider.ts";
import { OAuthBrowser } from "./identity/oauth-browser.ts";
import { OpenidProvider } from "./identity/openid-provider.ts";
import { ISSUER } from "./replica.ts";
import { sharedByFiles } from "./shared.ts";
import { newOwner } from "./team.ts";
import { until } from "./waiting.ts";

const CONFIG_KEY = randomBytes(32);
/** The settings with which a service calls the identity providers of tests, and opens their secrets. */
export const ssoSettings = () => ({ ...allowsReceivers(), SERVICE_CONFIG_KEY: CONFIG_KEY.toString("base64") });
export const CLIENT_ID = "identity-service";
const CLIENT_SECRET = "a client secret of sixteen characters and more";

/** An organization with an identity provider. */
export interface Company {
  readonly organizationId: string;
  readonly ownerId: string;
  readonly owner: Client;
  readonly connectionId: string;
  readonly domain: string;
}

export type SsoDeployment = Awaited<ReturnType<typeof deploySso>>;

/** The deployment that the files of single sign-on share. */
export const ssoDeployment = sharedByFiles(deploySso, ({ at }) => [at.one, at.other]);

export async function deploySso() {
  const at = await ownDeployment(ssoSettings());
  const [acmeConnection, hooliConnection] = [randomUUID(), randomUUID()];
  const tls = testCertificate();
  const [acmeProvider, hooliProvider] = await Promise.all(
    [acmeConnection, hooliConnection].map((id) => OpenidProvider.start([clientOf(id)], undefined, tls)),
  );
  const forged = new ForgedProvider(tls);
  const [acme, hooli, forgedCompany] = await Promise.all([
    company(at, acmeConnection, acmeProvider?.issuer ?? ""),
    company(at, hooliConnection, hooliProvider?.issuer ?? ""),
    company(at, randomUUID(), forged.url),
  ]);
  await routable(at, [acme.connectionId, hooli.connectionId, forgedCompany.connectionId]);
  return {
    at,
    acme: { ...acme, provider: acmeProvider as OpenidProvider },
    hooli: { ...hooli, provider: hooliProvider as OpenidProvider },
    /** A company whose identity provider sends the claims of the test. */
    forged: { ...forgedCompany, provider: forged },
  };
}

/** The registration of this service at an identity provider. */
export function clientOf(connectionId: string, origin = ISSUER) {
  return {
    client_id: CLIENT_ID,
    client_secret: CLIENT_SECRET,
    redirect_uris: [callbackOf(connectionId, origin)],
    backchannel_logout_uri: `${origin}/v1/auth/sso/${connectionId}/backchannel-logout`,
    backchannel_logout_session_required: true,
  };
}

export function callbackOf(connectionId: string, origin = ISSUER): string {
  return `${origin}/v1/auth/sso/${connectionId}/callback`;
}

let companies = 0;

/** Registers an organization with a verified domain and an active connection; `optional` single sign-on. */
export async function company(
  at: { readonly one: Pick<Deployment["one"], "url">; readonly sql: Deployment["sql"] },
  connectionId: string,
  issuer: string,
  config: Partial<OidcConfig> = {},
): Promise<Company> {
  companies += 1;
  const domain = `company-${process.pid}-${companies}.test`;
  const { client: owner, userId: ownerId, organizationId } = await newOwner(at);
  await insertConnection(at, { connectionId, organizationId, ownerId }, { issuer, ...config });
  await insertVerifiedDomain(at, organizationId, domain);
  return { organizationId, ownerId, owner, connectionId, domain };
}

/** Stores an active connection of an organization without a connection; `optional` single sign-on. */
export async function insertConnection(
  at: Pick<Deployment, "sql">,
  { connectionId, organizationId, ownerId }: Pick<Company, "connectionId" | "organizationId" | "ownerId">,
  config: Partial<OidcConfig>,
): Promise<void> {
  const key = sealingKey(CONFIG_KEY);
  const sealed = sealConnectionSecret({ random: { bytes: randomBytes } as never }, key, connectionId, CLIENT_SECRET);
  const settings = { ...DEFAULT_OIDC_CONFIG, client_id: CLIENT_ID, ...config };
  await at.sql`
    insert into sso_connections (id, organization_id, protocol, name, preset, status, config, sealed_secret, key_id,
                                 revision, tested_at, activated_by, created_by, created_at, updated_at)
    values (${connectionId}, ${organizationId}, 'oidc', 'Company ID', 'custom', 'active',
            ${at.sql.json(settings as never)}, ${sealed}, ${key.id}, 1, now(), ${ownerId}, ${ownerId}, now(), now())`;
  await setPolicy(at, organizationId, {});
}

/** Stores a policy; the decision about an account reads PostgreSQL. */
export async function setPolicy(
  { sql }: Pick<Deployment, "sql">,
  organizationId: string,
  policy: { jit?: string; roleRules?: object[]; defaultRole?: string; sync?: string; requireOwnFactor?: boolean },
): Promise<void> {
  const { jit = "on", roleRules = [], defaultRole = "member", sync = "always", requireOwnFactor = false } = policy;
  await sql`
    insert into sso_policies (organization_id, mode, guests, break_glass, jit, default_role, role_rules, sync,
                              require_own_factor, revision, updated_at)
    values (${organizationId}, 'optional', 'own_methods', '{}', ${jit}, ${defaultRole}, ${sql.json(roleRules as never)},
            ${sync}, ${requireOwnFactor}, 1, now())
    on conflict (organization_id) do update set
      jit = excluded.jit, default_role = excluded.default_role, role_rules = excluded.role_rules, sync = excluded.sync,
      require_own_factor = excluded.require_own_factor,
      revision = sso_policies.revision + 1`;
}

/** Waits until both replicas know the connections. */
export async function routable({ one, other }: Deployment, connectionIds: readonly string[]): Promise<void> {
  await until("the replicas know the connections", async () => {
    const starts = [one, other].flatMap(({ url }) =>
      connectionIds.map((id) => fetch(`${url}/v1/auth/sso/${id}/start`, { redirect: "manual" })),
    );
    return (await Promise.all(starts)).every(({ status }) => status !== 404);
  });
}

/** Informs the replicas about rows written without the endpoints, as a write of a replica does. */
export async function announceConnections({
  redis: { url },
}: {
  readonly redis: { readonly url: string };
}): Promise<void> {
  const redis = new Redis(url);
  await redis.xadd(SSO_CONNECTION_STREAM, "*", "m", "changed");
  redis.disconnect();
}

export async function flushRedis({ redis: { url } }: { readonly redis: { readonly url: string } }): Promise<void> {
  const redis = new Redis(url);
  await redis.flushall();
  redis.disconnect();
}

let changes = 0;

/** Changes a connection, and waits until the authorization requests of both replicas have a mark of the change. */
export async function changeConnection(
  at: SsoDeployment["at"],
  connectionId: string,
  { activatedBy, config = {} }: { readonly activatedBy?: string; readonly config?: Partial<OidcConfig> },
): Promise<void> {
  changes += 1;
  const mark = `change-${changes}`;
  const settings = { ...config, extra_parameters: { mark } };
  await at.sql`
    update sso_connections
    set config = config || ${at.sql.json(settings as never)}, updated_at = now(), revision = revision + 1,
        activated_by = coalesce(${activatedBy ?? null}::uuid, activated_by)
    where id = ${connectionId}`;
  await announceConnections(at);
  await until("the replicas know the change", async () => {
    const starts = [at.one, at.other].map(({ url }) =>
      fetch(`${url}/v1/auth/sso/${connectionId}/start`, { redirect: "manual" }),
    );
    return (await Promise.all(starts)).every(({ headers }) => headers.get("location")?.includes(`mark=${mark}`));
  });
}

/** A browser of an employee. */
export class SsoBrowser extends OAuthBrowser {
  /** Starts a sign-in; returns the authorization URL of the identity provider. */
  async begin(connectionId: string, query = ""): Promise<string> {
    const response = await this.client.get(`/v1/auth/sso/${connectionId}/start${query}`);
    if (response.status !== 302) throw new Error(`start returned ${response.status}: ${response.text}`);
    return response.headers.get("location") ?? "";
  }

  /** Performs a sign-in from the start to the callback; `url`: the replica of the callback. */
  async enter(connectionId: string, login = "nobody", url = this.client.baseUrl): Promise<Answer> {
    const callback = await this.visit(await this.begin(connectionId), login);
    return await this.client.at(url).get(`${callback.pathname}${callback.search}`, {
      headers: { accept: "application/json" },
    });
  }
}

/** The attempts of a connection as its administrators read them, newest first: outcome, reason and step. */
export async function attemptsOf({
  organizationId,
  connectionId,
  owner,
}: Pick<Company, "organizationId" | "connectionId" | "owner">): Promise<readonly string[]> {
  const { body } = await owner.get(`/v1/orgs/${organizationId}/sso/connections/${connectionId}/attempts`);
  return body.items.map(({ outcome, reason, step }: Record<string, string | null>) =>
    [outcome, reason, step].join(" "),
  );
}
