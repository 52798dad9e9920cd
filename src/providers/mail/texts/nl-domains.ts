import type { DomainEmailKinds } from "./shape.ts";

/** E-mails about the domains of an organization. */
export const domainEmails: DomainEmailKinds = {
  domain_failing: {
    subject: "Het DNS-record van {{domain}} ontbreekt",
    preheader: "Zonder het record verliest je organisatie het domein over {{valid_for}}.",
    title: "Er ontbreekt een DNS-record",
    lead:
      "Het TXT-record dat bewijst dat {{domain}} van je organisatie is, ontbreekt. Voeg het record opnieuw toe: " +
      "anders verliest je organisatie het domein over {{valid_for}} en stopt single sign-on voor adressen van het " +
      "domein.",
    button: "Domein controleren",
    after: "De service controleert het record één keer per dag. Op de pagina kun je het altijd zelf controleren.",
  },
  domain_lost: {
    subject: "Je organisatie is het domein {{domain}} kwijt",
    preheader: "Het DNS-record heeft zeven dagen ontbroken.",
    title: "Je organisatie is een domein kwijt",
    lead:
      "Het TXT-record van {{domain}} heeft zeven dagen ontbroken. Single sign-on geldt niet meer voor adressen van " +
      "het domein. Open sessies blijven bestaan.",
    button: "Domein opnieuw verifiëren",
    after: "Wil je het domein weer gebruiken? Voeg het record toe aan DNS en controleer het domein op de pagina.",
  },
  domain_transferred: {
    subject: "Het domein {{domain}} is overgedragen",
    preheader: "De exploitant van {{brand}} heeft besloten van wie het domein is.",
    title: "Een domein is overgedragen",
    lead: "De exploitant van {{brand}} heeft besloten van welke organisatie het domein {{domain}} is.",
    gained:
      "Het domein is nu van je organisatie. Laat het TXT-record in DNS staan: de service controleert het één keer " +
      "per dag.",
    givenUp:
      "Het domein is niet meer van je organisatie. Single sign-on geldt niet meer voor adressen van het domein. Open " +
      "sessies blijven bestaan.",
    button: "Domeinen bekijken",
    after: "Neem bij vragen contact op met de exploitant van {{brand}}.",
  },
  sso_identity_conflict: {
    subject: "Een inlogpoging met single sign-on is geweigerd",
    preheader: "Twee accounts bij je identiteitsprovider hebben het adres {{address}}.",
    title: "Een inlogpoging is geweigerd",
    lead:
      "Bij je identiteitsprovider heeft een tweede account het adres {{address}} van een lid. De inlogpoging via " +
      "de verbinding {{connection}} ({{time}}) is geweigerd, zodat het tweede account niet de " +
      "toegang van het lid krijgt.",
    button: "Single sign-on bekijken",
    after:
      "Heeft het lid een nieuw account bij je identiteitsprovider, ontkoppel dan het vorige account op de " +
      "pagina. Corrigeer anders het adres bij je identiteitsprovider.",
  },
  sso_linked: {
    subject: "Je kunt nu inloggen via {{organization_name}}",
    preheader: "{{organization_name}} logt je in via de eigen identiteitsprovider, alleen voor deze organisatie.",
    title: "Single sign-on is ingesteld",
    lead:
      "Je account bij {{brand}} is nu gekoppeld aan je account bij de identiteitsprovider van " +
      "{{organization_name}}. Inloggen bij die provider geeft alleen toegang tot deze organisatie. Je " +
      "wachtwoord, je andere inlogmethoden en je andere organisaties blijven ongewijzigd.",
    button: "Account bekijken",
    after: "Herken je deze login niet, waarschuw dan een beheerder van {{organization_name}}.",
  },
  sso_break_glass_used: {
    subject: "De noodtoegang is gebruikt",
    preheader: "De gebruiker {{address}} heeft ingelogd zonder je identiteitsprovider.",
    title: "De noodtoegang is gebruikt",
    lead:
      "De gebruiker {{address}} heeft op {{time}} met de noodtoegang ingelogd, terwijl je organisatie single sign-on " +
      "vereist. De sessie eindigt na een uur.",
    button: "Single sign-on bekijken",
    after: "Verwachtte je deze inlogpoging niet, beëindig dan de sessie van deze gebruiker en wijzig het beleid.",
  },
  sso_paused: {
    subject: "Single sign-on is 24 uur lang niet verplicht",
    preheader: "De exploitant van {{brand}} heeft de verplichting onderbroken.",
    title: "De verplichting is onderbroken",
    lead:
      "De exploitant van {{brand}} heeft de verplichting van single sign-on in je organisatie " +
      "onderbroken tot {{time}}. Leden kunnen inloggen met hun eigen methoden. Reden: {{reason}}",
    button: "Single sign-on bekijken",
    after: "De verplichting geldt daarna vanzelf weer. Neem bij vragen contact op met de exploitant van {{brand}}.",
  },
};
