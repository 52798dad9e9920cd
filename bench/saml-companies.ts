/** Organizations with an identity provider by SAML, for lines of the bench. */
import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { DEFAULT_SAML_CONFIG } from "../src/models/sso-connection/saml-config.ts";
import { samlKeys } from "../test/support/saml/keys.ts";
import { IDP } from "../test/support/saml/message.ts";
import type { SamlLoad } from "./saml-load.ts";

export type SamlCompany = Pick<SamlLoad, "connectionId" | "domain">;

/** An organization with an identity provider for each name, by SQL. Requests are not signed: no key is needed. */
export async function insertSamlCompanies<const Names extends readonly string[]>(
  databaseUrl: string,
  names: Names,
): Promise<{ readonly [Index in keyof Names]: SamlCompany }> {
  const sql = postgres(databaseUrl, { max: 1 });
  const certificates = [samlKeys.idp().certificate];
  const config = { ...DEFAULT_SAML_CONFIG, entity_id: IDP, sso_url: `${IDP}/sso`, certificates, sign_requests: false };
  const companies: SamlCompany[] = [];
  for (const name of names) {
    const [organizationId, connectionId, domain] = [randomUUID(), randomUUID(), `${name}-company.test`];
    await sql`
      insert into organizations (id, name, slug, tier, created_at, updated_at)
      values (${organizationId}, ${name}, ${name}, 'standard', now(), now())`;
    await sql`
      insert into organization_domains (id, organization_id, domain, token, status, verified_at, created_at)
      values (${randomUUID()}, ${organizationId}, ${domain}, 'token', 'verified', now(), now())`;
    await sql`
      insert into sso_connections (id, organization_id, protocol, name, preset, status, config, revision, created_at,
                                   updated_at)
      values (${connectionId}, ${organizationId}, 'saml', ${name}, 'custom', 'active', ${sql.json(config as never)}, 1,
              now(), now())`;
    await sql`
      insert into sso_policies (organization_id, mode, guests, break_glass, jit, default_role, role_rules, sync,
                                require_own_factor, revision, updated_at)
      values (${organizationId}, 'optional', 'own_methods', '{}', 'on', 'member', '[]', 'always', false, 1, now())`;
    companies.push({ connectionId, domain });
  }
  await sql.end();
  return companies as { readonly [Index in keyof Names]: SamlCompany };
}
