import {
  DESCRIPTION_LANGUAGES,
  descriptionMember,
  FALLBACK_LANGUAGE,
  type Language,
} from "../../vocabulary/languages.ts";
import { resourceKey } from "../../vocabulary/resource-key.ts";
import type { OAuthResource, ResourceScope } from "./oauth-resource.ts";

interface RegisteredScope {
  readonly resourceKey: string;
  readonly scope: ResourceScope;
}

/** The registered APIs for lookups by identifier and by scope, without a scan of every scope. */
export interface ResourceIndex {
  readonly byKey: ReadonlyMap<string, OAuthResource>;
  /** By the name of the scope, oldest API first. */
  readonly byScope: ReadonlyMap<string, readonly RegisteredScope[]>;
  /** The permissions that the scopes of APIs name. */
  readonly permissions: ReadonlySet<string>;
  /** What clients without registration may request: the APIs that are open to any client, and their public scopes. */
  readonly open: { readonly resources: readonly string[]; readonly scopes: readonly string[] };
}

/** `resources`: oldest first. */
export function indexResources(resources: readonly OAuthResource[]): ResourceIndex {
  const keyed = resources.map((resource) => ({ key: resourceKey(resource.identifier), resource }));
  const registered = keyed.flatMap(({ key, resource }) =>
    resource.scopes.map((scope) => ({ resourceKey: key, scope })),
  );
  return {
    byKey: new Map(keyed.map(({ key, resource }) => [key, resource])),
    byScope: Map.groupBy(registered, ({ scope }) => scope.name),
    permissions: new Set(registered.flatMap(({ scope }) => scope.permission ?? [])),
    open: openAccess(resources.filter(({ openTo, disabled }) => openTo === "any" && !disabled)),
  };
}

function openAccess(open: readonly OAuthResource[]): ResourceIndex["open"] {
  const scopes = open.flatMap((resource) => resource.scopes.filter((scope) => scope.public).map(({ name }) => name));
  return { resources: open.map(({ identifier }) => identifier), scopes: [...new Set(scopes)] };
}

export interface ScopeContext {
  /** Resource indicators of the request, then of the client: the description of an earlier API takes precedence. */
  readonly resources: readonly string[];
  readonly language: Language;
}

/** The description of a scope of a registered API; undefined for a scope without description. */
export function describeScope(
  { byScope }: ResourceIndex,
  name: string,
  { resources, language }: ScopeContext,
): string | undefined {
  const registered = byScope.get(name) ?? [];
  const preferred = resources.flatMap((resource) => {
    const key = resourceKey(resource);
    return registered.filter((each) => each.resourceKey === key);
  });
  return [...preferred, ...registered]
    .map(({ scope }) => descriptionIn(scope, language))
    .find((description) => description !== undefined);
}

/** The description in the language, else in English, else in any language: a name alone tells a user less. */
function descriptionIn(scope: ResourceScope, language: Language): string | undefined {
  const preferred = [language, FALLBACK_LANGUAGE].flatMap(
    (wanted) => DESCRIPTION_LANGUAGES.find((each) => each === wanted) ?? [],
  );
  const texts = [...preferred, ...DESCRIPTION_LANGUAGES].map((each) => scope[descriptionMember(each)]);
  return texts.find((text) => typeof text === "string") ?? undefined;
}
