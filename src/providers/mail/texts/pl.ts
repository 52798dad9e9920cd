import { pluralIn } from "../../../base/plural.ts";
import { accessEmails, accessItems } from "./pl-access.ts";
import { addressEmails } from "./pl-addresses.ts";
import { directoryEmails } from "./pl-directories.ts";
import { domainEmails } from "./pl-domains.ts";
import { leavingEmails } from "./pl-leaving.ts";
import { membershipEmails } from "./pl-memberships.ts";
import type { EmailTexts } from "./shape.ts";

const plural = pluralIn("pl");

export const emailTexts: EmailTexts = {
  greeting: "Dzień dobry{{#name}}, {{name}}{{/name}},",
  codeValidity: "Kod działa jeden raz. Ważność: {{valid_for}}.",
  linkValidity: "Link działa jeden raz. Ważność: {{valid_for}}.",
  copyLink: "Jeśli przycisk nie działa, otwórz ten adres:",
  labels: {
    device: "Urządzenie",
    address: "Adres IP",
    location: "Miejsce",
    time: "Czas",
    account: "Konto",
    provider: "Dostawca",
    endpoint: "Punkt końcowy",
    since: "Od",
    domain: "Domena",
    recordName: "Nazwa rekordu TXT",
    recordValue: "Wartość rekordu TXT",
  },
  unknownBrowser: "Nieznana przeglądarka",
  browserOn: "{{browser}} ({{system}})",
  unknownBrowserOn: "Nieznana przeglądarka ({{system}})",
  moreChanges: (merged) =>
    plural(merged, {
      one: "Od poprzedniego e-maila wprowadzono jeszcze # zmianę tego rodzaju.",
      few: "Od poprzedniego e-maila wprowadzono jeszcze # zmiany tego rodzaju.",
      many: "Od poprzedniego e-maila wprowadzono jeszcze # zmian tego rodzaju.",
      other: "Od poprzedniego e-maila wprowadzono jeszcze # zmiany tego rodzaju.",
    }),
  reasons: {
    request: "Otrzymujesz tego e-maila, ponieważ ten adres został wpisany w {{brand}}.",
    invitation: "Otrzymujesz tego e-maila, ponieważ członek organizacji w {{brand}} zaprosił ten adres.",
    security: "Otrzymujesz to powiadomienie, bo dotyczy bezpieczeństwa Twojego konta. Nie można go wyłączyć.",
    webhook: "Otrzymujesz to powiadomienie, ponieważ odpowiadasz za ten webhook w {{brand}}.",
    owner: "Otrzymujesz to powiadomienie, ponieważ masz rolę właściciela organizacji w {{brand}}.",
    data: "Otrzymujesz tego e-maila, ponieważ w {{brand}} poproszono o kopię Twoich danych.",
  },
  providedBy: "Dostarcza: {{brand}}",
  links: { support: "Pomoc", privacy: "Prywatność", terms: "Warunki" },
  accessItems,
  kinds: {
    ...accessEmails,
    email_code: {
      subject: "Twój kod logowania do {{brand}}",
      preheader: "Ważność kodu: {{valid_for}}. Nigdy nie podawaj kodu innym osobom.",
      title: "Twój kod logowania",
      lead: "Wpisz ten kod, aby zalogować się do {{brand}}:",
      after:
        "To nie Twoje logowanie? Zignoruj tego e-maila: bez kodu nikt się nie zaloguje. Nigdy nie podawaj kodu innym " +
        "osobom.",
    },
    email_verification: {
      subject: "Potwierdź adres e-mail w {{brand}}",
      preheader: "Dokończ konfigurację konta. Ważność linku: {{valid_for}}.",
      title: "Potwierdź adres e\u2011mail",
      lead: "Tego adresu użyto do utworzenia konta w {{brand}}. Potwierdź adres, aby dokończyć konfigurację konta.",
      button: "Potwierdź ten adres",
      after:
        "Potwierdź tylko wtedy, gdy to Ty zakładasz konto. Jeśli to nie Twoja rejestracja, zignoruj tego e-maila i " +
        "nie otwieraj linku.",
    },
    ...addressEmails,
    ...directoryEmails,
    ...domainEmails,
    ...membershipEmails,
    ...leavingEmails,
    password_reset: {
      subject: "Ustaw nowe hasło w {{brand}}",
      preheader: "Ważność linku: {{valid_for}}. Hasło zmieni się dopiero po ustawieniu nowego.",
      title: "Ustaw nowe hasło",
      lead: "Zażądano nowego hasła do Twojego konta w {{brand}}.",
      button: "Ustaw nowe hasło",
      after: "To nie Twoja prośba? Zignoruj tego e-maila: hasło się nie zmieni.",
    },
    invitation: {
      subject: "Zaproszenie do „{{organization_name}}” w {{brand}}",
      preheader: "Czas na przyjęcie: {{valid_for}}.",
      title: "Masz zaproszenie",
      lead: "{{inviter_name}} zaprasza Cię do organizacji {{organization_name}} w {{brand}}.",
      button: "Przyjmij zaproszenie",
      after: "Nie znasz nadawcy? Zignoruj tego e-maila.",
    },
    password_changed: {
      subject: "Twoje hasło w {{brand}} zostało zmienione",
      preheader: "{{device}}, {{time}}. Jeśli to nie Ty, zresetuj hasło.",
      title: "Twoje hasło zostało zmienione",
      lead: "Hasło do Twojego konta zostało zmienione. Wszystkie inne sesje zostały wylogowane.",
      button: "Zresetuj hasło",
      after:
        "Jeśli to Ty, możesz zignorować tego e-maila. Jeśli nie, natychmiast zresetuj hasło i powiadom administratora.",
    },
    password_removed: {
      subject: "Twoje hasło w {{brand}} zostało usunięte",
      preheader: "{{device}}, {{time}}. Jeśli to nie Ty, ustaw nowe hasło.",
      title: "Twoje hasło zostało usunięte",
      lead: "Twoje konto nie ma już hasła. Loguj się kluczem dostępu.",
      button: "Ustaw nowe hasło",
      after:
        "Jeśli to Ty, możesz zignorować tego e-maila. Jeśli nie, ustaw nowe hasło: spowoduje to wylogowanie " +
        "wszystkich sesji.",
    },
    mfa_enabled: {
      subject: "Włączono weryfikację dwuetapową w {{brand}}",
      preheader: "{{device}}, {{time}}. Jeśli to nie Ty, zmień hasło.",
      title: "Weryfikacja dwuetapowa jest włączona",
      lead: "Do Twojego konta dodano aplikację uwierzytelniającą. Od teraz logowanie wymaga kodu z aplikacji.",
      button: "Sprawdź ustawienia zabezpieczeń",
      after:
        "Jeśli to Ty, możesz zignorować tego e-maila. Jeśli nie, natychmiast zmień hasło i powiadom " +
        "administratora.",
    },
    mfa_disabled: {
      subject: "Wyłączono weryfikację dwuetapową w {{brand}}",
      preheader: "{{device}}, {{time}}. Jeśli to nie Ty, zmień hasło.",
      title: "Weryfikacja dwuetapowa jest wyłączona",
      lead: "Aplikacja uwierzytelniająca została usunięta z konta. Logowanie nie wymaga już kodu z aplikacji.",
      button: "Sprawdź ustawienia zabezpieczeń",
      after:
        "Jeśli to Ty, możesz zignorować tego e-maila. Jeśli nie, natychmiast zmień hasło i powiadom " +
        "administratora.",
    },
    mfa_reset: {
      subject: "Zresetowano weryfikację dwuetapową w {{brand}}",
      preheader: "Administrator usunął aplikację uwierzytelniającą. Skonfiguruj nową.",
      title: "Zresetowano weryfikację dwuetapową",
      lead:
        "Administrator usunął z Twojego konta aplikację uwierzytelniającą, kody odzyskiwania i zaufane przeglądarki " +
        "oraz wylogował wszystkie sesje.",
      button: "Skonfiguruj weryfikację dwuetapową",
      after: "To nie Twoja prośba? Zmień hasło i zapytaj administratora.",
    },
    recovery_codes_renewed: {
      subject: "Nowe kody odzyskiwania w {{brand}}",
      preheader: "{{device}}, {{time}}. Stare kody już nie działają.",
      title: "Nowe kody odzyskiwania",
      lead: "Utworzono nowe kody odzyskiwania dla Twojego konta. Stare kody już nie działają.",
      button: "Sprawdź ustawienia zabezpieczeń",
      after:
        "Jeśli to Ty, możesz zignorować tego e-maila. Jeśli nie, natychmiast zmień hasło, utwórz nowe kody " +
        "odzyskiwania i powiadom administratora.",
    },
    passkey_added: {
      subject: "Dodano klucz dostępu do Twojego konta w {{brand}}",
      preheader: "{{device}}, {{time}}. Jeśli to nie Ty, usuń klucz dostępu.",
      title: "Dodano klucz dostępu",
      lead: "Do Twojego konta dodano klucz dostępu. Można się nim logować na konto bez hasła.",
      button: "Sprawdź klucze dostępu",
      after:
        "Jeśli to Ty, możesz zignorować tego e-maila. Jeśli nie, usuń klucz dostępu, zmień hasło i powiadom " +
        "administratora.",
    },
    new_browser: {
      subject: "Nowe logowanie do {{brand}}",
      preheader: "{{device}}, {{time}}. Jeśli to nie Ty, zabezpiecz konto.",
      title: "Nowe logowanie na Twoje konto",
      lead: "Na Twoje konto w {{brand}} zalogowano się z nieznanej dotąd przeglądarki.",
      notMe:
        "To nie Ty? Otwórz ten link, aby wylogować wszystkie urządzenia oraz usunąć hasło i to, co dodano od tego " +
        "logowania. Link działa jeden raz, ważność: {{valid_for}}:",
      button: "Sprawdź aktywność",
      after: "Jeśli to Ty, możesz zignorować tego e-maila.",
    },
    identity_linked: {
      subject: "Możesz logować się do {{brand}} przez {{provider}}",
      preheader: "{{device}}, {{time}}. Jeśli to nie Ty, zmień hasła.",
      title: "Połączono dostawcę {{provider}}",
      lead:
        "Twoje konto u dostawcy {{provider}} zostało połączone z kontem w {{brand}}" +
        "{{^by_user}}, ponieważ oba mają ten potwierdzony adres{{/by_user}}. " +
        "Kto może zalogować się u dostawcy {{provider}}, może teraz zalogować się na Twoje konto.",
      button: "Sprawdź połączonych dostawców",
      after:
        "Jeśli to Ty, możesz zignorować tego e-maila. Jeśli nie, zmień hasło u dostawcy {{provider}} i tutaj oraz " +
        "powiadom administratora.",
    },
    identity_unlinked: {
      subject: "Nie możesz już logować się do {{brand}} przez {{provider}}",
      preheader: "{{device}}, {{time}}. Jeśli to nie Ty, zakończ wszystkie inne sesje.",
      title: "Odłączono dostawcę {{provider}}",
      lead: "Twoje konto u dostawcy {{provider}} zostało odłączone od tego konta. Zaloguj się tutaj w inny sposób.",
      button: "Sprawdź połączonych dostawców",
      after:
        "Jeśli to Ty, możesz zignorować tego e-maila. Jeśli nie, zaloguj się, zakończ wszystkie inne sesje i połącz " +
        "dostawcę ponownie.",
    },
    account_secured: {
      subject: "Twoje konto w {{brand}} należy teraz tylko do Ciebie",
      preheader: "Usunięto wszystko, co skonfigurowano przed potwierdzeniem adresu.",
      title: "Twoje konto należy teraz tylko do Ciebie",
      lead:
        "Po raz pierwszy potwierdzono, że adres konta w {{brand}} należy do Ciebie. Wcześniej konto mógł " +
        "zarejestrować ktoś inny. Dlatego usunięto wszystko, co do tego czasu skonfigurowano na koncie: wszystkie " +
        "inne sesje, klucze dostępu, połączonych dostawców i aplikacje, zaufane przeglądarki, otwarte zaproszenia, " +
        "klucze API, webhooki i strumienie zdarzeń.",
      secondFactor: "Usunięto też aplikację uwierzytelniającą i jej kody odzyskiwania. Skonfiguruj nową.",
      password:
        "Usunięto też hasło. Aby ustawić nowe, wybierz „Nie pamiętasz hasła?” podczas logowania: otrzymasz e-mail z " +
        "linkiem.",
      removed: "Usunięto:",
      items: {
        password: "Hasło",
        second_factor: "Aplikacja uwierzytelniająca i kody odzyskiwania",
        passkeys: "Klucz dostępu",
        identities: "Połączony dostawca",
        company_accounts: "Połączone konto firmowe",
        trusted_browsers: "Zaufana przeglądarka",
        invitations: "Otwarte zaproszenie",
        api_keys: "Klucz API",
        webhooks: "Webhook (wyłączony)",
        event_streams: "Strumień zdarzeń (wyłączony)",
        setup_links: "Link konfiguracyjny logowania jednokrotnego",
        oauth_grants: "Połączona aplikacja",
      },
      named: " „{{name}}”",
      moreRemoved: (count) =>
        plural(count, { one: "i jeszcze #", few: "i jeszcze #", many: "i jeszcze #", other: "i jeszcze #" }),
      joined:
        "Ci członkowie dołączyli przez zaproszenie z tego konta, zanim adres został potwierdzony. Nie zostali " +
        "usunięci:",
      member: "{{name}} w organizacji „{{organization_name}}”",
      moreMembers: "i inni",
      members: "Jeśli nie znasz któregoś członka, usuń go na tej stronie:",
      button: "Sprawdź ustawienia zabezpieczeń",
      after: "Jeśli to nie Ty, natychmiast zresetuj hasło i powiadom administratora.",
    },
    webhook_failing: {
      subject: "Webhook w {{brand}} nie działa od godziny",
      preheader: "Nieudane dostarczenia do {{webhook_host}}. Próby trwają trzy dni.",
      title: "Webhook nie działa",
      lead:
        "Dostarczenia do Twojego webhooka się nie udają. Usługa ponawia próby przez trzy dni, potem zdarzenia są " +
        "odrzucane.",
      button: "Sprawdź dostarczenia",
      after:
        "Strona wyświetla ostatnie odpowiedzi i czas następnej próby. To powiadomienie przychodzi raz przy każdej " +
        "awarii.",
    },
    webhook_disabled: {
      subject: "Wyłączono webhook w {{brand}}",
      preheader: "{{webhook_host}} nie otrzymuje już zdarzeń.",
      title: "Wyłączono webhook",
      lead: "Usługa wyłączyła Twój webhook. Gdy jest wyłączony, nie przechowuje się dla niego zdarzeń.",
      gone: "Punkt końcowy odpowiedział statusem 410: nie chce więcej zdarzeń.",
      backlog: "Na punkt końcowy czekało ponad 50 000 dostarczeń.",
      button: "Sprawdź webhook",
      after: "Po ponownym włączeniu webhooka można jeszcze raz wysłać zdarzenia z ostatnich 30 dni.",
    },
  },
};
