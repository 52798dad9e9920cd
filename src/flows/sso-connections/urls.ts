import type { Deps } from "../../deps.ts";

/** The addresses of a connection that an administrator enters at the identity provider. */
export interface ConnectionUrls {
  readonly redirectUri: string;
  readonly initiateLoginUri: string;
  readonly backchannelLogoutUri: string;
  readonly jwksUri: string;
}

export function connectionUrls({ config }: Pick<Deps, "config">, connectionId: string): ConnectionUrls {
  const { publicBaseUrl, routePrefix } = config.urls;
  const base = `${publicBaseUrl}${routePrefix}/auth/sso/${connectionId}`;
  return {
    redirectUri: `${base}/callback`,
    initiateLoginUri: `${base}/start`,
    backchannelLogoutUri: `${base}/backchannel-logout`,
    jwksUri: `${base}/jwks`,
  };
}
