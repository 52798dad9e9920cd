/** What was set up in an account or an organization, and may end. */
import type { RecentAccessTexts } from "../en/recent-access.ts";

export const recentAccessTexts: RecentAccessTexts = {
  credentialReview: {
    title: "Letzte Änderungen",
    lead: "Prüfen Sie, was vor dem letzten Zurücksetzen Ihres Passworts zu Ihrem Konto hinzugefügt wurde.",
    held: "Noch nicht bestätigt",
    confirm: "Das war ich",
    end: "Alle entfernen",
    effects: "Alle Einträge der Liste werden entfernt, und Sie werden auf allen anderen Geräten abgemeldet.",
    factorStays:
      "Ihre Authenticator-App wird nicht entfernt. Entfernen Sie sie in den Sicherheitseinstellungen oder wenden Sie " +
      "sich an Ihre Administration.",
    confirmed: "Sie haben die letzten Änderungen bestätigt.",
    ended: "Alle Einträge der Liste wurden entfernt.",
    note: "Ihr Passwort wurde zurückgesetzt. Prüfen Sie die letzten Änderungen an Ihrem Konto.",
    review: "Prüfen",
    dead: "Der Link ist abgelaufen oder wurde schon verwendet.",
    skip: "Weiter zur Anmeldung",
    none: "Es gibt nichts zu prüfen.",
  },
  creations: {
    title: (name: string) => `Eingerichtet von ${name}`,
    lead: "Alles, was diese Person in der Organisation eingerichtet hat und was noch gültig ist.",
    end: "Schlüssel und Links widerrufen",
    stays:
      "Verbindungen und Domains bleiben bestehen, weil sich Mitglieder darüber anmelden. Prüfen Sie sie auf der " +
      "jeweiligen Seite.",
    ended: "Die Schlüssel und Links dieser Person wurden widerrufen.",
    none: "Diese Person hat nichts eingerichtet, was noch gültig ist.",
    open: "Öffnen",
  },
  accessItems: {
    passkeys: "Passkey",
    identities: "Verbundener Anbieter",
    company_accounts: "Verknüpftes Firmenkonto",
    address_changes: "E\u2011Mail-Adresse",
    second_factor: "Authenticator-App",
    api_keys: "API-Schlüssel",
    webhooks: "Webhook",
    event_streams: "Ereignisstrom",
    oauth_grants: "Verbundene Anwendung",
    invitations: "Offene Einladung",
    setup_links: "Einrichtungslink für Single Sign-on",
    connections: "Verbindung für Single Sign-on",
    domains: "Domain",
  },
};
