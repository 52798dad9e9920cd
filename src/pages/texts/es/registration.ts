/** Spanish: initial access tokens, in the platform console. */
import type { RegistrationTexts } from "../en/registration.ts";

export const registrationTexts: RegistrationTexts = {
  registration: {
    title: "Tokens de registro",
    lead: "Con un token, las aplicaciones se registran por sí mismas.",
    leadOff:
      "El registro está desactivado: asigna el valor token a SERVICE_OAUTH_REGISTRATION. " +
      "Hasta entonces, ninguna aplicación puede usar un token.",
    leadOpen: "El registro está abierto: las aplicaciones no necesitan token.",
    none: "Todavía no hay tokens.",
    create: "Nuevo token",
    name: "Nombre",
    nameHint: "Por ejemplo, el equipo o el producto que recibe el token.",
    maxUses: "Registros",
    maxUsesHint: "Cuántas aplicaciones pueden registrarse con el token, de 1 a 1000.",
    days: "Días de validez",
    daysHint: "De 1 a 365 días.",
    createAction: "Crear token",
    createdTitle: "El nuevo token de registro",
    used: "Usado",
    uses: (uses: string, max: string) => `${uses} de ${max}`,
    expires: "Caduca",
    ended: "Caducado",
    remove: "Eliminar",
    removeTitle: (name: string) => `¿Eliminar el token ${name}?`,
    removeText: "Ninguna otra aplicación podrá registrarse con el token. Las aplicaciones registradas permanecen.",
    deleted: "El token se ha eliminado.",
    full: "Ya hay 100 tokens. Elimina un token sin usar.",
  },
};
