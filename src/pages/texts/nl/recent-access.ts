/** What was set up in an account or an organization, and may end. */
import type { RecentAccessTexts } from "../en/recent-access.ts";

export const recentAccessTexts: RecentAccessTexts = {
  credentialReview: {
    title: "Kort geleden ingesteld",
    lead: "Controleer wat is ingesteld voordat je wachtwoord voor het laatst werd gereset.",
    held: "Wacht op je bevestiging",
    confirm: "Dit was ik",
    end: "Toegang beëindigen",
    effects: "Alle onderdelen van de lijst worden verwijderd en je wordt uitgelogd op alle andere apparaten.",
    factorStays:
      "De authenticator-app blijft. Verwijder de app in je beveiligingsinstellingen of vraag het je beheerder.",
    confirmed: "De onderdelen zijn bevestigd.",
    ended: "De toegang via de onderdelen van de lijst is beëindigd.",
    note: "Je wachtwoord is gereset. Controleer wat daarvoor is ingesteld.",
    review: "Controleren",
    dead: "De link is verlopen of al gebruikt.",
    skip: "Doorgaan naar inloggen",
    none: "Er is niets om te controleren.",
  },
  creations: {
    title: (name: string) => `Ingesteld door ${name}`,
    lead: "Wat deze persoon in de organisatie heeft ingesteld en nog geldig is.",
    end: "Sleutels en links beëindigen",
    stays: "Verbindingen en domeinen blijven, omdat leden ermee inloggen. Controleer ze op hun pagina.",
    ended: "De sleutels en links van de persoon zijn beëindigd.",
    none: "Niets wat deze persoon heeft ingesteld, is geldig.",
    open: "Openen",
  },
  accessItems: {
    passkeys: "Toegangssleutel",
    identities: "Gekoppelde provider",
    company_accounts: "Gekoppeld bedrijfsaccount",
    address_changes: "E\u2011mailadres",
    second_factor: "Authenticator-app",
    api_keys: "API-sleutel",
    webhooks: "Webhook",
    event_streams: "Gebeurtenisstream",
    oauth_grants: "Verbonden applicatie",
    invitations: "Openstaande uitnodiging",
    setup_links: "Configuratielink voor single sign-on",
    connections: "Verbinding voor single sign-on",
    domains: "Domein",
  },
};
