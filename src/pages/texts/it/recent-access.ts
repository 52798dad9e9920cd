/** What was set up in an account or an organization, and may end. */
import type { RecentAccessTexts } from "../en/recent-access.ts";

export const recentAccessTexts: RecentAccessTexts = {
  credentialReview: {
    title: "Configurati di recente",
    lead: "Controlla ciò che è stato configurato prima dell’ultima reimpostazione della password.",
    held: "In attesa della tua conferma",
    confirm: "Sono stato io",
    end: "Termina l’accesso",
    effects: "Tutti gli elementi dell’elenco vengono rimossi e vieni disconnesso da tutti gli altri dispositivi.",
    factorStays:
      "L’app di autenticazione rimane. Rimuovila nelle impostazioni di sicurezza o chiedi all’amministratore.",
    confirmed: "Gli elementi sono confermati.",
    ended: "L’accesso con gli elementi dell’elenco è terminato.",
    note: "La tua password è stata reimpostata. Controlla ciò che era stato configurato prima.",
    review: "Controlla",
    dead: "Il link è scaduto o è già stato usato.",
    skip: "Continua con l’accesso",
    none: "Non c’è nulla da controllare.",
  },
  creations: {
    title: (name: string) => `Configurati da ${name}`,
    lead: "Ciò che questa persona ha configurato nell’organizzazione e che è ancora valido.",
    end: "Termina chiavi e link",
    stays: "Connessioni e domini rimangono, perché i membri li usano per accedere. Controllali nella loro pagina.",
    ended: "Le chiavi e i link della persona sono terminati.",
    none: "Nulla di ciò che questa persona ha configurato è valido.",
    open: "Apri",
  },
  accessItems: {
    passkeys: "Passkey",
    identities: "Provider collegato",
    company_accounts: "Account aziendale collegato",
    address_changes: "Indirizzo email",
    second_factor: "App di autenticazione",
    api_keys: "Chiave API",
    webhooks: "Webhook",
    event_streams: "Flusso di eventi",
    oauth_grants: "Applicazione collegata",
    invitations: "Invito in attesa",
    setup_links: "Link di configurazione del single sign-on",
    connections: "Connessione di single sign-on",
    domains: "Dominio",
  },
};
