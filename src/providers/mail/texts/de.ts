import { pluralIn } from "../../../base/plural.ts";
import { accessEmails, accessItems } from "./de-access.ts";
import { addressEmails } from "./de-addresses.ts";
import { directoryEmails } from "./de-directories.ts";
import { domainEmails } from "./de-domains.ts";
import { leavingEmails } from "./de-leaving.ts";
import { membershipEmails } from "./de-memberships.ts";
import type { EmailTexts } from "./shape.ts";

const plural = pluralIn("de");

export const emailTexts: EmailTexts = {
  greeting: "Guten Tag{{#name}} {{name}}{{/name}},",
  codeValidity: "Der Code gilt einmal und {{valid_for}} lang.",
  linkValidity: "Der Link gilt einmal und {{valid_for}} lang.",
  copyLink: "Falls die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse:",
  labels: {
    device: "Gerät",
    address: "IP-Adresse",
    location: "Ort",
    time: "Zeit",
    account: "Konto",
    provider: "Anbieter",
    endpoint: "Endpunkt",
    since: "Seit",
    domain: "Domain",
    recordName: "Name des TXT-Eintrags",
    recordValue: "Wert des TXT-Eintrags",
  },
  unknownBrowser: "Unbekannter Browser",
  browserOn: "{{browser}} auf {{system}}",
  unknownBrowserOn: "Unbekannter Browser auf {{system}}",
  moreChanges: (merged) =>
    plural(merged, {
      one: "Seit der vorigen E-Mail dazu gab es # weitere Änderung dieser Art.",
      other: "Seit der vorigen E-Mail dazu gab es # weitere Änderungen dieser Art.",
    }),
  reasons: {
    request: "Sie erhalten diese E-Mail, weil diese Adresse bei {{brand}} eingegeben wurde.",
    invitation:
      "Sie erhalten diese E-Mail, weil ein Mitglied einer Organisation bei {{brand}} diese Adresse eingeladen hat.",
    security:
      "Sie erhalten diese Nachricht, weil sie die Sicherheit Ihres Kontos betrifft. Sie lässt sich nicht abbestellen.",
    webhook: "Sie erhalten diese Nachricht, weil Sie für diesen Webhook bei {{brand}} zuständig sind.",
    owner: "Sie erhalten diese Nachricht, weil Ihnen eine Organisation bei {{brand}} gehört.",
    data: "Sie erhalten diese E-Mail, weil bei {{brand}} eine Kopie Ihrer Daten angefordert wurde.",
  },
  providedBy: "Bereitgestellt von {{brand}}",
  links: { support: "Hilfe", privacy: "Datenschutz", terms: "Nutzungsbedingungen" },
  accessItems,
  kinds: {
    ...accessEmails,
    ...directoryEmails,
    ...domainEmails,
    ...membershipEmails,
    email_code: {
      subject: "Ihr Anmeldecode für {{brand}}",
      preheader: "Der Code gilt {{valid_for}} lang. Geben Sie den Code nie weiter.",
      title: "Ihr Anmeldecode",
      lead: "Melden Sie sich mit diesem Code bei {{brand}} an:",
      after:
        "Sie wollten sich nicht anmelden? Ignorieren Sie diese E-Mail: Ohne den Code kann sich niemand anmelden. " +
        "Geben Sie den Code nie weiter.",
    },
    email_verification: {
      subject: "Bestätigen Sie Ihre E-Mail-Adresse für {{brand}}",
      preheader: "Schließen Sie die Einrichtung Ihres Kontos ab. Der Link gilt {{valid_for}} lang.",
      title: "Bestätigen Sie Ihre E\u2011Mail\u2011Adresse",
      lead:
        "Mit dieser Adresse wurde bei {{brand}} ein Konto angelegt. Bestätigen Sie die Adresse, um die Einrichtung " +
        "Ihres Kontos abzuschließen.",
      button: "Diese Adresse bestätigen",
      after:
        "Bestätigen Sie nicht, wenn Sie dieses Konto nicht selbst registriert haben. Ignorieren Sie dann diese " +
        "E-Mail, und öffnen Sie den Link nicht.",
    },
    ...addressEmails,
    ...leavingEmails,
    password_reset: {
      subject: "Neues Passwort für {{brand}}",
      preheader: "Der Link gilt {{valid_for}} lang. Ihr Passwort ändert sich erst, wenn Sie ein neues wählen.",
      title: "Neues Passwort wählen",
      lead: "Für Ihr Konto bei {{brand}} wurde ein neues Passwort angefordert.",
      button: "Neues Passwort wählen",
      after: "Sie haben kein neues Passwort angefordert? Ignorieren Sie diese E-Mail: Ihr Passwort bleibt unverändert.",
    },
    invitation: {
      subject: "Einladung zu „{{organization_name}}“ bei {{brand}}",
      preheader: "Die Einladung gilt {{valid_for}} lang.",
      title: "Sie sind eingeladen",
      lead: "{{inviter_name}} lädt Sie ein, {{organization_name}} bei {{brand}} beizutreten.",
      button: "Einladung annehmen",
      after: "Sie kennen den Absender nicht? Ignorieren Sie diese E-Mail.",
    },
    password_changed: {
      subject: "Ihr Passwort für {{brand}} wurde geändert",
      preheader: "{{device}}, {{time}}. Wenn Sie das nicht waren, setzen Sie Ihr Passwort zurück.",
      title: "Ihr Passwort wurde geändert",
      lead: "Das Passwort Ihres Kontos wurde geändert. Alle anderen Sitzungen sind abgemeldet.",
      button: "Passwort zurücksetzen",
      after:
        "Waren Sie das? Dann können Sie diese E-Mail ignorieren. Wenn nicht, setzen Sie Ihr Passwort sofort zurück " +
        "und benachrichtigen Sie Ihre Administration.",
    },
    password_removed: {
      subject: "Ihr Passwort bei {{brand}} wurde entfernt",
      preheader: "{{device}}, {{time}}. Wenn Sie das nicht waren, legen Sie ein neues Passwort fest.",
      title: "Ihr Passwort wurde entfernt",
      lead: "Ihr Konto hat kein Passwort mehr. Melden Sie sich mit einem Passkey an.",
      button: "Neues Passwort festlegen",
      after:
        "Waren Sie das? Dann können Sie diese E-Mail ignorieren. Wenn nicht, legen Sie ein neues Passwort fest: " +
        "Alle Sitzungen enden dann.",
    },
    mfa_enabled: {
      subject: "Zwei-Faktor-Anmeldung für {{brand}} eingeschaltet",
      preheader: "{{device}}, {{time}}. Wenn Sie das nicht waren, ändern Sie Ihr Passwort.",
      title: "Zwei-Faktor-Anmeldung ist eingeschaltet",
      lead:
        "Ihrem Konto wurde eine Authenticator-App hinzugefügt. Die Anmeldung fragt ab jetzt nach einem Code der " +
        "App.",
      button: "Sicherheit überprüfen",
      after:
        "Waren Sie das? Dann können Sie diese E-Mail ignorieren. Wenn nicht, ändern Sie sofort Ihr Passwort und " +
        "benachrichtigen Sie Ihre Administration.",
    },
    mfa_disabled: {
      subject: "Zwei-Faktor-Anmeldung für {{brand}} ausgeschaltet",
      preheader: "{{device}}, {{time}}. Wenn Sie das nicht waren, ändern Sie Ihr Passwort.",
      title: "Zwei-Faktor-Anmeldung ist ausgeschaltet",
      lead:
        "Die Authenticator-App wurde aus Ihrem Konto entfernt. Die Anmeldung fragt nicht mehr nach einem Code der " +
        "App.",
      button: "Sicherheit überprüfen",
      after:
        "Waren Sie das? Dann können Sie diese E-Mail ignorieren. Wenn nicht, ändern Sie sofort Ihr Passwort und " +
        "benachrichtigen Sie Ihre Administration.",
    },
    mfa_reset: {
      subject: "Zwei-Faktor-Anmeldung für {{brand}} zurückgesetzt",
      preheader: "Die Administration hat Ihre Authenticator-App entfernt. Richten Sie eine neue ein.",
      title: "Zwei-Faktor-Anmeldung wurde zurückgesetzt",
      lead:
        "Die Administration hat die Authenticator-App, die Wiederherstellungscodes und die vertrauenswürdigen " +
        "Browser Ihres Kontos entfernt und alle Sitzungen beendet.",
      button: "Zwei-Faktor-Anmeldung einrichten",
      after: "Sie haben nicht darum gebeten? Ändern Sie Ihr Passwort und fragen Sie Ihre Administration.",
    },
    recovery_codes_renewed: {
      subject: "Neue Wiederherstellungscodes für {{brand}}",
      preheader: "{{device}}, {{time}}. Die alten Codes gelten nicht mehr.",
      title: "Neue Wiederherstellungscodes",
      lead: "Für Ihr Konto wurden neue Wiederherstellungscodes erstellt. Die alten Codes gelten nicht mehr.",
      button: "Sicherheit überprüfen",
      after:
        "Waren Sie das? Dann können Sie diese E-Mail ignorieren. Wenn nicht, ändern Sie sofort Ihr Passwort, " +
        "erstellen Sie neue Wiederherstellungscodes und benachrichtigen Sie Ihre Administration.",
    },
    passkey_added: {
      subject: "Ihrem Konto bei {{brand}} wurde ein Passkey hinzugefügt",
      preheader: "{{device}}, {{time}}. Wenn Sie das nicht waren, löschen Sie den Passkey.",
      title: "Ein Passkey wurde hinzugefügt",
      lead:
        "Ihrem Konto wurde ein Passkey hinzugefügt. Mit dem Passkey ist die Anmeldung an Ihrem Konto ohne Passwort " +
        "möglich.",
      button: "Passkeys überprüfen",
      after:
        "Waren Sie das? Dann können Sie diese E-Mail ignorieren. Wenn nicht, löschen Sie den Passkey, ändern Sie " +
        "Ihr Passwort und benachrichtigen Sie Ihre Administration.",
    },
    new_browser: {
      subject: "Neue Anmeldung bei {{brand}}",
      preheader: "{{device}}, {{time}}. Wenn Sie das nicht waren, sichern Sie Ihr Konto.",
      title: "Neue Anmeldung an Ihrem Konto",
      lead: "An Ihrem Konto bei {{brand}} gab es eine Anmeldung in einem Browser, den wir noch nicht kannten.",
      notMe:
        "Das waren nicht Sie? Öffnen Sie diesen Link, um alle Geräte abzumelden, das Passwort zu entfernen und zu " +
        "entfernen, was seit dieser Anmeldung hinzukam. Der Link gilt einmal und {{valid_for}}:",
      button: "Aktivität überprüfen",
      after: "Waren Sie das? Dann können Sie diese E-Mail ignorieren.",
    },
    identity_linked: {
      subject: "Die Anmeldung mit {{provider}} ist bei {{brand}} jetzt möglich",
      preheader: "{{device}}, {{time}}. Wenn Sie das nicht waren, ändern Sie Ihre Passwörter.",
      title: "{{provider}} wurde verbunden",
      lead:
        "Ihr Konto bei {{provider}} wurde mit Ihrem Konto bei {{brand}} verbunden" +
        "{{^by_user}}, weil beide diese bestätigte Adresse haben{{/by_user}}. " +
        "Wer sich bei {{provider}} anmelden kann, kann sich jetzt an Ihrem Konto anmelden.",
      button: "Verbundene Anbieter überprüfen",
      after:
        "Waren Sie das? Dann können Sie diese E-Mail ignorieren. Wenn nicht, ändern Sie Ihr Passwort bei " +
        "{{provider}} und hier, und benachrichtigen Sie Ihre Administration.",
    },
    identity_unlinked: {
      subject: "Die Anmeldung mit {{provider}} ist bei {{brand}} nicht mehr möglich",
      preheader: "{{device}}, {{time}}. Wenn Sie das nicht waren, beenden Sie alle anderen Sitzungen.",
      title: "{{provider}} wurde getrennt",
      lead: "Ihr Konto bei {{provider}} ist nicht mehr mit Ihrem Konto hier verbunden. Melden Sie sich hier anders an.",
      button: "Verbundene Anbieter überprüfen",
      after:
        "Waren Sie das? Dann können Sie diese E-Mail ignorieren. Wenn nicht, melden Sie sich an, beenden Sie alle " +
        "anderen Sitzungen und verbinden Sie den Anbieter neu.",
    },
    account_secured: {
      subject: "Ihr Konto bei {{brand}} gehört jetzt nur Ihnen",
      preheader: "Was vor der Bestätigung Ihrer Adresse eingerichtet war, wurde entfernt.",
      title: "Ihr Konto gehört jetzt nur Ihnen",
      lead:
        "Sie haben zum ersten Mal bestätigt, dass die Adresse Ihres Kontos bei {{brand}} Ihnen gehört. Vorher " +
        "hätte jemand anderes das Konto registrieren können. Deshalb wurde entfernt, was bis dahin im Konto " +
        "eingerichtet war: alle anderen Sitzungen, Passkeys, verbundene Anbieter und Anwendungen, " +
        "vertrauenswürdige Browser, offene Einladungen, API-Schlüssel, Webhooks und Ereignisströme.",
      secondFactor:
        "Auch die Authenticator-App und ihre Wiederherstellungscodes wurden entfernt. Bitte richten Sie eine neue ein.",
      password:
        "Auch das Passwort wurde entfernt. Um ein neues zu setzen, wählen Sie bei der Anmeldung „Passwort " +
        "vergessen“: Sie erhalten eine E-Mail mit einem Link.",
      removed: "Entfernt wurden:",
      items: {
        password: "Passwort",
        second_factor: "Authenticator-App und Wiederherstellungscodes",
        passkeys: "Passkey",
        identities: "Verbundener Anbieter",
        company_accounts: "Verknüpftes Firmenkonto",
        trusted_browsers: "Vertrauenswürdiger Browser",
        invitations: "Offene Einladung",
        api_keys: "API-Schlüssel",
        webhooks: "Webhook (ausgeschaltet)",
        event_streams: "Ereignisstrom (ausgeschaltet)",
        setup_links: "Einrichtungslink für Single Sign-on",
        oauth_grants: "Verbundene Anwendung",
      },
      named: " „{{name}}“",
      moreRemoved: (count) => plural(count, { one: "und # weitere", other: "und # weitere" }),
      joined:
        "Diese Mitglieder sind über eine Einladung des Kontos beigetreten, bevor Sie Ihre Adresse bestätigt haben. " +
        "Sie wurden nicht entfernt:",
      member: "{{name}} in „{{organization_name}}“",
      moreMembers: "und weitere",
      members: "Wenn Sie ein Mitglied nicht kennen, entfernen Sie das Mitglied auf dieser Seite:",
      button: "Sicherheit überprüfen",
      after:
        "Wenn Sie das nicht waren, setzen Sie Ihr Passwort sofort zurück und benachrichtigen Sie Ihre Administration.",
    },
    webhook_failing: {
      subject: "Ein Webhook bei {{brand}} schlägt seit einer Stunde fehl",
      preheader: "Zustellungen an {{webhook_host}} schlagen fehl. Der Dienst versucht es drei Tage lang weiter.",
      title: "Ein Webhook schlägt fehl",
      lead:
        "Zustellungen an Ihren Webhook schlagen fehl. Der Dienst versucht es drei Tage lang weiter; danach werden " +
        "Ereignisse verworfen.",
      button: "Zustellungen ansehen",
      after:
        "Die Seite zeigt die letzten Antworten und den Zeitpunkt des nächsten Versuchs. Sie erhalten diese " +
        "Nachricht einmal je Ausfall.",
    },
    webhook_disabled: {
      subject: "Ein Webhook bei {{brand}} wurde ausgeschaltet",
      preheader: "{{webhook_host}} erhält keine Ereignisse mehr.",
      title: "Ein Webhook wurde ausgeschaltet",
      lead:
        "Der Dienst hat Ihren Webhook ausgeschaltet. Solange der Webhook ausgeschaltet ist, werden keine " +
        "Ereignisse für ihn aufbewahrt.",
      gone: "Der Endpunkt hat mit dem Status 410 geantwortet: Er wünscht keine Ereignisse mehr.",
      backlog: "Mehr als 50.000 Zustellungen haben auf den Endpunkt gewartet.",
      button: "Webhook ansehen",
      after: "Nach dem Einschalten können Ereignisse der letzten 30 Tage erneut gesendet werden.",
    },
  },
};
