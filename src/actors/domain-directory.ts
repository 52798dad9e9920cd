/**
 * Owns: the held domains of all organizations in memory, so that routing and provisioning need no query.
 * Updated by: writes of this replica (`changed`), writes of other replicas through a Redis stream, and a poll of
 * PostgreSQL, the source of truth, for changes lost by Redis.
 * Bound: `DOMAINS_MAX` domains of an organization; one load at a time.
 * A crash loses: no data; start() reads PostgreSQL again.
 */
import {
  type DomainIndex,
  indexDomains,
  listHeldDomains,
  ORGANIZATION_DOMAIN_STREAM,
} from "../models/organization-domain/domain-index.ts";
import { type ReplicatedRowsDeps, type ReplicatedTable, replicateRows } from "../state/replicated-table.ts";

export interface DomainDirectory extends ReplicatedTable {
  /** The index of the last load. */
  index(): DomainIndex;
}

export function domainDirectory(deps: ReplicatedRowsDeps): DomainDirectory {
  const { held, ...table } = replicateRows(deps, {
    stream: ORGANIZATION_DOMAIN_STREAM,
    operation: "domain.list_held",
    list: listHeldDomains,
    hold: indexDomains,
    noun: "domains",
  });
  return { ...table, index: held };
}
