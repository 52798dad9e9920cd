/** Spanish: copies of the user's data, and the deletion of accounts and organizations. */
import { pluralIn } from "../../../base/plural.ts";
import type { LeavingTexts } from "../en/leaving.ts";

const plural = pluralIn("es");

export const leavingTexts: LeavingTexts = {
  dataExport: {
    title: "Tus datos",
    lead: "Solicita una copia de los datos de tu cuenta. Recibirás un correo cuando la copia esté lista.",
    contents:
      "La copia es un archivo JSON con tu perfil, direcciones, organizaciones, sesiones, llaves de acceso, " +
      "aplicaciones, invitaciones enviadas y tu actividad. No contiene contraseñas ni claves.",
    request: "Solicitar una copia",
    requested: "Estamos preparando tu copia. Recibirás un correo cuando esté lista.",
    limited: (span) => `Puedes solicitar una copia al día. Vuelve a intentarlo dentro de ${span}.`,
    copies: "Copias",
    none: "No se ha solicitado ninguna copia.",
    pending: "En preparación",
    failed: "No se pudo crear la copia. Solicita una nueva.",
    until: (time) => `Disponible hasta: ${time}`,
    requestedOn: (day) => `Solicitada el ${day}`,
    download: "Descargar",
    signInAgain: "Cierra sesión y vuelve a iniciarla para continuar.",
  },
  deleteAccount: {
    title: "Eliminar cuenta",
    open: "Eliminar mi cuenta",
    rowDetails: "Cierra la cuenta ahora y borra todos los datos más adelante.",
    exportDetails: "Obtén una copia de tus datos en un archivo.",
    now: "De inmediato",
    signedOut: "Se cerrará tu sesión en todos los dispositivos y las aplicaciones perderán el acceso.",
    noSignIn: "Nadie podrá iniciar sesión en la cuenta.",
    invitations: "Tus invitaciones pendientes dejarán de ser válidas.",
    organizationsSuspended: (names) => `Estas organizaciones no tienen otro miembro y se suspenderán: ${names}.`,
    later: (days) =>
      plural(days, { one: "Después de # día", many: "Después de # de días", other: "Después de # días" }),
    immediately: "Inmediatamente después",
    erased: "Se borrarán tu perfil, direcciones, métodos de inicio de sesión, dispositivos y accesos de aplicaciones.",
    organizationsErased: (names) => `Estas organizaciones se borrarán junto con tu cuenta: ${names}.`,
    kept: "Los registros de actividad conservan un identificador sin tu nombre ni tu dirección.",
    cancelUntil: "Hasta entonces puedes conservar la cuenta con el enlace del correo que te enviaremos.",
    noCancel: "La eliminación no se puede deshacer.",
    lastOwner: (names) => `Primero convierte a otro miembro en propietario de estas organizaciones: ${names}.`,
    breakGlass: (names) =>
      `Tienes el acceso de emergencia de estas organizaciones. Primero designa allí a otro miembro: ${names}.`,
    lastPlatformOwner: "No hay más propietarios de la plataforma. Primero convierte a otro usuario en propietario.",
    typeEmail: (email) => `Escribe ${email} para confirmar`,
    wrongEmail: "Esta no es la dirección de tu cuenta.",
    code: "Código del correo",
    sendCode: "Enviar un código",
    codeSent: "Enviamos un código a tu dirección.",
    wrongCode: "El código es incorrecto o caducó.",
    codeLead: "Tu cuenta no tiene contraseña. Confirmaremos la eliminación con un código.",
    done: "Te enviamos un correo. Hasta que se borren los datos, puedes conservar la cuenta con el enlace del correo.",
    doneImmediate: "Se están borrando todos los datos de la cuenta.",
  },
  cancelDeletion: {
    title: "Conservar la cuenta",
    lead:
      "La eliminación se cancelará y podrás volver a iniciar sesión. La sesión seguirá cerrada en todos los " +
      "dispositivos.",
    action: "Conservar mi cuenta",
    doneTitle: "La cuenta se conserva",
    done: "Se canceló la eliminación. Puedes volver a iniciar sesión.",
    organizationTitle: "Conservar la organización",
    organizationLead: "La eliminación se cancelará, y los miembros y las claves de API recuperarán el acceso.",
    organizationAction: "Conservar organización",
    organizationDoneTitle: "La organización se conserva",
    organizationDone: "Se canceló la eliminación. Los miembros pueden volver a iniciar sesión.",
    dead: "El enlace caducó o ya se usó.",
  },
  deleteOrganization: {
    title: (name) => `Eliminar ${name}`,
    open: "Eliminar organización",
    lead:
      "Todos los datos de la organización se borrarán después de 30 días. Hasta entonces, cualquier propietario " +
      "puede conservarla.",
    suspended: "La organización se suspenderá de inmediato: ni los miembros ni las claves de API tendrán acceso.",
    erased:
      "Después de 30 días se borrarán los miembros, las invitaciones, las claves de API y los webhooks. Las cuentas " +
      "de los miembros se conservan.",
    notice: "Cada propietario recibirá un correo con un enlace que conserva la organización.",
    export: "Descargar los datos",
    typeSlug: (slug) => `Escribe ${slug} para confirmar`,
    wrongSlug: "Este no es el slug de la organización.",
    done: "La organización está suspendida y se eliminará.",
    ownersOnly: "Solo un propietario puede eliminar la organización.",
  },
  adminDeletions: {
    title: "Eliminaciones",
    lead: "Eliminaciones pendientes y borrados de los últimos 180 días.",
    none: "No hay ninguna eliminación pendiente.",
    user: "Usuario",
    organization: "Organización",
    due: "Borrado",
    erased: "Borrado el",
    reason: "Motivo",
    reasonHint: "El motivo se borra junto con los datos.",
    badReason: "Introduce un motivo de 500 caracteres como máximo.",
    cancel: "Cancelar eliminación",
    cancelled: "Se canceló la eliminación.",
    pendingUntil: (time) => `Los datos se borrarán en esta fecha: ${time}.`,
    deleteUser: "Eliminar usuario",
    deleteUserText:
      "La cuenta se cerrará de inmediato. El usuario recibirá un correo con un enlace que cancela la eliminación.",
    deleteOrganization: "Eliminar organización",
    deleteOrganizationText:
      "La organización se suspenderá de inmediato. Los propietarios recibirán un correo con un enlace que cancela la " +
      "eliminación.",
    requestedDone: "Se solicitó la eliminación.",
    conflict: "No es posible: ya hay una eliminación pendiente o una organización se quedaría sin propietario.",
  },
};
