import type { AddressEmailKinds } from "./shape.ts";

/** E-mails about the addresses of a user. */
export const addressEmails: AddressEmailKinds = {
  email_change: {
    subject: "Confirma tu correo electrónico para {{brand}}",
    preheader: "El enlace es válido durante {{valid_for}}, en un navegador con tu sesión iniciada.",
    title: "Confirma tu nueva dirección",
    lead:
      "Confirma que esta dirección pertenece a tu cuenta de {{brand}}. Hasta entonces, inicia sesión con tu " +
      "dirección actual.",
    button: "Confirmar dirección",
    after: "¿No solicitaste este cambio? Ignora este correo: sin la confirmación, la dirección no se usará.",
  },
  email_in_use: {
    subject: "Tu dirección en {{brand}}",
    preheader: "La dirección ya pertenece a una cuenta. No cambió nada.",
    title: "Tu dirección ya está en uso",
    lead:
      "Se solicitó esta dirección para una cuenta de {{brand}}. La dirección ya pertenece a una cuenta, así que no " +
      "cambió nada.",
    button: "Iniciar sesión",
    after:
      "¿Fuiste tú? Inicia sesión con esta dirección o elige una contraseña nueva al iniciar sesión. Si no, ignora " +
      "este correo.",
  },
  email_change_notice: {
    subject: "El correo electrónico de tu cuenta de {{brand}}",
    preheader: "{{device}}, {{time}}. Si no fuiste tú, deshaz el cambio.",
    title: "Tu correo electrónico",
    lead: "Las direcciones de correo de tu cuenta de {{brand}} están a punto de cambiar o ya cambiaron.",
    change:
      "Se solicitó una nueva dirección principal{{#new_email}}: {{new_email}}{{/new_email}}. Cuando se confirme, " +
      "esta dirección dejará de pertenecer a la cuenta.",
    addition:
      "Se solicitó una dirección adicional{{#new_email}}: {{new_email}}{{/new_email}}. Cuando se confirme, se podrá " +
      "iniciar sesión y restablecer la contraseña con ella.",
    replaced:
      "Se cambió la dirección principal{{#new_email}} por {{new_email}}{{/new_email}}. Con esta dirección todavía se " +
      "puede iniciar sesión.",
    undo:
      "Si no fuiste tú, deshaz el cambio. El enlace sirve una sola vez, hasta {{undo_period}} después del cambio. Se " +
      "cerrará la sesión en todos los dispositivos y se quitarán la contraseña y todos los métodos de inicio de " +
      "sesión añadidos desde la solicitud:",
    noUndo: "Esta dirección nunca se confirmó para la cuenta, así que no tienes que hacer nada.",
    button: "Revisar la seguridad",
    after: "¿Fuiste tú? Entonces puedes ignorar este correo.",
  },
  email_removed: {
    subject: "Se quitó una dirección de correo en {{brand}}",
    preheader: "{{device}}, {{time}}. Si no fuiste tú, cambia tu contraseña.",
    title: "Se quitó una dirección de correo",
    lead: "La dirección {{email}} se quitó de una cuenta de {{brand}}. Ya no se puede iniciar sesión con ella.",
    button: "Revisar la seguridad",
    after:
      "¿Fuiste tú? Entonces puedes ignorar este correo. Si no, cambia tu contraseña de inmediato y avisa a tu " +
      "administrador.",
  },
  email_reverted: {
    subject: "Se deshizo el cambio de tu dirección en {{brand}}",
    preheader: "Esta dirección vuelve a ser la principal. Establece una contraseña nueva.",
    title: "Se deshizo el cambio de tu dirección",
    lead:
      "Esta dirección vuelve a ser la dirección principal de tu cuenta. Se cerró la sesión en todos los dispositivos " +
      "y se quitaron la contraseña y todos los métodos de inicio de sesión añadidos desde la solicitud. Establece " +
      "una contraseña nueva.",
    button: "Establecer contraseña nueva",
    after: "¿No deshiciste tú el cambio? Avisa a tu administrador.",
  },
};
