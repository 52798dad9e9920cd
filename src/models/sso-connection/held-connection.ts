/** The connections and policies of all organizations, in the memory of every replica. */
import { type BucketVersion, bucketOf } from "../../database/buckets.ts";
import type { Sql } from "../../database/database.ts";
import type { ProtocolConfig } from "../../vocabulary/sso/protocol-config.ts";
import { type ServiceKey, serviceKeyColumns } from "./service-key.ts";
import type { SsoConnection } from "./sso-connection.ts";

/**
 * Redis stream that announces changes of connections and policies to the replicas. If the stream is lost, replicas poll
 * PostgreSQL every few seconds.
 */
export const SSO_CONNECTION_STREAM = "service:sso-connections";

/** The organization of a connection. */
export interface ConnectionOrganization {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly suspended: boolean;
}

/** A connection without the members that sign-ins and tests change. */
export type HeldConnection = HeldMembers & ProtocolConfig;

/** The members of a held connection beside protocol and settings. */
export interface HeldMembers
  extends Pick<
    SsoConnection,
    "id" | "organizationId" | "name" | "preset" | "status" | "sealedSecret" | "keyId" | "revision" | "activatedBy"
  > {
  readonly organization: ConnectionOrganization;
  readonly serviceKeys: readonly ServiceKey[];
}

/** A connection as PostgreSQL lists connections; the service keys are rows of another table. */
type HeldConnectionRow = Omit<HeldMembers, "serviceKeys"> & ProtocolConfig;

/** The versions of all buckets with a connection or a policy. */
export async function listBucketVersions(sql: Sql): Promise<BucketVersion[]> {
  return await sql<BucketVersion[]>`
    with versions as (
      select c.organization_id, concat_ws(
        ' ', c.id, c.revision, extract(epoch from c.updated_at), c.activated_by, o.name, o.slug, o.suspended_at is null
      ) as version
      from sso_connections c join organizations o on o.id = c.organization_id
      union all
      select organization_id, concat_ws(' ', organization_id, revision) from sso_policies
      union all
      select organization_id, concat_ws(' ', 'rules', organization_id, revision) from organization_policies
    )
    select ${bucketOf(sql, sql`organization_id`)} as bucket, sum(hashtextextended(version, 0))::text as version
    from versions group by 1`;
}

/** The connections of buckets, oldest first. */
export async function listHeldConnections(
  sql: Sql,
  buckets: readonly number[],
): Promise<(HeldConnectionRow & { readonly bucket: number })[]> {
  return await sql<(HeldConnectionRow & { bucket: number })[]>`
    select ${bucketOf(sql, sql`c.organization_id`)} as bucket, c.id, c.organization_id as "organizationId",
           c.protocol, c.name, c.preset, c.status, c.config, c.sealed_secret as "sealedSecret", c.key_id as "keyId",
           c.revision, c.activated_by as "activatedBy",
           jsonb_build_object(
             'id', o.id, 'name', o.name, 'slug', o.slug, 'suspended', o.suspended_at is not null
           ) as organization
    from sso_connections c join organizations o on o.id = c.organization_id
    where ${bucketOf(sql, sql`c.organization_id`)} = any(${[...buckets]}::int8[])
    order by c.created_at, c.id`;
}

/** The service keys of the connections of buckets, without an order. */
export async function listHeldServiceKeys(sql: Sql, buckets: readonly number[]): Promise<ServiceKey[]> {
  return await sql<ServiceKey[]>`
    select ${serviceKeyColumns(sql)} from sso_service_keys k join sso_connections c on c.id = k.connection_id
    where ${bucketOf(sql, sql`c.organization_id`)} = any(${[...buckets]}::int8[])`;
}
