/** The scopes of keys (docs/contract.md, section 25.4). */
export const KEY_SCOPES = [
  "audit.export",
  "audit.read",
  "members.invite",
  "members.list",
  "members.metadata",
  "members.remove",
  "oauth_clients.read",
  "oauth_clients.write",
  "scim.read",
  "scim.write",
  "ssf.manage",
  "ssf.read",
  "sso.read",
] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** The scopes that include a scope: a receiver that manages a stream also reads the stream. */
export const INCLUDED_IN: Partial<Record<KeyScope, KeyScope>> = { "scim.read": "scim.write", "ssf.read": "ssf.manage" };

/** Whether a scope has an effect for keys of the platform alone: applications belong to the platform. */
export function isPlatformScope(scope: KeyScope): boolean {
  return scope === "oauth_clients.read" || scope === "oauth_clients.write";
}

/** Whether a key may only synchronize a directory: such a key may live longer. */
export function isScimOnly(scopes: readonly KeyScope[]): boolean {
  return scopes.every((scope) => scope === "scim.read" || scope === "scim.write");
}
