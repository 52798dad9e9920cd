import { bindingSuffix } from "../../../base/binding-suffix.ts";
import type { Deps } from "../../../deps.ts";
import { singleSignOnPageUrl } from "../../steps/email/single-sign-on-page-url.ts";

/** The addresses of a connection that an administrator enters at the identity provider. */
export interface ConnectionUrls {
  readonly redirectUri: string;
  readonly initiateLoginUri: string;
  readonly backchannelLogoutUri: string;
  readonly jwksUri: string;
  /** SAML 2.0: the assertion consumer service. */
  readonly acsUrl: string;
  /** SAML 2.0: the single logout service of the service. */
  readonly sloUrl: string;
  /** SAML 2.0: the metadata of the service at this connection, and the entity id of the service there. */
  readonly spEntityId: string;
}

/** The path under which the endpoints of a connection are. */
function connectionPath({ config }: Pick<Deps, "config">, connectionId: string): string {
  return `${config.urls.routePrefix}/auth/sso/${connectionId}`;
}

/** The page with the choice among several connections; the id reveals no name of the organization. */
function choicePath(organizationId: string): string {
  return `/sso/${organizationId}`;
}

/**
 * The path that starts a sign-in through a connection, and returns to a path of this origin. The path contains no
 * address.
 */
export function startPath(deps: Pick<Deps, "config">, connectionId: string, returnTo?: string): string {
  return withParameter(`${connectionPath(deps, connectionId)}/start`, "redirect_to", returnTo);
}

/**
 * The path that starts a sign-in through one of the connections of an organization. Several connections need a choice;
 * without pages, the oldest connection starts.
 */
export function signInPath(
  deps: Pick<Deps, "config">,
  route: { readonly organizationId: string; readonly connections: readonly { readonly id: string }[] },
  returnTo?: string,
): string {
  const [oldest, second] = route.connections;
  const needsChoice = oldest === undefined || (second !== undefined && deps.config.pages.enabled);
  if (!needsChoice) return startPath(deps, oldest.id, returnTo);
  return withParameter(choicePath(route.organizationId), "return_to", returnTo);
}

function withParameter(path: string, name: string, value: string | undefined): string {
  return value === undefined ? path : `${path}?${new URLSearchParams({ [name]: value })}`;
}

/**
 * Receives the browser after the assertion consumer service; `handle` identifies the outcome, and `state` the cookie of
 * the browser.
 */
export function finishPath(
  deps: Pick<Deps, "config">,
  connectionId: string,
  { handle, state }: { readonly handle: string; readonly state: string },
): string {
  const query = new URLSearchParams({ h: handle, b: bindingSuffix(state) });
  return `${connectionPath(deps, connectionId)}/finish?${query}`;
}

/** Continues a sign-out at the identity provider; `handle` identifies the request. */
export function logoutPath(deps: Pick<Deps, "config">, connectionId: string, handle: string): string {
  return withParameter(`${connectionPath(deps, connectionId)}/slo`, "h", handle);
}

/** The page of a connection, for emails to owners. */
export function connectionPageUrl({ config }: Pick<Deps, "config">, connectionId: string): string {
  return `${singleSignOnPageUrl(config.urls.publicBaseUrl)}/${connectionId}`;
}

export function connectionUrls(deps: Pick<Deps, "config">, connectionId: string): ConnectionUrls {
  const base = `${deps.config.urls.publicBaseUrl}${connectionPath(deps, connectionId)}`;
  return {
    redirectUri: `${base}/callback`,
    initiateLoginUri: `${base}/start`,
    backchannelLogoutUri: `${base}/backchannel-logout`,
    jwksUri: `${base}/jwks`,
    acsUrl: `${base}/acs`,
    sloUrl: `${base}/slo`,
    spEntityId: `${base}/metadata`,
  };
}
