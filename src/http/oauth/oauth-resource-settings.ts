/** The settings of an API in a request body, or in a form with equal members (docs/contract.md, section 23.12). */
import type { Static } from "@sinclair/typebox";
import type { ResourceChange, ResourceSettings } from "../../flows/oauth/resources/administer-resources.ts";
import type { ResourceScope } from "../../models/oauth-resource/oauth-resource.ts";
import { descriptionMember, descriptionsOf } from "../../vocabulary/languages.ts";
import { RESOURCE_CLAIMS } from "../../vocabulary/resource-claim.ts";
import { mappingOfApi } from "../schemas/claim-mappings.ts";
import type { ChangeOAuthResource, CreateOAuthResource } from "../schemas/oauth-resources.ts";
import { uniqueIds } from "./oauth-client-settings.ts";

type ScopesBody = NonNullable<Static<typeof CreateOAuthResource>["scopes"]>;

export function resourceSettingsOf(body: Static<typeof CreateOAuthResource>): ResourceSettings {
  const { identifier, name, scopes = [] } = body;
  return { identifier, name, scopes: scopesOf(scopes), ...DEFAULTS, ...changedSettings(body) };
}

/** Absent members are absent. */
export function resourceChangeOf(body: Static<typeof ChangeOAuthResource>): ResourceChange {
  const { name, scopes } = body;
  return {
    ...(name === undefined ? {} : { name }),
    ...(scopes === undefined ? {} : { scopes: scopesOf(scopes) }),
    ...changedSettings(body),
  };
}

const DEFAULTS = {
  signingAlg: "RS256",
  dpop: "allowed",
  tokenLifetimeSeconds: null,
  minAcr: null,
  claims: [],
  claimMappings: [],
  openTo: "registered",
  organizations: null,
  disabled: false,
  preset: null,
  presetInputs: null,
} as const;

function changedSettings(body: Static<typeof ChangeOAuthResource>): Omit<ResourceChange, "name" | "scopes"> {
  const { signing_alg: signingAlg, dpop, claims, organizations, disabled } = body;
  const { token_lifetime_seconds: tokenLifetimeSeconds, min_acr: minAcr, open_to: openTo } = body;
  const { claim_mappings: mappings } = body;
  return {
    ...(signingAlg === undefined ? {} : { signingAlg }),
    ...(dpop === undefined ? {} : { dpop }),
    ...(tokenLifetimeSeconds === undefined ? {} : { tokenLifetimeSeconds }),
    ...(minAcr === undefined ? {} : { minAcr }),
    ...(claims === undefined ? {} : { claims: RESOURCE_CLAIMS.filter((claim) => claims.includes(claim)) }),
    ...(mappings === undefined ? {} : { claimMappings: mappings.map(mappingOfApi) }),
    ...(openTo === undefined ? {} : { openTo }),
    ...(organizations === undefined ? {} : { organizations: uniqueIds(organizations) }),
    ...(disabled === undefined ? {} : { disabled }),
  };
}

/** Unknown members of a scope are not stored. */
function scopesOf(scopes: ScopesBody): readonly ResourceScope[] {
  return scopes.map((scope) => ({
    name: scope.name,
    ...(scope.permission ? { permission: scope.permission } : {}),
    public: scope.public ?? false,
    sensitive: scope.sensitive ?? false,
    ...descriptionsOf((language) => scope[descriptionMember(language)] ?? null),
  }));
}
