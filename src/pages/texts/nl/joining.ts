/** Dutch: joining of organizations by a verified domain. */
import type { JoiningTexts } from "../en/joining.ts";

export const joiningTexts: JoiningTexts = {
  joining: {
    join: "Lid worden",
    joinOf: (name) => `Lid worden van ${name}`,
    ask: "Lidmaatschap vragen",
    askOf: (name) => `Lidmaatschap vragen: ${name}`,
    openTo: (domain) => `Open voor je adres in ${domain}`,
    asks: (domain) => `Met je adres in ${domain} kun je een verzoek sturen; een lid beslist`,
    requested: "Aangevraagd",
    denied: "Afgewezen",
    deniedHint: "Vraag een lid om een uitnodiging, of vraag het opnieuw 30 dagen na je verzoek",
    sent: "Je verzoek is verstuurd. Je ontvangt een e‑mail met de beslissing.",
    unavailable: "Je kunt geen lid meer worden van deze organisatie, of de organisatie heeft te veel open verzoeken.",
    title: "Verzoeken om lid te worden",
    lead: "Gebruikers met een bevestigd adres in een domein van de organisatie willen lid worden.",
    approve: "Goedkeuren",
    approveOf: (name) => `${name} goedkeuren`,
    deny: "Afwijzen",
    denyOf: (name) => `${name} afwijzen`,
    denyTitle: (name) => `Het verzoek van ${name} afwijzen?`,
    denyText: "De gebruiker ontvangt een e‑mail en kan het 30 dagen na het verzoek opnieuw vragen.",
    asked: "gevraagd",
    approved: "De gebruiker is nu lid en ontvangt een e‑mail.",
    deniedNow: "Het verzoek is afgewezen. De gebruiker ontvangt een e‑mail.",
    outdated: "Over het verzoek is al beslist, of de gebruiker kan niet meer via het domein lid worden.",
  },
  ownOrganizations: {
    lead: "Je wordt eigenaar. Je sessie blijft in de huidige organisatie.",
    created: "De organisatie is aangemaakt. Wissel hieronder naar de organisatie.",
    taken: "Deze slug is al in gebruik. Kies een andere slug.",
    tooMany: "Je bezit al zoveel organisaties als deze service toestaat.",
    unverified: "Bevestig eerst je e‑mailadres.",
  },
};
