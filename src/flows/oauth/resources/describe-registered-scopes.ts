import type { Deps } from "../../../deps.ts";
import { describeScope, type ScopeContext } from "../../../models/oauth-resource/resource-index.ts";

/** The descriptions of registered scopes by name, in the language of the user (docs/contract.md, section 23.12). */
export function describeRegisteredScopes(
  { oauthResources }: Pick<Deps, "oauthResources">,
  { scopes, ...context }: ScopeContext & { readonly scopes: readonly string[] },
): ReadonlyMap<string, string> {
  const index = oauthResources.index();
  const described = scopes.map((name) => [name, describeScope(index, name, context)] as const);
  return new Map(described.filter((each): each is [string, string] => each[1] !== undefined));
}
