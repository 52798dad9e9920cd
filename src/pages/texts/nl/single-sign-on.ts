/** Dutch: domains of organizations. */
import type { SingleSignOnTexts } from "../en/single-sign-on.ts";

export const singleSignOnTexts: SingleSignOnTexts = {
  singleSignOn: {
    title: "Single sign-on",
    notYours: "Alleen eigenaren en beheerders van de organisatie kunnen single sign-on beheren.",
    notIncluded: "Single sign-on zit niet in je abonnement. Neem contact op met de exploitant van deze service.",
    domains: "Domeinen",
    domainsLead: "Een DNS-record bewijst dat de adressen van een domein van jouw organisatie zijn.",
    domain: "Domein",
    domainHint: "Bijvoorbeeld acme.com. Subdomeinen horen niet bij een domein.",
    notAccepted: "Dit domein is van een provider of van veel eigenaren. Vul een domein van je organisatie in.",
    add: "Domein toevoegen",
    readOnly: "Bevestig je tweede factor om wijzigingen aan te brengen.",
    noDomains: "Nog geen domeinen. Voeg het domein van je e‑mailadressen toe.",
    added: "Het domein is toegevoegd. Voeg nu het TXT-record toe aan DNS.",
    alreadyAdded: "Je organisatie heeft dit domein al, of het maximum van 50 domeinen.",
    statuses: {
      pending: "Niet geverifieerd",
      verified: "Geverifieerd",
      failing: "Record ontbreekt",
      lost: "Verloren",
    },
    pendingText:
      "Voeg dit TXT-record toe aan DNS en controleer daarna het domein. DNS-wijzigingen kunnen een uur duren.",
    verifiedText: "Laat het TXT-record in DNS staan: de service controleert het record één keer per dag.",
    failingText: (date) => `Voeg het TXT-record vóór ${date} opnieuw toe. Anders verlies je het domein.`,
    lostText:
      "Het TXT-record heeft zeven dagen ontbroken. Voeg het record opnieuw toe en controleer daarna het domein.",
    conflictText:
      "Een andere organisatie gebruikt dit domein. Laat je record in DNS staan: het domein wordt van jou zodra het " +
      "record van de andere organisatie zeven dagen heeft ontbroken.",
    record: "TXT-record",
    recordName: "Naam",
    recordValue: "Waarde",
    checked: "gecontroleerd",
    neverChecked: "nog niet gecontroleerd",
    checkNow: "Nu controleren",
    checkNamed: (domain) => `Nu controleren: ${domain}`,
    results: {
      verified: "Het domein is geverifieerd.",
      waiting: "Je record staat in DNS. Het domein wacht op de andere organisatie.",
      missing: "Je record staat nog niet in DNS. DNS-wijzigingen kunnen een uur duren.",
      noResponse: "De DNS-servers reageren niet. Probeer het over een paar minuten opnieuw.",
    },
    found: "In DNS gevonden waarden",
    removeTitle: (domain) => `${domain} verwijderen?`,
    removeText: "Single sign-on stopt meteen voor adressen van het domein. Open sessies blijven bestaan.",
    removed: "Het domein is verwijderd.",
  },
};
