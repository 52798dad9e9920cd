import type { TemplateWithUse } from "../../../flows/roles/read-roles.ts";
import { usageText } from "../../roles/usage-text.ts";
import type { View } from "../../view.tsx";

/** Everything that names a template, and the number of organizations with a holder. */
export function templateUsage(view: View, use: TemplateWithUse["use"]): string {
  const { customRoles, templates } = view.t;
  const used = usageText(view, use);
  return used ? `${used} ${templates.organizations}: ${view.dates.number(use.organizations)}.` : customRoles.unused;
}
