/** What was set up in an account or an organization, and may end. */
import type { RecentAccessTexts } from "../en/recent-access.ts";

export const recentAccessTexts: RecentAccessTexts = {
  credentialReview: {
    title: "Skonfigurowane niedawno",
    lead: "Sprawdź, co skonfigurowano przed ostatnim zresetowaniem hasła.",
    held: "Czeka na Twoje potwierdzenie",
    confirm: "To ja",
    end: "Zakończ dostęp",
    effects: "Wszystkie elementy z listy zostaną usunięte, a na innych urządzeniach nastąpi wylogowanie.",
    factorStays:
      "Aplikacja uwierzytelniająca zostaje. Usuń ją w ustawieniach zabezpieczeń lub skontaktuj się z " +
      "administratorem.",
    confirmed: "Elementy zostały potwierdzone.",
    ended: "Dostęp za pomocą elementów z listy został zakończony.",
    note: "Hasło zostało zresetowane. Sprawdź, co skonfigurowano wcześniej.",
    review: "Sprawdź",
    dead: "Link wygasł lub został już użyty.",
    skip: "Przejdź do logowania",
    none: "Nie ma nic do sprawdzenia.",
  },
  creations: {
    title: (name: string) => `Skonfigurowane przez: ${name}`,
    lead: "To, co ta osoba skonfigurowała w organizacji i co jest nadal ważne.",
    end: "Zakończ klucze i linki",
    stays: "Połączenia i domeny zostają, bo członkowie logują się za ich pomocą. Sprawdź je na ich stronach.",
    ended: "Klucze i linki tej osoby zostały zakończone.",
    none: "Nic, co skonfigurowała ta osoba, nie jest ważne.",
    open: "Otwórz",
  },
  accessItems: {
    passkeys: "Klucz dostępu",
    identities: "Połączony dostawca",
    company_accounts: "Połączone konto firmowe",
    address_changes: "Adres e\u2011mail",
    second_factor: "Aplikacja uwierzytelniająca",
    api_keys: "Klucz API",
    webhooks: "Webhook",
    event_streams: "Strumień zdarzeń",
    oauth_grants: "Połączona aplikacja",
    invitations: "Otwarte zaproszenie",
    setup_links: "Link konfiguracyjny logowania jednokrotnego",
    connections: "Połączenie logowania jednokrotnego",
    domains: "Domena",
  },
};
