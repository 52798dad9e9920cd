/** The addresses of the pages of groups. */
export const GROUPS = "/team/groups";

export function groupPath(id: string): string {
  return `${GROUPS}/${id}`;
}
