/** What was set up in an account or an organization, and may end. */
import type { RecentAccessTexts } from "../en/recent-access.ts";

export const recentAccessTexts: RecentAccessTexts = {
  credentialReview: {
    title: "Kürzlich eingerichtet",
    lead: "Prüfen Sie, was vor dem letzten Zurücksetzen Ihres Passworts eingerichtet wurde.",
    held: "Wartet auf Ihre Bestätigung",
    confirm: "Das war ich",
    end: "Zugang beenden",
    effects: "Alle Einträge der Liste werden entfernt, und Sie werden auf allen anderen Geräten abgemeldet.",
    factorStays:
      "Die Authenticator-App bleibt. Entfernen Sie die App in den Sicherheitseinstellungen oder fragen Sie Ihre " +
      "Administration.",
    confirmed: "Die Einträge sind bestätigt.",
    ended: "Der Zugang über die Einträge der Liste ist beendet.",
    note: "Ihr Passwort wurde zurückgesetzt. Prüfen Sie, was vorher eingerichtet wurde.",
    review: "Prüfen",
    dead: "Der Link ist abgelaufen oder wurde schon verwendet.",
    skip: "Weiter zur Anmeldung",
    none: "Es gibt nichts zu prüfen.",
  },
  creations: {
    title: (name: string) => `Eingerichtet von ${name}`,
    lead: "Was diese Person in der Organisation eingerichtet hat und noch gültig ist.",
    end: "Schlüssel und Links beenden",
    stays: "Verbindungen und Domains bleiben, weil Mitglieder sich damit anmelden. Prüfen Sie sie auf ihrer Seite.",
    ended: "Schlüssel und Links der Person sind beendet.",
    none: "Nichts, was diese Person eingerichtet hat, ist gültig.",
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
