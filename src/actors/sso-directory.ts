/**
 * Owns: the connections and policies for single sign-on of all organizations in memory, so that discovery and the start
 * of a sign-in need no query. Secrets stay sealed.
 * Updated by: writes of this replica (`changed`), writes of other replicas through a Redis stream, and a poll of
 * PostgreSQL, the source of truth, for changes lost by Redis. A load reads the versions of buckets of organizations,
 * then the rows of changed buckets only.
 * Bound: `SSO_CONNECTIONS_MAX` connections of an organization; one load at a time.
 * A crash loses: no data; start() reads PostgreSQL again.
 */
import type { Database } from "../database/database.ts";
import {
  type HeldConnection,
  listBucketVersions,
  listHeldConnections,
  listHeldServiceKeys,
  SSO_CONNECTION_STREAM,
} from "../models/sso-connection/held-connection.ts";
import {
  DEFAULT_SSO_POLICY,
  type HeldPolicy,
  listHeldPolicies,
  type SsoPolicy,
} from "../models/sso-policy/sso-policy.ts";
import { type ReplicatedRowsDeps, type ReplicatedTable, replicateTable } from "../state/replicated-table.ts";

export interface SsoDirectory extends ReplicatedTable {
  /** A connection in any status, also of a suspended organization. */
  find(connectionId: string): HeldConnection | undefined;
  /** The active connections of an organization, oldest first; empty for a suspended organization. */
  ofOrganization(organizationId: string): readonly HeldConnection[];
  /** As `ofOrganization`, by the slug of the organization. */
  ofSlug(slug: string): readonly HeldConnection[];
  /** The policy of an organization; the defaults for an organization without a policy. */
  policyOf(organizationId: string): SsoPolicy;
  /** The policies with the mode `required`, in force or not. */
  requiring(): readonly HeldPolicy[];
}

/** The rows of some organizations. */
interface Bucket {
  readonly version: string;
  readonly connections: ReadonlyMap<string, HeldConnection>;
  /** Active connections by the id of the organization. */
  readonly active: ReadonlyMap<string, readonly HeldConnection[]>;
  /** Ids of organizations with an active connection, by slug. */
  readonly organizationIds: ReadonlyMap<string, string>;
  readonly policies: ReadonlyMap<string, HeldPolicy>;
  readonly requiring: readonly HeldPolicy[];
}

const NO_CONNECTIONS: readonly HeldConnection[] = [];

export function ssoDirectory({ database, state, log }: ReplicatedRowsDeps): SsoDirectory {
  let buckets: ReadonlyMap<number, Bucket> = new Map();

  /** The first result of the buckets: an organization is in one bucket. */
  function findIn<T>(read: (bucket: Bucket) => T | undefined): T | undefined {
    for (const bucket of buckets.values()) {
      const found = read(bucket);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  const ofOrganization = (id: string) => findIn(({ active }) => active.get(id)) ?? NO_CONNECTIONS;
  const table = replicateTable({
    state,
    stream: SSO_CONNECTION_STREAM,
    async load() {
      buckets = await loadBuckets(database, buckets);
    },
    onFailure: (error) => log.debug({ err: error }, "connections could not be read; the last known ones stay in use"),
  });
  return {
    ...table,
    find: (id) => findIn(({ connections }) => connections.get(id)),
    ofOrganization,
    ofSlug(slug) {
      const organizationId = findIn(({ organizationIds }) => organizationIds.get(slug));
      return organizationId === undefined ? NO_CONNECTIONS : ofOrganization(organizationId);
    },
    requiring: () => [...buckets.values()].flatMap((bucket) => bucket.requiring),
    policyOf: (id) => findIn(({ policies }) => policies.get(id)) ?? DEFAULT_SSO_POLICY,
  };
}

/** Keeps buckets of an unchanged version. The version is read before the rows: the next load reads a later change. */
async function loadBuckets(database: Database, held: ReadonlyMap<number, Bucket>): Promise<Map<number, Bucket>> {
  const versions = await database.run("sso_connection.list_versions", listBucketVersions);
  const changed = versions.filter(({ bucket, version }) => held.get(bucket)?.version !== version);
  const numbers = changed.map(({ bucket }) => bucket);
  const [connections, policies] = numbers.length > 0 ? await readRows(database, numbers) : [[], []];
  const buckets = new Map<number, Bucket>();
  for (const { bucket, version } of versions) {
    const kept = held.get(bucket);
    const isIn = (row: { readonly bucket: number }) => row.bucket === bucket;
    const next = kept?.version === version ? kept : bucketOf(version, connections.filter(isIn), policies.filter(isIn));
    buckets.set(bucket, next);
  }
  return buckets;
}

type BucketConnection = HeldConnection & { readonly bucket: number };

async function readRows(
  database: Database,
  buckets: readonly number[],
): Promise<[readonly BucketConnection[], readonly HeldPolicy[]]> {
  const [rows, keys, policies] = await Promise.all([
    database.run("sso_connection.list_held", (sql) => listHeldConnections(sql, buckets)),
    database.run("sso_service_key.list_held", (sql) => listHeldServiceKeys(sql, buckets)),
    database.run("sso_policy.list_held", (sql) => listHeldPolicies(sql, buckets)),
  ]);
  const keysOf = Map.groupBy(keys, ({ connectionId }) => connectionId);
  return [rows.map((row) => ({ ...row, serviceKeys: keysOf.get(row.id) ?? [] })), policies];
}

function bucketOf(version: string, rows: readonly HeldConnection[], policies: readonly HeldPolicy[]): Bucket {
  const routable = rows.filter(({ status, organization }) => status === "active" && !organization.suspended);
  return {
    version,
    connections: new Map(rows.map((row) => [row.id, row])),
    active: Map.groupBy(routable, ({ organizationId }) => organizationId),
    organizationIds: new Map(routable.map(({ organization }) => [organization.slug, organization.id])),
    policies: new Map(policies.map((policy) => [policy.organizationId, policy])),
    requiring: policies.filter(({ mode }) => mode === "required"),
  };
}
