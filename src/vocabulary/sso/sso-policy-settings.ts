export const SSO_MODES = ["off", "optional", "required"] as const;
export const JIT_MODES = ["on", "invited_only", "off"] as const;
export const GUEST_RULES = ["own_methods", "required"] as const;
export const ROLE_SYNCS = ["always", "first"] as const;

/** A mapping never grants `owner`. */
export const MAPPED_ROLES = ["admin", "member"] as const;
export type MappedRole = (typeof MAPPED_ROLES)[number];

/** Whether a rule sets the built-in role of members; other rules grant an additional role. */
export function isBuiltInRole(role: string): role is MappedRole {
  return (MAPPED_ROLES as readonly string[]).includes(role);
}
