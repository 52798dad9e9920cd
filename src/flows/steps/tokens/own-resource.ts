import type { Deps } from "../../../deps.ts";

/** The identifier of this API as a protected resource (RFC 9728, section 2; docs/contract.md, section 35.10). */
export function ownResourceOf({ config }: Pick<Deps, "config">): string {
  return `${config.urls.publicBaseUrl}${config.urls.routePrefix}`;
}
