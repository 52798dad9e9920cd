import { isTemplatePermission } from "../../../flows/roles/role-rules.ts";
import type { View } from "../../view.tsx";

/** Why a template cannot contain a permission; undefined: the permission can be chosen. */
export function templateRefusalOf({ t }: View) {
  return (permission: string): string | undefined =>
    isTemplatePermission(permission) ? undefined : t.templates.ownersOnly;
}
