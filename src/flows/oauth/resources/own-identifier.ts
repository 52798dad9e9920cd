import type { Deps } from "../../../deps.ts";
import { resourceKey } from "../../../vocabulary/resource-key.ts";

/**
 * Whether an identifier names the API of this service, with or without the route prefix and a final slash: no
 * registered API receives tokens for this API (docs/contract.md, section 35.7).
 */
export function isOwnIdentifier({ urls }: Pick<Deps["config"], "urls">, identifier: string): boolean {
  const { publicBaseUrl, routePrefix } = urls;
  const withoutSlash = (text: string) => resourceKey(text).replace(/\/+$/, () => "");
  return [publicBaseUrl, `${publicBaseUrl}${routePrefix}`].some(
    (own) => withoutSlash(own) === withoutSlash(identifier),
  );
}
