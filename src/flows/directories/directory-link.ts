/** The addresses of a directory: of its page, and of the endpoints that the directory calls. */
import type { Deps } from "../../deps.ts";

/** The page on which owners and admins manage the directory. */
export function directoryLink({ config }: Pick<Deps, "config">): string {
  return `${config.urls.publicBaseUrl}/team/directory`;
}

/** The base URL of SCIM, which the product of the directory calls. */
export function scimBaseUrl({ config: { urls } }: Pick<Deps, "config">): string {
  return `${urls.publicBaseUrl}${urls.routePrefix}/scim/v2`;
}
