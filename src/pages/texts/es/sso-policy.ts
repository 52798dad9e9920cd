/** Spanish: the policy of organizations for single sign-on. */
import type { SsoPolicyTexts } from "../en/sso-policy.ts";

export const ssoPolicyTexts: SsoPolicyTexts = {
  ssoPolicy: {
    title: "Política",
    signIn: "Acceso",
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
    guestRules: { own_methods: "Conservan sus métodos de acceso", required: "Usan también el inicio de sesión único" },
    guestsHint: "Se aplica cuando el inicio de sesión único es obligatorio.",
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
    saved: "Se guardó la política.",
    ownersOnly: "Solo los propietarios pueden cambiar la política.",
  },
};
