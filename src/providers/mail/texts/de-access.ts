import type { AccessEmailKinds, AccessItemNames } from "./shape.ts";

/** E-mails that list what was set up: after a reset of the password, and after the removal of a member. */
export const accessEmails: AccessEmailKinds = {
  credential_review: {
    subject: "Prüfen Sie Ihr Konto bei {{brand}}",
    preheader: "Ihr Passwort wurde zurückgesetzt. Beenden Sie den Zugang, wenn Sie einen Eintrag nicht kennen.",
    title: "Prüfen Sie, was kürzlich eingerichtet wurde",
    lead:
      "Das Passwort Ihres Kontos bei {{brand}} wurde zurückgesetzt. Passkeys, Adressen und verknüpfte Konten der " +
      "letzten sieben Tage melden niemanden an, bis Sie sie bestätigen.",
    listed: "Kürzlich eingerichtet:",
    end: "Wenn Sie einen Eintrag nicht kennen, beenden Sie den Zugang auf dieser Seite:",
    button: "Prüfen",
    after: "Wenn alles von Ihnen ist, bestätigen Sie die Einträge in den Sicherheitseinstellungen.",
  },
  member_creations: {
    subject: "Schlüssel und Links von {{address}} in {{organization_name}}",
    preheader: "Die Person wurde entfernt oder herabgestuft. Prüfen Sie, was noch gültig ist.",
    title: "Prüfen Sie, was eine Person eingerichtet hat",
    lead:
      "Der Benutzer {{address}} wurde bei {{brand}} aus {{organization_name}} entfernt oder hat jetzt eine " +
      "niedrigere Rolle.",
    listed: "Was diese Person eingerichtet hat, ist noch gültig:",
    button: "Prüfen und beenden",
    after: "Wenn Ihre Organisation einen Eintrag braucht, ersetzen Sie ihn zuerst und beenden Sie danach den Zugang.",
  },
};

export const accessItems: AccessItemNames = {
  passkeys: "Passkey",
  identities: "Verbundener Anbieter",
  company_accounts: "Verknüpftes Firmenkonto",
  address_changes: "E-Mail-Adresse",
  second_factor: "Authenticator-App",
  api_keys: "API-Schlüssel",
  webhooks: "Webhook",
  event_streams: "Ereignisstrom",
  oauth_grants: "Verbundene Anwendung",
  invitations: "Offene Einladung",
  setup_links: "Einrichtungslink für Single Sign-on",
  connections: "Verbindung für Single Sign-on",
  domains: "Domain",
};
