/** Español: aplicaciones con acceso a una organización y decisiones sobre las aplicaciones. */
import type { ApplicationTexts } from "../en/applications.ts";

export const applicationTexts: ApplicationTexts = {
  applications: {
    title: "Aplicaciones",
    lead: "Aplicaciones con acceso para los miembros de esta organización.",
    notYours: "Solo los administradores de la organización ven las aplicaciones.",
    requestsTitle: "Solicitudes de miembros",
    requestsLead:
      "Los miembros han solicitado estas aplicaciones. Comprueba la dirección antes de aprobar una aplicación.",
    noRequest: "Ninguna solicitud espera una decisión.",
    usedTitle: "Aplicaciones con acceso",
    none: "Ninguna aplicación tiene acceso para los miembros de esta organización.",
    end: "Terminar el acceso",
    decisionsTitle: "Decisiones",
    decisionsLead:
      "Las decisiones cuentan mientras las políticas de la organización permitan solo aplicaciones aprobadas.",
    approve: "Aprobar",
    deny: "Rechazar",
    approved: "La aplicación está aprobada.",
    denied: "La aplicación está rechazada.",
    ended: "El acceso de la aplicación ha terminado.",
    endText:
      "Se cierra la sesión de todos los miembros en la aplicación y se retira una aprobación. Si las " +
      "políticas permiten la aplicación, los miembros pueden volver a permitir el acceso.",
    approvalAsk: "Pedir a un administrador",
    approvalBack: "Volver a la aplicación",
    statuses: { approved: "aprobada", denied: "rechazada" },
    changed: "modificada desde la aprobación",
    requestOf: (name) => `solicitada por ${name}`,
    endNamed: (name) => `Terminar el acceso de ${name}`,
    endTitle: (name) => `¿Terminar el acceso de ${name}?`,
    approveNamed: (name) => `Aprobar ${name}`,
    denyNamed: (name) => `Rechazar ${name}`,
    approvalTitle: (name) => `${name} necesita una aprobación`,
    approvalText: (organization) =>
      `${organization} solo permite aplicaciones aprobadas. Pide a un administrador que apruebe esta aplicación.`,
    approvalRequested: (organization) =>
      `La solicitud espera a un administrador de ${organization}. Vuelve a iniciar sesión en la aplicación ` +
      "después de la aprobación.",
  },
};
