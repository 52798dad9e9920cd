/** The rollover and expiry of certificates and client secrets (docs/contract.md, section 29.38). */
import type { Sql } from "../../database/database.ts";
import type { SamlConfig } from "../../vocabulary/sso/saml-config.ts";

/** An active connection with the address of metadata. */
export interface RolledConnection {
  readonly id: string;
  readonly organizationId: string;
}

/**
 * Claims active connections whose metadata were not read since `before`: of several replicas, one reads the metadata.
 * A suspended organization signs no user in, so its metadata wait. The pause between two fetches after unknown keys
 * continues: a key may come into use just after the daily reading.
 */
export async function claimDueMetadata(sql: Sql, before: Date, at: Date, limit: number): Promise<RolledConnection[]> {
  return await sql<RolledConnection[]>`
    with due as (
      select c.id from sso_connections c join organizations o on o.id = c.organization_id
      where c.protocol = 'saml' and c.status = 'active' and c.config ->> 'metadata_url' is not null
        and o.suspended_at is null and (c.metadata_checked_at is null or c.metadata_checked_at < ${before})
      order by c.metadata_checked_at nulls first limit ${limit} for update of c skip locked
    )
    update sso_connections c set metadata_checked_at = ${at}
    from due where c.id = due.id returning c.id, c.organization_id as "organizationId"`;
}

/** Changes the time of the last daily reading, so that a failed reading is repeated sooner. */
export async function postponeMetadata(sql: Sql, id: string, checkedAt: Date): Promise<void> {
  await sql`update sso_connections set metadata_checked_at = ${checkedAt} where id = ${id}`;
}

/** Claims a fetch after an unknown key. False: the metadata were fetched after an unknown key since `before`. */
export async function claimMetadataFetch(sql: Sql, id: string, before: Date, at: Date): Promise<boolean> {
  const rows = await sql`
    update sso_connections set metadata_fetched_at = ${at}
    where id = ${id} and (metadata_fetched_at is null or metadata_fetched_at < ${before}) returning 1`;
  return rows.length > 0;
}

/** Sets the time of the last fetch back, so that a failed fetch is repeated sooner. */
export async function postponeMetadataFetch(sql: Sql, id: string, fetchedAt: Date): Promise<void> {
  await sql`update sso_connections set metadata_fetched_at = ${fetchedAt} where id = ${id}`;
}

/** The stored certificates, and the time of the last fetch after an unknown key. */
export async function findFetchedCertificates(
  sql: Sql,
  id: string,
): Promise<{ readonly certificates: SamlConfig["certificates"]; readonly fetchedAt: Date | null } | undefined> {
  const [row] = await sql<{ certificates: string[]; fetchedAt: Date | null }[]>`
    select config -> 'certificates' as certificates, metadata_fetched_at as "fetchedAt"
    from sso_connections where id = ${id}`;
  return row;
}

/** The fingerprints that the last daily reading lacked, of a locked connection. */
export async function findAbsentCertificates(sql: Sql, id: string): Promise<readonly string[]> {
  const [row] = await sql<{ absent: string[] | null }[]>`
    select absent_certificates as absent from sso_connections where id = ${id}`;
  return row?.absent ?? [];
}

export async function storeAbsentCertificates(sql: Sql, id: string, absent: readonly string[]): Promise<void> {
  await sql`update sso_connections set absent_certificates = ${[...absent]}::text[] where id = ${id}`;
}

/** An active connection with its name, for warnings. */
export interface NamedConnection extends RolledConnection {
  readonly name: string;
}

/** An active connection with its certificates. */
export interface PinnedCertificates extends NamedConnection {
  readonly certificates: SamlConfig["certificates"];
}

/** A page of the active connections by SAML with certificates, by id. */
export async function listPinnedCertificates(sql: Sql, afterId: string, limit: number): Promise<PinnedCertificates[]> {
  return await sql<PinnedCertificates[]>`
    select c.id, c.organization_id as "organizationId", c.name, c.config -> 'certificates' as certificates
    from sso_connections c join organizations o on o.id = c.organization_id
    where c.id > ${afterId} and c.protocol = 'saml' and c.status = 'active' and o.suspended_at is null
    order by c.id limit ${limit}`;
}

/** An active connection with a client secret whose expiry is known. */
export interface ExpiringSecret extends NamedConnection {
  /** A day, as `2026-12-31`. */
  readonly expiresOn: string;
}

/** A page of the active connections by OpenID Connect with the expiry of their client secret, by id. */
export async function listExpiringSecrets(sql: Sql, afterId: string, limit: number): Promise<ExpiringSecret[]> {
  return await sql<ExpiringSecret[]>`
    select c.id, c.organization_id as "organizationId", c.name, c.config ->> 'client_secret_expires_on' as "expiresOn"
    from sso_connections c join organizations o on o.id = c.organization_id
    where c.id > ${afterId} and c.protocol = 'oidc' and c.status = 'active' and o.suspended_at is null
      and c.sealed_secret is not null and c.config ->> 'token_auth' = 'client_secret'
      and c.config ->> 'client_secret_expires_on' is not null
    order by c.id limit ${limit}`;
}

/** Deletes a warning that was sent before a time: the next occurrence is a new warning. */
export async function forgetWarning(
  sql: Sql,
  { connectionId, sha256 }: { readonly connectionId: string; readonly sha256: string },
  before: Date,
): Promise<void> {
  await sql`
    delete from sso_certificate_warnings
    where connection_id = ${connectionId} and sha256 = ${sha256} and warned_at < ${before}`;
}

/** Claims a warning: of several replicas, one warns. False: a warning was sent since `stage`. */
export async function claimExpiryWarning(
  sql: Sql,
  { connectionId, sha256 }: { readonly connectionId: string; readonly sha256: string },
  { stage, at }: { readonly stage: Date; readonly at: Date },
): Promise<boolean> {
  const rows = await sql`
    insert into sso_certificate_warnings as w (connection_id, sha256, warned_at)
    select id, ${sha256}::text, ${at}::timestamptz from sso_connections where id = ${connectionId} for key share
    on conflict (connection_id, sha256) do update set warned_at = excluded.warned_at where w.warned_at < ${stage}
    returning 1`;
  return rows.length > 0;
}
