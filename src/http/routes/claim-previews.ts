import { ok } from "../../base/result.ts";
import type { StoreDeps } from "../../deps.ts";
import {
  type Preview,
  type PreviewDeps,
  previewApiClaims,
  previewApplicationClaims,
} from "../../flows/oauth/preview/preview-claims.ts";
import { authorizePlatform } from "../../flows/steps/authorization/authorize-platform-role.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { uniqueIds } from "../oauth/oauth-client-settings.ts";
import { reply } from "../reply.ts";
import { mappingOfApi, mappingOfClient } from "../schemas/claim-mappings.ts";
import {
  ApiClaimsPreview,
  ApplicationClaimsPreview,
  PreviewApiClaims,
  PreviewApplicationClaims,
} from "../schemas/claim-previews.ts";

const common = { tag: "OpenID provider", auth: "administrative", method: "POST" } as const;

/** docs/contract.md, section 23.34. */
export function claimPreviewRoutes(deps: PreviewDeps & StoreDeps): Endpoint[] {
  return [
    endpoint({
      ...common,
      path: "/admin/oauth-clients/:id/claims/preview",
      operationId: "previewApplicationClaims",
      permission: "oauth_clients.write",
      docs: { clientMethod: "admin.oauthClients.previewClaims", section: "23.34" },
      summary: "Preview the claims of a user for an application",
      description: "Nothing is issued or consumed. Unsaved mappings are validated as at a change of the application.",
      input: { body: PreviewApplicationClaims },
      responses: { 200: { description: "The claims as of now", schema: ApplicationClaimsPreview } },
      problems: ["forbidden", "mfa_required", "not_found"],
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      async handle({ authorized: caller, params, body, client }) {
        const { claim_mappings: mappings } = body;
        const settings = { ...inputOf(body), claimMappings: mappings?.map(mappingOfClient) };
        const previewed = await previewApplicationClaims(deps, { caller, client, id: params.id, ...settings });
        if (!previewed.ok) return previewed;
        const { id_token = {}, userinfo = {} } = previewed.value.sets;
        return ok(reply(200, { id_token, userinfo, claims: claimsBody(previewed.value) }));
      },
    }),
    endpoint({
      ...common,
      path: "/admin/resources/:id/claims/preview",
      operationId: "previewApiClaims",
      permission: "resources.write",
      docs: { clientMethod: "admin.resources.previewClaims", section: "23.34" },
      summary: "Preview the claims of a user for an API",
      description: "Nothing is issued or consumed. Unsaved mappings are validated as at a change of the API.",
      input: { body: PreviewApiClaims },
      responses: { 200: { description: "The claims as of now", schema: ApiClaimsPreview } },
      problems: ["forbidden", "mfa_required", "not_found"],
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      async handle({ authorized: caller, params, body, client }) {
        const { claim_mappings: mappings } = body;
        const settings = { ...inputOf(body), claimMappings: mappings?.map(mappingOfApi) };
        const previewed = await previewApiClaims(deps, { caller, client, id: params.id, ...settings });
        if (!previewed.ok) return previewed;
        const { access_token = {}, introspection = {} } = previewed.value.sets;
        return ok(reply(200, { access_token, introspection, claims: claimsBody(previewed.value) }));
      },
    }),
  ];
}

interface PreviewBody {
  readonly user_id: string;
  readonly organization_id?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly organizations?: readonly string[] | null | undefined;
}

function inputOf({ user_id: userId, organization_id: organizationId, scopes, organizations }: PreviewBody) {
  return {
    userId: userId.toLowerCase(),
    organizationId: organizationId?.toLowerCase(),
    scopes,
    organizations: organizations === undefined ? undefined : uniqueIds(organizations),
  };
}

function claimsBody({ claims }: Preview) {
  return claims.map(({ destination, sources, control, ...rest }) => ({
    ...rest,
    in: destination,
    sources: [...sources],
    control: [...control],
  }));
}
