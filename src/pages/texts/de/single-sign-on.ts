/** German: domains of organizations. */
import type { SingleSignOnTexts } from "../en/single-sign-on.ts";

export const singleSignOnTexts: SingleSignOnTexts = {
  singleSignOn: {
    title: "Single Sign-on",
    notYours: "Nur Inhaber und Administratoren der Organisation können Single Sign-on verwalten.",
    notIncluded: "Ihr Tarif enthält kein Single Sign-on. Wenden Sie sich an den Betreiber dieses Dienstes.",
    domains: "Domains",
    domainsLead: "Ein DNS-Eintrag belegt, dass Ihrer Organisation die Adressen einer Domain gehören.",
    domain: "Domain",
    domainHint: "Zum Beispiel acme.com. Eine Domain umfasst ihre Subdomains nicht.",
    notAccepted:
      "Diese Domain gehört einem Anbieter oder vielen Inhabern. Geben Sie eine Domain Ihrer Organisation ein.",
    add: "Domain hinzufügen",
    readOnly: "Bestätigen Sie Ihren zweiten Faktor, um Änderungen vorzunehmen.",
    noDomains: "Noch keine Domains. Fügen Sie die Domain Ihrer E‑Mail-Adressen hinzu.",
    added: "Die Domain ist hinzugefügt. Legen Sie jetzt den TXT-Eintrag im DNS an.",
    alreadyAdded: "Ihre Organisation hat diese Domain bereits oder die Höchstzahl von 50 Domains erreicht.",
    statuses: { pending: "Nicht bestätigt", verified: "Bestätigt", failing: "Eintrag fehlt", lost: "Verloren" },
    pendingText:
      "Legen Sie diesen TXT-Eintrag im DNS an und prüfen Sie dann die Domain. Änderungen im DNS können eine Stunde " +
      "dauern.",
    verifiedText: "Behalten Sie den TXT-Eintrag im DNS: Der Dienst prüft den Eintrag einmal täglich.",
    failingText: (date) => `Legen Sie den TXT-Eintrag vor dem ${date} wieder an. Sonst verlieren Sie die Domain.`,
    lostText:
      "Der TXT-Eintrag hat sieben Tage lang gefehlt. Legen Sie den Eintrag wieder an und prüfen Sie dann die Domain.",
    conflictText:
      "Eine andere Organisation verwendet diese Domain. Behalten Sie Ihren Eintrag im DNS: Die Domain gehört Ihnen, " +
      "sobald der Eintrag der anderen Organisation sieben Tage lang gefehlt hat.",
    record: "TXT-Eintrag",
    recordName: "Name",
    recordValue: "Wert",
    checked: "geprüft",
    neverChecked: "noch nicht geprüft",
    checkNow: "Jetzt prüfen",
    checkNamed: (domain) => `Jetzt prüfen: ${domain}`,
    results: {
      verified: "Die Domain ist bestätigt.",
      waiting: "Ihr Eintrag ist im DNS. Die Domain wartet auf die andere Organisation.",
      missing: "Ihr Eintrag ist noch nicht im DNS. Änderungen im DNS können eine Stunde dauern.",
      noResponse: "Die DNS-Server antworten nicht. Versuchen Sie es in einigen Minuten erneut.",
    },
    found: "Im DNS gefundene Werte",
    removeTitle: (domain) => `${domain} entfernen?`,
    removeText: "Single Sign-on endet sofort für Adressen der Domain. Offene Sitzungen bestehen weiter.",
    removed: "Die Domain ist entfernt.",
  },
};
