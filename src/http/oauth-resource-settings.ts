/** The settings of an API in a request body, or in a form with equal members (docs/contract.md, section 23.12). */
import type { Static } from "@sinclair/typebox";
import { descriptionMember, descriptionsOf } from "../base/languages.ts";
import type { ResourceChange, ResourceSettings } from "../flows/oauth-resources/administer-resources.ts";
import type { ResourceScope } from "../models/oauth-resource/oauth-resource.ts";
import type { ChangeOAuthResource, CreateOAuthResource } from "./schemas/oauth-resources.ts";

type ScopesBody = NonNullable<Static<typeof CreateOAuthResource>["scopes"]>;

export function resourceSettingsOf(body: Static<typeof CreateOAuthResource>): ResourceSettings {
  const { identifier, name, scopes = [], signing_alg: signingAlg = "RS256", dpop = "allowed", disabled = false } = body;
  return { identifier, name, scopes: scopesOf(scopes), signingAlg, dpop, disabled };
}

/** Absent members are absent. */
export function resourceChangeOf(body: Static<typeof ChangeOAuthResource>): ResourceChange {
  const { name, scopes, signing_alg: signingAlg, dpop, disabled } = body;
  return {
    ...(name === undefined ? {} : { name }),
    ...(scopes === undefined ? {} : { scopes: scopesOf(scopes) }),
    ...(signingAlg === undefined ? {} : { signingAlg }),
    ...(dpop === undefined ? {} : { dpop }),
    ...(disabled === undefined ? {} : { disabled }),
  };
}

/** Unknown members of a scope are not stored. */
function scopesOf(scopes: ScopesBody): readonly ResourceScope[] {
  return scopes.map((scope) => ({
    name: scope.name,
    ...(scope.permission ? { permission: scope.permission } : {}),
    ...descriptionsOf((language) => scope[descriptionMember(language)] ?? null),
  }));
}
