import type { LeavingEmailKinds } from "./shape.ts";

/** E-mails about deletions and exports. */
export const leavingEmails: LeavingEmailKinds = {
  account_deletion: {
    subject: "Se eliminará tu cuenta de {{brand}}",
    preheader:
      "{{#link}}Puedes conservar la cuenta durante {{valid_for}}.{{/link}}{{^link}}La cuenta está cerrada.{{/link}}",
    title: "Se eliminará tu cuenta",
    lead:
      "Se solicitó la eliminación de tu cuenta de {{brand}}. La cuenta está cerrada: se cerró la sesión en todos los " +
      "dispositivos y aplicaciones, y nadie puede iniciar sesión.",
    byAdministrator: "Un administrador solicitó la eliminación.",
    pending:
      "Todos los datos de la cuenta se borrarán después de {{valid_for}}. Hasta entonces puedes conservar la cuenta. " +
      "El enlace sirve una sola vez.",
    immediate: "Todos los datos de la cuenta se borran ahora. La eliminación no se puede deshacer.",
    button: "Conservar mi cuenta",
    after: "¿Fuiste tú? Entonces no tienes que hacer nada más.",
  },
  organization_deletion: {
    subject: "Se eliminará «{{organization_name}}» en {{brand}}",
    preheader: "Cualquier propietario puede conservar la organización durante {{valid_for}}.",
    title: "Se eliminará una organización",
    lead:
      "Se solicitó la eliminación de {{organization_name}}. La organización está suspendida: ni los miembros ni las " +
      "claves de API tienen acceso. Todos los datos de la organización se borrarán después de {{valid_for}}. Hasta " +
      "entonces, cualquier propietario puede conservarla. El enlace sirve una sola vez.",
    button: "Conservar organización",
    after:
      "Recibes este correo por ser propietario. ¿Es correcta la eliminación? Entonces no tienes que hacer nada más.",
  },
  data_export: {
    subject: "Tus datos de {{brand}} están listos para descargar",
    preheader: "La descarga está disponible durante {{valid_for}}.",
    title: "Tus datos están listos",
    lead:
      "La copia de tus datos de {{brand}} está lista. Inicia sesión para descargarla en un plazo de {{valid_for}}; " +
      "después, la copia se elimina.",
    button: "Descargar mis datos",
    after: "¿No solicitaste tus datos? Cambia tu contraseña y avisa a tu administrador.",
  },
};
