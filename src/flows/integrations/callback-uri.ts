import type { Deps } from "../../deps.ts";

/** The redirect URI of an identity provider (docs/contract.md, section 16.3), as registered at the provider. */
export function callbackUri({ publicBaseUrl, routePrefix }: Deps["config"]["urls"], provider: string): string {
  return `${publicBaseUrl}${routePrefix}/auth/oauth/${provider}/callback`;
}
