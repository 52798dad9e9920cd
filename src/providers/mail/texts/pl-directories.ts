import type { DirectoryEmailKinds } from "./shape.ts";

/** E-mails about the directory of an organization. */
export const directoryEmails: DirectoryEmailKinds = {
  api_key_expiring: {
    subject: "Klucz katalogu „{{key_name}}” wkrótce wygaśnie",
    preheader: "Pozostały czas: {{valid_for}}. Zastąp klucz na czas.",
    title: "Klucz katalogu wkrótce wygaśnie",
    lead:
      "Klucz API konta usługi „{{key_name}}” wkrótce wygaśnie. Pozostały czas: {{valid_for}}. Potem katalog nie " +
      "będzie mógł tworzyć ani dezaktywować użytkowników: osoby odchodzące z firmy zachowają dostęp.",
    button: "Zastąp klucz",
    after: "Utwórz na stronie drugi klucz i wprowadź go w katalogu. Następnie unieważnij stary klucz.",
  },
  directory_joined: {
    subject: "Twoje konto należy teraz do: {{organization_name}}",
    preheader: "Dodał Cię katalog organizacji.",
    title: "Dodano Cię do organizacji",
    lead:
      "Katalog organizacji {{organization_name}} dodał Twoje konto w usłudze {{brand}} jako członka. Twoje hasło, " +
      "inne metody logowania i inne organizacje pozostają bez zmian. Organizacja może zakończyć członkostwo, ale " +
      "nie Twoje konto.",
    button: "Otwórz konto",
    after: "Jeśli nie znasz organizacji, możesz opuścić ją na swoim koncie.",
  },
  directory_refused: {
    subject: "Odrzucono zmianę wprowadzaną przez katalog",
    preheader: "Ostatni właściciel i użytkownicy dostępu awaryjnego pozostają aktywni.",
    title: "Odrzucono zmianę wprowadzaną przez katalog",
    lead:
      "Katalog organizacji {{organization_name}} próbował dezaktywować lub usunąć ostatniego właściciela albo " +
      "użytkownika dostępu awaryjnego w usłudze {{brand}}. Użytkownik pozostaje aktywny, aby organizacja była " +
      "dostępna.",
    button: "Sprawdź katalog",
    after:
      "Jeśli użytkownik ma odejść, najpierw ustaw innego członka jako właściciela lub zmień użytkowników dostępu " +
      "awaryjnego.",
  },
};
