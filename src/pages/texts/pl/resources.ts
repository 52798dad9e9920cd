/** Polish: the APIs and their scopes, in the platform console. */
import { pluralIn } from "../../../base/plural.ts";
import type { ResourceTexts } from "../en/resources.ts";

const plural = pluralIn("pl");

export const resourceTexts: ResourceTexts = {
  resources: {
    title: "Interfejsy API",
    lead:
      "Aplikacje proszą o dostęp do interfejsów API przez zakresy. Użytkownicy czytają opisy, zanim zezwolą na " +
      "dostęp.",
    none: "Nie ma jeszcze interfejsów API. Bez rejestracji API użytkownicy widzą tylko nazwy zakresów.",
    create: "Nowy interfejs API",
    createAction: "Zarejestruj API",
    full: "Jest już 1000 interfejsów API. Usuń nieużywany.",
    taken: "Inny interfejs API ma ten identyfikator.",
    identifier: "Identyfikator",
    identifierHint: "Adres API, który aplikacje wysyłają w parametrze resource. Nie można go później zmienić.",
    name: "Nazwa",
    scopes: "Zakresy",
    scopesLead: "Strona zgody wyświetla opis w języku użytkownika, a jeśli go nie ma – opis angielski.",
    scopeCount: (total) => plural(total, { one: "# zakres", few: "# zakresy", many: "# zakresów", other: "# zakresu" }),
    noScope: "Ten interfejs API nie ma jeszcze zakresów.",
    addScope: "Dodaj zakres",
    editScope: "Edytuj",
    editScopeNamed: (name) => `Edytuj: ${name}`,
    scopeName: "Zakres",
    scopeNameHint: "Tak, jak wysyłają go aplikacje, na przykład invoices:read.",
    permission: "Uprawnienie",
    permissionHint:
      "Zakres otrzymują tylko użytkownicy z rolą, która zawiera uprawnienie, na przykład invoices.approve. Puste: " +
      "wszyscy.",
    isPublic: "Aplikacje bez rejestracji mogą otrzymać zakres",
    publicTag: "publiczny",
    sensitive: "Każda autoryzacja prosi o zgodę",
    sensitiveTag: "zgoda za każdym razem",
    description: (language) => `Opis (${language})`,
    descriptionHint: "Uzupełnia „Acme Wiki prosi o uprawnienia: …”, na przykład „wyświetlanie Twoich faktur”.",
    noDescription: "brak opisu",
    scopeExists: "Ten interfejs API ma już zakres o tej nazwie.",
    scopesFull: "Ten interfejs API ma już 100 zakresów. Usuń nieużywany zakres.",
    scopeSaved: "Zakres został zapisany. Strona zgody wyświetla nowy opis.",
    scopeDeleted: "Zakres został usunięty.",
    deleteScope: "Usuń",
    deleteScopeNamed: (name) => `Usuń: ${name}`,
    deleteScopeTitle: (name) => `Usunąć zakres ${name}?`,
    deleteScopeText: "Strona zgody będzie wyświetlać nazwę zakresu. Tokeny i zgody pozostają ważne.",
    settings: "Ustawienia",
    created: "Interfejs API został zarejestrowany. Dodaj zakresy.",
    saved: "Zmiany zostały zapisane i obowiązują.",
    deleted: "Interfejs API został usunięty.",
    changedMeanwhile: "Inny użytkownik zmienił ten interfejs API. Sprawdź go i spróbuj ponownie.",
    access: "Dostęp",
    algorithm: "Podpis tokenów dostępu",
    algorithmHint: "RS256, chyba że API weryfikuje inny algorytm. Nowe tokeny mają nowy podpis.",
    dpop: "Dowód posiadania klucza (DPoP)",
    dpopOptions: { allowed: "Dozwolony", required: "Wymagany" },
    dpopHint: "Po wybraniu „wymagany” aplikacje otrzymują tylko tokeny powiązane z ich kluczem.",
    lifetime: "Ważność tokenów dostępu w sekundach",
    lifetimeHint: "Od 60 do 3600. Puste: ważność dla sesji.",
    minAcr: "Wymagane logowanie",
    minAcrOptions: {
      none: "Każde logowanie",
      aal1: "Jeden składnik (aal1)",
      aal2: "Dwa składniki (aal2)",
      phr: "Klucz dostępu (phr)",
    },
    openTo: "Dostępne dla",
    openToOptions: { registered: "Zarejestrowane aplikacje", any: "Wszystkie aplikacje, dla zakresów publicznych" },
    organizations: "Organizacje",
    organizationsHint: "Jeden identyfikator w wierszu. Puste: każda organizacja.",
    claims: "Oświadczenia (claims) tokenów dostępu",
    claimNames: {
      email: "Adres e‑mail",
      name: "Nazwa",
      organization: "Organizacja",
      roles: "Role",
      permissions: "Uprawnienia",
      groups: "Grupy",
    },
    disable: "Wyłącz",
    disableDetails: "Aplikacje nie otrzymają nowego dostępu do tego API. Istniejący dostęp pozostaje ważny.",
    disableTitle: (name) => `Wyłączyć ${name}?`,
    disableText:
      "Do ponownego włączenia aplikacje nie otrzymają nowego dostępu do tego API. Istniejący dostęp pozostaje " +
      "ważny.",
    disabledNow: "Interfejs API został wyłączony.",
    enable: "Włącz",
    enableDetails: "Interfejs API jest wyłączony: aplikacje nie otrzymują nowego dostępu.",
    enabledNow: "Interfejs API został włączony.",
    remove: "Usuń",
    removeDetails: "Aplikacje zachowają dostęp; użytkownicy będą widzieć nazwy zakresów.",
    removeTitle: (name) => `Usunąć ${name}?`,
    removeText: "Opisy zakresów zostaną usunięte. Aplikacje zachowają dostęp. Tego działania nie można cofnąć.",
    rules: {
      token_lifetime_seconds: "Użyj liczby całkowitej od 60 do 3600 lub pozostaw pole puste.",
      identifier: "Użyj adresu https o długości najwyżej 500 znaków, bez fragmentu.",
      organizations: "Użyj identyfikatorów organizacji, najwyżej 1000, lub pozostaw pole puste.",
    },
    scopeRules: {
      permission: "Użyj nazwy takiej jak invoices.approve; żadnego uprawnienia tej usługi.",
      name:
        "Użyj od 1 do 100 znaków drukowalnych bez spacji, cudzysłowów i ukośników odwrotnych; bez zakresów tej " +
        "usługi.",
      description: "Użyj jednego wiersza o długości najwyżej 200 znaków, bez znaków niewidocznych.",
    },
  },
};
