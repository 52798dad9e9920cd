import { ok } from "../../base/result.ts";
import { type DiscoverDeps, discoverSso } from "../../flows/sso/discovery/discover.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { reply } from "../reply.ts";
import { DiscoverBody, DiscoveryResponse } from "../schemas/sso-discovery.ts";

/** docs/contract.md, section 29.20. */
export function ssoDiscoveryRoutes(deps: DiscoverDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/auth/sso/discover",
      operationId: "discoverSso",
      docs: { clientMethod: "sso.discover", section: "29.20" },
      tag: "Single sign-on",
      summary: "Find the single sign-on of an address",
      description: "Depends on the domain only: every address of a domain gets the same response, known or unknown.",
      auth: "none",
      limits: { address: "sign_in" },
      input: { body: DiscoverBody },
      responses: { 200: { description: "The start of the sign-in, or null", schema: DiscoveryResponse } },
      problems: [],
      handle({ body }) {
        const found = discoverSso(deps, body.email);
        if (!found.ok) return found;
        const sso = found.value && { start_url: found.value.startUrl, required: found.value.required };
        return ok(reply(200, { sso }));
      },
    }),
  ];
}
