/** French: copies of the user's data, and the deletion of accounts and organizations. */
import { pluralIn } from "../../../base/plural.ts";
import type { LeavingTexts } from "../en/leaving.ts";

const plural = pluralIn("fr");

export const leavingTexts: LeavingTexts = {
  dataExport: {
    title: "Vos données",
    lead: "Demandez une copie des données de votre compte. Vous recevrez un e‑mail lorsque la copie sera prête.",
    contents:
      "La copie est un fichier JSON contenant votre profil, vos adresses, organisations, sessions, clés d’accès et " +
      "applications, les invitations envoyées et votre activité. Elle ne contient ni mot de passe ni clé.",
    request: "Demander une copie",
    requested: "Votre copie est en préparation. Vous recevrez un e‑mail lorsqu’elle sera prête.",
    limited: (span) => `Vous pouvez demander une copie par jour. Réessayez dans ${span}.`,
    copies: "Copies demandées",
    none: "Aucune copie n’a été demandée.",
    pending: "En préparation",
    failed: "La copie n’a pas pu être créée. Demandez une nouvelle copie.",
    until: (time) => `Disponible jusqu’au ${time}`,
    requestedOn: (day) => `Demandée le ${day}`,
    download: "Télécharger",
    signInAgain: "Déconnectez-vous, puis reconnectez-vous pour continuer.",
  },
  deleteAccount: {
    title: "Supprimer le compte",
    open: "Supprimer mon compte",
    rowDetails: "Ferme le compte maintenant et efface toutes les données plus tard.",
    exportDetails: "Obtenez une copie de vos données dans un fichier.",
    now: "Immédiatement",
    signedOut: "Vous êtes déconnecté de tous vos appareils et les applications perdent l’accès.",
    noSignIn: "Personne ne peut plus se connecter au compte.",
    invitations: "Vos invitations en attente sont annulées.",
    organizationsSuspended: (names) => `Ces organisations n’ont pas d’autre membre et sont suspendues\u00A0: ${names}.`,
    later: (days) => plural(days, { one: "Après # jour", many: "Après # de jours", other: "Après # jours" }),
    immediately: "Juste après",
    erased: "Votre profil, vos adresses, méthodes de connexion, appareils et accès d’applications sont effacés.",
    organizationsErased: (names) => `Ces organisations sont effacées avec votre compte\u00A0: ${names}.`,
    kept: "Les journaux d’activité conservent un identifiant, sans votre nom ni votre adresse.",
    cancelUntil: "D’ici là, vous pouvez conserver le compte grâce au lien que nous vous enverrons par e‑mail.",
    noCancel: "La suppression est irréversible.",
    lastOwner: (names) => `Nommez d’abord un autre membre propriétaire de ces organisations\u00A0: ${names}.`,
    breakGlass: (names) =>
      `Vous détenez l’accès d’urgence à ces organisations. Désignez-y d’abord un autre membre\u00A0: ${names}.`,
    lastPlatformOwner:
      "Vous êtes le dernier propriétaire de la plateforme. Nommez d’abord un autre utilisateur propriétaire.",
    typeEmail: (email) => `Saisissez ${email} pour confirmer`,
    wrongEmail: "Ce n’est pas l’adresse de votre compte.",
    code: "Code reçu par e‑mail",
    sendCode: "Envoyer un code",
    codeSent: "Nous avons envoyé un code à votre adresse.",
    wrongCode: "Le code est incorrect ou a expiré.",
    codeLead: "Votre compte n’a pas de mot de passe. Un code permet de confirmer la suppression.",
    done:
      "Nous vous avons envoyé un e‑mail. Jusqu’à l’effacement des données, vous pouvez conserver le compte grâce au " +
      "lien qu’il contient.",
    doneImmediate: "Toutes les données du compte sont en cours d’effacement.",
  },
  cancelDeletion: {
    title: "Conserver le compte",
    lead: "La suppression sera annulée et vous pourrez vous reconnecter. Vous restez déconnecté de tous vos appareils.",
    action: "Conserver mon compte",
    doneTitle: "Le compte est conservé",
    done: "La suppression est annulée. Vous pouvez vous reconnecter.",
    organizationTitle: "Conserver l’organisation",
    organizationLead: "La suppression sera annulée\u202F; les membres et les clés API auront de nouveau accès.",
    organizationAction: "Conserver l’organisation",
    organizationDoneTitle: "L’organisation est conservée",
    organizationDone: "La suppression est annulée. Les membres peuvent se reconnecter.",
    dead: "Le lien a expiré ou a déjà été utilisé.",
  },
  deleteOrganization: {
    title: (name) => `Supprimer ${name}`,
    open: "Supprimer l’organisation",
    lead:
      "Toutes les données de l’organisation sont effacées après 30 jours. D’ici là, chaque propriétaire peut " +
      "conserver l’organisation.",
    suspended: "L’organisation est immédiatement suspendue\u00A0: les membres et les clés API n’ont plus accès.",
    erased:
      "Après 30 jours, les membres, les invitations, les clés API et les webhooks sont effacés. Les comptes des " +
      "membres sont conservés.",
    notice: "Chaque propriétaire reçoit un e‑mail avec un lien qui permet de conserver l’organisation.",
    export: "Télécharger les données",
    typeSlug: (slug) => `Saisissez ${slug} pour confirmer`,
    wrongSlug: "Ce n’est pas le slug de l’organisation.",
    done: "L’organisation est suspendue et sera supprimée.",
    ownersOnly: "Seul un propriétaire peut supprimer l’organisation.",
  },
  adminDeletions: {
    title: "Suppressions",
    lead: "Suppressions en attente et effacements des 180 derniers jours.",
    none: "Aucune suppression n’est en attente.",
    user: "Utilisateur",
    organization: "Organisation",
    due: "Effacement",
    erased: "Effacé",
    reason: "Motif",
    reasonHint: "Le motif est effacé avec les données.",
    badReason: "Saisissez un motif de 500 caractères au maximum.",
    cancel: "Annuler la suppression",
    cancelled: "La suppression est annulée.",
    pendingUntil: (time) => `L’effacement est prévu le ${time}.`,
    deleteUser: "Supprimer l’utilisateur",
    deleteUserText:
      "Le compte est immédiatement fermé. L’utilisateur reçoit un e‑mail avec un lien pour annuler la suppression.",
    deleteOrganization: "Supprimer l’organisation",
    deleteOrganizationText:
      "L’organisation est immédiatement suspendue. Les propriétaires reçoivent un e‑mail avec un lien pour annuler " +
      "la suppression.",
    requestedDone: "La suppression est demandée.",
    conflict:
      "Opération impossible\u00A0: une suppression est déjà en attente, ou une organisation n’aurait plus de " +
      "propriétaire.",
  },
};
