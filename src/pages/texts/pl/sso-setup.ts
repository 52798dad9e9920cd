/** Polish: set-up links, for administrators and for the person with the link. */
import type { SsoSetupTexts } from "../en/sso-setup.ts";

export const ssoSetupTexts: SsoSetupTexts = {
  ssoSetup: {
    links: "Linki konfiguracyjne",
    linksLead: "Dzięki linkowi administrator dostawcy tożsamości skonfiguruje logowanie jednokrotne bez konta.",
    noLinks: "Brak linków konfiguracyjnych.",
    tasks: {
      domains: "Weryfikacja domen",
      connection: "Konfiguracja połączenia",
      directory: "Utworzenie tokenu katalogu",
    },
    tasksLabel: "Zadania",
    recipient: "Adres e‑mail odbiorcy",
    recipientHint: "Pozostaw puste, aby przekazać link osobiście.",
    hours: "Liczba godzin do wygaśnięcia linku",
    hoursHint: "Od 1 do 336 godzin.",
    create: "Utwórz link konfiguracyjny",
    badTasks: "Wybierz co najmniej jedno zadanie.",
    full: "Organizacja ma 5 otwartych linków konfiguracyjnych, czyli maksimum. Najpierw unieważnij link.",
    linkTitle: "Link konfiguracyjny",
    linkLead: "Skopiuj link teraz. Nie zostanie ponownie wyświetlony i działa tylko w jednej przeglądarce.",
    mailed: (email) => `Link wysłano też na adres ${email}.`,
    linkKept: "Wróć do logowania jednokrotnego",
    statuses: {
      pending: "Nieotwarty",
      begun: "W użyciu",
      completed: "Ukończony",
      revoked: "Unieważniony",
      expired: "Wygasł",
    },
    until: (time) => `Ważny do: ${time}`,
    revoke: "Unieważnij",
    revokeTitle: "Unieważnić link konfiguracyjny?",
    revokeText: "Link natychmiast przestanie działać. Domeny i połączenia pozostaną.",
    revoked: "Link konfiguracyjny został unieważniony.",
    awaitingOwner:
      "Przez link konfiguracyjny poproszono o aktywację tego połączenia. Sprawdź ustawienia, a następnie aktywuj " +
      "połączenie. Tylko właściciel może aktywować połączenie.",
    title: (organization) => `Konfiguracja logowania jednokrotnego: ${organization}`,
    invitedBy: (name, organization) =>
      `${name} prosi o skonfigurowanie logowania jednokrotnego. Organizacja: ${organization}. Konto nie jest ` +
      "potrzebne.",
    invited: (organization) =>
      `Możesz skonfigurować logowanie jednokrotne. Organizacja: ${organization}. Konto nie jest potrzebne.`,
    begin: "Rozpocznij",
    beginHint: "Od tej chwili link będzie działać tylko w tej przeglądarce, przez 8 godzin.",
    dead:
      "Ten link konfiguracyjny zakończył działanie lub został otwarty w innej przeglądarce. Poproś nadawcę o nowy " +
      "link.",
    overview: "Zadania",
    overviewLead: "Wykonaj zadania w tej kolejności. Wyniki są zapisywane i możesz wrócić do każdego zadania.",
    toTasks: "Wróć do zadań",
    open: "Otwórz",
    states: { open: "Do zrobienia", waiting: "Oczekuje na właściciela", done: "Gotowe" },
    finish: "Zakończ konfigurację",
    finishLead: "Zakończ, gdy wszystkie zadania są gotowe. Link przestanie wtedy działać.",
    finishedTitle: "Konfiguracja jest zakończona",
    finished: "Dziękujemy. Link już nie działa i możesz zamknąć tę stronę.",
    domainsElsewhere: "Domeny weryfikują administratorzy organizacji.",
    selectProvider: "Wybierz dostawcę tożsamości",
    requestLead: "Właściciel organizacji potwierdza aktywację. Właściciele otrzymają e‑mail.",
    request: "Poproś o aktywację",
    requested: "Poproszono właścicieli o aktywację połączenia. Możesz zakończyć konfigurację.",
    waiting: "Poproszono właściciela organizacji o aktywację połączenia.",
    isActive: "Połączenie jest aktywne.",
    directoryLead: "Za pomocą tokenu katalog dostawcy tożsamości tworzy i dezaktywuje konta członków.",
    createToken: "Utwórz token",
    tokenCreated: "Token został utworzony. Jeśli go nie masz, poproś o nowy link konfiguracyjny.",
  },
};
