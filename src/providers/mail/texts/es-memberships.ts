import type { MembershipEmailKinds } from "./shape.ts";

/** E-mails about roles of an organization and requests to join. */
export const membershipEmails: MembershipEmailKinds = {
  account_channels: {
    subject: "Sus permisos en {{organization_name}} han cambiado",
    preheader: "Vea quién más tiene acceso a su cuenta.",
    title: "Tiene más permisos",
    lead:
      "Ahora tiene más permisos en {{organization_name}}. Estas conexiones y claves también llegan a su " +
      "cuenta, con la persona responsable entre paréntesis: {{channels}}.",
    button: "Abrir la configuración de seguridad",
    after:
      "Si ya no puede iniciar sesión con su cuenta de empresa, inicie sesión con un método propio y vincule la " +
      "cuenta de empresa en la configuración de seguridad.",
  },
  channels_accepted: {
    subject: "Se confirmaron nuevos permisos en {{organization_name}}",
    preheader: "Personas con menos permisos son responsables de vías hacia ellos.",
    title: "Se confirmó una concesión",
    lead:
      "Se concedieron permisos en {{organization_name}}, aunque personas con menos permisos son responsables " +
      "de estas vías hacia ellos: {{channels}}.",
    button: "Revisar la organización",
    after: "Si no lo esperaba, deshaga el cambio o sustituya las conexiones y las claves.",
  },
  role_template_widened: {
    subject: "El rol «{{role_name}}» tiene permisos nuevos",
    preheader: "Los miembros de {{organization_name}} con el rol ya tienen los permisos.",
    title: "Un rol tiene permisos nuevos",
    lead:
      "La plataforma {{brand}} añadió permisos a la plantilla «{{role_name}}», que {{organization_name}} " +
      "utiliza. Los miembros con el rol tienen estos permisos desde ahora: {{added}}.",
    button: "Revisar el rol",
    after: "Si los miembros no deben tener los permisos, quítales el rol o crea un rol propio.",
  },
  join_requested: {
    subject: "Solicitud para unirse a {{organization_name}}",
    preheader: "{{address}} quiere ser miembro. Tiempo para decidir: {{valid_for}}.",
    title: "Una solicitud para unirse a tu organización",
    lead:
      "El usuario {{address}} quiere unirse a {{organization_name}} en {{brand}}. La dirección pertenece a un " +
      "dominio verificado de la organización. La solicitud termina después de {{valid_for}}.",
    button: "Revisar la solicitud",
    after: "Si no conoces al usuario, rechaza la solicitud.",
  },
  join_approved: {
    subject: "Ahora eres miembro de {{organization_name}}",
    preheader: "Se aceptó tu solicitud para unirte.",
    title: "Se aceptó tu solicitud",
    lead:
      "Se aceptó tu solicitud para unirte a {{organization_name}} en {{brand}}. Puedes cambiar a la " +
      "organización desde tu cuenta.",
    button: "Abrir la cuenta",
    after: "Si no enviaste la solicitud, avisa a tu administrador.",
  },
  join_denied: {
    subject: "Se rechazó tu solicitud para unirte a {{organization_name}}",
    preheader: "Puedes volver a solicitarlo más adelante.",
    title: "Se rechazó tu solicitud",
    lead:
      "Se rechazó tu solicitud para unirte a {{organization_name}} en {{brand}}. Puedes volver a " +
      "solicitarlo {{valid_for}} después de tu solicitud.",
    button: "Abrir la cuenta",
    after: "Si necesitas acceso ahora, pide una invitación a un miembro de la organización.",
  },
};
