/** Spanish: people behind ways to power. */

import type { channelTexts as english } from "../en/channels.ts";
import type { Shape } from "../shape.ts";

export const channelTexts: Shape<typeof english> = {
  channels: {
    title: "Confirmar los nuevos permisos",
    text: "Estas personas tienen menos permisos y son responsables de vías hacia lo que usted concede:",
    action: "Conceder de todos modos",
    note:
      "Los miembros que inician sesión mediante una conexión deben vincular ellos mismos su cuenta de " +
      "empresa antes del próximo inicio de sesión.",
    nobody: "Cuenta eliminada",
    holders: "Quién más tiene acceso a esta cuenta",
    holdersLead: "Los permisos nuevos requieren confirmación si alguna de estas personas tiene menos.",
    kinds: {
      linked_identity: "Conexión con la que el miembro inicia sesión",
      directory_key: "Clave del directorio",
      setup_key: "Clave del directorio creada por un enlace de configuración",
      group_mapping: "Clave que llena los grupos",
      role_rule: "Conexión que informa los grupos",
      default_role: "Conexión cuyos usuarios se unen",
      claimed_domain: "Dominio cuyos usuarios se unen",
      setup_link: "Enlace de configuración",
    },
  },
};
