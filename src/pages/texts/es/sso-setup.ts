/** Spanish: set-up links, for administrators and for the person with the link. */
import type { SsoSetupTexts } from "../en/sso-setup.ts";

export const ssoSetupTexts: SsoSetupTexts = {
  ssoSetup: {
    links: "Enlaces de configuración",
    linksLead:
      "Con un enlace, el administrador de tu proveedor de identidad configura el inicio de sesión único sin una " +
      "cuenta.",
    noLinks: "Aún no hay enlaces de configuración.",
    tasks: {
      domains: "Verificar dominios",
      connection: "Configurar una conexión",
      directory: "Crear un token de directorio",
    },
    tasksLabel: "Tareas",
    recipient: "Dirección de correo del destinatario",
    recipientHint: "Déjalo vacío para entregar el enlace personalmente.",
    hours: "Horas hasta que caduque el enlace",
    hoursHint: "De 1 a 336 horas.",
    create: "Crear enlace de configuración",
    badTasks: "Selecciona al menos una tarea.",
    full: "Tu organización tiene 5 enlaces de configuración abiertos, el máximo. Primero revoca un enlace.",
    linkTitle: "Enlace de configuración",
    linkLead: "Copia el enlace ahora. No se vuelve a mostrar y funciona en un solo navegador.",
    mailed: (email) => `El enlace también se envió a ${email}.`,
    linkKept: "Volver al inicio de sesión único",
    statuses: {
      pending: "Sin abrir",
      begun: "En uso",
      completed: "Completado",
      revoked: "Revocado",
      expired: "Caducado",
    },
    until: (time) => `Válido hasta el ${time}`,
    revoke: "Revocar",
    revokeTitle: "¿Revocar el enlace de configuración?",
    revokeText: "El enlace deja de funcionar de inmediato. Los dominios y las conexiones se conservan.",
    revoked: "Se revocó el enlace de configuración.",
    awaitingOwner:
      "Mediante un enlace de configuración se solicitó activar esta conexión. Revisa los ajustes y después activa " +
      "la conexión. Solo un propietario puede activar la conexión.",
    title: (organization) => `Configurar el inicio de sesión único de ${organization}`,
    invitedBy: (name, organization) =>
      `${name} te pide que configures el inicio de sesión único de ${organization}. No necesitas una cuenta.`,
    invited: (organization) =>
      `Puedes configurar el inicio de sesión único de ${organization}. No necesitas una cuenta.`,
    begin: "Empezar",
    beginHint: "Después, el enlace solo funciona en este navegador, durante 8 horas.",
    dead:
      "Este enlace de configuración ha finalizado o se abrió en otro navegador. Pide un enlace nuevo a quien te lo " +
      "envió.",
    overview: "Tareas",
    overviewLead: "Completa las tareas en este orden. Los resultados se guardan y puedes volver a cada tarea.",
    toTasks: "Volver a las tareas",
    open: "Abrir",
    states: { open: "Pendiente", waiting: "En espera de un propietario", done: "Hecho" },
    finish: "Finalizar la configuración",
    finishLead: "Finaliza cuando todas las tareas estén hechas. El enlace deja entonces de funcionar.",
    finishedTitle: "La configuración ha finalizado",
    finished: "Gracias. El enlace ya no funciona y puedes cerrar esta página.",
    domainsElsewhere: "Los administradores de la organización verifican los dominios.",
    selectProvider: "Selecciona tu proveedor de identidad",
    requestLead: "Un propietario de la organización confirma la activación. Los propietarios reciben un correo.",
    request: "Solicitar activación",
    requested: "Se pidió a los propietarios que activen la conexión. Puedes finalizar la configuración.",
    waiting: "Se pidió a un propietario de la organización que active la conexión.",
    isActive: "La conexión está activa.",
    directoryLead:
      "Con el token, el directorio de tu proveedor de identidad crea y desactiva las cuentas de los miembros.",
    createToken: "Crear token",
    tokenCreated: "Se creó el token. Si lo perdiste, pide un enlace de configuración nuevo.",
  },
};
