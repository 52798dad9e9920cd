import { pluralIn } from "../../../base/plural.ts";
import { accessEmails, accessItems } from "./nl-access.ts";
import { addressEmails } from "./nl-addresses.ts";
import { directoryEmails } from "./nl-directories.ts";
import { domainEmails } from "./nl-domains.ts";
import { leavingEmails } from "./nl-leaving.ts";
import { membershipEmails } from "./nl-memberships.ts";
import type { EmailTexts } from "./shape.ts";

const plural = pluralIn("nl");

export const emailTexts: EmailTexts = {
  greeting: "Hallo{{#name}} {{name}}{{/name}},",
  codeValidity: "De code werkt één keer en is {{valid_for}} geldig.",
  linkValidity: "De link werkt één keer en is {{valid_for}} geldig.",
  copyLink: "Als de knop niet werkt, open dan dit adres:",
  labels: {
    device: "Apparaat",
    address: "IP-adres",
    location: "Plaats",
    time: "Tijd",
    account: "Account",
    provider: "Provider",
    endpoint: "Eindpunt",
    since: "Sinds",
    domain: "Domein",
    recordName: "Naam van het TXT-record",
    recordValue: "Waarde van het TXT-record",
  },
  unknownBrowser: "Onbekende browser",
  browserOn: "{{browser}} op {{system}}",
  unknownBrowserOn: "Onbekende browser op {{system}}",
  moreChanges: (merged) =>
    plural(merged, {
      one: "Sinds de vorige e-mail hierover is er nog # wijziging van deze soort gedaan.",
      other: "Sinds de vorige e-mail hierover zijn er nog # wijzigingen van deze soort gedaan.",
    }),
  reasons: {
    request: "Je ontvangt deze e-mail omdat dit adres is ingevuld bij {{brand}}.",
    invitation: "Je ontvangt deze e-mail omdat een lid van een organisatie bij {{brand}} dit adres heeft uitgenodigd.",
    security:
      "Je ontvangt deze melding omdat die over de beveiliging van je account gaat. Je kunt deze meldingen niet " +
      "uitzetten.",
    webhook: "Je ontvangt deze melding omdat je verantwoordelijk bent voor deze webhook bij {{brand}}.",
    owner: "Je ontvangt deze melding omdat je eigenaar bent van een organisatie bij {{brand}}.",
    data: "Je ontvangt deze e-mail omdat er een kopie van je gegevens is aangevraagd bij {{brand}}.",
  },
  providedBy: "Aangeboden door {{brand}}",
  links: { support: "Hulp", privacy: "Privacy", terms: "Voorwaarden" },
  accessItems,
  kinds: {
    ...accessEmails,
    ...directoryEmails,
    ...domainEmails,
    ...membershipEmails,
    ...leavingEmails,
    email_code: {
      subject: "Je inlogcode voor {{brand}}",
      preheader: "De code is {{valid_for}} geldig. Deel de code nooit.",
      title: "Je inlogcode",
      lead: "Vul deze code in om in te loggen bij {{brand}}:",
      after:
        "Heb je niet geprobeerd in te loggen? Negeer deze e-mail: niemand kan inloggen zonder de code. Deel de code " +
        "nooit.",
    },
    email_verification: {
      subject: "Bevestig je e-mailadres voor {{brand}}",
      preheader: "Rond het maken van je account af. De link is {{valid_for}} geldig.",
      title: "Bevestig je e\u2011mailadres",
      lead:
        "Met dit adres is een account bij {{brand}} gemaakt. Bevestig het adres om het maken van je account af te " +
        "ronden.",
      button: "Dit adres bevestigen",
      after:
        "Bevestig alleen als je dit account zelf hebt gemaakt. Heb je geen account gemaakt? Negeer dan deze e-mail " +
        "en open de link niet.",
    },
    ...addressEmails,
    password_reset: {
      subject: "Kies een nieuw wachtwoord voor {{brand}}",
      preheader: "De link is {{valid_for}} geldig. Je wachtwoord verandert pas als je een nieuw wachtwoord kiest.",
      title: "Kies een nieuw wachtwoord",
      lead: "Er is een nieuw wachtwoord aangevraagd voor je account bij {{brand}}.",
      button: "Nieuw wachtwoord kiezen",
      after: "Heb je geen nieuw wachtwoord aangevraagd? Negeer deze e-mail: je wachtwoord verandert niet.",
    },
    invitation: {
      subject: "Uitnodiging voor “{{organization_name}}” bij {{brand}}",
      preheader: "De uitnodiging is {{valid_for}} geldig.",
      title: "Je bent uitgenodigd",
      lead: "{{inviter_name}} nodigt je uit om lid te worden van {{organization_name}} bij {{brand}}.",
      button: "Uitnodiging accepteren",
      after: "Ken je de afzender niet? Negeer deze e-mail.",
    },
    password_changed: {
      subject: "Je wachtwoord voor {{brand}} is gewijzigd",
      preheader: "{{device}}, {{time}}. Was jij dit niet? Reset je wachtwoord.",
      title: "Je wachtwoord is gewijzigd",
      lead: "Het wachtwoord van je account is gewijzigd. Alle andere sessies zijn uitgelogd.",
      button: "Wachtwoord resetten",
      after:
        "Was jij dit? Dan kun je deze e-mail negeren. Zo niet, reset dan meteen je wachtwoord en neem contact op " +
        "met je beheerder.",
    },
    password_removed: {
      subject: "Je wachtwoord bij {{brand}} is verwijderd",
      preheader: "{{device}}, {{time}}. Was jij dit niet? Stel een nieuw wachtwoord in.",
      title: "Je wachtwoord is verwijderd",
      lead: "Je account heeft geen wachtwoord meer. Log in met een toegangssleutel.",
      button: "Nieuw wachtwoord instellen",
      after:
        "Was jij dit? Dan kun je deze e-mail negeren. Zo niet, stel dan een nieuw wachtwoord in: daarmee worden alle " +
        "sessies uitgelogd.",
    },
    mfa_enabled: {
      subject: "Verificatie in twee stappen aangezet voor {{brand}}",
      preheader: "{{device}}, {{time}}. Was jij dit niet? Wijzig je wachtwoord.",
      title: "Verificatie in twee stappen staat aan",
      lead:
        "Er is een authenticator-app toegevoegd aan je account. Voortaan heb je bij het inloggen een code uit de app " +
        "nodig.",
      button: "Beveiliging controleren",
      after:
        "Was jij dit? Dan kun je deze e-mail negeren. Zo niet, wijzig dan meteen je wachtwoord en neem contact op " +
        "met je beheerder.",
    },
    mfa_disabled: {
      subject: "Verificatie in twee stappen uitgezet voor {{brand}}",
      preheader: "{{device}}, {{time}}. Was jij dit niet? Wijzig je wachtwoord.",
      title: "Verificatie in twee stappen staat uit",
      lead: "De authenticator-app is verwijderd uit je account. Bij het inloggen is geen code uit de app meer nodig.",
      button: "Beveiliging controleren",
      after:
        "Was jij dit? Dan kun je deze e-mail negeren. Zo niet, wijzig dan meteen je wachtwoord en neem contact op " +
        "met je beheerder.",
    },
    mfa_reset: {
      subject: "Verificatie in twee stappen voor {{brand}} is gereset",
      preheader: "Een beheerder heeft je authenticator-app verwijderd. Stel een nieuwe in.",
      title: "Verificatie in twee stappen is gereset",
      lead:
        "Een beheerder heeft de authenticator-app, de herstelcodes en de vertrouwde browsers van je account " +
        "verwijderd en alle sessies uitgelogd.",
      button: "Verificatie instellen",
      after: "Heb je niet om de reset gevraagd? Wijzig je wachtwoord en neem contact op met je beheerder.",
    },
    recovery_codes_renewed: {
      subject: "Nieuwe herstelcodes voor {{brand}}",
      preheader: "{{device}}, {{time}}. De oude codes werken niet meer.",
      title: "Nieuwe herstelcodes",
      lead: "Er zijn nieuwe herstelcodes gemaakt voor je account. De oude codes werken niet meer.",
      button: "Beveiliging controleren",
      after:
        "Was jij dit? Dan kun je deze e-mail negeren. Zo niet, wijzig dan meteen je wachtwoord, maak nieuwe " +
        "herstelcodes en neem contact op met je beheerder.",
    },
    passkey_added: {
      subject: "Toegangssleutel toegevoegd aan je account bij {{brand}}",
      preheader: "{{device}}, {{time}}. Was jij dit niet? Verwijder de toegangssleutel.",
      title: "Er is een toegangssleutel toegevoegd",
      lead:
        "Er is een toegangssleutel toegevoegd aan je account. Hiermee kan zonder wachtwoord bij je account worden " +
        "ingelogd.",
      button: "Toegangssleutels controleren",
      after:
        "Was jij dit? Dan kun je deze e-mail negeren. Zo niet, verwijder dan de toegangssleutel, wijzig je " +
        "wachtwoord en neem contact op met je beheerder.",
    },
    new_browser: {
      subject: "Nieuwe login bij {{brand}}",
      preheader: "{{device}}, {{time}}. Was jij dit niet? Beveilig je account.",
      title: "Nieuwe login bij je account",
      lead: "Er is bij je account bij {{brand}} ingelogd vanuit een browser die we nog niet kenden.",
      notMe:
        "Was jij dit niet? Open deze link om alle apparaten uit te loggen, het wachtwoord te verwijderen en te " +
        "verwijderen wat sinds deze login is toegevoegd. De link werkt één keer en is {{valid_for}} geldig:",
      button: "Activiteit controleren",
      after: "Was jij dit? Dan kun je deze e-mail negeren.",
    },
    identity_linked: {
      subject: "Je kunt nu met {{provider}} inloggen bij {{brand}}",
      preheader: "{{device}}, {{time}}. Was jij dit niet? Wijzig je wachtwoorden.",
      title: "{{provider}} is gekoppeld",
      lead:
        "Je account bij {{provider}} is gekoppeld aan je account bij {{brand}}" +
        "{{^by_user}}, omdat beide dit bevestigde adres hebben{{/by_user}}. " +
        "Iedereen die bij {{provider}} kan inloggen, kan nu bij je account inloggen.",
      button: "Gekoppelde providers controleren",
      after:
        "Was jij dit? Dan kun je deze e-mail negeren. Zo niet, wijzig dan je wachtwoord bij {{provider}} en hier, " +
        "en neem contact op met je beheerder.",
    },
    identity_unlinked: {
      subject: "Je kunt niet meer met {{provider}} inloggen bij {{brand}}",
      preheader: "{{device}}, {{time}}. Was jij dit niet? Beëindig alle andere sessies.",
      title: "{{provider}} is ontkoppeld",
      lead: "Je account bij {{provider}} is ontkoppeld van je account hier. Log hier voortaan op een andere manier in.",
      button: "Gekoppelde providers controleren",
      after:
        "Was jij dit? Dan kun je deze e-mail negeren. Zo niet, log dan in, beëindig alle andere sessies en koppel de " +
        "provider opnieuw.",
    },
    account_secured: {
      subject: "Je account bij {{brand}} is nu alleen van jou",
      preheader: "Alles wat was ingesteld voordat je je adres bevestigde, is verwijderd.",
      title: "Je account is nu alleen van jou",
      lead:
        "Je hebt voor het eerst bevestigd dat het adres van je account bij {{brand}} van jou is. Iemand anders had " +
        "het account eerder kunnen maken. Daarom is alles verwijderd wat tot dan toe in het account was ingesteld: " +
        "alle andere sessies, toegangssleutels, gekoppelde providers en verbonden applicaties, vertrouwde browsers, " +
        "openstaande uitnodigingen, API-sleutels, webhooks en gebeurtenisstreams.",
      secondFactor: "De authenticator-app en de herstelcodes zijn ook verwijderd. Stel een nieuwe app in.",
      password:
        "Het wachtwoord is ook verwijderd. Kies bij het inloggen “Wachtwoord vergeten” om een nieuw wachtwoord in te " +
        "stellen: je krijgt een e-mail met een link.",
      removed: "Verwijderd:",
      items: {
        password: "Wachtwoord",
        second_factor: "Authenticator-app en herstelcodes",
        passkeys: "Toegangssleutel",
        identities: "Gekoppelde provider",
        company_accounts: "Gekoppeld bedrijfsaccount",
        trusted_browsers: "Vertrouwde browser",
        invitations: "Openstaande uitnodiging",
        api_keys: "API-sleutel",
        webhooks: "Webhook (uitgezet)",
        event_streams: "Gebeurtenisstream (uitgezet)",
        setup_links: "Configuratielink voor single sign-on",
        oauth_grants: "Verbonden applicatie",
      },
      named: " “{{name}}”",
      moreRemoved: (count) => plural(count, { one: "en nog #", other: "en nog #" }),
      joined:
        "Deze leden zijn via een uitnodiging van het account lid geworden voordat je je adres bevestigde. Ze zijn " +
        "niet verwijderd:",
      member: "{{name}} bij “{{organization_name}}”",
      moreMembers: "en anderen",
      members: "Ken je een lid niet? Verwijder het lid dan op deze pagina:",
      button: "Beveiliging controleren",
      after: "Was jij dit niet? Reset meteen je wachtwoord en neem contact op met je beheerder.",
    },
    webhook_failing: {
      subject: "Een webhook bij {{brand}} werkt al een uur niet",
      preheader: "Afleveringen aan {{webhook_host}} mislukken. De service blijft het drie dagen proberen.",
      title: "Een webhook werkt niet",
      lead:
        "Afleveringen aan je webhook mislukken. De service blijft het drie dagen proberen; daarna worden " +
        "gebeurtenissen weggegooid.",
      button: "Afleveringen bekijken",
      after:
        "De pagina toont de laatste antwoorden en de tijd van de volgende poging. Je krijgt deze melding één keer " +
        "per storing.",
    },
    webhook_disabled: {
      subject: "Een webhook bij {{brand}} is uitgezet",
      preheader: "{{webhook_host}} ontvangt geen gebeurtenissen meer.",
      title: "Een webhook is uitgezet",
      lead:
        "De service heeft je webhook uitgezet. Zolang de webhook uit staat, worden er geen gebeurtenissen voor " +
        "bewaard.",
      gone: "Het eindpunt antwoordde met status 410: het wil geen gebeurtenissen meer ontvangen.",
      backlog: "Er wachtten meer dan 50.000 afleveringen op het eindpunt.",
      button: "Webhook bekijken",
      after: "Als je de webhook weer aanzet, kunnen gebeurtenissen van de laatste 30 dagen opnieuw worden verstuurd.",
    },
  },
};
