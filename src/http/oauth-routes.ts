import type { Endpoint } from "./endpoint.ts";
import { claimPreviewRoutes } from "./routes/claim-previews.ts";
import { grantRoutes } from "./routes/grants.ts";
import { oauthClientRoutes } from "./routes/oauth-clients.ts";
import { oauthDeviceRoutes } from "./routes/oauth-device.ts";
import { oauthProviderRoutes } from "./routes/oauth-provider.ts";
import { oauthRegistrationRoutes } from "./routes/oauth-registration.ts";
import { oauthResourceRoutes } from "./routes/oauth-resources.ts";
import { productPresetRoutes } from "./routes/product-presets.ts";

type OAuthRouteDeps = Parameters<typeof oauthProviderRoutes>[0] &
  Parameters<typeof oauthDeviceRoutes>[0] &
  Parameters<typeof grantRoutes>[0] &
  Parameters<typeof oauthClientRoutes>[0] &
  Parameters<typeof oauthRegistrationRoutes>[0] &
  Parameters<typeof claimPreviewRoutes>[0] &
  Parameters<typeof oauthResourceRoutes>[0];

/** All endpoints of docs/contract.md, chapter 23. */
export function oauthRoutes(deps: OAuthRouteDeps): Endpoint[] {
  return [
    ...oauthProviderRoutes(deps),
    ...oauthDeviceRoutes(deps),
    ...grantRoutes(deps),
    ...oauthClientRoutes(deps),
    ...oauthResourceRoutes(deps),
    ...productPresetRoutes(deps),
    ...claimPreviewRoutes(deps),
    ...oauthRegistrationRoutes(deps),
  ];
}
