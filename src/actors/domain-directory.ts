/**
 * Owns: the held domains of all organizations in memory, so that routing and provisioning need no query.
 * Updated by: writes of this replica (`changedRow`), writes of other replicas through a Redis stream, and a poll of
 * PostgreSQL, the source of truth, for changes lost by Redis. A change of an organization reads the domains of this
 * organization alone: no tenant makes the replicas load the domains of all tenants.
 * Bound: `DOMAINS_MAX` domains of an organization; one load at a time.
 * A crash loses: no data; start() reads PostgreSQL again.
 */
import {
  type DomainIndex,
  indexDomains,
  listHeldDomains,
  listHeldDomainsOf,
  ORGANIZATION_DOMAIN_STREAM,
} from "../models/organization-domain/domain-index.ts";
import { type ReplicatedRowsDeps, type ReplicatedTableWithRows, replicateTable } from "../state/replicated-table.ts";

export interface DomainDirectory extends ReplicatedTableWithRows {
  /** Called after a write of domains of an organization. */
  changedRow(organizationId: string): Promise<void>;
  /** The index of the last load. */
  index(): DomainIndex;
}

export function domainDirectory({ database, state, log }: ReplicatedRowsDeps): DomainDirectory {
  let index = indexDomains([]);
  const table = replicateTable({
    state,
    stream: ORGANIZATION_DOMAIN_STREAM,
    async load() {
      index = indexDomains(await database.run("domain.list_held", listHeldDomains));
    },
    async loadRows(organizationIds) {
      index.reindex(
        organizationIds,
        await database.run("domain.list_held_of", (sql) => listHeldDomainsOf(sql, organizationIds)),
      );
    },
    onFailure: (error) => log.debug({ err: error }, "domains could not be read; the last known ones stay in use"),
  });
  return { ...table, index: () => index };
}
