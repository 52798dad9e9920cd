/** Spanish: search, filters, order and pages of lists. */
import { pluralIn } from "../../../base/plural.ts";
import type { ListTexts } from "../en/lists.ts";

const plural = pluralIn("es");

export const listTexts: ListTexts = {
  lists: {
    apply: "Aplicar",
    clear: "Borrar filtros",
    anyStatus: "Cualquier estado",
    anyRole: "Cualquier rol de plataforma",
    anyFactor: "Con o sin verificación en dos pasos",
    anyTier: "Cualquier plan",
    anyType: "Cualquier tipo",
    searchApis: "Buscar por nombre o identificador",
    searchFlags: "Buscar por clave o descripción",
    nothingFound: (q) => `No hay resultados para «${q}».`,
    apiCount: (count) => plural(count, { one: "# API", many: "# de API", other: "# API" }),
    flagCount: (count) => plural(count, { one: "# flag", many: "# de flags", other: "# flags" }),
    role: "Rol de plataforma",
    factor: "Verificación en dos pasos",
    factorOn: "Configurado",
    factorOff: "Ninguno",
    createdFrom: "Creación desde",
    createdTo: "Creación hasta",
    first: "Primera página",
    last: "Última página",
    pageSize: "Filas por página",
    csv: "Exportar CSV",
    csvHint: (rows) =>
      plural(rows, {
        one: "Las filas que coinciden, # como máximo",
        many: "Las filas que coinciden, # como máximo",
        other: "Las filas que coinciden, # como máximo",
      }),
    noMatch: "Ningún resultado coincide con los filtros. Cambia o borra los filtros.",
    usersDisabled: (count) =>
      plural(count, { one: "# inhabilitado", many: "# inhabilitados", other: "# inhabilitados" }),
    organizationsSuspended: (count) =>
      plural(count, { one: "# suspendida", many: "# suspendidas", other: "# suspendidas" }),
    onlyMembers: (organization) => `Miembros de ${organization}`,
    redirectUri: "URI de redirección",
    redirectUriLead: "Registra esta dirección en el proveedor.",
    send: "Enviar enlace",
    verification: "Enlace que confirma el correo electrónico",
    verificationSent: "Se envió al usuario un enlace que confirma la dirección.",
    reset: "Enlace para una contraseña nueva",
    resetSent: "Se envió al usuario un enlace para una contraseña nueva.",
  },
};
