import type { DirectoryEmailKinds } from "./shape.ts";

/** E-mails about the directory of an organization. */
export const directoryEmails: DirectoryEmailKinds = {
  api_key_expiring: {
    subject: "La clave del directorio «{{key_name}}» caduca pronto",
    preheader: "Tiempo restante: {{valid_for}}. Sustituye la clave a tiempo.",
    title: "Una clave del directorio caduca pronto",
    lead:
      "La clave de API de la cuenta de servicio «{{key_name}}» caduca en {{valid_for}}. Después, tu directorio no " +
      "podrá crear ni desactivar usuarios: quienes dejen tu empresa conservarán el acceso.",
    button: "Sustituir la clave",
    after: "Crea una segunda clave en la página e introdúcela en tu directorio. Después, revoca la clave anterior.",
  },
  directory_joined: {
    subject: "Tu cuenta ahora forma parte de {{organization_name}}",
    preheader: "El directorio de la organización te añadió.",
    title: "Te añadieron a una organización",
    lead:
      "El directorio de {{organization_name}} añadió tu cuenta de {{brand}} como miembro. Tu contraseña, tus " +
      "otros métodos de inicio de sesión y tus otras organizaciones no cambian. La organización puede finalizar la " +
      "membresía, pero no tu cuenta.",
    button: "Abrir la cuenta",
    after: "Si no conoces la organización, puedes abandonarla desde tu cuenta.",
  },
  directory_refused: {
    subject: "Se rechazó un cambio de tu directorio",
    preheader: "El último propietario y los usuarios de acceso de emergencia siguen activos.",
    title: "Se rechazó un cambio de tu directorio",
    lead:
      "El directorio de {{organization_name}} intentó desactivar o eliminar al último propietario o a un " +
      "usuario de acceso de emergencia en {{brand}}. El usuario sigue activo para que la organización siga siendo " +
      "accesible.",
    button: "Revisar el directorio",
    after:
      "Si el usuario debe irse, nombra antes a otro miembro propietario o cambia los usuarios de acceso de " +
      "emergencia.",
  },
};
