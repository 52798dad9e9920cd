/** Italian: initial access tokens, in the platform console. */
import type { RegistrationTexts } from "../en/registration.ts";

export const registrationTexts: RegistrationTexts = {
  registration: {
    title: "Token di registrazione",
    lead: "Con un token le applicazioni si registrano da sole.",
    leadOff:
      "La registrazione è disattivata: imposta SERVICE_OAUTH_REGISTRATION su token. " +
      "Fino ad allora nessuna applicazione può usare un token.",
    leadOpen: "La registrazione è aperta: le applicazioni non hanno bisogno di un token.",
    none: "Ancora nessun token.",
    create: "Nuovo token",
    name: "Nome",
    nameHint: "Ad esempio il team o il prodotto che riceve il token.",
    maxUses: "Registrazioni",
    maxUsesHint: "Quante applicazioni possono registrarsi con il token, da 1 a 1000.",
    days: "Giorni di validità",
    daysHint: "Da 1 a 365 giorni.",
    createAction: "Crea token",
    createdTitle: "Il nuovo token di registrazione",
    used: "Usato",
    uses: (uses: string, max: string) => `${uses} di ${max}`,
    expires: "Scade",
    ended: "Scaduto",
    remove: "Elimina",
    removeTitle: (name: string) => `Eliminare il token ${name}?`,
    removeText: "Nessun’altra applicazione potrà registrarsi con il token. Le applicazioni registrate restano.",
    deleted: "Il token è stato eliminato.",
    full: "Ci sono già 100 token. Elimina un token inutilizzato.",
  },
};
