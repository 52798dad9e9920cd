/** Spanish: domains of organizations. */
import type { SingleSignOnTexts } from "../en/single-sign-on.ts";

export const singleSignOnTexts: SingleSignOnTexts = {
  singleSignOn: {
    title: "Inicio de sesión único",
    notYours: "Solo los propietarios y administradores de la organización pueden gestionar el inicio de sesión único.",
    notIncluded: "Tu plan no incluye el inicio de sesión único. Ponte en contacto con el operador de este servicio.",
    domains: "Dominios",
    domainsLead: "Un registro DNS demuestra que las direcciones de un dominio pertenecen a tu organización.",
    domain: "Dominio",
    domainHint: "Por ejemplo, acme.com. Un dominio no incluye sus subdominios.",
    notAccepted:
      "Este dominio pertenece a un proveedor o a muchos propietarios. Introduce un dominio de tu organización.",
    add: "Añadir dominio",
    readOnly: "Confirma tu segundo factor para hacer cambios.",
    noDomains: "Aún no hay dominios. Añade el dominio de tus direcciones de correo.",
    added: "Se añadió el dominio. Ahora añade el registro TXT al DNS.",
    alreadyAdded: "Tu organización ya tiene este dominio o alcanzó el máximo de 50 dominios.",
    statuses: { pending: "Sin verificar", verified: "Verificado", failing: "Falta el registro", lost: "Perdido" },
    pendingText:
      "Añade este registro TXT al DNS y después comprueba el dominio. Los cambios de DNS pueden tardar una hora.",
    verifiedText: "Conserva el registro TXT en el DNS: el servicio lo comprueba una vez al día.",
    failingText: (date) => `Vuelve a añadir el registro TXT antes del ${date}. De lo contrario, perderás el dominio.`,
    lostText: "El registro TXT faltó durante siete días. Vuelve a añadirlo y después comprueba el dominio.",
    conflictText:
      "Otra organización usa este dominio. Conserva tu registro en el DNS: el dominio será tuyo cuando el registro " +
      "de la otra organización haya faltado durante siete días.",
    record: "Registro TXT",
    recordName: "Nombre",
    recordValue: "Valor",
    checked: "comprobado",
    neverChecked: "aún sin comprobar",
    checkNow: "Comprobar ahora",
    checkNamed: (domain) => `Comprobar ahora: ${domain}`,
    results: {
      verified: "El dominio está verificado.",
      waiting: "Tu registro está en el DNS. El dominio está pendiente de la otra organización.",
      missing: "Tu registro aún no está en el DNS. Los cambios de DNS pueden tardar una hora.",
      noResponse: "Los servidores DNS no responden. Vuelve a intentarlo en unos minutos.",
    },
    found: "Valores encontrados en el DNS",
    removeTitle: (domain) => `¿Quitar ${domain}?`,
    removeText:
      "El inicio de sesión único dejará de aplicarse de inmediato a las direcciones del dominio. Las sesiones " +
      "abiertas continúan.",
    removed: "Se quitó el dominio.",
  },
};
