import { vouchingHost } from "../../flows/oauth/clients/client-identity.ts";
import type { ClientIdentity } from "../../models/conditions/client-identity.ts";

/** An application as every endpoint for users names the application (docs/contract.md, section 23.32). */
export function applicationBody(client: ClientIdentity) {
  const { id, name, logoUrl, firstParty, kind } = client;
  return { id, name, logo_url: logoUrl, first_party: firstParty, kind, host: vouchingHost(client) ?? null };
}
