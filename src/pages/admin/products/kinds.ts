/** The two kinds of registrations by a product preset: applications and APIs. */
import type { Refusal } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { ok, type Result } from "../../../base/result.ts";
import { type AdministerClientsDeps, createClient } from "../../../flows/oauth/clients/administer-clients.ts";
import type { ChosenPreset } from "../../../flows/oauth/presets/preset-inputs.ts";
import type { PresetKind } from "../../../flows/oauth/presets/product-presets.ts";
import { type AdministerResourcesDeps, createResource } from "../../../flows/oauth/resources/administer-resources.ts";
import type { PlatformCaller } from "../../../flows/steps/authorization/authorize-platform-role.ts";
import { clientRegistration, resourceRegistration } from "../../../http/oauth/preset-registration.ts";
import { type PageReply, seeResult } from "../../page-reply.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import type { View } from "../../view.tsx";
import type { ConsoleCall } from "../console.tsx";
import { showConnect } from "../oauth-clients/connect.tsx";
import { CLIENTS, PRODUCTS } from "../oauth-clients/paths.ts";
import { API_PRODUCTS, RESOURCES } from "../resources/paths.ts";

export type ProductDeps = AdministerClientsDeps & AdministerResourcesDeps & SignedInUserDeps;

interface Registration {
  readonly caller: PlatformCaller;
  readonly client: RequestContext;
  readonly chosen: ChosenPreset;
}

export interface ProductKind {
  readonly kind: PresetKind;
  readonly path: typeof PRODUCTS | typeof API_PRODUCTS;
  readonly list: typeof CLIENTS | typeof RESOURCES;
  /** Title of the list, title and button of a new registration, and the problem of a full list. */
  readonly texts: (view: View) => {
    readonly title: string;
    readonly create: string;
    readonly createAction: string;
    readonly full: string;
    readonly lead: string;
    readonly organizationHint: string;
    readonly urlHint: string;
  };
  /** Registers, and displays or leads to the configuration of the product. */
  readonly register: (
    deps: ProductDeps,
    call: ConsoleCall,
    registration: Registration,
  ) => Promise<Result<PageReply, Refusal>>;
}

export const PRODUCT_APPLICATIONS: ProductKind = {
  kind: "client",
  path: PRODUCTS,
  list: CLIENTS,
  texts({ t: { clients } }) {
    const { title, create, createAction, full, products } = clients;
    const { lead, organizationHint, urlHint } = products;
    return { title, create, createAction, full, lead, organizationHint, urlHint };
  },
  async register(deps, call, { chosen, ...by }) {
    const settings = clientRegistration(deps, chosen);
    if (!settings.ok) return settings;
    const created = await createClient(deps, { ...by, settings: settings.value });
    if (!created.ok) return created;
    const { secret, client } = created.value;
    if (secret === undefined) return ok(seeResult(`${CLIENTS}/${client.id}/connect`, "created"));
    return ok(showConnect(call, client, { secret, done: call.view.t.clients.created }));
  },
};

export const PRODUCT_APIS: ProductKind = {
  kind: "api",
  path: API_PRODUCTS,
  list: RESOURCES,
  texts({ t: { resources } }) {
    const { title, create, createAction, full, products } = resources;
    return { title, create, createAction, full, ...products };
  },
  async register(deps, _call, { chosen, ...by }) {
    const settings = resourceRegistration(deps, chosen);
    if (!settings.ok) return settings;
    const created = await createResource(deps, { ...by, settings: settings.value });
    return created.ok ? ok(seeResult(`${RESOURCES}/${created.value.id}/connect`, "created")) : created;
  },
};
