import { ok } from "../../base/result.ts";
import type { StoreDeps } from "../../deps.ts";
import { callbackUri } from "../../flows/integrations/callback-uri.ts";
import {
  changeSocialProvider,
  createSocialProvider,
  listAllSocialProviders,
  readSocialProvider,
  removeSocialProvider,
  type SocialProviderDeps,
  type SocialProviderView,
} from "../../flows/social-providers/administer.ts";
import { type ProbeSocialDeps, probeSocialProvider } from "../../flows/social-providers/probe-provider.ts";
import { authorizePlatform } from "../../flows/steps/authorization/authorize-platform-role.ts";
import { authorizeSteppedUpPlatform } from "../../flows/steps/authorization/authorize-stepped-up-admin.ts";
import { SOCIAL_PRESETS } from "../../models/social-provider/presets.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { emptyReply, reply } from "../reply.ts";
import {
  ChangeSocialProvider,
  CreateSocialProvider,
  DeleteSocialProviderQuery,
  givenConfig,
  SocialProviderItem,
  SocialProviderKey,
  SocialProviderPresets,
  SocialProviderProbe,
  SocialProviders,
} from "../schemas/social-providers.ts";

export type SocialProviderRouteDeps = SocialProviderDeps & ProbeSocialDeps;

const common = { tag: "Integrations", auth: "administrative", limits: { address: "integrations" } } as const;
const params = { provider: SocialProviderKey };
const ITEM = "/admin/social-providers/:provider";

/** docs/contract.md, sections 15.5 and 15.6. No response contains a secret. */
export function socialProviderRoutes(deps: SocialProviderRouteDeps): Endpoint[] {
  return [...readRoutes(deps), ...changeRoutes(deps), probeRoute(deps)];
}

function readRoutes(deps: SocialProviderDeps): Endpoint[] {
  return [
    endpoint({
      ...common,
      method: "GET",
      path: "/admin/social-provider-presets",
      operationId: "listSocialProviderPresets",
      permission: "providers.read",
      docs: { clientMethod: "admin.socialProviders.presets", section: "15.6" },
      summary: "List the presets of social providers",
      responses: { 200: { description: "By name of the provider", schema: SocialProviderPresets } },
      problems: ["forbidden", "mfa_required"],
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      handle: () => ok(reply(200, { items: SOCIAL_PRESETS.map(presetBody) })),
    }),
    endpoint({
      ...common,
      method: "GET",
      path: "/admin/social-providers",
      operationId: "listSocialProviders",
      permission: "providers.read",
      docs: { clientMethod: "admin.socialProviders.list", section: "15.5" },
      summary: "List the social providers by configuration",
      responses: { 200: { description: "Oldest first", schema: SocialProviders } },
      problems: ["forbidden", "mfa_required"],
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      async handle({ authorized: caller }) {
        const found = await listAllSocialProviders(deps, caller);
        return ok(reply(200, { items: found.map((view) => providerBody(deps, view)) }));
      },
    }),
    endpoint({
      ...common,
      method: "GET",
      path: ITEM,
      operationId: "getSocialProvider",
      version: { of: "social_provider", by: "provider" },
      permission: "providers.read",
      docs: { clientMethod: "admin.socialProviders.get", section: "15.5", params },
      summary: "Get a social provider",
      input: { textParameters: true },
      responses: { 200: { description: "The provider, masked", schema: SocialProviderItem } },
      problems: ["forbidden", "mfa_required", "not_found"],
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      async handle({ authorized: caller, params: { provider } }) {
        const found = await readSocialProvider(deps, caller, provider);
        return found.ok ? ok(reply(200, providerBody(deps, found.value))) : found;
      },
    }),
  ];
}

