/** Spanish: selected rows of lists, and actions on the selected rows. */
import { pluralIn } from "../../../base/plural.ts";
import type { SelectionTexts } from "../en/selection.ts";

const plural = pluralIn("es");

export const selectionTexts: SelectionTexts = {
  selection: {
    select: (name) => `Seleccionar ${name}`,
    rows: "Filas seleccionadas",
    all: "Seleccionar todo",
    back: "Volver a la lista",
    missing: "Esta fila ya no existe.",
    bounds: (count) =>
      plural(count, {
        one: "Selecciona # fila.",
        many: "Selecciona de 1 a # filas.",
        other: "Selecciona de 1 a # filas.",
      }),
    partial: (count) =>
      plural(count, { one: "# fila no cambió", many: "# de filas no cambiaron", other: "# filas no cambiaron" }),
    actions: {
      "remove-selected": {
        action: "Quitar",
        title: (count) =>
          plural(count, { one: "¿Quitar # miembro?", many: "¿Quitar # de miembros?", other: "¿Quitar # miembros?" }),
        text: "Los miembros perderán de inmediato el acceso a esta organización. Las cuentas se conservan.",
        done: (count) =>
          plural(count, {
            one: "Se quitó # miembro.",
            many: "Se quitaron # de miembros.",
            other: "Se quitaron # miembros.",
          }),
      },
      "resend-selected": {
        action: "Reenviar",
        title: (count) =>
          plural(count, {
            one: "¿Reenviar # invitación?",
            many: "¿Reenviar # de invitaciones?",
            other: "¿Reenviar # invitaciones?",
          }),
        text: "Cada correo contiene un enlace nuevo. Los enlaces anteriores dejarán de funcionar.",
        done: (count) =>
          plural(count, {
            one: "Se reenvió # invitación.",
            many: "Se reenviaron # de invitaciones.",
            other: "Se reenviaron # invitaciones.",
          }),
      },
      "revoke-selected": {
        action: "Revocar",
        title: (count) =>
          plural(count, {
            one: "¿Revocar # invitación?",
            many: "¿Revocar # de invitaciones?",
            other: "¿Revocar # invitaciones?",
          }),
        text: "Los enlaces de los correos dejarán de funcionar.",
        done: (count) =>
          plural(count, {
            one: "Se revocó # invitación.",
            many: "Se revocaron # de invitaciones.",
            other: "Se revocaron # invitaciones.",
          }),
      },
      "end-selected": {
        action: "Cerrar sesiones",
        title: (count) =>
          plural(count, { one: "¿Cerrar # sesión?", many: "¿Cerrar # de sesiones?", other: "¿Cerrar # sesiones?" }),
        text:
          "Las sesiones de los dispositivos se cerrarán de inmediato. Los usuarios pueden volver a " +
          "iniciar sesión.",
        done: (count) =>
          plural(count, {
            one: "Se cerró # sesión.",
            many: "Se cerraron # de sesiones.",
            other: "Se cerraron # sesiones.",
          }),
      },
      "disable-selected": {
        action: "Inhabilitar",
        title: (count) =>
          plural(count, {
            one: "¿Inhabilitar # usuario?",
            many: "¿Inhabilitar # de usuarios?",
            other: "¿Inhabilitar # usuarios?",
          }),
        text:
          "Todas las sesiones de estos usuarios se cerrarán de inmediato y no podrán iniciar sesión hasta " +
          "que vuelvas a habilitar las cuentas.",
        done: (count) =>
          plural(count, {
            one: "Se inhabilitó # usuario.",
            many: "Se inhabilitaron # de usuarios.",
            other: "Se inhabilitaron # usuarios.",
          }),
      },
      "sign-out-selected": {
        action: "Cerrar todas las sesiones",
        title: (count) =>
          plural(count, {
            one: "¿Cerrar todas las sesiones de # usuario?",
            many: "¿Cerrar todas las sesiones de # de usuarios?",
            other: "¿Cerrar todas las sesiones de # usuarios?",
          }),
        text:
          "Todas las sesiones de estos usuarios se cerrarán de inmediato. Los usuarios pueden volver a " +
          "iniciar sesión.",
        done: (count) =>
          plural(count, {
            one: "Se cerraron todas las sesiones de # usuario.",
            many: "Se cerraron todas las sesiones de # de usuarios.",
            other: "Se cerraron todas las sesiones de # usuarios.",
          }),
      },
    },
  },
};
