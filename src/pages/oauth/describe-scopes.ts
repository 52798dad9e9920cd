import type { Deps } from "../../deps.ts";
import { describeRegisteredScopes } from "../../flows/oauth/resources/describe-registered-scopes.ts";
import type { Language } from "../../vocabulary/languages.ts";
import { textAt } from "../page.ts";
import { TEXTS } from "../texts/catalogue.ts";

export interface ScopesToDescribe {
  readonly scopes: readonly string[];
  /** Resource indicators of the request, then of the client: the description of an earlier API takes precedence. */
  readonly resources: readonly string[];
  readonly language: Language;
}

export interface DescribedScope {
  readonly name: string;
  /** The text for users; undefined: neither a scope of this service nor a scope with a description. */
  readonly description: string | undefined;
}

/**
 * Describes scopes for users, in the order of `scopes`. A scope of this service has the text of the pages, which no API
 * can replace; a scope of an API has the description of the API (docs/contract.md, section 23.12).
 */
export function describeScopes(
  deps: Pick<Deps, "oauthResources">,
  { scopes, ...context }: ScopesToDescribe,
): readonly DescribedScope[] {
  const registered = describeRegisteredScopes(deps, { scopes, ...context });
  const builtIn = TEXTS[context.language].oauth.scopes;
  return scopes.map((name) => ({ name, description: textAt(builtIn, name) ?? registered.get(name) }));
}
