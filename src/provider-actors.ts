/** Constructs the tables of the OpenID provider in memory (`actor-roster.ts`). */
import { blockedHosts } from "./actors/blocked-hosts.ts";
import { oauthClients } from "./actors/oauth-clients.ts";
import { oauthResources } from "./actors/oauth-resources.ts";

export function openProvider(deps: Parameters<typeof oauthClients>[0]) {
  const [blocked, resources] = [blockedHosts(deps), oauthResources(deps)];
  const rules = { open: () => resources.index().open, isBlocked: blocked.isBlocked };
  return { blockedHosts: blocked, oauthResources: resources, oauthClients: oauthClients(deps, rules) };
}
