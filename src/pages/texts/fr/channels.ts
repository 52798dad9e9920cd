/** French: people behind ways to power. */

import type { channelTexts as english } from "../en/channels.ts";
import type { Shape } from "../shape.ts";

export const channelTexts: Shape<typeof english> = {
  channels: {
    title: "Confirmer les nouvelles autorisations",
    text: "Ces personnes ont moins d’autorisations et sont responsables d’accès à ce que vous accordez :",
    action: "Accorder quand même",
    note:
      "Les membres qu’une connexion authentifie doivent associer eux-mêmes leur compte d’entreprise avant " +
      "la prochaine connexion.",
    nobody: "Compte supprimé",
    holders: "Qui d’autre a accès à ce compte",
    holdersLead: "De nouvelles autorisations exigent une confirmation si l’une de ces personnes en a moins.",
    kinds: {
      linked_identity: "Connexion qui authentifie le membre",
      directory_key: "Clé de l’annuaire",
      setup_key: "Clé de l’annuaire créée par un lien de configuration",
      group_mapping: "Clé qui remplit les groupes",
      role_rule: "Connexion qui indique les groupes",
      default_role: "Connexion dont les utilisateurs deviennent membres",
      claimed_domain: "Domaine dont les utilisateurs deviennent membres",
      setup_link: "Lien de configuration",
    },
  },
};
