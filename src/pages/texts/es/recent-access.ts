/** What was set up in an account or an organization, and may end. */
import type { RecentAccessTexts } from "../en/recent-access.ts";

export const recentAccessTexts: RecentAccessTexts = {
  credentialReview: {
    title: "Configurado hace poco",
    lead: "Revisa lo que se configuró antes del último restablecimiento de tu contraseña.",
    held: "Espera tu confirmación",
    confirm: "Fui yo",
    end: "Terminar el acceso",
    effects: "Se quitan todos los elementos de la lista y se cierra tu sesión en todos los demás dispositivos.",
    factorStays:
      "La aplicación de autenticación se queda. Quítala en la configuración de seguridad o consulta a tu " +
      "administrador.",
    confirmed: "Los elementos están confirmados.",
    ended: "El acceso con los elementos de la lista ha terminado.",
    note: "Se restableció tu contraseña. Revisa lo que se configuró antes.",
    review: "Revisar",
    dead: "El enlace ha caducado o ya se usó.",
    skip: "Continuar para iniciar sesión",
    none: "No hay nada que revisar.",
  },
  creations: {
    title: (name: string) => `Configurado por ${name}`,
    lead: "Lo que esta persona configuró en la organización y sigue siendo válido.",
    end: "Terminar claves y enlaces",
    stays:
      "Las conexiones y los dominios se quedan, porque los miembros inician sesión con ellos. Revísalos en su " +
      "página.",
    ended: "Las claves y los enlaces de la persona han terminado.",
    none: "Nada de lo que configuró esta persona es válido.",
    open: "Abrir",
  },
  accessItems: {
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
  },
};
