/** Spanish: templates of roles in the console. */
import type { RoleTemplateTexts } from "../en/role-templates.ts";

export const roleTemplateTexts: RoleTemplateTexts = {
  templates: {
    title: "Plantillas de roles",
    lead: "Roles que cada organización puede asignar a sus miembros.",
    create: "Nueva plantilla",
    createAction: "Crear plantilla",
    newLead: "Una plantilla no contiene permisos de propietarios. Las organizaciones pueden asignarla de inmediato.",
    none:
      "Todavía no hay plantillas. Crea una plantilla para una tarea de todas las organizaciones, como leer " +
      "el registro de auditoría.",
    organizations: "Organizaciones",
    ownersOnly: "Solo una organización concede este permiso, con un rol propio.",
    created: "Se creó la plantilla.",
    saved: "Se guardó la plantilla. Los nuevos permisos se aplican de inmediato.",
    deleted: "Se eliminó la plantilla.",
    wider:
      "Los miembros tienen los permisos cambiados de inmediato. Si añades permisos, los propietarios de " +
      "las organizaciones que usan la plantilla reciben un correo.",
  },
};
