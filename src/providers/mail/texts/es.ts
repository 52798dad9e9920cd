import { pluralIn } from "../../../base/plural.ts";
import { accessEmails, accessItems } from "./es-access.ts";
import { addressEmails } from "./es-addresses.ts";
import { directoryEmails } from "./es-directories.ts";
import { domainEmails } from "./es-domains.ts";
import { leavingEmails } from "./es-leaving.ts";
import { membershipEmails } from "./es-memberships.ts";
import type { EmailTexts } from "./shape.ts";

const plural = pluralIn("es");

export const emailTexts: EmailTexts = {
  greeting: "Hola{{#name}}, {{name}}{{/name}}:",
  codeValidity: "El código sirve una sola vez y es válido durante {{valid_for}}.",
  linkValidity: "El enlace sirve una sola vez y es válido durante {{valid_for}}.",
  copyLink: "Si el botón no funciona, abre esta dirección:",
  labels: {
    device: "Dispositivo",
    address: "Dirección IP",
    location: "Lugar",
    time: "Hora",
    account: "Cuenta",
    provider: "Proveedor",
    endpoint: "Endpoint",
    since: "Desde",
    domain: "Dominio",
    recordName: "Nombre del registro TXT",
    recordValue: "Valor del registro TXT",
  },
  unknownBrowser: "Navegador desconocido",
  browserOn: "{{browser}} en {{system}}",
  unknownBrowserOn: "Navegador desconocido en {{system}}",
  moreChanges: (merged) =>
    plural(merged, {
      one: "Desde el correo anterior al respecto, hubo # cambio más de este tipo.",
      many: "Desde el correo anterior al respecto, hubo # de cambios más de este tipo.",
      other: "Desde el correo anterior al respecto, hubo # cambios más de este tipo.",
    }),
  reasons: {
    request: "Recibes este correo porque se introdujo esta dirección en {{brand}}.",
    invitation:
      "Recibes este correo porque un miembro de una organización de {{brand}} envió una invitación a esta dirección.",
    security: "Recibes este aviso porque afecta a la seguridad de tu cuenta. No se puede desactivar.",
    webhook: "Recibes este aviso porque eres responsable de este webhook en {{brand}}.",
    owner: "Recibes este aviso porque eres propietario de una organización en {{brand}}.",
    data: "Recibes este correo porque se solicitó una copia de tus datos en {{brand}}.",
  },
  providedBy: "Con la tecnología de {{brand}}",
  links: { support: "Ayuda", privacy: "Privacidad", terms: "Condiciones" },
  accessItems,
  kinds: {
    ...accessEmails,
    ...directoryEmails,
    ...domainEmails,
    ...membershipEmails,
    email_code: {
      subject: "Tu código de inicio de sesión para {{brand}}",
      preheader: "El código es válido durante {{valid_for}}. No lo compartas nunca.",
      title: "Tu código de inicio de sesión",
      lead: "Introduce este código para iniciar sesión en {{brand}}:",
      after:
        "¿No intentaste iniciar sesión? Ignora este correo: nadie puede iniciar sesión sin el código. No compartas " +
        "nunca el código.",
    },
    email_verification: {
      subject: "Confirma tu correo electrónico para {{brand}}",
      preheader: "Termina de configurar tu cuenta. El enlace es válido durante {{valid_for}}.",
      title: "Confirma tu correo electrónico",
      lead:
        "Se usó esta dirección para crear una cuenta en {{brand}}. Confirma la dirección para terminar de configurar " +
        "tu cuenta.",
      button: "Confirmar dirección",
      after:
        "Confirma la dirección solo si registraste esta cuenta tú. Si no te registraste, ignora este correo y no " +
        "abras el enlace.",
    },
    ...addressEmails,
    ...leavingEmails,
    password_reset: {
      subject: "Elige una contraseña nueva para {{brand}}",
      preheader: "El enlace es válido durante {{valid_for}}. Tu contraseña solo cambiará cuando elijas otra.",
      title: "Elige una contraseña nueva",
      lead: "Se solicitó una contraseña nueva para tu cuenta de {{brand}}.",
      button: "Elegir contraseña nueva",
      after: "¿No solicitaste una contraseña nueva? Ignora este correo: tu contraseña no cambiará.",
    },
    invitation: {
      subject: "Invitación para unirte a «{{organization_name}}» en {{brand}}",
      preheader: "La invitación es válida durante {{valid_for}}.",
      title: "Tienes una invitación",
      lead: "{{inviter_name}} te invita a unirte a {{organization_name}} en {{brand}}.",
      button: "Aceptar la invitación",
      after: "¿No conoces a la persona que te invita? Ignora este correo.",
    },
    password_changed: {
      subject: "Se cambió tu contraseña de {{brand}}",
      preheader: "{{device}}, {{time}}. Si no fuiste tú, restablece tu contraseña.",
      title: "Se cambió tu contraseña",
      lead: "Se cambió la contraseña de tu cuenta. Se cerraron todas las demás sesiones.",
      button: "Restablecer contraseña",
      after:
        "¿Fuiste tú? Entonces puedes ignorar este correo. Si no, restablece tu contraseña de inmediato y avisa a tu " +
        "administrador.",
    },
    password_removed: {
      subject: "Se quitó tu contraseña de {{brand}}",
      preheader: "{{device}}, {{time}}. Si no fuiste tú, establece una contraseña nueva.",
      title: "Se quitó tu contraseña",
      lead: "Tu cuenta ya no tiene contraseña. Inicia sesión con una llave de acceso.",
      button: "Establecer contraseña nueva",
      after:
        "¿Fuiste tú? Entonces puedes ignorar este correo. Si no, establece una contraseña nueva: al hacerlo, se " +
        "cierran todas las sesiones.",
    },
    mfa_enabled: {
      subject: "Se activó la verificación en dos pasos para {{brand}}",
      preheader: "{{device}}, {{time}}. Si no fuiste tú, cambia tu contraseña.",
      title: "La verificación en dos pasos está activada",
      lead:
        "Se añadió una aplicación de autenticación a tu cuenta. A partir de ahora, el inicio de sesión pedirá un " +
        "código de la aplicación.",
      button: "Revisar la seguridad",
      after:
        "¿Fuiste tú? Entonces puedes ignorar este correo. Si no, cambia tu contraseña de inmediato y avisa a tu " +
        "administrador.",
    },
    mfa_disabled: {
      subject: "Se desactivó la verificación en dos pasos para {{brand}}",
      preheader: "{{device}}, {{time}}. Si no fuiste tú, cambia tu contraseña.",
      title: "La verificación en dos pasos está desactivada",
      lead:
        "Se quitó la aplicación de autenticación de tu cuenta. El inicio de sesión ya no pide un código de la " +
        "aplicación.",
      button: "Revisar la seguridad",
      after:
        "¿Fuiste tú? Entonces puedes ignorar este correo. Si no, cambia tu contraseña de inmediato y avisa a tu " +
        "administrador.",
    },
    mfa_reset: {
      subject: "Se restableció la verificación en dos pasos de {{brand}}",
      preheader: "Un administrador quitó tu aplicación de autenticación. Configura una nueva.",
      title: "Se restableció la verificación en dos pasos",
      lead:
        "Un administrador quitó la aplicación de autenticación, los códigos de recuperación y los navegadores de " +
        "confianza de tu cuenta, y cerró todas las sesiones.",
      button: "Configurar la verificación",
      after: "¿No pediste el restablecimiento? Cambia tu contraseña y consulta a tu administrador.",
    },
    recovery_codes_renewed: {
      subject: "Nuevos códigos de recuperación para {{brand}}",
      preheader: "{{device}}, {{time}}. Los códigos anteriores ya no funcionan.",
      title: "Nuevos códigos de recuperación",
      lead: "Se crearon nuevos códigos de recuperación para tu cuenta. Los códigos anteriores ya no funcionan.",
      button: "Revisar la seguridad",
      after:
        "¿Fuiste tú? Entonces puedes ignorar este correo. Si no, cambia tu contraseña de inmediato, crea nuevos " +
        "códigos de recuperación y avisa a tu administrador.",
    },
    passkey_added: {
      subject: "Se añadió una llave de acceso a tu cuenta de {{brand}}",
      preheader: "{{device}}, {{time}}. Si no fuiste tú, elimina la llave de acceso.",
      title: "Se añadió una llave de acceso",
      lead:
        "Se añadió una llave de acceso a tu cuenta. Con la llave de acceso se puede iniciar sesión en tu cuenta sin " +
        "contraseña.",
      button: "Revisar las llaves",
      after:
        "¿Fuiste tú? Entonces puedes ignorar este correo. Si no, elimina la llave de acceso, cambia tu contraseña y " +
        "avisa a tu administrador.",
    },
    new_browser: {
      subject: "Nuevo inicio de sesión en {{brand}}",
      preheader: "{{device}}, {{time}}. Si no fuiste tú, protege tu cuenta.",
      title: "Nuevo inicio de sesión en tu cuenta",
      lead: "Se inició sesión en tu cuenta de {{brand}} desde un navegador que no habíamos visto antes.",
      notMe:
        "¿No fuiste tú? Abre este enlace para cerrar la sesión en todos los dispositivos, quitar la contraseña y " +
        "quitar lo que se añadió desde este inicio de sesión. El enlace sirve una sola vez, durante {{valid_for}}:",
      button: "Revisar la actividad",
      after: "¿Fuiste tú? Entonces puedes ignorar este correo.",
    },
    identity_linked: {
      subject: "Ya se puede iniciar sesión en {{brand}} con {{provider}}",
      preheader: "{{device}}, {{time}}. Si no fuiste tú, cambia tus contraseñas.",
      title: "Se vinculó {{provider}}",
      lead:
        "Tu cuenta de {{provider}} se vinculó a tu cuenta de {{brand}}" +
        "{{^by_user}}, porque ambas tienen esta dirección verificada{{/by_user}}. " +
        "Quien pueda iniciar sesión en {{provider}} podrá ahora iniciar sesión en tu cuenta.",
      button: "Revisar los proveedores",
      after:
        "¿Fuiste tú? Entonces puedes ignorar este correo. Si no, cambia tu contraseña en {{provider}} y aquí, y " +
        "avisa a tu administrador.",
    },
    identity_unlinked: {
      subject: "Ya no se puede iniciar sesión en {{brand}} con {{provider}}",
      preheader: "{{device}}, {{time}}. Si no fuiste tú, cierra todas las demás sesiones.",
      title: "Se desvinculó {{provider}}",
      lead: "Tu cuenta de {{provider}} se desvinculó de tu cuenta de aquí. Inicia sesión aquí de otra forma.",
      button: "Revisar los proveedores",
      after:
        "¿Fuiste tú? Entonces puedes ignorar este correo. Si no, inicia sesión, cierra todas las demás sesiones y " +
        "vuelve a vincular el proveedor.",
    },
    account_secured: {
      subject: "Tu cuenta de {{brand}} ahora es solo tuya",
      preheader: "Se quitó todo lo que se había configurado antes de que confirmaras tu dirección.",
      title: "Tu cuenta ahora es solo tuya",
      lead:
        "Confirmaste por primera vez que la dirección de tu cuenta de {{brand}} es tuya. Otra persona podría haber " +
        "registrado la cuenta antes. Por eso se quitó todo lo que se había configurado en la cuenta hasta entonces: " +
        "todas las demás sesiones, las llaves de acceso, los proveedores vinculados y las aplicaciones conectadas, " +
        "los navegadores de confianza, las invitaciones pendientes, las claves de API, los webhooks y los flujos de " +
        "eventos.",
      secondFactor:
        "También se quitaron la aplicación de autenticación y sus códigos de recuperación. Configura una nueva.",
      password:
        "También se quitó la contraseña. Para establecer una nueva, elige «¿Olvidaste tu contraseña?» al iniciar " +
        "sesión: recibirás un correo con un enlace.",
      removed: "Se quitó lo siguiente:",
      items: {
        password: "Contraseña",
        second_factor: "Aplicación de autenticación y códigos de recuperación",
        passkeys: "Llave de acceso",
        identities: "Proveedor vinculado",
        company_accounts: "Cuenta de empresa vinculada",
        trusted_browsers: "Navegador de confianza",
        invitations: "Invitación pendiente",
        api_keys: "Clave de API",
        webhooks: "Webhook (desactivado)",
        event_streams: "Flujo de eventos (desactivado)",
        setup_links: "Enlace de configuración del inicio de sesión único",
        oauth_grants: "Aplicación conectada",
      },
      named: " «{{name}}»",
      moreRemoved: (count) => plural(count, { one: "y # más", many: "y # más", other: "y # más" }),
      joined:
        "Estos miembros se unieron mediante una invitación de la cuenta antes de que confirmaras tu dirección. No se " +
        "quitaron:",
      member: "{{name}} en «{{organization_name}}»",
      moreMembers: "y otros",
      members: "Si no conoces a un miembro, quítalo en esta página:",
      button: "Revisar la seguridad",
      after: "Si no fuiste tú, restablece tu contraseña de inmediato y avisa a tu administrador.",
    },
    webhook_failing: {
      subject: "Un webhook de {{brand}} falla desde hace una hora",
      preheader: "Fallan las entregas a {{webhook_host}}. El servicio sigue intentándolo durante tres días.",
      title: "Un webhook falla",
      lead:
        "Fallan las entregas a tu webhook. El servicio sigue intentándolo durante tres días; después, los eventos se " +
        "descartan.",
      button: "Revisar las entregas",
      after:
        "La página muestra las últimas respuestas y la hora del próximo intento. Recibes este aviso una vez por cada " +
        "interrupción.",
    },
    webhook_disabled: {
      subject: "Se desactivó un webhook de {{brand}}",
      preheader: "{{webhook_host}} ya no recibe eventos.",
      title: "Se desactivó un webhook",
      lead: "El servicio desactivó tu webhook. Mientras esté desactivado, no se conserva ningún evento para él.",
      gone: "El endpoint respondió con el estado 410: no quiere más eventos.",
      backlog: "Más de 50.000 entregas esperaban al endpoint.",
      button: "Revisar el webhook",
      after: "Después de volver a activar el webhook, se pueden reenviar los eventos de los últimos 30 días.",
    },
  },
};
