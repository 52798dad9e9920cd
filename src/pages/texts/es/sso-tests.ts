/** Spanish: tests of connections, linked company accounts. */
import type { SsoTestTexts } from "../en/sso-tests.ts";

export const ssoTestTexts: SsoTestTexts = {
  companyAccounts: {
    title: "Cuentas de empresa",
    lead: "Cuentas del proveedor de identidad de tu organización con las que inicias sesión.",
    unlinkTitle: "¿Desvincular la cuenta de empresa?",
    unlinkText: "Las sesiones de la cuenta de empresa terminan de inmediato. Sigues siendo miembro.",
    unlinked: "Se desvinculó la cuenta de empresa.",
    notLinked: "Sin vincular",
    link: "Vincular",
    linkTitle: "¿Vincular esta cuenta de empresa?",
    linkText: (organization) => `A partir de ahora inicias sesión en ${organization} con la cuenta de empresa.`,
    subject: "ID permanente",
    email: "Correo electrónico",
    linkFailed: "No se vinculó la cuenta de empresa. Empieza de nuevo o consulta a tu administrador.",
    linkTaken: "Esta cuenta de empresa está vinculada a otra cuenta. Consulta a tu administrador.",
    linkDone: "La cuenta de empresa está vinculada.",
    continueTo: (name) => `Continuar a ${name}`,
    membersLead: "Miembros que inician sesión con el proveedor de identidad, con el origen del vínculo.",
    noMembers: "Ningún miembro ha iniciado sesión todavía con el proveedor de identidad.",
    linkedBy: "Vinculado por",
    origins: { domain: "Dominio", user: "Miembro", directory: "Directorio" },
    unlinkMemberText:
      "Las sesiones de la cuenta de empresa terminan de inmediato. El miembro permanece en la organización.",
    resetFactor: "Restablecer el segundo factor",
    resetTitle: "¿Restablecer el segundo factor?",
    resetText:
      "El miembro configura una nueva aplicación de autenticación después del próximo inicio de sesión único. Las " +
      "sesiones abiertas continúan.",
    factorReset: "El segundo factor se ha restablecido.",
    factorTitle: "Configurar un segundo factor",
    factorLead: (organization) =>
      `${organization} exige un código de una aplicación de autenticación después del inicio de sesión único. La ` +
      "aplicación solo vale para esta organización.",
    stepUpLead: "Esta acción requiere otra confirmación. Confirma con tu cuenta de empresa.",
    stepUpFailed:
      "No se confirmó el segundo factor con tu cuenta de empresa. Inténtalo de nuevo o consulta a tu " +
      "administrador.",
    stepUpNever:
      "Esta acción requiere un segundo factor y tu organización no reconoce ningún segundo factor de tu cuenta " +
      "de empresa. Pide a un administrador que introduzca los valores reconocidos de acr o amr (mfa_trust) en " +
      "la conexión.",
  },
  ssoTests: {
    title: "Prueba la conexión",
    lead: "Una prueba inicia tu sesión en el proveedor de identidad y no cambia nada para los miembros.",
    start: "Probar conexión",
    again: "Probar de nuevo",
    go: "Continuar al proveedor de identidad",
    incomplete: "Introduce primero el emisor, el ID de cliente y el secreto o la clave.",
    last: "Última prueba:",
    passed: "La prueba fue correcta.",
    failed: "La prueba falló. Corrige la comprobación fallida y vuelve a probar.",
    outdated: "La configuración cambió desde esta prueba. Vuelve a probar.",
    outcomes: {
      pass: "Correcta",
      warning: "Advertencia",
      fail: "Fallida",
      skipped: "Omitida",
    },
    checks: {
      discovery: "Configuración cargada",
      state: "Mismo navegador",
      provider_error: "Inicio de sesión en el proveedor de identidad",
      issuer: "Emisor exacto",
      token_request: "ID de cliente y secreto o clave aceptados",
      nonce: "La respuesta pertenece a la prueba",
      id_token: "Token de ID válido",
      userinfo: "UserInfo leído",
      subject: "ID permanente presente",
      email: "Dirección de correo presente",
      email_verified: "Dirección verificada por el proveedor de identidad",
      domain: "Dirección en un dominio verificado",
      groups: "Grupos presentes",
      mfa: "Segundo factor en el proveedor de identidad",
    },
    hints: {
      email: "El claim no contiene una dirección de correo. Comprueba los claims.",
      domain:
        "La dirección no está en ningún dominio verificado de esta conexión: este usuario no puede iniciar sesión.",
      groups: "La respuesta no contiene grupos, o no todos.",
      mfa: "Ni acr ni amr tienen un valor reconocido.",
    },
    effect: "Efecto de un inicio de sesión",
    effects: {
      sign_in: "El usuario inicia sesión.",
      link: "El usuario inicia sesión y la cuenta de empresa queda vinculada.",
      create: "Se crea un usuario nuevo.",
      refused: "Se rechaza el inicio de sesión.",
    },
    mapping: "Datos del usuario",
    received: "Claims recibidos",
    subject: "ID permanente",
    role: "Rol",
    twoStep: "Verificación en dos pasos",
    yes: "Sí",
    no: "No se usó",
  },
};
