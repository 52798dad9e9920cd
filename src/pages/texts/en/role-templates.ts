/** English: templates of roles in the console. */
import type { Shape } from "../shape.ts";

export const roleTemplateTexts = {
  templates: {
    title: "Role templates",
    lead: "Roles that every organization can assign to its members.",
    create: "New template",
    createAction: "Create template",
    newLead: "A template contains no permission for owners. Organizations can assign the template at once.",
    none: "No template yet. Create a template for a task in every organization, such as reading the audit trail.",
    organizations: "Organizations",
    ownersOnly: "Only an organization grants this permission, by a role of its own.",
    created: "The template is created.",
    saved: "The template is saved. Members have the new permissions at once.",
    deleted: "The template is deleted.",
    wider:
      "Members have changed permissions at once. If you add permissions, the owners of organizations that " +
      "use the template are told by e‑mail.",
  },
};

export type RoleTemplateTexts = Shape<typeof roleTemplateTexts>;
