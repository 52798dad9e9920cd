import type { DomainEmailKinds } from "./shape.ts";

/** E-mails about the domains of an organization. */
export const domainEmails: DomainEmailKinds = {
  domain_failing: {
    subject: "Brakuje rekordu DNS domeny {{domain}}",
    preheader: "Bez rekordu Twoja organizacja utraci domenę. Pozostały czas: {{valid_for}}.",
    title: "Brakuje rekordu DNS",
    lead:
      "Brakuje rekordu TXT, który dowodzi, że domena {{domain}} należy do Twojej organizacji. Dodaj rekord " +
      "ponownie: w przeciwnym razie organizacja utraci domenę (pozostały czas: {{valid_for}}), a logowanie " +
      "jednokrotne dla adresów w tej domenie się zakończy.",
    button: "Sprawdź domenę",
    after: "Usługa sprawdza rekord raz dziennie. Na stronie możesz go sprawdzić w każdej chwili.",
  },
  domain_lost: {
    subject: "Twoja organizacja utraciła domenę {{domain}}",
    preheader: "Rekordu DNS nie było przez siedem dni.",
    title: "Domena została utracona",
    lead:
      "Rekordu TXT domeny {{domain}} nie było przez siedem dni. Logowanie jednokrotne nie dotyczy już adresów w tej " +
      "domenie. Otwarte sesje trwają dalej.",
    button: "Zweryfikuj domenę ponownie",
    after: "Aby znów używać domeny, dodaj rekord do DNS i sprawdź domenę na stronie.",
  },
  domain_transferred: {
    subject: "Domena {{domain}} została przeniesiona",
    preheader: "Operator usługi {{brand}} rozstrzygnął o własności domeny.",
    title: "Domena została przeniesiona",
    lead: "Operator usługi {{brand}} rozstrzygnął, do której organizacji należy domena {{domain}}.",
    gained: "Domena należy teraz do Twojej organizacji. Zachowaj rekord TXT w DNS: usługa sprawdza go raz dziennie.",
    givenUp:
      "Domena nie należy już do Twojej organizacji. Logowanie jednokrotne nie dotyczy już adresów w tej domenie. " +
      "Otwarte sesje trwają dalej.",
    button: "Sprawdź domeny",
    after: "W razie pytań zwróć się do operatora usługi {{brand}}.",
  },
  sso_identity_conflict: {
    subject: "Odrzucono logowanie jednokrotne",
    preheader: "Dwa konta u dostawcy tożsamości mają adres {{address}}.",
    title: "Logowanie zostało odrzucone",
    lead:
      "U dostawcy tożsamości drugie konto ma adres {{address}} członka. Logowanie przez połączenie " +
      "{{connection}} ({{time}}) zostało odrzucone, aby drugie konto nie uzyskało dostępu tego członka.",
    button: "Sprawdź logowanie jednokrotne",
    after:
      "Jeśli członek ma nowe konto u dostawcy tożsamości, odłącz poprzednie konto na stronie. W przeciwnym " +
      "razie popraw adres u dostawcy tożsamości.",
  },
  sso_linked: {
    subject: "Możesz logować się przez: {{organization_name}}",
    preheader: "Organizacja {{organization_name}} loguje Cię przez swojego dostawcę tożsamości, tylko do siebie.",
    title: "Skonfigurowano logowanie jednokrotne",
    lead:
      "Twoje konto w usłudze {{brand}} jest teraz połączone z Twoim kontem u dostawcy tożsamości " +
      "organizacji {{organization_name}}. Takie logowanie daje dostęp tylko do tej organizacji. Twoje " +
      "hasło, inne metody logowania i inne organizacje pozostają bez zmian.",
    button: "Sprawdź konto",
    after: "Jeśli nie rozpoznajesz tego logowania, powiadom administratora organizacji {{organization_name}}.",
  },
  organization_factor_enabled: {
    subject: "Skonfigurowano drugi składnik dla: {{organization_name}}",
    preheader: "{{device}}, {{time}}. Jeśli to nie Ty, powiadom administratora organizacji {{organization_name}}.",
    title: "Skonfigurowano drugi składnik",
    lead:
      "Skonfigurowano aplikację uwierzytelniającą do logowania jednokrotnego w organizacji {{organization_name}}. " +
      "Aplikacja jest wymagana tylko po takim logowaniu. Twoje hasło i inne metody logowania pozostają bez zmian.",
    button: "Sprawdź konto",
    after:
      "Jeśli to Ty, możesz zignorować tego e-maila. Jeśli nie, natychmiast powiadom administratora organizacji " +
      "{{organization_name}}.",
  },
  sso_break_glass_used: {
    subject: "Użyto dostępu awaryjnego",
    preheader: "Konto {{address}}: logowanie bez dostawcy tożsamości.",
    title: "Użyto dostępu awaryjnego",
    lead:
      "Logowanie z dostępem awaryjnym: {{address}}, {{time}}. Twoja organizacja wymaga logowania " +
      "jednokrotnego. Sesja kończy się po godzinie.",
    button: "Sprawdź logowanie jednokrotne",
    after: "Jeśli nie spodziewasz się tego logowania, zakończ sesję tej osoby i zmień zasady.",
  },
  sso_paused: {
    subject: "Logowanie jednokrotne: 24 godziny przerwy",
    preheader: "Operator {{brand}} wstrzymał wymóg.",
    title: "Wymóg jest wstrzymany",
    lead:
      "Operator {{brand}} wstrzymał wymóg logowania jednokrotnego w Twojej organizacji do: {{time}}. " +
      "Członkowie mogą logować się własnymi metodami. Powód: {{reason}}",
    button: "Sprawdź logowanie jednokrotne",
    after: "Wymóg wróci samoczynnie. W razie pytań skontaktuj się z operatorem {{brand}}.",
  },
  requirement_lifted: {
    subject: "Wymóg Twojej organizacji mógł przestać obowiązywać",
    preheader: "Ustawienie {{setting}} było częścią wymogu.",
    title: "Ustawienie wymogu zostało zmienione",
    lead:
      "Twoja organizacja wymaga logowania jednokrotnego lub drugiego składnika. Ustawienie {{setting}}, " +
      "część tego wymogu, zostało zmienione lub usunięte przez członka, który może zmieniać zasady. Czas " +
      "zmiany: {{time}}.",
    button: "Sprawdź logowanie jednokrotne",
    after: "Jeśli to nieoczekiwana zmiana, przywróć ustawienie i sprawdź w dzienniku audytu, kto ją wprowadził.",
  },
  sso_certificate_expiring: {
    subject: "Certyfikat dostawcy tożsamości wygasa: {{time}}",
    preheader: "Połączenie {{connection}} używa tego certyfikatu.",
    title: "Certyfikat wygasa",
    lead:
      "Certyfikat dostawcy tożsamości połączenia {{connection}} jest ważny do: {{time}}. Poproś administratora " +
      "dostawcy tożsamości o następny certyfikat.",
    button: "Sprawdź połączenie",
    after:
      "Dodaj następny certyfikat obok poprzedniego, aby logowanie działało bez przerwy. Jeśli podano adres " +
      "metadanych, usługa sama odczytuje nowe certyfikaty.",
  },
  sso_secret_expiring: {
    subject: "Klucz tajny klienta dostawcy tożsamości wygasa: {{time}}",
    preheader: "Połączenie {{connection}} używa tego klucza.",
    title: "Klucz tajny klienta wygasa",
    lead:
      "Klucz tajny klienta połączenia {{connection}} jest ważny do: {{time}}. Utwórz nowy klucz u dostawcy " +
      "tożsamości.",
    button: "Sprawdź połączenie",
    after: "Wprowadź nowy klucz i nową datę, zanim poprzedni wygaśnie, aby logowanie działało bez przerwy.",
  },
  sso_certificates_changed: {
    subject: "Certyfikaty połączenia {{connection}} zostały zmienione",
    preheader: "Metadane dostawcy tożsamości zmieniły się: {{time}}.",
    title: "Certyfikaty zostały zmienione",
    lead:
      "Usługa odczytała nowe metadane dostawcy tożsamości połączenia {{connection}} i zmieniła certyfikaty " +
      "połączenia: {{time}}.",
    button: "Sprawdź połączenie",
    after: "Jeśli ta zmiana jest nieoczekiwana, wyłącz połączenie i zapytaj administratora dostawcy tożsamości.",
  },
  sso_setup_link: {
    subject: "Logowanie jednokrotne: {{organization_name}}",
    preheader: "{{inviter_name}} prosi o połączenie Twojego dostawcy tożsamości.",
    title: "Skonfiguruj logowanie jednokrotne",
    lead:
      "{{inviter_name}} prosi o skonfigurowanie logowania jednokrotnego w {{brand}}. Organizacja: " +
      "{{organization_name}}. Konto nie jest potrzebne. Link działa tylko w jednej przeglądarce: otwórz go w " +
      "przeglądarce, w której zarządzasz dostawcą tożsamości.",
    button: "Rozpocznij konfigurację",
    after: "Nie przekazuj linku dalej. Jeśli nie oczekujesz tej wiadomości, zignoruj ją.",
  },
  sso_activation_requested: {
    subject: "Połączenie czeka na Twoją aktywację",
    preheader: "Konfiguracja połączenia {{connection}} jest gotowa.",
    title: "Aktywuj połączenie",
    lead:
      "Konfigurację połączenia {{connection}} ukończono za pomocą linku konfiguracyjnego. Czas: {{time}}. " +
      "Sprawdź ustawienia. Członkowie będą mogli się logować, gdy właściciel aktywuje połączenie.",
    button: "Sprawdź połączenie",
    after: "Jeśli nie wiesz, kto skonfigurował połączenie, nie aktywuj go i unieważnij link konfiguracyjny.",
  },
};
