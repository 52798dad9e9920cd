import type { AccessEmailKinds, AccessItemNames } from "./shape.ts";

/** E-mails that list what was set up: after a reset of the password, and after the removal of a member. */
export const accessEmails: AccessEmailKinds = {
  credential_review: {
    subject: "Controleer je account bij {{brand}}",
    preheader: "Je wachtwoord is gereset. Beëindig de toegang van wat je niet kent.",
    title: "Controleer wat kort geleden is ingesteld",
    lead:
      "Het wachtwoord van je account bij {{brand}} is gereset. Toegangssleutels, adressen en gekoppelde accounts van " +
      "de laatste zeven dagen loggen niemand in totdat je ze bevestigt.",
    listed: "Kort geleden ingesteld:",
    end: "Ken je een onderdeel niet? Beëindig de toegang dan op deze pagina:",
    button: "Controleren",
    after: "Is alles van jou? Bevestig de onderdelen dan in je beveiligingsinstellingen.",
  },
  member_creations: {
    subject: "Sleutels en links van {{address}} bij {{organization_name}}",
    preheader: "De persoon is geen lid meer of heeft minder rechten. Controleer wat nog geldig is.",
    title: "Controleer wat een persoon heeft ingesteld",
    lead:
      "De gebruiker {{address}} is bij {{brand}} geen lid meer van {{organization_name}} of heeft daar nu minder " +
      "rechten.",
    listed: "Wat deze persoon heeft ingesteld, is nog geldig:",
    button: "Controleren en beëindigen",
    after: "Heeft je organisatie een onderdeel nodig? Vervang het eerst en beëindig daarna de toegang.",
  },
};

export const accessItems: AccessItemNames = {
  passkeys: "Toegangssleutel",
  identities: "Gekoppelde provider",
  company_accounts: "Gekoppeld bedrijfsaccount",
  address_changes: "E-mailadres",
  second_factor: "Authenticator-app",
  api_keys: "API-sleutel",
  webhooks: "Webhook",
  event_streams: "Gebeurtenisstream",
  oauth_grants: "Verbonden applicatie",
  invitations: "Openstaande uitnodiging",
  setup_links: "Configuratielink voor single sign-on",
  connections: "Verbinding voor single sign-on",
  domains: "Domein",
};
