/** The endpoints of external services: their settings, and sign-in at identity providers. */
import type { PutIntegrationDeps } from "../flows/integrations/administer.ts";
import type { Endpoint } from "./endpoint.ts";
import { integrationRoutes } from "./routes/integrations.ts";
import { type SocialProviderRouteDeps, socialProviderRoutes } from "./routes/social-providers.ts";

export type ProviderRouteDeps = PutIntegrationDeps & SocialProviderRouteDeps;

/** docs/contract.md, chapter 15. */
export function providerRoutes(deps: ProviderRouteDeps): Endpoint[] {
  return [...integrationRoutes(deps), ...socialProviderRoutes(deps)];
}
