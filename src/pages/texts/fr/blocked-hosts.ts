/** French: blocked hosts of metadata documents, in the platform console. */
import type { BlockedHostsTexts } from "../en/blocked-hosts.ts";

export const blockedHostsTexts: BlockedHostsTexts = {
  blockedHosts: {
    title: "Hôtes bloqués",
    lead:
      "Un document sur un hôte bloqué n’identifie aucune application : les utilisateurs ne peuvent pas s’y " +
      "connecter et son accès a pris fin.",
    none: "Aucun hôte n’est bloqué.",
    host: "Hôte",
    hostHint:
      "Par exemple app.example.com, ou *.example.com pour tous les hôtes sous example.com. L’accès de ses " +
      "applications prend fin immédiatement.",
    since: "Bloqué depuis",
    add: "Bloquer un hôte",
    addAction: "Bloquer l’hôte",
    added: "L’hôte est bloqué.",
    remove: "Débloquer",
    removeTitle: (host) => `Débloquer ${host} ?`,
    removeText:
      "Les utilisateurs peuvent de nouveau se connecter aux applications de cet hôte. Les accès terminés ne " +
      "reviennent pas.",
    removed: "L’hôte n’est plus bloqué.",
    full: "Il y a déjà 1 000 hôtes bloqués. Débloquez d’abord un hôte.",
  },
};
