import type { AccessEmailKinds, AccessItemNames } from "./shape.ts";

/** E-mails that list what was set up: after a reset of the password, and after the removal of a member. */
export const accessEmails: AccessEmailKinds = {
  credential_review: {
    subject: "Prüfen Sie die letzten Änderungen an Ihrem Konto bei {{brand}}",
    preheader: "Ihr Passwort wurde zurückgesetzt. Entfernen Sie alles, was Sie nicht kennen.",
    title: "Letzte Änderungen prüfen",
    lead:
      "Das Passwort Ihres Kontos bei {{brand}} wurde zurückgesetzt. Mit Passkeys, Adressen und verknüpften Konten, " +
      "die in den letzten sieben Tagen hinzugefügt wurden, ist eine Anmeldung erst möglich, wenn Sie sie bestätigt " +
      "haben.",
    listed: "Kürzlich hinzugefügt:",
    end: "Wenn Sie einen Eintrag nicht kennen, entfernen Sie auf dieser Seite alle Einträge der Liste:",
    button: "Prüfen",
    after: "Wenn Sie alle Einträge kennen, bestätigen Sie die Liste in Ihren Sicherheitseinstellungen.",
  },
  member_creations: {
    subject: "Schlüssel und Links von {{address}} in {{organization_name}}",
    preheader: "Die Person ist ausgeschieden oder hat weniger Rechte. Prüfen Sie, was noch gültig ist.",
    title: "Prüfen Sie Schlüssel und Links eines Mitglieds",
    lead:
      "Der Benutzer {{address}} gehört bei {{brand}} nicht mehr zu {{organization_name}} oder hat dort jetzt weniger " +
      "Rechte.",
    listed: "Diese Person hat Folgendes eingerichtet, und es ist noch gültig:",
    button: "Prüfen",
    after:
      "Wenn Ihre Organisation einen Eintrag noch braucht, richten Sie zuerst Ersatz ein und widerrufen Sie ihn dann.",
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
