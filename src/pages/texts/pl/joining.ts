/** Polish: joining of organizations by a verified domain. */
import type { JoiningTexts } from "../en/joining.ts";

export const joiningTexts: JoiningTexts = {
  joining: {
    join: "Dołącz",
    joinOf: (name) => `Dołącz: ${name}`,
    ask: "Poproś o dołączenie",
    askOf: (name) => `Poproś o dołączenie: ${name}`,
    openTo: (domain) => `Otwarta dla Twojego adresu w domenie ${domain}`,
    asks: (domain) => `Dzięki adresowi w domenie ${domain} możesz poprosić o dołączenie; decyduje członek`,
    requested: "Wysłano prośbę",
    denied: "Odrzucono",
    deniedHint: "Poproś członka o zaproszenie albo poproś ponownie 30 dni po prośbie",
    sent: "Prośba została wysłana. Otrzymasz e‑mail z decyzją.",
    unavailable: "Nie możesz już dołączyć do tej organizacji albo organizacja ma zbyt wiele otwartych próśb.",
    title: "Prośby o dołączenie",
    lead: "Użytkownicy z potwierdzonym adresem w domenie organizacji chcą zostać członkami.",
    approve: "Przyjmij",
    approveOf: (name) => `Przyjmij: ${name}`,
    deny: "Odrzuć",
    denyOf: (name) => `Odrzuć: ${name}`,
    denyTitle: (name) => `Odrzucić prośbę: ${name}?`,
    denyText: "Użytkownik otrzyma e‑mail i może poprosić ponownie 30 dni po prośbie.",
    asked: "prośba",
    approved: "Użytkownik jest teraz członkiem i otrzyma e‑mail.",
    deniedNow: "Prośba została odrzucona. Użytkownik otrzyma e‑mail.",
    outdated: "O prośbie już zdecydowano albo użytkownik nie może już dołączyć przez domenę.",
  },
  ownOrganizations: {
    lead: "Zostaniesz właścicielem. Twoja sesja pozostaje w obecnej organizacji.",
    created: "Organizacja została utworzona. Przełącz się do niej poniżej.",
    taken: "Ten skrót jest już używany. Wybierz inny skrót.",
    tooMany: "Masz już tyle organizacji, na ile pozwala ta usługa.",
    unverified: "Najpierw potwierdź swój adres e‑mail.",
  },
};