function changeRoutes(deps: SocialProviderDeps): Endpoint[] {
  return [
    endpoint({
      ...common,
      method: "POST",
      path: "/admin/social-providers",
      operationId: "createSocialProvider",
      permission: "providers.write",
      docs: { clientMethod: "admin.socialProviders.create", section: "15.5" },
      stepUp: "adds_credential",
      summary: "Create a social provider",
      description: "Absent members have the values of the preset, else the defaults of the protocol.",
      input: { body: CreateSocialProvider },
      responses: { 201: { description: "The provider, masked", schema: SocialProviderItem } },
      problems: ["forbidden", "mfa_required", "conflict"],
      authorize: (caller, _, permission) => authorizeSteppedUpPlatform(deps, caller, permission),
      async handle({ authorized: caller, body, client }) {
        const { provider } = body;
        const input = { caller, client, provider, given: givenConfig(body), secret: secretOf(body) };
        const created = await createSocialProvider(deps, input);
        return created.ok ? ok(reply(201, providerBody(deps, created.value))) : created;
      },
    }),
    endpoint({
      ...common,
      method: "PATCH",
      path: ITEM,
      operationId: "changeSocialProvider",
      version: { of: "social_provider", by: "provider" },
      permission: "providers.write",
      docs: { clientMethod: "admin.socialProviders.update", section: "15.5", params },
      stepUp: "adds_credential",
      summary: "Change a social provider",
      description: "Absent members keep their values. In use at once on this replica, and within seconds on others.",
      input: { textParameters: true, body: ChangeSocialProvider },
      responses: { 200: { description: "The provider, masked", schema: SocialProviderItem } },
      problems: ["forbidden", "mfa_required", "not_found", "conflict"],
      authorize: (caller, _, permission) => authorizeSteppedUpPlatform(deps, caller, permission),
      async handle({ authorized: caller, params: { provider }, body, client }) {
        const changed = await changeSocialProvider(deps, {
          ...{ caller, client, provider, given: givenConfig(body), secret: secretOf(body) },
          unlinkIdentities: body.unlink_identities ?? false,
        });
        return changed.ok ? ok(reply(200, providerBody(deps, changed.value))) : changed;
      },
    }),
    endpoint({
      ...common,
      method: "DELETE",
      path: ITEM,
      operationId: "deleteSocialProvider",
      version: { of: "social_provider", by: "provider" },
      permission: "providers.write",
      docs: { clientMethod: "admin.socialProviders.delete", section: "15.5", access: STEPPED_UP, params },
      summary: "Delete a social provider",
      description: "Linked identities end, which needs `confirm=true`.",
      input: { textParameters: true, query: DeleteSocialProviderQuery },
      responses: { 204: { description: "Deleted" } },
      problems: ["forbidden", "mfa_required", "not_found", "conflict"],
      authorize: (caller, _, permission) => authorizeSteppedUpPlatform(deps, caller, permission),
      async handle({ authorized: caller, params: { provider }, query, client }) {
        const isConfirmed = query.confirm ?? false;
        const removed = await removeSocialProvider(deps, { caller, client, provider, isConfirmed });
        return removed.ok ? ok(emptyReply(204)) : removed;
      },
    }),
  ];
}

function probeRoute(deps: SocialProviderRouteDeps): Endpoint {
  return endpoint({
    ...common,
    method: "POST",
    path: `${ITEM}/test`,
    operationId: "testSocialProvider",
    permission: "providers.write",
    docs: { clientMethod: "admin.socialProviders.test", section: "15.7", access: STEPPED_UP, params },
    summary: "Test the stored settings of a social provider",
    description: "A failed test is 200 with `ok` false. Needs a step-up within five minutes.",
    input: { textParameters: true },
    responses: { 200: { description: "Result of the test", schema: SocialProviderProbe } },
    problems: ["forbidden", "mfa_required", "not_found"],
    authorize: (caller, _, permission) => authorizeSteppedUpPlatform(deps, caller, permission),
    async handle({ authorized: caller, params: { provider }, client }) {
      const probed = await probeSocialProvider(deps, { caller, client, provider });
      return probed.ok ? ok(reply(200, probed.value)) : probed;
    },
  });
}

const STEPPED_UP = "platform admin, step-up";

function secretOf(body: { readonly secret?: string; readonly clear_secret?: boolean }) {
  return { secret: body.secret, clearSecret: body.clear_secret ?? false };
}

function presetBody({
  preset,
  name,
  defaults: { protocol, ...defaults },
  notes,
  guide,
}: (typeof SOCIAL_PRESETS)[number]) {
  return { preset, name, protocol, defaults, notes, guide };
}

function providerBody({ config: { urls } }: Pick<StoreDeps, "config">, view: SocialProviderView) {
  const { provider, config, secretSet, keyId, identities, degraded, revision, createdAt, updatedAt } = view;
  return {
    provider,
    ...config,
    secret_set: secretSet,
    key_id: keyId,
    redirect_uri: callbackUri(urls, provider),
    identities,
    degraded,
    revision,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}
