/** What was set up in an account or an organization, and may end. */
import type { RecentAccessTexts } from "../en/recent-access.ts";

export const recentAccessTexts: RecentAccessTexts = {
  credentialReview: {
    title: "Configuré récemment",
    lead: "Vérifiez ce qui a été configuré avant la dernière réinitialisation de votre mot de passe.",
    held: "En attente de votre confirmation",
    confirm: "C’était moi",
    end: "Mettre fin à l’accès",
    effects: "Tous les éléments de la liste sont supprimés et vous êtes déconnecté de tous les autres appareils.",
    factorStays:
      "L’application d’authentification reste. Supprimez-la dans vos paramètres de sécurité ou contactez votre " +
      "administrateur.",
    confirmed: "Les éléments sont confirmés.",
    ended: "L’accès par les éléments de la liste a pris fin.",
    note: "Votre mot de passe a été réinitialisé. Vérifiez ce qui a été configuré avant.",
    review: "Vérifier",
    dead: "Le lien a expiré ou a déjà été utilisé.",
    skip: "Continuer vers la connexion",
    none: "Il n’y a rien à vérifier.",
  },
  creations: {
    title: (name: string) => `Configuré par ${name}`,
    lead: "Ce que cette personne a configuré dans l’organisation et qui reste valide.",
    end: "Mettre fin aux clés et liens",
    stays:
      "Les connexions et domaines restent, car des membres s’en servent pour se connecter. Vérifiez-les sur leur " +
      "page.",
    ended: "Les clés et liens de la personne ont pris fin.",
    none: "Rien de ce que cette personne a configuré n’est valide.",
    open: "Ouvrir",
  },
  accessItems: {
    passkeys: "Clé d’accès",
    identities: "Fournisseur associé",
    company_accounts: "Compte d’entreprise associé",
    address_changes: "Adresse e\u2011mail",
    second_factor: "Application d’authentification",
    api_keys: "Clé API",
    webhooks: "Webhook",
    event_streams: "Flux d’événements",
    oauth_grants: "Application connectée",
    invitations: "Invitation en attente",
    setup_links: "Lien de configuration de l’authentification unique",
    connections: "Connexion d’authentification unique",
    domains: "Domaine",
  },
};
