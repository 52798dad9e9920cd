/** Dutch: search, filters, order and pages of lists. */
import { pluralIn } from "../../../base/plural.ts";
import type { ListTexts } from "../en/lists.ts";

const plural = pluralIn("nl");

export const listTexts: ListTexts = {
  lists: {
    apply: "Toepassen",
    clear: "Filters wissen",
    anyStatus: "Elke status",
    anyRole: "Elke platformrol",
    anyFactor: "Met of zonder verificatie in twee stappen",
    anyTier: "Elk abonnement",
    anyType: "Elk type",
    searchApis: "Zoeken op naam of identificatie",
    searchFlags: "Zoeken op sleutel of beschrijving",
    nothingFound: (q) => `Geen resultaten voor “${q}”.`,
    apiCount: (count) => plural(count, { one: "# API", other: "# API’s" }),
    flagCount: (count) => plural(count, { one: "# feature flag", other: "# feature flags" }),
    role: "Platformrol",
    factor: "Verificatie in twee stappen",
    factorOn: "Ingesteld",
    factorOff: "Geen",
    createdFrom: "Gemaakt vanaf",
    createdTo: "Gemaakt tot en met",
    first: "Eerste pagina",
    last: "Laatste pagina",
    pageSize: "Rijen per pagina",
    csv: "CSV exporteren",
    csvHint: (rows) => plural(rows, { one: "De gevonden rij (maximaal #)", other: "De gevonden rijen (maximaal #)" }),
    noMatch: "Niets komt overeen met de filters. Wijzig of wis de filters.",
    usersDisabled: (count) => plural(count, { one: "# uitgeschakeld", other: "# uitgeschakeld" }),
    organizationsSuspended: (count) => plural(count, { one: "# opgeschort", other: "# opgeschort" }),
    onlyMembers: (organization) => `Leden van ${organization}`,
    redirectUri: "Omleidings-URI",
    redirectUriLead: "Registreer dit adres bij de provider.",
    send: "Link sturen",
    verification: "Link om het e‑mailadres te bevestigen",
    verificationSent: "Er is een link om het adres te bevestigen naar de gebruiker gestuurd.",
    reset: "Link voor een nieuw wachtwoord",
    resetSent: "Er is een link voor een nieuw wachtwoord naar de gebruiker gestuurd.",
  },
};
