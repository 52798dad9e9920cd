/** Italian: people behind ways to power. */

import type { channelTexts as english } from "../en/channels.ts";
import type { Shape } from "../shape.ts";

export const channelTexts: Shape<typeof english> = {
  channels: {
    title: "Conferma le nuove autorizzazioni",
    text: "Queste persone hanno meno autorizzazioni e sono responsabili di vie verso ciò che concede:",
    action: "Concedi comunque",
    note:
      "I membri che accedono con una connessione devono collegare da sé l’account aziendale prima del " +
      "prossimo accesso.",
    nobody: "Account eliminato",
    holders: "Chi altro ha accesso a questo account",
    holdersLead: "Le nuove autorizzazioni richiedono una conferma se una di queste persone ne ha meno.",
    kinds: {
      linked_identity: "Connessione con cui il membro accede",
      directory_key: "Chiave della directory",
      setup_key: "Chiave della directory creata da un link di configurazione",
      group_mapping: "Chiave che riempie i gruppi",
      role_rule: "Connessione che indica i gruppi",
      default_role: "Connessione i cui utenti entrano",
      claimed_domain: "Dominio i cui utenti entrano",
      setup_link: "Link di configurazione",
    },
  },
};
