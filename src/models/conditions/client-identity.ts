/** A client as pages, emails and endpoints name the client (docs/contract.md, section 23.32). */
import type { Fragment, Sql } from "../../database/database.ts";

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
    jsonb_build_object('id', c.id, 'kind', c.kind, 'name', c.name, 'logoUrl', ${ownedLogo(sql)},
                       'firstParty', c.first_party, 'documentUrl', c.external_id)`;
}

/**
 * SQL expression: the logo of the client in the table alias `c`. An unregistered client has a picture of this
 * service only: version 1.0.0 stored the address of a picture at the host of the client.
 */
function ownedLogo(sql: Sql): Fragment {
  return sql`case when c.kind = 'registered' or c.logo_url ~ '/avatars/[0-9a-f]{64}[.]webp$' then c.logo_url end`;
}

/**
 * SQL expression: the client in the table alias `c` for records and emails, which have no language yet. The host of
 * the document precedes the name, and a mark precedes the name of a client that registered itself: an email shortens a
 * long name, and omits a text with as many digits as a telephone number, such as an id.
 */
export function clientLabel(sql: Sql): Fragment {
  return sql`
    case c.kind
      when 'document' then format('%s (%s)', ${documentHost(sql)}, c.name)
      when 'dynamic' then format('unverified (%s)', c.name)
      else c.name
    end`;
}

/** SQL expression: the host of the metadata document of the client in the table alias `c`; null without a document. */
export function documentHost(sql: Sql): Fragment {
  return sql`substring(c.external_id from '^https?://([^/]+)')`;
}
