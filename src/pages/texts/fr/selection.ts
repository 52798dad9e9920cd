/** French: selected rows of lists, and actions on the selected rows. */
import { pluralIn } from "../../../base/plural.ts";
import type { SelectionTexts } from "../en/selection.ts";

const plural = pluralIn("fr");

export const selectionTexts: SelectionTexts = {
  selection: {
    select: (name) => `Sélectionner ${name}`,
    rows: "Lignes sélectionnées",
    all: "Tout sélectionner",
    back: "Retour à la liste",
    missing: "Cette ligne n’existe plus.",
    bounds: (count) =>
      plural(count, {
        one: "Sélectionnez # ligne.",
        many: "Sélectionnez de 1 à # lignes.",
        other: "Sélectionnez de 1 à # lignes.",
      }),
    partial: (count) =>
      plural(count, {
        one: "# ligne est inchangée",
        many: "# de lignes sont inchangées",
        other: "# lignes sont inchangées",
      }),
    actions: {
      "remove-selected": {
        action: "Retirer",
        title: (count) =>
          plural(count, {
            one: "Retirer # membre\u202F?",
            many: "Retirer # de membres\u202F?",
            other: "Retirer # membres\u202F?",
          }),
        text: "Les membres perdent immédiatement l’accès à cette organisation. Leurs comptes sont conservés.",
        done: (count) =>
          plural(count, { one: "# membre retiré.", many: "# de membres retirés.", other: "# membres retirés." }),
      },
      "resend-selected": {
        action: "Renvoyer",
        title: (count) =>
          plural(count, {
            one: "Renvoyer # invitation\u202F?",
            many: "Renvoyer # d’invitations\u202F?",
            other: "Renvoyer # invitations\u202F?",
          }),
        text: "Chaque e‑mail contient un nouveau lien. Les liens précédents ne fonctionneront plus.",
        done: (count) =>
          plural(count, {
            one: "# invitation renvoyée.",
            many: "# d’invitations renvoyées.",
            other: "# invitations renvoyées.",
          }),
      },
      "revoke-selected": {
        action: "Révoquer",
        title: (count) =>
          plural(count, {
            one: "Révoquer # invitation\u202F?",
            many: "Révoquer # d’invitations\u202F?",
            other: "Révoquer # invitations\u202F?",
          }),
        text: "Les liens contenus dans les e‑mails ne fonctionneront plus.",
        done: (count) =>
          plural(count, {
            one: "# invitation révoquée.",
            many: "# d’invitations révoquées.",
            other: "# invitations révoquées.",
          }),
      },
      "end-selected": {
        action: "Fermer les sessions",
        title: (count) =>
          plural(count, {
            one: "Fermer # session\u202F?",
            many: "Fermer # de sessions\u202F?",
            other: "Fermer # sessions\u202F?",
          }),
        text: "Les appareils sont immédiatement déconnectés. Les utilisateurs peuvent se reconnecter.",
        done: (count) =>
          plural(count, { one: "# session fermée.", many: "# de sessions fermées.", other: "# sessions fermées." }),
      },
      "disable-selected": {
        action: "Désactiver",
        title: (count) =>
          plural(count, {
            one: "Désactiver # utilisateur\u202F?",
            many: "Désactiver # d’utilisateurs\u202F?",
            other: "Désactiver # utilisateurs\u202F?",
          }),
        text:
          "Toutes les sessions de ces utilisateurs se ferment immédiatement, et toute connexion échoue " +
          "tant que vous ne réactivez pas les comptes.",
        done: (count) =>
          plural(count, {
            one: "# utilisateur désactivé.",
            many: "# d’utilisateurs désactivés.",
            other: "# utilisateurs désactivés.",
          }),
      },
      "sign-out-selected": {
        action: "Déconnecter partout",
        title: (count) =>
          plural(count, {
            one: "Déconnecter # utilisateur partout\u202F?",
            many: "Déconnecter # d’utilisateurs partout\u202F?",
            other: "Déconnecter # utilisateurs partout\u202F?",
          }),
        text: "Toutes les sessions de ces utilisateurs se ferment immédiatement. Ils peuvent se reconnecter.",
        done: (count) =>
          plural(count, {
            one: "# utilisateur déconnecté partout.",
            many: "# d’utilisateurs déconnectés partout.",
            other: "# utilisateurs déconnectés partout.",
          }),
      },
    },
  },
};
