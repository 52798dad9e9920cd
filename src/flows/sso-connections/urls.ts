import type { Deps } from "../../deps.ts";

/** The addresses of a connection that an administrator enters at the identity provider. */
export interface ConnectionUrls {
  readonly redirectUri: string;
  readonly initiateLoginUri: string;
  readonly backchannelLogoutUri: string;
  readonly jwksUri: string;
}

/** The path under which the endpoints of a connection are. */
function connectionPath({ config }: Pick<Deps, "config">, connectionId: string): string {
  return `${config.urls.routePrefix}/auth/sso/${connectionId}`;
}

/** The path that starts a sign-in through a connection. */
export function startPath(deps: Pick<Deps, "config">, connectionId: string): string {
  return `${connectionPath(deps, connectionId)}/start`;
}

/** The page with the choice among several connections; the id reveals no name of the organization. */
export function choicePath(organizationId: string): string {
  return `/sso/${organizationId}`;
}

/**
 * The path that starts a sign-in through one of the connections of an organization. Several connections need a choice;
 * without pages, the oldest connection starts.
 */
export function signInPath(
  deps: Pick<Deps, "config">,
  route: { readonly organizationId: string; readonly connections: readonly { readonly id: string }[] },
): string {
  const [oldest, second] = route.connections;
  const needsChoice = oldest === undefined || (second !== undefined && deps.config.pages.enabled);
  return needsChoice ? choicePath(route.organizationId) : startPath(deps, oldest.id);
}

export function connectionUrls(deps: Pick<Deps, "config">, connectionId: string): ConnectionUrls {
  const base = `${deps.config.urls.publicBaseUrl}${connectionPath(deps, connectionId)}`;
  return {
    redirectUri: `${base}/callback`,
    initiateLoginUri: `${base}/start`,
    backchannelLogoutUri: `${base}/backchannel-logout`,
    jwksUri: `${base}/jwks`,
  };
}
