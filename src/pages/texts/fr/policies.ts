/** French: the policies of an organization. */
import { pluralIn } from "../../../base/plural.ts";
import type { PolicyTexts } from "../en/policies.ts";

const plural = pluralIn("fr");

export const policyTexts: PolicyTexts = {
  policies: {
    title: "Politiques",
    lead:
      "Des règles pour tous les membres, dans cette organisation uniquement. Les politiques renforcent les " +
      "paramètres de ce service.",
    notYours: "Seuls les propriétaires et les administrateurs de l’organisation peuvent voir les politiques.",
    notIncluded: "Votre offre ne comprend pas les politiques. Adressez-vous à l’exploitant de ce service.",
    ownersOnly:
      "Seuls les propriétaires et les membres ayant un rôle pour les politiques peuvent modifier les politiques.",
    change: "Modifier les politiques",
    groups: {
      signIn: "Connexion",
      sessions: "Sessions",
      network: "Réseau",
      members: "Membres",
      applications: "Applications",
      passwords: "Mots de passe",
    },
    names: {
      mfa: "Validation en deux étapes",
      mfaGraceDays: "Délai de configuration",
      methods: "Méthodes de connexion",
      trustedBrowsers: "Navigateurs de confiance",
      signInNotices: "E‑mails sur les nouveaux navigateurs",
      sessionMaxHours: "Durée maximale d’une session",
      sessionIdleMinutes: "Inactivité maximale",
      allowedIps: "Réseaux autorisés",
      inviteDomains: "Domaines des adresses invitées",
      domainJoin: "Adhésion par un domaine validé",
      thirdPartyClients: "Applications d’autres fournisseurs",
      approvedClients: "Applications approuvées",
      deviceFlow: "Connexion d’appareils par code",
      passwordMinLength: "Longueur minimale du mot de passe",
      passwordCheck: "Mots de passe courants",
    },
    mfa: {
      optional: "Facultative",
      required: "Obligatoire",
      phishing_resistant: "Clé d’accès obligatoire",
    },
    mfaHint: "Un membre sans second facteur peut seulement en configurer un.",
    days: (count) => plural(count, { one: "# jour", many: "# de jours", other: "# jours" }),
    noDays: "Aucun : la règle s’applique immédiatement",
    daysHint: "En jours, pour les membres sans second facteur, à partir du début de la règle ou de l’adhésion.",
    allMethods: "Toutes les méthodes de ce service",
    methodsHint: "Sans choix, toutes les méthodes sont autorisées. L’authentification unique est toujours autorisée.",
    trustedBrowsers: {
      on: "Remplacent le second facteur",
      off: "Ne remplacent pas le second facteur",
    },
    signInNotices: {
      on: "Toujours",
      off: "Pas pour les connexions par authentification unique",
    },
    hours: (count) => plural(count, { one: "# heure", many: "# d’heures", other: "# heures" }),
    minutes: (count) => plural(count, { one: "# minute", many: "# de minutes", other: "# minutes" }),
    byService: "Selon les paramètres de ce service",
    hoursHint: "Heures à partir de la connexion, de 1 à 2160. Vide : selon les paramètres de ce service.",
    minutesHint: "Minutes sans utilisation, de 5 à 43200. Vide : selon les paramètres de ce service.",
    everyNetwork: "Tous les réseaux",
    networksHint: (address) =>
      "Une adresse ou une plage par ligne, par exemple 192.0.2.0/24. Vide : tous les réseaux. Votre adresse est " +
      `${address}.`,
    everyDomain: "Tous les domaines",
    domainsHint: "Un domaine par ligne, par exemple acme.com. Vide : tous les domaines. Les membres restent membres.",
    domainJoin: {
      off: "Désactivée",
      ask: "Après l’accord d’un administrateur",
      join: "Sans accord",
    },
    thirdPartyClients: {
      any: "Toutes",
      approved: "Applications approuvées uniquement",
      none: "Aucune",
    },
    noApplications: "Aucune",
    applicationsHint: "Les applications que des membres utilisent déjà.",
    deviceFlow: {
      on: "Autorisée",
      off: "Non autorisée",
    },
    characters: (count) => plural(count, { one: "# caractère", many: "# de caractères", other: "# caractères" }),
    lengthHint: "De 12 à 64 caractères, pour le prochain mot de passe. Vide : selon les paramètres de ce service.",
    passwordCheck: {
      on: "Refusés",
      off: "Selon les paramètres de ce service",
    },
    start: "Début",
    startHint: "Les politiques actuelles s’appliquent jusqu’au début.",
    pending: (time) => `De nouvelles politiques s’appliquent à partir du ${time}.`,
    cancelPending: "Annuler les nouvelles politiques",
    cancelled: "Les nouvelles politiques sont annulées. Les politiques actuelles restent en vigueur.",
    saved: "Les politiques sont enregistrées.",
    now: "Actuellement",
    next: "Nouveau",
    policy: "Politique",
    review: "Vérifier la modification",
    unchanged: "Rien ne change.",
    appliesNow: "La modification s’applique dès que vous confirmez.",
    appliesFrom: (time) => `La modification s’applique à partir du ${time}.`,
    effect: "Effet sur les membres",
    affected: (count) =>
      plural(count, {
        one: "La modification concerne # membre.",
        many: "La modification concerne # de membres.",
        other: "La modification concerne # membres.",
      }),
    unaffected: "La modification ne concerne aucun membre actuel.",
    ended: (count) =>
      plural(count, {
        one: "# session prend fin.",
        many: "# de sessions prennent fin.",
        other: "# sessions prennent fin.",
      }),
    member: "Membre",
    rules: {
      mfa: "N’a pas le second facteur",
      methods: "N’a aucune méthode de connexion autorisée",
      session: "Une session prend fin",
      allowed_ips: "Vu en dernier hors des réseaux autorisés",
      invite_domains: "A une adresse d’un autre domaine et reste membre",
      device_flow: "Utilise une application pour appareils et ne peut plus connecter d’appareil",
      passwords: "Le prochain mot de passe suit la nouvelle règle",
      third_party_clients: "Une application perd son accès",
      trusted_browsers: "Confirme le second facteur aussi dans les navigateurs de confiance",
    },
    affectedBy: "Effet",
    firstMembers: "La liste contient les 100 premières adresses.",
    lockOuts: {
      policy_address: "Votre adresse est hors des réseaux autorisés. Vous perdriez votre accès.",
      policy_methods: "Vous ne pouvez utiliser aucune des méthodes autorisées. Vous perdriez votre accès.",
      policy_passkey: "Vous n’avez pas de clé d’accès. Ajoutez d’abord une clé d’accès sous Sécurité.",
      policy_join_role:
        "Les utilisateurs du domaine rejoindraient l’organisation comme administrateurs. " +
        "Seul un administrateur ou un propriétaire peut l’autoriser.",
      policy_owners: "Aucun propriétaire ne pourrait se connecter avec ces politiques.",
    },
    noEmergency:
      "Désignez d’abord un propriétaire pour l’accès d’urgence, dans la politique d’authentification unique. " +
      "Vous pourrez ensuite confirmer la modification.",
    accept: "Appliquer quand même la modification. Un propriétaire avec accès d’urgence peut annuler la modification.",
    apply: "Appliquer la modification",
    back: "Retour au formulaire",
    badNumber: "Saisissez un nombre entier dans les limites.",
    badNetworks:
      "Saisissez des adresses ou des plages comme 192.0.2.0/24, 64 au maximum. Une plage de toutes les adresses " +
      "est refusée.",
    badDomains: "Saisissez des domaines comme acme.com, 50 au maximum.",
  },
};
