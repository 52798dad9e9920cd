/** Polish: the policy of organizations for single sign-on. */
import { pluralIn } from "../../../base/plural.ts";
import type { SsoPolicyTexts } from "../en/sso-policy.ts";

const plural = pluralIn("pl");

export const ssoPolicyTexts: SsoPolicyTexts = {
  ssoPolicy: {
    title: "Zasady",
    signIn: "Logowanie",
    signInLead: "Zasady dotyczą wszystkich połączeń organizacji.",
    mode: "Logowanie jednokrotne",
    open: "Zmień zasady",
    modes: {
      off: "Wyłączone: połączenia można tylko testować",
      optional: "Opcjonalne: członkowie mogą korzystać z logowania jednokrotnego",
      required: "Wymagane: członkowie muszą korzystać z logowania jednokrotnego",
    },
    emergency:
      "Gdy logowanie jednokrotne jest wymagane, zachowujesz dostęp awaryjny z własnym hasłem i drugim " +
      "składnikiem, za każdym razem na godzinę.",
    notReady:
      "Logowania jednokrotnego nie można jeszcze wymagać. Potrzebne są: aktywne połączenie, zweryfikowana " +
      "domena oraz logowanie właściciela lub administratora przez to połączenie w ciągu ostatnich 24 " +
      "godzin. Twoje konto musi mieć zweryfikowany adres oraz drugi składnik lub klucz dostępu.",
    jit: "Użytkownicy bez członkostwa",
    jits: {
      on: "Utwórz konto i członkostwo przy pierwszym logowaniu",
      invited_only: "Dopuszczaj użytkowników z zaproszeniem",
      off: "Nie dopuszczaj nikogo",
    },
    guests: "Członkowie z adresami w innych domenach",
    guestRules: {
      own_methods: "Zachowują własne metody logowania",
      required: "Także korzystają z logowania jednokrotnego",
    },
    guestsHint: "Obowiązuje, gdy logowanie jednokrotne jest wymagane.",
    ownFactor: "Drugi składnik tej usługi",
    ownFactors: { off: "Niewymagany", on: "Wymagany" },
    ownFactorHint:
      "Po logowaniu jednokrotnym członkowie potwierdzają także kod z aplikacji uwierzytelniającej, tylko w tej " +
      "organizacji.",
    roles: "Role",
    rolesLead: "Żadna reguła nie nadaje roli właściciela ani nie zmienia właściciela.",
    defaultRole: "Rola bez pasującej reguły",
    sync: "Stosuj reguły",
    syncs: { always: "Przy każdym logowaniu", first: "Tylko na początku członkostwa" },
    rules: "Reguły",
    rulesHint:
      "Atrybut to groups lub dodatkowy atrybut połączenia. Obowiązuje najwyższa pasująca rola. Zapisz, aby otrzymać " +
      "kolejne puste reguły.",
    rule: (number) => `Reguła ${number}`,
    from: "Atrybut",
    value: "Wartość",
    badRules: "Wpisz atrybut i wartość w każdej regule. Najwyżej 50 reguł.",
    start: "Wymagane od",
    startKept: (time) => `Zgodnie z ustawieniem: ${time}`,
    startNow: "Od razu",
    startIn: (count) => plural(count, { one: "Za # dzień", few: "Za # dni", many: "Za # dni", other: "Za # dnia" }),
    breakGlass: "Dostęp awaryjny",
    breakGlassHint: "Właściciele ze zweryfikowanym adresem i drugim składnikiem lub kluczem dostępu. Najwyżej 5.",
    noBreakGlass: "Żaden właściciel nie ma jeszcze zweryfikowanego adresu i drugiego składnika lub klucza dostępu.",
    preview: "Podgląd",
    previewTitle: "Skutek ustawień",
    covered: (count) =>
      plural(count, {
        one: "# członek musi używać logowania jednokrotnego.",
        few: "# członków musi używać logowania jednokrotnego.",
        many: "# członków musi używać logowania jednokrotnego.",
        other: "# członka musi używać logowania jednokrotnego.",
      }),
    withoutIdentity: (count) =>
      plural(count, {
        one: "# z tych członków nie zalogował się jeszcze jednokrotnie:",
        few: "# z tych członków nie zalogowało się jeszcze jednokrotnie:",
        many: "# z tych członków nie zalogowało się jeszcze jednokrotnie:",
        other: "# z tych członków nie zalogowało się jeszcze jednokrotnie:",
      }),
    allLinked: "Wszyscy ci członkowie zalogowali się już jednokrotnie.",
    firstMembers: "Lista zawiera pierwszych 100 adresów.",
    pausedUntil: (time) => `Operator tej usługi wstrzymał wymóg. Koniec przerwy: ${time}.`,
    console: {
      title: "Wymóg logowania jednokrotnego",
      off: "Organizacja nie wymaga logowania jednokrotnego.",
      on: "Logowanie jednokrotne jest wymagane.",
      since: (time) => `Początek wymogu logowania jednokrotnego: ${time}.`,
      until: (time) => `Wymóg jest wstrzymany. Koniec przerwy: ${time}.`,
      pause: "Wstrzymaj na 24 godziny",
      text:
        "Objęci członkowie mogą przez 24 godziny używać własnych metod logowania. Właściciele otrzymają e‑mail z " +
        "powodem.",
      reasonHint: "Wyświetlany właścicielom, najwyżej 500 znaków.",
      paused: "Wymóg jest wstrzymany na 24 godziny.",
      end: "Zakończ przerwę",
      ended: "Wymóg znów obowiązuje.",
    },
    saved: "Zasady zostały zapisane.",
    ownersOnly: "Zasady mogą zmieniać tylko właściciele.",
  },
};
