/**
 * Owns: the connections for single sign-on and the policies of all organizations in memory, so that discovery, the
 * start of a sign-in and the issue of tokens need no query. Secrets stay sealed.
 * Updated by: writes of this replica (`changed`), writes of other replicas through a Redis stream, and a poll of
 * PostgreSQL, the source of truth, for changes lost by Redis. A load reads the versions of buckets of organizations,
 * then the rows of changed buckets only.
 * Bound: `SSO_CONNECTIONS_MAX` connections of an organization; one load at a time.
 * A crash loses: no data; start() reads PostgreSQL again.
 */

import type { Database } from "../database/database.ts";
import {
  type EnforcedRules,
  type HeldPolicies,
  listHeldPolicies as listHeldRules,
  policyInForce,
} from "../models/organization-policy/organization-policy.ts";
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
import type { PolicyInForce } from "../vocabulary/policy-settings.ts";

export interface SsoDirectory extends ReplicatedTable {
  /** A connection in any status, also of a suspended organization. */
  find(connectionId: string): HeldConnection | undefined;
  /** The active connections of an organization, oldest first; empty for a suspended organization. */
  ofOrganization(organizationId: string): readonly HeldConnection[];
  /** As `ofOrganization`, by the slug of the organization. */
  ofSlug(slug: string): readonly HeldConnection[];
  /** The active connections of OpenID Connect with an issuer, of organizations that are not suspended. */
  ofIssuer(issuer: string): readonly HeldConnection[];
  /** The active connections of every organization that is not suspended, by organization, without an order. */
  ofEveryOrganization(): readonly (readonly HeldConnection[])[];
  /** The policy of an organization; the defaults for an organization without a policy. */
  policyOf(organizationId: string): SsoPolicy;
  /** The settings of chapter 33 in force in an organization; null: no policy. */
  rulesOf(organizationId: string, at: Date): PolicyInForce | null;
  /** Differs after every change of a policy of an organization. */
  rulesRevisionOf(organizationId: string): number;
  /** The organizations with rules that can end sessions, in force or not. */
  enforcing(): readonly EnforcedRules[];
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
  readonly rules: ReadonlyMap<string, HeldPolicies>;
  readonly enforced: readonly EnforcedRules[];
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
    ofEveryOrganization: () => [...buckets.values()].flatMap(({ active }) => [...active.values()]),
    ofIssuer: (issuer) =>
      [...buckets.values()].flatMap(({ active }) =>
        [...active.values()].flat().filter(({ protocol, config }) => protocol === "oidc" && config.issuer === issuer),
      ),
    rulesOf(id, at) {
      const stored = findIn(({ rules }) => rules.get(id));
      return stored ? policyInForce(stored, at) : null;
    },
    rulesRevisionOf: (id) => findIn(({ policies, rules }) => revisionIn(policies, rules, id)) ?? 0,
    enforcing: () => [...buckets.values()].flatMap((bucket) => bucket.enforced),
    policyOf: (id) => findIn(({ policies }) => policies.get(id)) ?? DEFAULT_SSO_POLICY,
  };
}

/** Keeps buckets of an unchanged version. The version is read before the rows: the next load reads a later change. */
async function loadBuckets(database: Database, held: ReadonlyMap<number, Bucket>): Promise<Map<number, Bucket>> {
  const versions = await database.run("sso_connection.list_versions", listBucketVersions);
  const changed = versions.filter(({ bucket, version }) => held.get(bucket)?.version !== version);
  const numbers = changed.map(({ bucket }) => bucket);
  const rows = numbers.length > 0 ? await readRows(database, numbers) : NO_ROWS;
  const buckets = new Map<number, Bucket>();
  for (const { bucket, version } of versions) {
    const kept = held.get(bucket);
    buckets.set(bucket, kept?.version === version ? kept : bucketOf(version, rowsIn(rows, bucket)));
  }
  return buckets;
}

type BucketConnection = HeldConnection & { readonly bucket: number };

interface Rows {
  readonly connections: readonly BucketConnection[];
  readonly policies: readonly HeldPolicy[];
  readonly rules: readonly HeldPolicies[];
}

const NO_ROWS: Rows = { connections: [], policies: [], rules: [] };

function rowsIn({ connections, policies, rules }: Rows, bucket: number): Rows {
  const isIn = (row: { readonly bucket: number }) => row.bucket === bucket;
  return { connections: connections.filter(isIn), policies: policies.filter(isIn), rules: rules.filter(isIn) };
}

async function readRows(database: Database, buckets: readonly number[]): Promise<Rows> {
  const [rows, keys, policies, rules] = await Promise.all([
    database.run("sso_connection.list_held", (sql) => listHeldConnections(sql, buckets)),
    database.run("sso_service_key.list_held", (sql) => listHeldServiceKeys(sql, buckets)),
    database.run("sso_policy.list_held", (sql) => listHeldPolicies(sql, buckets)),
    database.run("organization_policy.list_held", (sql) => listHeldRules(sql, buckets)),
  ]);
  const keysOf = Map.groupBy(keys, ({ connectionId }) => connectionId);
  const connections = rows.map((row) => ({ ...row, serviceKeys: keysOf.get(row.id) ?? [] }));
  return { connections, policies, rules };
}

function revisionIn(policies: Bucket["policies"], rules: Bucket["rules"], id: string): number | undefined {
  const [policy, rule] = [policies.get(id), rules.get(id)];
  return policy || rule ? (policy?.revision ?? 0) + (rule?.revision ?? 0) : undefined;
}

/** The rules of every organization that can end sessions: a requirement of single sign-on, and policies. */
function enforcedIn(policies: Bucket["policies"], rules: Bucket["rules"]): readonly EnforcedRules[] {
  const ids = new Set([...policies.keys(), ...rules.keys()]);
  return [...ids].flatMap((organizationId) => {
    const [policy, rule] = [policies.get(organizationId), rules.get(organizationId)];
    const required =
      policy?.mode === "required" ? Math.max(timeOf(policy.requiredAt), timeOf(policy.pausedUntil)) : undefined;
    const begins = [required, rule?.policiesAt.getTime()].filter((each) => each !== undefined);
    const revision = revisionIn(policies, rules, organizationId) ?? 0;
    return begins.length > 0 ? [{ organizationId, revision, begins }] : [];
  });
}

function timeOf(date: Date | null): number {
  return date?.getTime() ?? 0;
}

function bucketOf(version: string, { connections, policies: listed, rules: listedRules }: Rows): Bucket {
  const policies = new Map(listed.map((policy) => [policy.organizationId, policy]));
  const rules = new Map(listedRules.map((rule) => [rule.organizationId, rule]));
  const routable = connections.filter(({ status, organization }) => status === "active" && !organization.suspended);
  return {
    version,
    connections: new Map(connections.map((row) => [row.id, row])),
    active: Map.groupBy(routable, ({ organizationId }) => organizationId),
    organizationIds: new Map(routable.map(({ organization }) => [organization.slug, organization.id])),
    policies,
    rules,
    enforced: enforcedIn(policies, rules),
  };
}
