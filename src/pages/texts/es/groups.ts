/** Spanish: groups of members. */
import type { GroupTexts } from "../en/groups.ts";

export const groupTexts: GroupTexts = {
  groups: {
    title: "Grupos",
    lead: "Un grupo es una lista de miembros. Sus roles valen para cada miembro del grupo.",
    group: "Grupo",
    create: "Nuevo grupo",
    none: "Todavía no hay grupos. Crea un grupo para un equipo o una tarea.",
    rolesOfMembers: "Roles de los miembros",
    add: "Correo electrónico de un miembro",
    addAction: "Añadir",
    addedAt: "Añadido",
    noMembers: "El grupo no tiene miembros.",
    remove: "Eliminar grupo",
    removeText: "Los miembros pierden los roles del grupo de inmediato. Siguen en la organización.",
    created: "Se creó el grupo.",
    saved: "Se guardó el grupo. Los roles se aplican de inmediato.",
    deleted: "Se eliminó el grupo.",
    added: "Se añadió el miembro.",
    removed: "Se quitó al miembro del grupo.",
    taken: "Ya existe un grupo con este nombre, o se alcanzó el número máximo de grupos.",
    tooManyRoles: "Un miembro tiene como máximo 10 roles más.",
    tooManyForMember: "El miembro tendría más de 10 roles más.",
    notMember: "Ningún miembro de la organización tiene esta dirección.",
    full: "El grupo tiene el número máximo de miembros.",
    ofDirectory: "El directorio gestiona este grupo.",
    notYours: "No tienes permiso para ver los grupos de la organización.",
    notYoursToChange: "No tienes permiso para cambiar grupos.",
    notIncluded: "Los grupos no están incluidos en el plan de tu organización.",
    removeTitle: (name) => `¿Eliminar el grupo ${name}?`,
    fixed: {
      directory: "El directorio gestiona este grupo. Los roles del grupo se asignan en la página del directorio.",
      permission: "No tienes permiso para cambiar grupos.",
      above: "El grupo concede un rol con un permiso que no tienes. No puedes cambiar el grupo.",
    },
  },
};
