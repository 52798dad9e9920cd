import type { AccessEmailKinds, AccessItemNames } from "./shape.ts";

/** E-mails that list what was set up: after a reset of the password, and after the removal of a member. */
export const accessEmails: AccessEmailKinds = {
  credential_review: {
    subject: "Revisa tu cuenta de {{brand}}",
    preheader: "Se restableció tu contraseña. Termina el acceso de lo que no conozcas.",
    title: "Revisa lo que se configuró hace poco",
    lead:
      "Se restableció la contraseña de tu cuenta de {{brand}}. Las llaves de acceso, direcciones y cuentas " +
      "vinculadas de los últimos siete días no inician sesión hasta que las confirmes.",
    listed: "Configurado hace poco:",
    end: "Si no conoces un elemento, termina el acceso en esta página:",
    button: "Revisar",
    after: "Si todo es tuyo, confirma los elementos en la configuración de seguridad.",
  },
  member_creations: {
    subject: "Claves y enlaces de {{address}} en {{organization_name}}",
    preheader: "La persona ya no es miembro o tiene menos permisos. Revisa lo que sigue siendo válido.",
    title: "Revisa lo que configuró una persona",
    lead: "El usuario {{address}} ya no es miembro de {{organization_name}} en {{brand}} o ahora tiene menos permisos.",
    listed: "Lo que configuró esta persona sigue siendo válido:",
    button: "Revisar y terminar",
    after: "Si tu organización necesita un elemento, sustitúyelo primero y termina el acceso después.",
  },
};

export const accessItems: AccessItemNames = {
  passkeys: "Llave de acceso",
  identities: "Proveedor vinculado",
  company_accounts: "Cuenta de empresa vinculada",
  address_changes: "Dirección de correo",
  second_factor: "Aplicación de autenticación",
  api_keys: "Clave de API",
  webhooks: "Webhook",
  event_streams: "Flujo de eventos",
  oauth_grants: "Aplicación conectada",
  invitations: "Invitación pendiente",
  setup_links: "Enlace de configuración del inicio de sesión único",
  connections: "Conexión de inicio de sesión único",
  domains: "Dominio",
};
