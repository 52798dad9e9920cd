/** Polish: the policy of organizations for single sign-on. */
import type { SsoPolicyTexts } from "../en/sso-policy.ts";

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
    saved: "Zasady zostały zapisane.",
    ownersOnly: "Zasady mogą zmieniać tylko właściciele.",
  },
};
