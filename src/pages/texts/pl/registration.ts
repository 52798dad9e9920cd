/** Polish: initial access tokens, in the platform console. */
import type { RegistrationTexts } from "../en/registration.ts";

export const registrationTexts: RegistrationTexts = {
  registration: {
    title: "Tokeny rejestracji",
    lead: "Za pomocą tokenu aplikacje rejestrują się same.",
    leadOff:
      "Rejestracja jest wyłączona: ustaw SERVICE_OAUTH_REGISTRATION na token. " +
      "Do tego czasu żadna aplikacja nie może użyć tokenu.",
    leadOpen: "Rejestracja jest otwarta: aplikacje nie potrzebują tokenu.",
    none: "Nie ma jeszcze tokenów.",
    create: "Nowy token",
    name: "Nazwa",
    nameHint: "Na przykład zespół lub produkt, który otrzymuje token.",
    maxUses: "Rejestracje",
    maxUsesHint: "Ile aplikacji może się zarejestrować za pomocą tokenu, od 1 do 1000.",
    days: "Dni ważności",
    daysHint: "Od 1 do 365 dni.",
    createAction: "Utwórz token",
    createdTitle: "Nowy token rejestracji",
    used: "Użyto",
    uses: (uses: string, max: string) => `${uses} z ${max}`,
    expires: "Wygasa",
    ended: "Wygasł",
    remove: "Usuń",
    removeTitle: (name: string) => `Usunąć token ${name}?`,
    removeText: "Żadna kolejna aplikacja nie zarejestruje się za pomocą tokenu. Zarejestrowane aplikacje pozostają.",
    deleted: "Token został usunięty.",
    full: "Istnieje już 100 tokenów. Usuń nieużywany token.",
  },
};
