/** French: search, filters, order and pages of lists. */
import { pluralIn } from "../../../base/plural.ts";
import type { ListTexts } from "../en/lists.ts";

const plural = pluralIn("fr");

export const listTexts: ListTexts = {
  lists: {
    apply: "Appliquer",
    clear: "Effacer les filtres",
    anyStatus: "Tous les états",
    anyRole: "Tous les rôles",
    anyFactor: "Avec ou sans validation en deux étapes",
    anyTier: "Toutes les offres",
    anyType: "Tous les types",
    searchApis: "Rechercher par nom ou identifiant",
    searchFlags: "Rechercher par clé ou description",
    nothingFound: (q) => `Aucun résultat pour «\u202F${q}\u202F».`,
    apiCount: (count) => plural(count, { one: "# API", many: "# d’API", other: "# API" }),
    flagCount: (count) =>
      plural(count, { one: "# feature flag", many: "# de feature flags", other: "# feature flags" }),
    role: "Rôle sur la plateforme",
    factor: "Validation en deux étapes",
    factorOn: "Configuré",
    factorOff: "Aucun",
    createdFrom: "Création à partir du",
    createdTo: "Création jusqu’au",
    first: "Première page",
    last: "Dernière page",
    pageSize: "Lignes par page",
    csv: "Exporter en CSV",
    csvHint: (rows) =>
      plural(rows, {
        one: "La ligne trouvée (# au maximum)",
        many: "Les lignes trouvées (# au maximum)",
        other: "Les lignes trouvées (# au maximum)",
      }),
    noMatch: "Aucun élément ne correspond aux filtres. Modifiez ou effacez les filtres.",
    usersDisabled: (count) => plural(count, { one: "# désactivé", many: "# désactivés", other: "# désactivés" }),
    organizationsSuspended: (count) =>
      plural(count, { one: "# suspendue", many: "# suspendues", other: "# suspendues" }),
    onlyMembers: (organization) => `Membres de l’organisation ${organization}`,
    redirectUri: "URI de redirection",
    redirectUriLead: "Déclarez cette adresse auprès du fournisseur.",
    send: "Envoyer le lien",
    verification: "Lien de confirmation de l’adresse e‑mail",
    verificationSent: "Un lien de confirmation de l’adresse vient d’être envoyé à l’utilisateur.",
    reset: "Lien pour un nouveau mot de passe",
    resetSent: "Un lien pour choisir un nouveau mot de passe vient d’être envoyé à l’utilisateur.",
  },
};
