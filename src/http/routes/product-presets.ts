import { ok } from "../../base/result.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import { readClient } from "../../flows/oauth/clients/administer-clients.ts";
import { PRODUCT_PRESETS, type ProductPreset } from "../../flows/oauth/presets/product-presets.ts";
import { clientSetup, foundSetup, resourceSetup } from "../../flows/oauth/presets/setup.ts";
import { readResource } from "../../flows/oauth/resources/administer-resources.ts";
import { authorizeClientReader } from "../../flows/steps/authorization/authorize-client-administration.ts";
import { authorizePlatform } from "../../flows/steps/authorization/authorize-platform-role.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { reply } from "../reply.ts";
import { ProductPresets, ProductSetup } from "../schemas/product-presets.ts";

const reading = { tag: "OpenID provider", auth: "administrative", permission: "oauth_clients.read" } as const;

/** docs/contract.md, section 23.35. */
export function productPresetRoutes(deps: StoreDeps & Pick<Deps, "config">): Endpoint[] {
  return [
    endpoint({
      ...reading,
      method: "GET",
      path: "/admin/product-presets",
      operationId: "listProductPresets",
      docs: { clientMethod: "admin.productPresets", section: "23.35" },
      summary: "List the products with a preset",
      responses: { 200: { description: "By name of the product", schema: ProductPresets } },
      problems: ["forbidden", "mfa_required"],
      authorize: (principal) => authorizeClientReader(deps, principal),
      async handle() {
        return ok(reply(200, { items: PRODUCT_PRESETS.map(presetBody) }));
      },
    }),
    endpoint({
      ...reading,
      method: "GET",
      path: "/admin/oauth-clients/:id/setup",
      operationId: "readOAuthClientSetup",
      docs: { clientMethod: "admin.oauthClients.setup", section: "23.35" },
      summary: "Read the configuration of the product of an application",
      responses: { 200: { description: "The configuration, without the secret", schema: ProductSetup } },
      problems: ["forbidden", "mfa_required", "not_found"],
      authorize: (principal) => authorizeClientReader(deps, principal),
      async handle({ authorized: caller, params }) {
        const found = await readClient(deps, caller, params.id);
        const setup = found.ok ? foundSetup(clientSetup(deps, found.value)) : found;
        return setup.ok ? ok(reply(200, setup.value)) : setup;
      },
    }),
    endpoint({
      tag: "OpenID provider",
      auth: "administrative",
      permission: "resources.read",
      method: "GET",
      path: "/admin/resources/:id/setup",
      operationId: "readOAuthResourceSetup",
      docs: { clientMethod: "admin.resources.setup", section: "23.35" },
      summary: "Read the configuration of the product of an API",
      responses: { 200: { description: "The configuration", schema: ProductSetup } },
      problems: ["forbidden", "mfa_required", "not_found"],
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      async handle({ authorized: caller, params }) {
        const found = await readResource(deps, caller, params.id);
        const setup = found.ok ? foundSetup(resourceSetup(deps, found.value)) : found;
        return setup.ok ? ok(reply(200, setup.value)) : setup;
      },
    }),
  ];
}

function presetBody({ preset, name, kind, inputs, unboundCodes, guide }: ProductPreset) {
  return { preset, name, kind, inputs: [...inputs], unbound_codes: unboundCodes, guide };
}
