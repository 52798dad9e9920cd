/** Deutsch: Tokens für Registrierungen, in der Konsole der Plattform. */
import type { RegistrationTexts } from "../en/registration.ts";

export const registrationTexts: RegistrationTexts = {
  registration: {
    title: "Registrierungs-Tokens",
    lead: "Mit einem Token registrieren sich Anwendungen selbst.",
    leadOff:
      "Die Registrierung ist ausgeschaltet: Setzen Sie SERVICE_OAUTH_REGISTRATION auf token. " +
      "Bis dahin kann keine Anwendung ein Token verwenden.",
    leadOpen: "Die Registrierung ist offen: Anwendungen benötigen kein Token.",
    none: "Noch keine Tokens.",
    create: "Neues Token",
    name: "Name",
    nameHint: "Zum Beispiel das Team oder das Produkt, das das Token erhält.",
    maxUses: "Registrierungen",
    maxUsesHint: "Wie viele Anwendungen sich mit dem Token registrieren können, 1 bis 1.000.",
    days: "Gültigkeit in Tagen",
    daysHint: "1 bis 365 Tage.",
    createAction: "Token erstellen",
    createdTitle: "Das neue Registrierungs-Token",
    used: "Verwendet",
    uses: (uses: string, max: string) => `${uses} von ${max}`,
    expires: "Läuft ab",
    ended: "Abgelaufen",
    remove: "Löschen",
    removeTitle: (name: string) => `Token ${name} löschen?`,
    removeText: "Keine weitere Anwendung kann sich mit dem Token registrieren. Registrierte Anwendungen bleiben.",
    deleted: "Das Token ist gelöscht.",
    full: "Es gibt schon 100 Tokens. Löschen Sie ein unbenutztes Token.",
  },
};
