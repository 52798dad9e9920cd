import type { AccessEmailKinds, AccessItemNames } from "./shape.ts";

/** E-mails that list what was set up: after a reset of the password, and after the removal of a member. */
export const accessEmails: AccessEmailKinds = {
  credential_review: {
    subject: "Controlla il tuo account {{brand}}",
    preheader: "La tua password è stata reimpostata. Termina l’accesso di ciò che non conosci.",
    title: "Controlla ciò che è stato configurato di recente",
    lead:
      "La password del tuo account {{brand}} è stata reimpostata. Passkey, indirizzi e account collegati degli " +
      "ultimi sette giorni non fanno accedere nessuno finché non li confermi.",
    listed: "Configurati di recente:",
    end: "Se non conosci un elemento, termina l’accesso in questa pagina:",
    button: "Controlla",
    after: "Se è tutto tuo, conferma gli elementi nelle impostazioni di sicurezza.",
  },
  member_creations: {
    subject: "Chiavi e link di {{address}} in {{organization_name}}",
    preheader: "La persona non è più membro o ha meno autorizzazioni. Controlla ciò che è ancora valido.",
    title: "Controlla ciò che una persona ha configurato",
    lead:
      "L’utente {{address}} non fa più parte di {{organization_name}} su {{brand}} oppure ora ha meno " +
      "autorizzazioni.",
    listed: "Ciò che questa persona ha configurato è ancora valido:",
    button: "Controlla e termina",
    after: "Se la tua organizzazione ha bisogno di un elemento, sostituiscilo prima e termina l’accesso dopo.",
  },
};

export const accessItems: AccessItemNames = {
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
};
