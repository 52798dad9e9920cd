import { ok } from "../../base/result.ts";
import { clampPage } from "../../database/listing.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import { listFeatureFlags, putFeatureFlag } from "../../flows/feature-flags/administer.ts";
import { authorizePlatform } from "../../flows/steps/authorization/authorize-platform-role.ts";
import type { FeatureFlag } from "../../models/feature-flag/feature-flag.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { listReply, reply } from "../reply.ts";
import { FlagBody, FlagItem, ResolvedFlags } from "../schemas/admin.ts";
import { listOf, PageQuery } from "../schemas/common.ts";

const tag = "Feature flags";

/** docs/contract.md, sections 14.8 to 14.10. */
export function featureFlagRoutes(deps: StoreDeps & Pick<Deps, "featureFlags">): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/admin/feature-flags",
      operationId: "listFeatureFlags",
      docs: { clientMethod: "admin.featureFlags.list", section: "14.8" },
      tag,
      summary: "List the feature flags",
      auth: "administrative",
      permission: "feature_flags.read",
      input: { query: PageQuery },
      responses: { 200: { description: "By key", schema: listOf(FlagItem) } },
      problems: ["forbidden", "mfa_required"],
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      async handle({ authorized: caller, query }) {
        const page = clampPage(query.page, query.page_size);
        const listing = await listFeatureFlags(deps, { caller, page });
        return listing.ok ? ok(listReply(listing.value, flagBody)) : listing;
      },
    }),
    endpoint({
      method: "PUT",
      path: "/admin/feature-flags",
      operationId: "putFeatureFlag",
      docs: { clientMethod: "admin.featureFlags.put", section: "14.9" },
      tag,
      summary: "Create or change a feature flag",
      description: "Creates the flag or changes it; absent members keep their values.",
      auth: "administrative",
      permission: "feature_flags.write",
      input: { body: FlagBody },
      responses: { 200: { description: "The updated flag", schema: FlagItem } },
      problems: ["forbidden", "conflict", "mfa_required"],
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      async handle({ authorized: caller, body, client }) {
        const flag = await putFeatureFlag(deps, {
          caller,
          key: body.key,
          enabled: body.enabled,
          description: body.description,
          rolloutPercent: body.rollout_percent,
          onOrganizations: body.organizations?.on,
          offOrganizations: body.organizations?.off,
          client,
        });
        return flag.ok ? ok(reply(200, flagBody(flag.value))) : flag;
      },
    }),
    endpoint({
      method: "GET",
      path: "/feature-flags",
      operationId: "resolveFeatureFlags",
      docs: { clientMethod: "featureFlags.resolve", section: "14.10" },
      tag,
      summary: "The feature flags of the caller's organization",
      auth: "own",
      responses: { 200: { description: "Every flag with its value", schema: ResolvedFlags } },
      problems: [],
      handle: ({ caller }) => ok(reply(200, { flags: deps.featureFlags.resolve(caller.session.organizationId) })),
    }),
  ];
}

function flagBody(flag: FeatureFlag) {
  return {
    key: flag.key,
    description: flag.description,
    enabled: flag.enabled,
    rollout_percent: flag.rolloutPercent,
    organizations: { on: flag.onOrganizations, off: flag.offOrganizations },
    updated_at: flag.updatedAt.toISOString(),
  };
}
