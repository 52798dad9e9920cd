/** The addresses of the templates of roles in the console. */
export const TEMPLATES = "/admin/roles";

export function templatePath(id: string): string {
  return `${TEMPLATES}/${id}`;
}
