/** An organization with an identity provider by OpenID Connect, for a line of the bench. */
import { randomBytes, randomUUID } from "node:crypto";
import postgres from "postgres";
import { sealingKey } from "../src/base/seal.ts";
import { sealConnectionSecret } from "../src/models/sso-connection/connection-secret.ts";
import { DEFAULT_OIDC_CONFIG } from "../src/models/sso-connection/oidc-config.ts";

export interface OpenidCompany {
  readonly name: string;
  readonly issuer: string;
  /** The value of `SERVICE_CONFIG_KEY`. */
  readonly configKey: Buffer;
}

export async function insertOpenidCompany(databaseUrl: string, { name, issuer, configKey }: OpenidCompany) {
  const sql = postgres(databaseUrl, { max: 1 });
  const [organizationId, connectionId, domain] = [randomUUID(), randomUUID(), `${name}-company.test`];
  const config = { ...DEFAULT_OIDC_CONFIG, issuer, client_id: "identity-service" };
  const key = sealingKey(configKey);
  const random = { bytes: randomBytes, uuid: randomUUID };
  const secret = sealConnectionSecret({ random }, key, connectionId, randomBytes(32).toString("base64url"));
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
      values (${connectionId}, ${organizationId}, 'oidc', ${name}, 'custom', 'active', ${sql.json(config as never)},
              ${secret}, ${key.id}, 1, now(), now())
    )
    insert into sso_policies (organization_id, mode, guests, break_glass, jit, default_role, role_rules, sync,
                              require_own_factor, revision, updated_at)
    values (${organizationId}, 'optional', 'own_methods', '{}', 'on', 'member', '[]', 'always', false, 1, now())`;
  await sql.end();
  return { connectionId, domain };
}
