import type { Deps } from "../../deps.ts";
import { describeScope } from "../../models/oauth-resource/resource-index.ts";
import type { Language } from "../../vocabulary/languages.ts";

export interface ApiPermission {
  readonly name: string;
  /** The description of the scope; undefined: no description. */
  readonly description: string | undefined;
}

/** The permissions of a registered API. */
export interface ApiPermissions {
  /** The name of the API. */
  readonly api: string;
  /** By name. */
  readonly permissions: readonly ApiPermission[];
}

/** The permissions of every registered API, oldest API first; a permission of several APIs is in the first list. */
export function listApiPermissions(deps: Pick<Deps, "oauthResources">, language: Language): readonly ApiPermissions[] {
  const index = deps.oauthResources.index();
  const seen = new Set<string>();
  return [...index.byKey.values()].flatMap(({ name: api, identifier, scopes }) => {
    const context = { resources: [identifier], language };
    const found = scopes.flatMap(({ name, permission }) => {
      if (permission === undefined || seen.has(permission)) return [];
      seen.add(permission);
      return [{ name: permission, description: describeScope(index, name, context) }];
    });
    const permissions = found.sort((one, other) => (one.name < other.name ? -1 : 1));
    return permissions.length === 0 ? [] : [{ api, permissions }];
  });
}
