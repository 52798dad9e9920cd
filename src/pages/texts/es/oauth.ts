/** Spanish: pages of a sign-in to an application. */
import type { OAuthTexts } from "../en/oauth.ts";

export const oauthTexts: OAuthTexts = {
  oauth: {
    continueTo: "para continuar en",
    title: (name) => `Iniciar sesión en ${name}`,
    lead: (name) => `${name} quiere:`,
    notYou: "¿No eres tú?",
    organizationHint: "El acceso se aplica a esta organización.",
    change: "Cambiar",
    changeOrganization: "de organización",
    switchHint: "Elige la organización. También aquí cambiarás a esta organización.",
    goesTo: (host) => `Volverás a ${host}.`,
    removable: "Puedes retirar el acceso en cualquier momento en «Aplicaciones», en tu cuenta.",
    policy: (name) => `Política de privacidad de ${name}`,
    terms: (name) => `Condiciones del servicio de ${name}`,
    allow: "Permitir",
    deny: "Rechazar",
    otherAccount: "Usar otra cuenta",
    resource: "actuar en tu nombre en este servicio",
    otherScope: "usar un permiso de la aplicación",
    offlineUntil: "Hasta que retires el acceso",
    scopes: {
      openid: "confirmar tu identidad",
      profile: "ver tu nombre, tu foto y tu idioma",
      email: "ver tu correo electrónico",
      organization: "ver tu organización y tu rol en ella",
      offline_access: "mantener el acceso cuando no uses la aplicación",
    },
    passOnTitle: "Un momento",
    passOn: "Te estamos redirigiendo a la aplicación.",
    open: (name) => `Abrir ${name}`,
    openHint: "La aplicación se abre en este dispositivo. Si no se abre, pulsa el botón.",
    openClose: "Después puedes cerrar esta ventana.",
    errorTitle: "No se pudo completar el inicio de sesión",
    errorText:
      "La aplicación que te envió aquí cometió un error o la solicitud es demasiado antigua. Empieza de nuevo en la " +
      "aplicación.",
    logoutLead: (name, email) => `${name} solicita cerrar tu sesión. Iniciaste sesión como ${email}.`,
    applications: "Aplicaciones",
    allowed: "Aplicaciones permitidas",
    applicationsLead:
      "Inicias sesión en estas aplicaciones con esta cuenta. Una aplicación solo ve los datos que se indican.",
    none: "No has iniciado sesión en ninguna otra aplicación con esta cuenta.",
    ours: "parte de este servicio",
    takeBack: "Quitar",
    takeBackFrom: (name) => `Quitar ${name}`,
    takeBackTitle: (name) => `¿Quitar ${name}?`,
    takeBackText:
      "Se cerrará la sesión de la aplicación, que perderá el acceso de inmediato. En el próximo inicio de sesión " +
      "volverá a pedir permiso.",
    since: (day) => `Desde el ${day}`,
    used: "Último uso",
    takenBack: "Se quitó la aplicación. Su sesión está cerrada y la próxima vez volverá a pedir permiso.",
    logoutErrorTitle: "No se pudo completar el cierre de sesión",
    logoutErrorText: "La aplicación que te envió aquí cometió un error. No se cerró ninguna sesión.",
  },
};
