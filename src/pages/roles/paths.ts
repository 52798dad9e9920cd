/** The addresses of the pages of roles. */
export const ROLES = "/team/roles";

/** `id`: of a role, or the key of a built-in role. */
export function rolePath(id: string): string {
  return `${ROLES}/${id}`;
}
