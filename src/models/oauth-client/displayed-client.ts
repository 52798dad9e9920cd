/** Clients as pages, e-mails and endpoints name the clients (docs/contract.md, section 23.32). */
import { type ClientIdentity, clientIdentity } from "../../database/client-identity.ts";
import type { Sql } from "../../database/database.ts";
import type { OAuthClient } from "./oauth-client.ts";
import { rulesOf } from "./provenance.ts";

export function identityOf({ id, kind, name, logoUrl, firstParty, document }: OAuthClient): ClientIdentity {
  return { id, kind, name, logoUrl, firstParty, documentUrl: document?.url ?? null };
}

/** The host that vouches for a client; undefined: an administrator or nobody vouches for the client. */
export function vouchingHost({ documentUrl, ...client }: Pick<ClientIdentity, "documentUrl" | "kind">) {
  return rulesOf(client).identity === "document_host" && documentUrl ? new URL(documentUrl).host : undefined;
}

/** The identities of clients by id, in the order of the names. */
export async function findClientIdentities(sql: Sql, ids: readonly string[]): Promise<Map<string, ClientIdentity>> {
  const rows = await sql<{ client: ClientIdentity }[]>`
    select ${clientIdentity(sql)} as client from oauth_clients c
    where c.id = any(${[...ids]}::uuid[]) order by c.name, c.id`;
  return new Map(rows.map(({ client }) => [client.id, client]));
}
