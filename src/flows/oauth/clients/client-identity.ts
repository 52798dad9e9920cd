/** Clients as pages and endpoints name the clients (docs/contract.md, section 23.32). */
import type { ClientIdentity } from "../../../models/conditions/client-identity.ts";
import type { OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import { type ProvenanceRules, rulesOf } from "../../../models/oauth-client/provenance.ts";

export function identityOf({ id, kind, name, logoUrl, firstParty, document }: OAuthClient): ClientIdentity {
  return { id, kind, name, logoUrl, firstParty, documentUrl: document?.url ?? null };
}

/** The rules about the display of a client, and about responses to the client. */
export type DisplayRules = Pick<ProvenanceRules, "identity" | "leavesBy" | "warning">;

export function displayRulesOf(client: Pick<ClientIdentity, "kind">): DisplayRules {
  return rulesOf(client);
}

/** The host that vouches for a client; undefined: an administrator or no party vouches for the client. */
export function vouchingHost({ documentUrl, ...client }: Pick<ClientIdentity, "documentUrl" | "kind">) {
  return rulesOf(client).identity === "document_host" && documentUrl ? new URL(documentUrl).host : undefined;
}
