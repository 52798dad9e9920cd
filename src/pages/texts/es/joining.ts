/** Spanish: joining of organizations by a verified domain. */
import type { JoiningTexts } from "../en/joining.ts";

export const joiningTexts: JoiningTexts = {
  joining: {
    join: "Unirse",
    joinOf: (name) => `Unirse a ${name}`,
    ask: "Solicitar unirse",
    askOf: (name) => `Solicitar unirse a ${name}`,
    openTo: (domain) => `Abierta a tu dirección de ${domain}`,
    asks: (domain) => `Con tu dirección de ${domain} puedes enviar una solicitud; un miembro decide`,
    requested: "Solicitado",
    denied: "Rechazada",
    deniedHint: "Pide una invitación a un miembro o vuelve a solicitarlo 30 días después de tu solicitud",
    sent: "Se envió tu solicitud. Recibirás un correo con la decisión.",
    unavailable: "Ya no puedes unirte a esta organización, o la organización tiene demasiadas solicitudes abiertas.",
    title: "Solicitudes para unirse",
    lead: "Usuarios con una dirección confirmada en un dominio de la organización quieren ser miembros.",
    approve: "Aceptar",
    approveOf: (name) => `Aceptar a ${name}`,
    deny: "Rechazar",
    denyOf: (name) => `Rechazar a ${name}`,
    denyTitle: (name) => `¿Rechazar la solicitud de ${name}?`,
    denyText: "El usuario recibe un correo y puede volver a solicitarlo 30 días después de la solicitud.",
    asked: "solicitado",
    approved: "El usuario ya es miembro y recibe un correo.",
    deniedNow: "Se rechazó la solicitud. El usuario recibe un correo.",
    outdated: "La solicitud ya está decidida, o el usuario ya no puede unirse por el dominio.",
  },
  ownOrganizations: {
    lead: "Serás el propietario. Tu sesión permanece en la organización actual.",
    created: "La organización está creada. Cambia a la organización más abajo.",
    taken: "Este slug ya se usa. Elige otro slug.",
    tooMany: "Ya eres propietario de tantas organizaciones como permite este servicio.",
    unverified: "Confirma primero tu dirección de correo electrónico.",
  },
};
