/** Polish: domains of organizations. */
import type { SingleSignOnTexts } from "../en/single-sign-on.ts";

export const singleSignOnTexts: SingleSignOnTexts = {
  singleSignOn: {
    title: "Logowanie jednokrotne",
    notYours: "Logowaniem jednokrotnym zarządzają tylko właściciele i administratorzy organizacji.",
    notIncluded: "Twój plan nie obejmuje logowania jednokrotnego. Zwróć się do operatora tej usługi.",
    domains: "Domeny",
    domainsLead: "Rekord DNS dowodzi, że adresy w domenie należą do Twojej organizacji.",
    domain: "Domena",
    domainHint: "Na przykład acme.com. Domena nie obejmuje poddomen.",
    notAccepted: "Ta domena należy do dostawcy lub do wielu właścicieli. Wpisz domenę swojej organizacji.",
    add: "Dodaj domenę",
    readOnly: "Potwierdź drugi składnik, aby wprowadzać zmiany.",
    noDomains: "Nie ma jeszcze domen. Dodaj domenę swoich adresów e‑mail.",
    added: "Domena została dodana. Teraz dodaj rekord TXT do DNS.",
    alreadyAdded: "Twoja organizacja ma już tę domenę lub ma już 50 domen.",
    statuses: { pending: "Niezweryfikowana", verified: "Zweryfikowana", failing: "Brak rekordu", lost: "Utracona" },
    pendingText: "Dodaj ten rekord TXT do DNS, a potem sprawdź domenę. Zmiany w DNS mogą potrwać godzinę.",
    verifiedText: "Zachowaj rekord TXT w DNS: usługa sprawdza go raz dziennie.",
    failingText: (date) => `Dodaj rekord TXT ponownie przed: ${date}. W przeciwnym razie utracisz domenę.`,
    lostText: "Rekordu TXT nie było przez siedem dni. Dodaj go ponownie, a potem sprawdź domenę.",
    conflictText:
      "Tej domeny używa inna organizacja. Zachowaj swój rekord w DNS: domena przejdzie na Ciebie, gdy rekordu innej " +
      "organizacji nie będzie przez siedem dni.",
    record: "Rekord TXT",
    recordName: "Nazwa",
    recordValue: "Wartość",
    checked: "sprawdzono",
    neverChecked: "jeszcze nie sprawdzono",
    checkNow: "Sprawdź teraz",
    checkNamed: (domain) => `Sprawdź teraz: ${domain}`,
    results: {
      verified: "Domena jest zweryfikowana.",
      waiting: "Twój rekord jest w DNS. Domena czeka na inną organizację.",
      missing: "Twojego rekordu nie ma jeszcze w DNS. Zmiany w DNS mogą potrwać godzinę.",
      noResponse: "Serwery DNS nie odpowiadają. Spróbuj ponownie za kilka minut.",
    },
    found: "Wartości znalezione w DNS",
    removeTitle: (domain) => `Usunąć domenę ${domain}?`,
    removeText: "Logowanie jednokrotne dla adresów w tej domenie kończy się natychmiast. Otwarte sesje trwają dalej.",
    removed: "Domena została usunięta.",
  },
};
