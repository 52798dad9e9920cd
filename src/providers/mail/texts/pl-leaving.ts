import type { LeavingEmailKinds } from "./shape.ts";

/** E-mails about deletions and exports. */
export const leavingEmails: LeavingEmailKinds = {
  account_deletion: {
    subject: "Twoje konto w {{brand}} jest usuwane",
    preheader: "{{#link}}Czas na zachowanie konta: {{valid_for}}.{{/link}}{{^link}}Konto jest zamknięte.{{/link}}",
    title: "Twoje konto jest usuwane",
    lead:
      "Zażądano usunięcia Twojego konta w {{brand}}. Konto jest zamknięte: wszystkie urządzenia i aplikacje zostały " +
      "wylogowane i nikt nie może się zalogować.",
    byAdministrator: "Usunięcia zażądał administrator.",
    pending:
      "Wszystkie dane konta zostaną usunięte. Pozostały czas: {{valid_for}}. Do tego czasu możesz zachować konto. " +
      "Link działa jeden raz.",
    immediate: "Wszystkie dane konta są teraz usuwane. Usunięcia nie można cofnąć.",
    button: "Zachowaj moje konto",
    after: "To Ty? Nie musisz nic więcej robić.",
  },
  organization_deletion: {
    subject: "Organizacja „{{organization_name}}” w {{brand}} jest usuwana",
    preheader: "Organizację może zachować każdy właściciel. Pozostały czas: {{valid_for}}.",
    title: "Organizacja jest usuwana",
    lead:
      "Zażądano usunięcia organizacji {{organization_name}}. Organizacja jest zawieszona: członkowie i klucze API " +
      "nie mają dostępu. Wszystkie dane organizacji zostaną usunięte, pozostały czas: {{valid_for}}. Do tego czasu " +
      "może ją zachować każdy właściciel. Link działa jeden raz.",
    button: "Zachowaj organizację",
    after: "Otrzymujesz tego e-maila jako właściciel. Usunięcie jest zamierzone? Nie musisz nic więcej robić.",
  },
  data_export: {
    subject: "Twoje dane w {{brand}} są gotowe do pobrania",
    preheader: "Plik jest dostępny przez ograniczony czas: {{valid_for}}.",
    title: "Twoje dane są gotowe",
    lead:
      "Kopia Twoich danych w {{brand}} jest gotowa. Zaloguj się, aby ją pobrać. Czas na pobranie: {{valid_for}}; " +
      "potem kopia zostanie usunięta.",
    button: "Pobierz moje dane",
    after: "To nie Twoja prośba? Zmień hasło i powiadom administratora.",
  },
};
