import { NAME_FLAW, normalizeName, validateDescription } from "../../../base/display-name.ts";
import { type FieldFlaw, hasFlaws, type InputFlaw, invalidFields } from "../../../base/invalid-input.ts";
import type { Refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import {
  OAUTH_RESOURCE_ORGANIZATIONS_MAX,
  OAUTH_RESOURCE_SCOPES_MAX,
  OAUTH_TOKEN_LIFETIME_MAX_SECONDS,
  OAUTH_TOKEN_LIFETIME_MIN_SECONDS,
} from "../../../limits/oauth-limits.ts";
import { mappingFlaws } from "../../../models/claim-mapping/validate-mappings.ts";
import { clientUriFlaw } from "../../../models/oauth-client/redirect-uri.ts";
import type { OAuthResource, ResourceScope } from "../../../models/oauth-resource/oauth-resource.ts";
import {
  DESCRIPTION_LANGUAGES,
  type DescriptionLanguage,
  descriptionMember,
  descriptionsOf,
} from "../../../vocabulary/languages.ts";
import { isPermission, isPermissionName } from "../../../vocabulary/permissions.ts";
import { claimNames } from "../../../vocabulary/resource-claim.ts";
import { isUserScope } from "../../../vocabulary/user-scopes.ts";
import { scopeFlaw } from "../clients/client-rules.ts";

/** An API of this name would describe what this service grants. */
const BUILT_IN: InputFlaw = { rule: "not_allowed", text: "a scope of this service" };

/** Validates the settings of an API; returns the API with normalized texts. */
export function validateResource(resource: OAuthResource): Result<OAuthResource, Refusal<"invalid_input">> {
  const flaws = resourceFlaws(resource);
  if (hasFlaws(flaws)) return err(invalidFields(flaws));
  const name = normalizeName(resource.name) ?? resource.name;
  return ok({ ...resource, name, scopes: resource.scopes.map(normalizeScope) });
}

/** All flaws of the settings of an API. */
export function resourceFlaws(resource: OAuthResource): readonly FieldFlaw[] {
  const identifierFlaw = clientUriFlaw(resource.identifier);
  return [
    ...(identifierFlaw ? [{ field: "identifier", ...identifierFlaw }] : []),
    ...(normalizeName(resource.name) === undefined ? [{ field: "name", ...NAME_FLAW }] : []),
    ...scopesFlaws(resource.scopes),
    ...tokenFlaws(resource),
    ...mappingsFlaws(resource),
  ];
}

function mappingsFlaws({ claimMappings, scopes, organizations, claims }: OAuthResource): readonly FieldFlaw[] {
  if (claimMappings.length === 0) return [];
  const owner = { kind: "api", scopes: scopes.map(({ name }) => name), organizations, isPairwise: false } as const;
  return mappingFlaws({ ...owner, ownClaims: claims.flatMap(claimNames) }, claimMappings);
}

function tokenFlaws({ tokenLifetimeSeconds, organizations }: OAuthResource): readonly FieldFlaw[] {
  const lifetime = tokenLifetimeSeconds === null ? undefined : lifetimeFlaw(tokenLifetimeSeconds);
  const listed = organizations === null ? undefined : organizationsFlaw(organizations.length);
  return [
    ...(lifetime ? [{ field: "token_lifetime_seconds", ...lifetime }] : []),
    ...(listed ? [{ field: "organizations", ...listed }] : []),
  ];
}

function lifetimeFlaw(seconds: number): InputFlaw | undefined {
  const [min, max] = [OAUTH_TOKEN_LIFETIME_MIN_SECONDS, OAUTH_TOKEN_LIFETIME_MAX_SECONDS];
  if (seconds < min) return { rule: "too_small", text: `at least ${min}` };
  return seconds > max ? { rule: "too_large", text: `at most ${max}` } : undefined;
}

/** An empty list would keep every member out: `disabled` does so without doubt. */
function organizationsFlaw(count: number): InputFlaw | undefined {
  if (count === 0) return { rule: "required", text: "at least one, or null" };
  const max = OAUTH_RESOURCE_ORGANIZATIONS_MAX;
  return count > max ? { rule: "too_long", text: `at most ${max}` } : undefined;
}

function scopesFlaws(scopes: readonly ResourceScope[]): readonly FieldFlaw[] {
  if (scopes.length > OAUTH_RESOURCE_SCOPES_MAX) {
    return [{ field: "scopes", rule: "too_long", text: `at most ${OAUTH_RESOURCE_SCOPES_MAX}` }];
  }
  const isUnique = new Set(scopes.map(({ name }) => name)).size === scopes.length;
  const duplicate: FieldFlaw = { field: "scopes", rule: "conflicting", text: "two scopes have one name" };
  return [...(isUnique ? [] : [duplicate]), ...scopes.flatMap(scopeFlaws)];
}

function scopeFlaws(scope: ResourceScope, index: number): readonly FieldFlaw[] {
  const nameFlaw = isUserScope(scope.name) ? BUILT_IN : scopeFlaw(scope.name);
  const flaws = DESCRIPTION_LANGUAGES.map(
    (language) => [descriptionMember(language), descriptionFlaw(scope, language)] as const,
  );
  return [["name", nameFlaw] as const, ["permission", permissionFlaw(scope)] as const, ...flaws].flatMap(
    ([member, flaw]) => (flaw ? [{ field: `scopes.${member}`, path: `scopes.${index}.${member}`, ...flaw }] : []),
  );
}

/** A built-in permission of the service is no permission of an API. */
function permissionFlaw({ permission }: ResourceScope): InputFlaw | undefined {
  if (permission === undefined) return undefined;
  if (isPermission(permission)) return { rule: "not_allowed", text: "a permission of this service" };
  return isPermissionName(permission) ? undefined : { rule: "format", text: "a name of the form area.action" };
}

function descriptionFlaw(scope: ResourceScope, language: DescriptionLanguage): InputFlaw | undefined {
  const valid = descriptionIn(scope, language);
  return valid.ok ? undefined : valid.error;
}

/** `scope`: valid. */
function normalizeScope(scope: ResourceScope): ResourceScope {
  const descriptions = descriptionsOf((language) => {
    const valid = descriptionIn(scope, language);
    return valid.ok ? valid.value : null;
  });
  const { name, permission, public: isPublic, sensitive } = scope;
  return { name, ...(permission === undefined ? {} : { permission }), public: isPublic, sensitive, ...descriptions };
}

function descriptionIn(scope: ResourceScope, language: DescriptionLanguage): Result<string | null, InputFlaw> {
  const text = scope[descriptionMember(language)];
  return text === null || text === undefined ? ok(null) : validateDescription(text);
}

/** Whether a change of an API takes access that issued tokens may have: the tokens end, and a refresh is narrower. */
export function takesAccess(before: OAuthResource, after: OAuthResource): boolean {
  const { organizations } = after;
  const excludes = organizations !== null && !before.organizations?.every((id) => organizations.includes(id));
  const permissions = new Map(after.scopes.map(({ name, permission }) => [name, permission]));
  const narrows = before.scopes.some(({ name, permission }) => {
    const needed = permissions.get(name);
    return !permissions.has(name) || (needed !== undefined && needed !== permission);
  });
  const restricts = before.scopes.length === 0 && after.scopes.length > 0;
  return after.disabled || excludes || narrows || restricts;
}
