/** A client as pages, e-mails and endpoints name the client (docs/contract.md, section 23.32). */
import type { Fragment, Sql } from "./database.ts";

export interface ClientIdentity {
  readonly id: string;
  readonly kind: "registered" | "dynamic" | "document";
  /** The choice of the client, unless an administrator registered the client. */
  readonly name: string;
  readonly logoUrl: string | null;
  readonly firstParty: boolean;
  /** Address of the metadata document; null: the client has no document. */
  readonly documentUrl: string | null;
}

/** SQL expression: the identity of the client in the table alias `c`, as JSON. */
export function clientIdentity(sql: Sql): Fragment {
  return sql`
    jsonb_build_object('id', c.id, 'kind', c.kind, 'name', c.name, 'logoUrl', c.logo_url,
                       'firstParty', c.first_party, 'documentUrl', c.external_id)`;
}

/**
 * SQL expression: the client in the table alias `c` for records and e-mails, which have no language yet. The host of
 * the document precedes the name; the id follows the name of a client that registered itself.
 */
export function clientLabel(sql: Sql): Fragment {
  return sql`
    case c.kind
      when 'document' then format('%s (%s)', substring(c.external_id from '^https?://([^/]+)'), c.name)
      when 'dynamic' then format('%s (%s)', c.name, c.id)
      else c.name
    end`;
}
