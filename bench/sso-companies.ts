/** Organizations with an identity provider, inserted by SQL for lines of the bench. */
import { randomBytes, randomUUID } from "node:crypto";
import postgres from "postgres";
import { sealingKey } from "../src/base/seal.ts";
import { sealConnectionSecret } from "../src/models/sso-connection/connection-secret.ts";
import { DEFAULT_OIDC_CONFIG } from "../src/vocabulary/sso/oidc-config.ts";
import { DEFAULT_SAML_CONFIG } from "../src/vocabulary/sso/saml-config.ts";
import { samlKeys } from "../test/support/saml/keys.ts";
import { IDP } from "../test/support/saml/message.ts";

export interface SsoCompany {
  readonly connectionId: string;
  /** A verified domain of the organization. */
  readonly domain: string;
}

interface Connection {
  readonly id: string;
  readonly protocol: "oidc" | "saml";
  readonly config: object;
  readonly secret?: { readonly sealed: Buffer; readonly keyId: string };
}

interface OpenidProvider {
  readonly name: string;
  readonly issuer: string;
  /** The value of `SERVICE_CONFIG_KEY`. */
  readonly configKey: Buffer;
}

export async function insertOpenidCompany(databaseUrl: string, { name, issuer, configKey }: OpenidProvider) {
  const id = randomUUID();
  const key = sealingKey(configKey);
  const random = { bytes: randomBytes, uuid: randomUUID };
  const sealed = sealConnectionSecret({ random }, key, id, randomBytes(32).toString("base64url"));
  const config = { ...DEFAULT_OIDC_CONFIG, issuer, client_id: "identity-service" };
  const sql = postgres(databaseUrl, { max: 1 });
  const company = await insertCompany(sql, name, { id, protocol: "oidc", config, secret: { sealed, keyId: key.id } });
  await sql.end();
  return company;
}

/** An organization for each name. Requests are not signed: no key is needed. */
export async function insertSamlCompanies<const Names extends readonly string[]>(
  databaseUrl: string,
  names: Names,
): Promise<{ readonly [Index in keyof Names]: SsoCompany }> {
  const certificates = [samlKeys.idp().certificate];
  const config = { ...DEFAULT_SAML_CONFIG, entity_id: IDP, sso_url: `${IDP}/sso`, certificates, sign_requests: false };
  const sql = postgres(databaseUrl, { max: 1 });
  const companies: SsoCompany[] = [];
  for (const name of names)
    companies.push(await insertCompany(sql, name, { id: randomUUID(), protocol: "saml", config }));
  await sql.end();
  return companies as { readonly [Index in keyof Names]: SsoCompany };
}

async function insertCompany(sql: postgres.Sql, name: string, connection: Connection): Promise<SsoCompany> {
  const { id, protocol, config, secret } = connection;
  const [organizationId, domain] = [randomUUID(), `${name}-company.test`];
  await sql`
    with company as (
      insert into organizations (id, name, slug, tier, created_at, updated_at)
      values (${organizationId}, ${name}, ${name}, 'standard', now(), now())
    ),
    held as (
      insert into organization_domains (id, organization_id, domain, token, status, verified_at, created_at)
      values (${randomUUID()}, ${organizationId}, ${domain}, 'token', 'verified', now(), now())
    ),
    connected as (
      insert into sso_connections (id, organization_id, protocol, name, preset, status, config, sealed_secret, key_id,
                                   revision, created_at, updated_at)
      values (${id}, ${organizationId}, ${protocol}, ${name}, 'custom', 'active', ${sql.json(config as never)},
              ${secret?.sealed ?? null}, ${secret?.keyId ?? null}, 1, now(), now())
    )
    insert into sso_policies (organization_id, mode, guests, break_glass, jit, default_role, role_rules, sync,
                              require_own_factor, revision, updated_at)
    values (${organizationId}, 'optional', 'own_methods', '{}', 'on', 'member', '[]', 'always', false, 1, now())`;
  return { connectionId: id, domain };
}
