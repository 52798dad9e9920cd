import type { Deps } from "../../deps.ts";
import { disclosedData } from "../../flows/oauth/claims/select-mappings.ts";
import { describeRegisteredScopes } from "../../flows/oauth/resources/describe-registered-scopes.ts";
import type { OAuthClient } from "../../models/oauth-client/oauth-client.ts";
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
  /** What claim mappings disclose with the scope, in words. */
  readonly discloses?: readonly string[];
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

/** What the access of an application discloses by claim mappings. */
export interface DisclosingAccess extends Pick<ScopesToDescribe, "language"> {
  readonly client: OAuthClient;
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
  /** The name of the organization of the access. */
  readonly organization: string;
}

/**
 * The described scopes with the data that claim mappings disclose, by the sources and never by the names of claims
 * (docs/contract.md, section 23.34). Data without a displayed scope stands below the first scope.
 */
export function withDisclosures(
  deps: Pick<Deps, "oauthResources">,
  described: readonly DescribedScope[],
  { client, scopes, resources, organization, language }: DisclosingAccess,
): readonly DescribedScope[] {
  const disclosed = disclosedData(deps, client, { scopes, resources });
  if (disclosed.size === 0) return described;
  const texts = TEXTS[language].oauth.discloses;
  const names = new Set(described.map(({ name }) => name));
  const elsewhere = [...disclosed].flatMap(([scope, data]) => (names.has(scope) ? [] : data));
  return described.map((scope, index) => {
    const data = new Set([...(disclosed.get(scope.name) ?? []), ...(index === 0 ? elsewhere : [])]);
    const lines = [...data].map((each) => lineOf(texts[each], organization));
    return lines.length === 0 ? scope : { ...scope, discloses: lines };
  });
}

function lineOf(text: string | ((values: { organization: string }) => string), organization: string): string {
  return typeof text === "string" ? text : text({ organization });
}
