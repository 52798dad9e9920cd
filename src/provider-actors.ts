/** Constructs the tables of the OpenID provider and of social providers in memory (`actor-roster.ts`). */
import { blockedHosts } from "./actors/blocked-hosts.ts";
import { oauthClients } from "./actors/oauth-clients.ts";
import { oauthResources } from "./actors/oauth-resources.ts";
import type { ProviderConfig } from "./actors/replicated-provider-config.ts";
import { type SocialProviders, socialProviders } from "./actors/social-providers.ts";
import type { Deps } from "./deps.ts";
import { callbackUri } from "./flows/integrations/callback-uri.ts";
import { IDENTITY_CALL_DEADLINE_MS, IDENTITY_RESPONSE_MAX_BYTES } from "./limits/provider-limits.ts";
import { isProvider, providerName } from "./models/provider-config/provider.ts";
import { guardedFetch } from "./providers/guarded-fetch.ts";
import { guardedPost } from "./providers/guarded-post.ts";
import { type IdentityProviders, identityProviders } from "./providers/identity/providers.ts";

export function openProvider(deps: Parameters<typeof oauthClients>[0] & Pick<Deps, "configKeys">) {
  const [blocked, resources] = [blockedHosts(deps), oauthResources(deps)];
  const rules = { open: () => resources.index().open, isBlocked: blocked.isBlocked };
  return {
    blockedHosts: blocked,
    oauthResources: resources,
    oauthClients: oauthClients(deps, rules),
    socialProviders: socialProviders(deps),
  };
}

/** The identity providers, fixed and by configuration, with the settings in memory. */
export function openIdentityProviders(
  { config, clock }: Pick<Deps, "config" | "clock">,
  actors: {
    readonly providerConfig: Pick<ProviderConfig, "settings">;
    readonly socialProviders: Pick<SocialProviders, "enabled" | "keys" | "name" | "settings">;
  },
): IdentityProviders {
  const { settings, enabled, keys, name } = actors.socialProviders;
  const bounds = { deadlineMs: IDENTITY_CALL_DEADLINE_MS, maxBytes: IDENTITY_RESPONSE_MAX_BYTES };
  const send = guardedPost({ ...config.webhooks, ...bounds });
  return identityProviders({
    clock,
    addresses: config.identityProviders,
    settings: (key) => (isProvider(key) ? actors.providerConfig.settings(key) : undefined),
    redirectUri: (key) => callbackUri(config.urls, key),
    fixedName: (key) => (isProvider(key) ? providerName(key) : undefined),
    configured: { settings, enabled, keys, name, fetch: (key) => guardedFetch(send, `social ${key}`) },
  });
}
