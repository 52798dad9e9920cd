import type { AccessEmailKinds, AccessItemNames } from "./shape.ts";

/** E-mails that list what was set up: after a reset of the password, and after the removal of a member. */
export const accessEmails: AccessEmailKinds = {
  credential_review: {
    subject: "Sprawdź swoje konto w {{brand}}",
    preheader: "Hasło zostało zresetowane. Zakończ dostęp tego, czego nie znasz.",
    title: "Sprawdź, co niedawno skonfigurowano",
    lead:
      "Hasło do Twojego konta w {{brand}} zostało zresetowane. Klucze dostępu, adresy i połączone konta z ostatnich " +
      "siedmiu dni nikogo nie zalogują, dopóki ich nie potwierdzisz.",
    listed: "Niedawno skonfigurowano:",
    end: "Jeśli nie znasz któregoś elementu, zakończ dostęp na tej stronie:",
    button: "Sprawdź",
    after: "Jeśli wszystko należy do Ciebie, potwierdź elementy w ustawieniach zabezpieczeń.",
  },
  member_creations: {
    subject: "Klucze i linki użytkownika {{address}} w {{organization_name}}",
    preheader: "Ta osoba odeszła lub ma teraz mniej uprawnień. Sprawdź, co jest nadal ważne.",
    title: "Sprawdź, co skonfigurowała dana osoba",
    lead:
      "Użytkownik {{address}} nie należy już do organizacji {{organization_name}} w {{brand}} lub ma w niej teraz " +
      "mniej uprawnień.",
    listed: "To, co skonfigurowała ta osoba, jest nadal ważne:",
    button: "Sprawdź i zakończ",
    after: "Jeśli organizacja potrzebuje któregoś elementu, najpierw go zastąp, a potem zakończ dostęp.",
  },
};

export const accessItems: AccessItemNames = {
  passkeys: "Klucz dostępu",
  identities: "Połączony dostawca",
  company_accounts: "Połączone konto firmowe",
  address_changes: "Adres e-mail",
  second_factor: "Aplikacja uwierzytelniająca",
  api_keys: "Klucz API",
  webhooks: "Webhook",
  event_streams: "Strumień zdarzeń",
  oauth_grants: "Połączona aplikacja",
  invitations: "Otwarte zaproszenie",
  setup_links: "Link konfiguracyjny logowania jednokrotnego",
  connections: "Połączenie logowania jednokrotnego",
  domains: "Domena",
};
