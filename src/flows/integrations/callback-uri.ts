import type { Config } from "../../config/config.ts";

/** The redirect URI of an identity provider (docs/contract.md, section 16.3), as registered at the provider. */
export function callbackUri({ publicBaseUrl, routePrefix }: Config["urls"], provider: string): string {
  return `${publicBaseUrl}${routePrefix}/auth/oauth/${provider}/callback`;
}
