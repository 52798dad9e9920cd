/** Dutch: initial access tokens, in the platform console. */
import type { RegistrationTexts } from "../en/registration.ts";

export const registrationTexts: RegistrationTexts = {
  registration: {
    title: "Registratietokens",
    lead: "Met een token registreren applicaties zichzelf.",
    leadOff:
      "Registratie is uitgeschakeld: stel SERVICE_OAUTH_REGISTRATION in op token. " +
      "Tot die tijd kan geen applicatie een token gebruiken.",
    leadOpen: "Registratie is open: applicaties hebben geen token nodig.",
    none: "Er zijn nog geen tokens.",
    create: "Nieuwe token",
    name: "Naam",
    nameHint: "Bijvoorbeeld het team of het product dat de token ontvangt.",
    maxUses: "Registraties",
    maxUsesHint: "Hoeveel applicaties zich met de token kunnen registreren, 1 tot 1.000.",
    days: "Dagen geldig",
    daysHint: "1 tot 365 dagen.",
    createAction: "Token maken",
    createdTitle: "De nieuwe registratietoken",
    used: "Gebruikt",
    uses: (uses: string, max: string) => `${uses} van ${max}`,
    expires: "Verloopt",
    ended: "Verlopen",
    remove: "Verwijderen",
    removeTitle: (name: string) => `De token ${name} verwijderen?`,
    removeText: "Geen andere applicatie kan zich nog met de token registreren. Geregistreerde applicaties blijven.",
    deleted: "De token is verwijderd.",
    full: "Er zijn al 100 tokens. Verwijder een ongebruikte token.",
  },
};
