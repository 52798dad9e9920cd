/** Spanish: the policy of organizations for single sign-on. */
import { pluralIn } from "../../../base/plural.ts";
import type { SsoPolicyTexts } from "../en/sso-policy.ts";

const plural = pluralIn("es");

export const ssoPolicyTexts: SsoPolicyTexts = {
  ssoPolicy: {
    title: "Política",
    signIn: "Inicio de sesión",
    signInLead: "La política se aplica a todas las conexiones de la organización.",
    mode: "Inicio de sesión único",
    open: "Cambiar política",
    modes: {
      off: "Desactivado: las conexiones solo se pueden probar",
      optional: "Opcional: los miembros pueden usar el inicio de sesión único",
      required: "Obligatorio: los miembros deben usar el inicio de sesión único",
    },
    emergency:
      "Mientras el inicio de sesión único sea obligatorio, conservas un acceso de emergencia con tu " +
      "contraseña y tu segundo factor, de una hora cada vez.",
    notReady:
      "El inicio de sesión único aún no puede ser obligatorio. Hacen falta una conexión activa, un dominio " +
      "verificado y que un propietario o administrador haya iniciado sesión con la conexión en las últimas " +
      "24 horas. Tu cuenta necesita una dirección verificada y un segundo factor o una llave de acceso.",
    jit: "Usuarios que no son miembros",
    jits: {
      on: "Crear la cuenta y la membresía en el primer inicio de sesión",
      invited_only: "Admitir usuarios con invitación",
      off: "No admitir a nadie",
    },
    guests: "Miembros con direcciones de otros dominios",
    guestRules: {
      own_methods: "Conservan sus métodos de inicio de sesión",
      required: "Usan también el inicio de sesión único",
    },
    guestsHint: "Se aplica cuando el inicio de sesión único es obligatorio.",
    ownFactor: "Segundo factor de este servicio",
    ownFactors: { off: "No exigido", on: "Exigido" },
    ownFactorHint:
      "Después del inicio de sesión único, los miembros confirman también un código de una aplicación de " +
      "autenticación, solo para esta organización.",
    roles: "Roles de los miembros",
    rolesLead: "Ninguna regla concede el rol de propietario ni modifica a un propietario.",
    defaultRole: "Rol sin regla coincidente",
    sync: "Aplicar las reglas",
    syncs: { always: "En cada inicio de sesión", first: "Solo al comienzo de la membresía" },
    rules: "Reglas",
    rulesHint:
      "El atributo es groups u otro atributo de la conexión. Se aplica el rol más alto que coincida. Guarda para " +
      "obtener más reglas vacías.",
    rule: (number) => `Regla ${number}`,
    from: "Atributo",
    value: "Valor",
    badRules: "Introduce atributo y valor en cada regla. Como máximo 50 reglas.",
    start: "Obligatorio a partir de",
    startKept: (time) => `Según lo definido: ${time}`,
    startNow: "De inmediato",
    startIn: (count) =>
      plural(count, { one: "Dentro de # día", many: "Dentro de # de días", other: "Dentro de # días" }),
    breakGlass: "Acceso de emergencia",
    breakGlassHint:
      "Propietarios con una dirección verificada y un segundo factor o una llave de acceso. Como máximo 5.",
    noBreakGlass: "Aún ningún propietario tiene una dirección verificada y un segundo factor o una llave de acceso.",
    preview: "Vista previa",
    previewTitle: "Efecto de los ajustes",
    covered: (count) =>
      plural(count, {
        one: "# miembro debe usar el inicio de sesión único.",
        many: "# de miembros deben usar el inicio de sesión único.",
        other: "# miembros deben usar el inicio de sesión único.",
      }),
    withoutIdentity: (count) =>
      plural(count, {
        one: "# de estos miembros aún no ha iniciado sesión con el inicio de sesión único:",
        many: "# de estos miembros aún no han iniciado sesión con el inicio de sesión único:",
        other: "# de estos miembros aún no han iniciado sesión con el inicio de sesión único:",
      }),
    allLinked: "Todos estos miembros ya han iniciado sesión con el inicio de sesión único.",
    firstMembers: "La lista contiene las primeras 100 direcciones.",
    pausedUntil: (time) => `El operador de este servicio pausó la obligación hasta el ${time}.`,
    console: {
      title: "Obligación del inicio de sesión único",
      off: "La organización no exige el inicio de sesión único.",
      on: "El inicio de sesión único es obligatorio.",
      since: (time) => `El inicio de sesión único es obligatorio a partir del ${time}.`,
      until: (time) => `La obligación está en pausa hasta el ${time}.`,
      pause: "Pausar 24 horas",
      text:
        "Los miembros afectados pueden usar sus propios métodos durante 24 horas. Los propietarios reciben un " +
        "correo con el motivo.",
      reasonHint: "Se muestra a los propietarios, como máximo 500 caracteres.",
      paused: "La obligación está en pausa durante 24 horas.",
      end: "Terminar la pausa",
      ended: "La obligación vuelve a aplicarse.",
    },
    saved: "Se guardó la política.",
    ownersOnly: "Solo los propietarios pueden cambiar la política.",
  },
};
