/** Spanish: the policies of an organization. */
import { pluralIn } from "../../../base/plural.ts";
import type { PolicyTexts } from "../en/policies.ts";

const plural = pluralIn("es");

export const policyTexts: PolicyTexts = {
  policies: {
    title: "Políticas",
    lead:
      "Reglas para todos los miembros, solo en esta organización. Las políticas hacen más estrictos los ajustes de " +
      "este servicio.",
    notYours: "Solo los propietarios y administradores de la organización pueden ver las políticas.",
    notIncluded: "Tu plan no incluye políticas. Ponte en contacto con el operador de este servicio.",
    ownersOnly:
      "Solo los propietarios y los miembros con un rol que permita gestionarlas pueden cambiar las políticas.",
    change: "Cambiar las políticas",
    groups: {
      signIn: "Inicio de sesión",
      sessions: "Sesiones",
      network: "Red",
      members: "Miembros",
      applications: "Aplicaciones",
      passwords: "Contraseñas",
    },
    names: {
      mfa: "Verificación en dos pasos",
      mfaGraceDays: "Plazo de configuración",
      methods: "Métodos de inicio de sesión",
      trustedBrowsers: "Navegadores de confianza",
      signInNotices: "Correos sobre navegadores nuevos",
      sessionMaxHours: "Duración máxima de la sesión",
      sessionIdleMinutes: "Inactividad máxima",
      allowedIps: "Redes permitidas",
      inviteDomains: "Dominios de las direcciones invitadas",
      domainJoin: "Unirse mediante un dominio verificado",
      thirdPartyClients: "Aplicaciones de otros proveedores",
      approvedClients: "Aplicaciones aprobadas",
      deviceFlow: "Inicio de sesión con código en dispositivos",
      passwordMinLength: "Longitud mínima de la contraseña",
      passwordCheck: "Contraseñas comunes",
    },
    mfa: {
      optional: "Opcional",
      required: "Obligatoria",
      phishing_resistant: "Llave de acceso obligatoria",
    },
    mfaHint: "Un miembro sin segundo factor solo puede configurar el segundo factor.",
    days: (count) => plural(count, { one: "# día", many: "# de días", other: "# días" }),
    noDays: "Sin plazo: la regla se aplica de inmediato",
    daysHint: "Días para miembros sin segundo factor, desde el inicio de la regla o de la membresía.",
    allMethods: "Todos los métodos de este servicio",
    methodsHint: "Sin selección se permiten todos los métodos. El inicio de sesión único siempre está permitido.",
    trustedBrowsers: {
      on: "Sustituyen el segundo factor",
      off: "No sustituyen el segundo factor",
    },
    signInNotices: {
      on: "Siempre",
      off: "Salvo en el inicio de sesión único",
    },
    hours: (count) => plural(count, { one: "# hora", many: "# de horas", other: "# horas" }),
    minutes: (count) => plural(count, { one: "# minuto", many: "# de minutos", other: "# minutos" }),
    byService: "Según los ajustes de este servicio",
    hoursHint: "Horas desde el inicio de sesión, de 1 a 2160. Vacío: según los ajustes de este servicio.",
    minutesHint: "Minutos sin actividad, de 5 a 43200. Vacío: según los ajustes de este servicio.",
    everyNetwork: "Todas las redes",
    networksHint: (address) =>
      `Una dirección o un rango por línea, como 192.0.2.0/24. Vacío: todas las redes. Tu dirección es ${address}.`,
    everyDomain: "Todos los dominios",
    domainsHint: "Un dominio por línea, como acme.com. Vacío: todos los dominios. Los miembros siguen siendo miembros.",
    domainJoin: {
      off: "Desactivado",
      ask: "Con el consentimiento de un administrador",
      join: "Sin consentimiento",
    },
    thirdPartyClients: {
      any: "Todas",
      approved: "Solo aplicaciones aprobadas",
      none: "Ninguna",
    },
    noApplications: "Ninguna",
    applicationsHint: "Aplicaciones que los miembros ya usan.",
    deviceFlow: {
      on: "Permitido",
      off: "No permitido",
    },
    characters: (count) => plural(count, { one: "# carácter", many: "# de caracteres", other: "# caracteres" }),
    lengthHint: "De 12 a 64 caracteres, para la próxima contraseña. Vacío: según los ajustes de este servicio.",
    passwordCheck: {
      on: "Se rechazan",
      off: "Según los ajustes de este servicio",
    },
    start: "Inicio",
    startHint: "Hasta el inicio se aplican las políticas actuales.",
    pending: (time) => `Las nuevas políticas se aplican a partir del ${time}.`,
    cancelPending: "Cancelar las nuevas políticas",
    cancelled: "Se cancelaron las nuevas políticas. Las políticas actuales siguen vigentes.",
    saved: "Se guardaron las políticas.",
    now: "Ahora",
    next: "Nuevo",
    policy: "Política",
    review: "Revisar el cambio",
    unchanged: "No cambia nada.",
    appliesNow: "El cambio se aplica en cuanto lo confirmes.",
    appliesFrom: (time) => `El cambio se aplica a partir del ${time}.`,
    effect: "Efecto en los miembros",
    affected: (count) =>
      plural(count, {
        one: "El cambio afecta a # miembro.",
        many: "El cambio afecta a # de miembros.",
        other: "El cambio afecta a # miembros.",
      }),
    unaffected: "El cambio no afecta a ningún miembro actual.",
    ended: (count) =>
      plural(count, { one: "Termina # sesión.", many: "Terminan # de sesiones.", other: "Terminan # sesiones." }),
    member: "Miembro",
    rules: {
      mfa: "No tiene el segundo factor",
      methods: "No tiene ningún método de inicio de sesión permitido",
      session: "Termina una sesión",
      allowed_ips: "Última vez fuera de las redes permitidas",
      invite_domains: "Tiene una dirección de otro dominio y sigue siendo miembro",
      device_flow: "Usa una aplicación para dispositivos y no puede conectar más dispositivos",
      passwords: "La próxima contraseña sigue la nueva regla",
      third_party_clients: "Una aplicación pierde el acceso",
      trusted_browsers: "Confirma el segundo factor también en los navegadores de confianza",
    },
    affectedBy: "Efecto",
    firstMembers: "La lista contiene las primeras 100 direcciones.",
    lockOuts: {
      policy_address: "Tu dirección está fuera de las redes permitidas. Perderías tu acceso.",
      policy_methods: "No puedes usar ninguno de los métodos permitidos. Perderías tu acceso.",
      policy_passkey: "No tienes ninguna llave de acceso. Añade primero una llave de acceso en Seguridad.",
      policy_join_role:
        "Los usuarios del dominio se unirían como administradores. " +
        "Solo un administrador o un propietario puede permitirlo.",
      policy_owners: "Ningún propietario podría iniciar sesión con estas políticas.",
    },
    noEmergency:
      "Designa primero un propietario para el acceso de emergencia, en la política de inicio de sesión único. " +
      "Después puedes confirmar el cambio.",
    accept: "Aplicar el cambio de todos modos. Un propietario con acceso de emergencia puede deshacer el cambio.",
    apply: "Aplicar el cambio",
    back: "Volver al formulario",
    badNumber: "Introduce un número entero dentro de los límites.",
    badNetworks:
      "Introduce direcciones o rangos como 192.0.2.0/24, 64 como máximo. No se acepta un rango de todas las " +
      "direcciones.",
    badDomains: "Introduce dominios como acme.com, 50 como máximo.",
  },
};
