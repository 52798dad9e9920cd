/** Scopes for data of a user; a client's own token has no user scopes. */
export const USER_SCOPES = ["openid", "profile", "email", "organization", "offline_access"] as const;

/** Whether a scope is a scope of this service. */
export function isUserScope(scope: string): boolean {
  return (USER_SCOPES as readonly string[]).includes(scope);
}
