/** French: domains of organizations. */
import type { SingleSignOnTexts } from "../en/single-sign-on.ts";

export const singleSignOnTexts: SingleSignOnTexts = {
  singleSignOn: {
    title: "Authentification unique",
    notYours:
      "Seuls les propriétaires et les administrateurs de l’organisation peuvent gérer l’authentification unique.",
    notIncluded: "Votre offre ne comprend pas l’authentification unique. Adressez-vous à l’exploitant de ce service.",
    domains: "Domaines",
    domainsLead: "Un enregistrement DNS prouve que les adresses d’un domaine appartiennent à votre organisation.",
    domain: "Domaine",
    domainHint: "Par exemple acme.com. Un domaine n’inclut pas ses sous-domaines.",
    notAccepted:
      "Ce domaine appartient à un fournisseur ou à plusieurs titulaires. Saisissez un domaine de votre organisation.",
    add: "Ajouter un domaine",
    readOnly: "Confirmez votre second facteur pour effectuer des modifications.",
    noDomains: "Aucun domaine pour le moment. Ajoutez le domaine de vos adresses e‑mail.",
    added: "Le domaine est ajouté. Ajoutez maintenant l’enregistrement TXT au DNS.",
    alreadyAdded: "Votre organisation a déjà ce domaine, ou le nombre maximal de 50 domaines.",
    statuses: {
      pending: "Non validé",
      verified: "Validé",
      failing: "Enregistrement manquant",
      lost: "Perdu",
    },
    pendingText:
      "Ajoutez cet enregistrement TXT au DNS, puis vérifiez le domaine. Les modifications du DNS peuvent prendre une " +
      "heure.",
    verifiedText: "Conservez l’enregistrement TXT dans le DNS\u00A0: le service le vérifie une fois par jour.",
    failingText: (date) => `Ajoutez de nouveau l’enregistrement TXT avant le ${date}. Sinon, vous perdrez le domaine.`,
    lostText: "L’enregistrement TXT a été absent pendant sept jours. Ajoutez-le de nouveau, puis vérifiez le domaine.",
    conflictText:
      "Une autre organisation utilise ce domaine. Conservez votre enregistrement dans le DNS\u00A0: le domaine vous " +
      "reviendra lorsque l’enregistrement de l’autre organisation aura été absent pendant sept jours.",
    record: "Enregistrement TXT",
    recordName: "Nom",
    recordValue: "Valeur",
    checked: "vérifié",
    neverChecked: "pas encore vérifié",
    checkNow: "Vérifier maintenant",
    checkNamed: (domain) => `Vérifier maintenant : ${domain}`,
    results: {
      verified: "Le domaine est validé.",
      waiting: "Votre enregistrement est dans le DNS. Le domaine est en attente de l’autre organisation.",
      missing: "Votre enregistrement n’est pas encore dans le DNS. Les modifications peuvent prendre une heure.",
      noResponse: "Les serveurs DNS ne répondent pas. Réessayez dans quelques minutes.",
    },
    found: "Valeurs trouvées dans le DNS",
    removeTitle: (domain) => `Supprimer ${domain}\u202F?`,
    removeText:
      "L’authentification unique prend fin immédiatement pour les adresses du domaine. Les sessions ouvertes sont " +
      "conservées.",
    removed: "Le domaine a été supprimé.",
  },
};
