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
  organization_factor_enabled: {
    subject: "Tweede factor ingesteld voor {{organization_name}}",
    preheader: "{{device}}, {{time}}. Was jij dit niet? Waarschuw een beheerder van {{organization_name}}.",
    title: "Er is een tweede factor ingesteld",
    lead:
      "Er is een authenticator-app ingesteld voor single sign-on bij {{organization_name}}. De app is alleen na " +
      "die login nodig. Je wachtwoord en je andere inlogmethoden blijven ongewijzigd.",
    button: "Account bekijken",
    after:
      "Was jij dit? Dan kun je deze e-mail negeren. Zo niet, waarschuw dan meteen een beheerder van " +
      "{{organization_name}}.",
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
  requirement_lifted: {
    subject: "Een verplichting van je organisatie geldt mogelijk niet meer",
    preheader: "De instelling {{setting}} hoorde bij de verplichting.",
    title: "Een instelling van een verplichting is gewijzigd",
    lead:
      "Je organisatie verplicht single sign-on of een tweede factor. De instelling {{setting}}, een deel van " +
      "deze verplichting, is op {{time}} gewijzigd of verwijderd door een lid dat het beleid mag wijzigen.",
    button: "Single sign-on bekijken",
    after:
      "Verwacht je deze wijziging niet? Herstel dan de instelling en controleer in het auditlog wie de " +
      "wijziging heeft gedaan.",
  },
  sso_certificate_expiring: {
    subject: "Een certificaat van je identiteitsprovider verloopt op {{time}}",
    preheader: "De verbinding {{connection}} gebruikt dit certificaat.",
    title: "Een certificaat verloopt",
    lead:
      "Een certificaat van de identiteitsprovider van de verbinding {{connection}} is geldig tot {{time}}. Vraag " +
      "de beheerder van de identiteitsprovider om het volgende certificaat.",
    button: "Verbinding controleren",
    after:
      "Voeg het volgende certificaat toe naast het oude, zodat geen login mislukt. Met het adres van de metagegevens " +
      "leest de service nieuwe certificaten zelf.",
  },
  sso_secret_expiring: {
    subject: "Het clientgeheim van je identiteitsprovider verloopt op {{time}}",
    preheader: "De verbinding {{connection}} gebruikt dit geheim.",
    title: "Een clientgeheim verloopt",
    lead:
      "Het clientgeheim van de verbinding {{connection}} is geldig tot {{time}}. Maak bij de identiteitsprovider " +
      "een nieuw geheim.",
    button: "Verbinding controleren",
    after: "Voer het nieuwe geheim en de nieuwe datum in voordat het oude verloopt, zodat geen login mislukt.",
  },
  sso_certificates_changed: {
    subject: "De certificaten van de verbinding {{connection}} zijn gewijzigd",
    preheader: "De metagegevens van je identiteitsprovider zijn gewijzigd op {{time}}.",
    title: "Certificaten zijn gewijzigd",
    lead:
      "De service heeft op {{time}} nieuwe metagegevens van de identiteitsprovider van de verbinding {{connection}} " +
      "gelezen en de certificaten van de verbinding gewijzigd.",
    button: "Verbinding controleren",
    after:
      "Verwacht je deze wijziging niet? Deactiveer dan de verbinding en neem contact op met de beheerder van de " +
      "identiteitsprovider.",
  },
  sso_setup_link: {
    subject: "Stel single sign-on in voor {{organization_name}}",
    preheader: "{{inviter_name}} vraagt je om je identiteitsprovider te verbinden.",
    title: "Single sign-on instellen",
    lead:
      "{{inviter_name}} vraagt je om single sign-on voor {{organization_name}} bij {{brand}} in te stellen. Je " +
      "hebt geen account nodig. De link werkt in één browser: open de link in de browser waarmee je je " +
      "identiteitsprovider beheert.",
    button: "Configuratie beginnen",
    after: "Stuur de link niet door. Verwacht je deze e-mail niet, negeer deze dan.",
  },
  sso_activation_requested: {
    subject: "Een verbinding wacht op je activering",
    preheader: "De configuratie van {{connection}} is voltooid.",
    title: "Activeer de verbinding",
    lead:
      "De configuratie van de verbinding {{connection}} is op {{time}} voltooid met een configuratielink. " +
      "Controleer de instellingen. Leden kunnen inloggen zodra een eigenaar de verbinding activeert.",
    button: "Verbinding bekijken",
    after:
      "Weet je niet wie de verbinding heeft ingesteld? Activeer de verbinding dan niet en trek de configuratielink in.",
  },
};
