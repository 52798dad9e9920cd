/** Italian: the APIs and their scopes, in the platform console. */
import { pluralIn } from "../../../base/plural.ts";
import type { ResourceTexts } from "../en/resources.ts";

const plural = pluralIn("it");

export const resourceTexts: ResourceTexts = {
  resources: {
    title: "API",
    lead:
      "Le applicazioni richiedono l’accesso alle API tramite ambiti. Gli utenti leggono le descrizioni prima di " +
      "consentire l’accesso.",
    none: "Ancora nessuna API. Senza un’API registrata, gli utenti vedono solo i nomi degli ambiti.",
    create: "Nuova API",
    createAction: "Registra API",
    full: "Esistono già 1000 API. Elimina un’API inutilizzata.",
    taken: "Un’altra API ha questo identificatore.",
    identifier: "Identificatore",
    identifierHint:
      "L’indirizzo dell’API, come lo inviano le applicazioni nel parametro resource. Non potrai modificarlo in " +
      "seguito.",
    name: "Nome",
    scopes: "Ambiti",
    scopesLead:
      "La pagina di consenso mostra la descrizione nella lingua dell’utente o, se manca, la descrizione in inglese.",
    scopeCount: (total) => plural(total, { one: "# ambito", many: "# di ambiti", other: "# ambiti" }),
    noScope: "L’API non ha ancora ambiti.",
    addScope: "Aggiungi ambito",
    editScope: "Modifica",
    editScopeNamed: (name) => `Modifica ${name}`,
    scopeName: "Ambito",
    scopeNameHint: "Come lo inviano le applicazioni, ad esempio invoices:read.",
    permission: "Permesso",
    permissionHint:
      "Solo gli utenti con un ruolo che contiene il permesso ricevono l’ambito, ad esempio invoices.approve. " +
      "Vuoto: tutti.",
    isPublic: "Le applicazioni senza registrazione possono ricevere l’ambito",
    publicTag: "pubblico",
    sensitive: "Ogni autorizzazione chiede il consenso",
    sensitiveTag: "consenso ogni volta",
    description: (language) => `Descrizione in ${language}`,
    descriptionHint: "Completa la frase “Acme Wiki vuole: …”, ad esempio “vedere le tue fatture”.",
    noDescription: "nessuna descrizione",
    scopeExists: "L’API ha già un ambito con questo nome.",
    scopesFull: "L’API ha già 100 ambiti. Elimina un ambito inutilizzato.",
    scopeSaved: "L’ambito è stato salvato. La pagina di consenso mostra la nuova descrizione.",
    scopeDeleted: "L’ambito è stato eliminato.",
    deleteScope: "Elimina",
    deleteScopeNamed: (name) => `Elimina ${name}`,
    deleteScopeTitle: (name) => `Eliminare l’ambito ${name}?`,
    deleteScopeText:
      "D’ora in poi la pagina di consenso mostrerà il nome dell’ambito. Token e consensi restano validi.",
    settings: "Impostazioni",
    created: "L’API è stata registrata. Aggiungi gli ambiti.",
    saved: "Le modifiche sono state salvate e sono in uso.",
    deleted: "L’API è stata eliminata.",
    changedMeanwhile: "Un altro utente ha modificato l’API. Controlla l’API e riprova.",
    access: "Accesso",
    algorithm: "Firma dei token di accesso",
    algorithmHint: "RS256, a meno che l’API non verifichi l’altro algoritmo. I nuovi token hanno la nuova firma.",
    dpop: "Prova di possesso (DPoP)",
    dpopOptions: { allowed: "Consentita", required: "Obbligatoria" },
    dpopHint: "Con “obbligatoria”, le applicazioni ricevono solo token legati alla loro chiave.",
    lifetime: "Durata dei token di accesso, in secondi",
    lifetimeHint: "Da 60 a 3600. Vuoto: la durata delle sessioni.",
    minAcr: "Accesso richiesto",
    minAcrOptions: {
      none: "Ogni accesso",
      aal1: "Un fattore (aal1)",
      aal2: "Due fattori (aal2)",
      phr: "Passkey (phr)",
    },
    openTo: "Disponibile per",
    openToOptions: { registered: "Applicazioni registrate", any: "Tutte le applicazioni, per gli ambiti pubblici" },
    organizations: "Organizzazioni",
    organizationsHint: "Un ID per riga. Vuoto: tutte le organizzazioni.",
    claims: "Claim dei token di accesso",
    claimNames: {
      email: "Indirizzo email",
      name: "Nome",
      organization: "Organizzazione",
      roles: "Ruoli",
      permissions: "Permessi",
      groups: "Gruppi",
    },
    disable: "Disabilita",
    disableDetails: "Le applicazioni non ottengono nuovi accessi a questa API. Gli accessi esistenti restano validi.",
    disableTitle: (name) => `Disabilitare ${name}?`,
    disableText:
      "Le applicazioni non otterranno nuovi accessi a questa API finché non la abiliterai. Gli accessi esistenti " +
      "restano validi.",
    disabledNow: "L’API è stata disabilitata.",
    enable: "Abilita",
    enableDetails: "L’API è disabilitata: le applicazioni non ottengono nuovi accessi.",
    enabledNow: "L’API è stata abilitata.",
    remove: "Elimina",
    removeDetails: "Le applicazioni mantengono l’accesso; gli utenti vedono i nomi degli ambiti.",
    removeTitle: (name) => `Eliminare ${name}?`,
    removeText:
      "Le descrizioni degli ambiti verranno eliminate. Le applicazioni mantengono l’accesso. Questa operazione non " +
      "può essere annullata.",
    rules: {
      token_lifetime_seconds: "Usa un numero intero da 60 a 3600, o lascia vuoto il campo.",
      identifier: "Usa un indirizzo https di massimo 500 caratteri, senza frammento.",
      organizations: "Usa ID di organizzazioni, massimo 1000, o lascia vuoto il campo.",
    },
    scopeRules: {
      permission: "Usa un nome come invoices.approve; nessun permesso di questo servizio.",
      name:
        "Usa da 1 a 100 caratteri stampabili, senza spazi, virgolette e barre rovesciate, e nessun ambito di questo " +
        "servizio.",
      description: "Usa una riga di massimo 200 caratteri, senza caratteri invisibili.",
    },
  },
};
