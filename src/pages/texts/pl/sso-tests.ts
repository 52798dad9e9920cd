/** Polish: tests of connections, linked company accounts. */
import type { SsoTestTexts } from "../en/sso-tests.ts";

export const ssoTestTexts: SsoTestTexts = {
  companyAccounts: {
    title: "Konta firmowe",
    lead: "Konta u dostawcy tożsamości Twojej organizacji, którymi się logujesz.",
    unlinkTitle: "Odłączyć konto firmowe?",
    unlinkText: "Sesje konta firmowego zakończą się natychmiast. Pozostaniesz członkiem organizacji.",
    unlinked: "Konto firmowe zostało odłączone.",
    notLinked: "Niepołączone",
    link: "Połącz",
    linkTitle: "Połączyć to konto firmowe?",
    linkText: (organization) => `Od teraz będziesz logować się kontem firmowym w organizacji ${organization}.`,
    subject: "Stały identyfikator",
    email: "Adres e‑mail",
    linkFailed: "Konto firmowe nie zostało połączone. Zacznij od nowa lub skontaktuj się z administratorem.",
    linkTaken: "To konto firmowe jest połączone z innym kontem. Skontaktuj się z administratorem.",
    linkDone: "Konto firmowe zostało połączone.",
    continueTo: (name) => `Przejdź do: ${name}`,
    membersLead: "Członkowie, którzy logują się przez dostawcę tożsamości, i sposób połączenia.",
    noMembers: "Żaden członek nie zalogował się jeszcze przez dostawcę tożsamości.",
    linkedBy: "Połączone przez",
    origins: { domain: "Domena", user: "Członek", directory: "Katalog" },
    unlinkMemberText: "Sesje konta firmowego zakończą się natychmiast. Członek pozostanie w organizacji.",
    resetFactor: "Zresetuj drugi składnik",
    resetTitle: "Zresetować drugi składnik?",
    resetText:
      "Członek skonfiguruje nową aplikację uwierzytelniającą po następnym logowaniu jednokrotnym. Trwające sesje " +
      "pozostaną aktywne.",
    factorReset: "Drugi składnik został zresetowany.",
    factorTitle: "Skonfiguruj drugi składnik",
    factorLead: (organization) =>
      `Organizacja ${organization} wymaga kodu z aplikacji uwierzytelniającej po logowaniu jednokrotnym. Aplikacja ` +
      "obowiązuje tylko w tej organizacji.",
    stepUpLead: "To działanie wymaga dodatkowego potwierdzenia. Potwierdź kontem firmowym.",
    stepUpFailed:
      "Konto firmowe nie potwierdziło drugiego składnika. Spróbuj ponownie lub skontaktuj się z administratorem.",
    stepUpNever:
      "To działanie wymaga drugiego składnika, a Twoja organizacja nie uznaje drugiego składnika konta " +
      "firmowego. Poproś administratora o wpisanie uznawanych wartości acr lub amr (mfa_trust) w połączeniu.",
  },
  ssoTests: {
    title: "Przetestuj połączenie",
    lead: "Test loguje Cię u dostawcy tożsamości i niczego nie zmienia dla członków.",
    start: "Testuj połączenie",
    again: "Testuj ponownie",
    go: "Przejdź do dostawcy tożsamości",
    incomplete: "Najpierw wpisz wystawcę, identyfikator klienta i klucz.",
    last: "Ostatni test:",
    passed: "Test się powiódł.",
    failed: "Test się nie powiódł. Popraw nieudane sprawdzenie i przetestuj ponownie.",
    outdated: "Ustawienia zmieniły się po tym teście. Przetestuj ponownie.",
    outcomes: {
      pass: "Zaliczone",
      warning: "Ostrzeżenie",
      fail: "Niezaliczone",
      skipped: "Pominięte",
    },
    checks: {
      discovery: "Konfiguracja pobrana",
      state: "Ta sama przeglądarka",
      provider_error: "Logowanie u dostawcy tożsamości",
      issuer: "Dokładny wystawca",
      token_request: "Identyfikator klienta i klucz przyjęte",
      nonce: "Odpowiedź należy do testu",
      id_token: "Token ID prawidłowy",
      userinfo: "UserInfo odczytane",
      subject: "Stały identyfikator obecny",
      email: "Adres e‑mail obecny",
      email_verified: "Adres zweryfikowany przez dostawcę tożsamości",
      domain: "Adres w zweryfikowanej domenie",
      groups: "Grupy obecne",
      mfa: "Drugi składnik u dostawcy tożsamości",
    },
    hints: {
      email: "Pole nie zawiera adresu e‑mail. Sprawdź nazwy pól.",
      domain:
        "Adres nie należy do żadnej zweryfikowanej domeny tego połączenia: ten użytkownik nie może się zalogować.",
      groups: "Odpowiedź nie zawiera grup lub nie zawiera wszystkich grup.",
      mfa: "Ani acr, ani amr nie ma uznawanej wartości.",
    },
    effect: "Skutek logowania",
    effects: {
      sign_in: "Użytkownik loguje się.",
      link: "Użytkownik loguje się, a konto firmowe zostaje powiązane.",
      create: "Powstaje nowy użytkownik.",
      refused: "Logowanie zostaje odrzucone.",
    },
    mapping: "Dane użytkownika",
    received: "Otrzymane oświadczenia (claims)",
    subject: "Stały identyfikator",
    role: "Rola",
    twoStep: "Weryfikacja dwuetapowa",
    yes: "Tak",
    no: "Nie",
  },
};
