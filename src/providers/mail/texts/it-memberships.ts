import type { MembershipEmailKinds } from "./shape.ts";

/** E-mails about roles of an organization and requests to join. */
export const membershipEmails: MembershipEmailKinds = {
  account_channels: {
    subject: "Le Sue autorizzazioni in {{organization_name}} sono cambiate",
    preheader: "Veda chi altro ha accesso al Suo account.",
    title: "Ha più autorizzazioni",
    lead:
      "Ora ha più autorizzazioni in {{organization_name}}. Anche queste connessioni e chiavi raggiungono il " +
      "Suo account, con la persona responsabile tra parentesi: {{channels}}.",
    button: "Apri le impostazioni di sicurezza",
    after:
      "Se non riesce più ad accedere con l’account aziendale, acceda con un metodo personale e colleghi " +
      "l’account aziendale nelle impostazioni di sicurezza.",
  },
  channels_accepted: {
    subject: "Nuove autorizzazioni in {{organization_name}} sono state confermate",
    preheader: "Persone con meno autorizzazioni sono responsabili di vie per ottenerle.",
    title: "Una concessione è stata confermata",
    lead:
      "In {{organization_name}} sono state concesse autorizzazioni, anche se persone con meno autorizzazioni " +
      "sono responsabili di queste vie per ottenerle: {{channels}}.",
    button: "Verifica l’organizzazione",
    after: "Se non se lo aspetta, annulli la modifica o sostituisca le connessioni e le chiavi.",
  },
  role_template_widened: {
    subject: "Il ruolo “{{role_name}}” ha nuovi permessi",
    preheader: "I membri di {{organization_name}} con il ruolo hanno ora i permessi.",
    title: "Un ruolo ha nuovi permessi",
    lead:
      "La piattaforma {{brand}} ha aggiunto permessi al modello “{{role_name}}”, usato da " +
      "{{organization_name}}. I membri con il ruolo hanno da ora questi permessi: {{added}}.",
    button: "Controlla il ruolo",
    after: "Se i membri non devono avere questi permessi, rimuovi il ruolo dai membri o crea un ruolo tuo.",
  },
  join_requested: {
    subject: "Richiesta di adesione a {{organization_name}}",
    preheader: "{{address}} vuole diventare membro. Tempo per decidere: {{valid_for}}.",
    title: "Una richiesta di adesione alla tua organizzazione",
    lead:
      "L’utente {{address}} chiede di unirsi a {{organization_name}} su {{brand}}. L’indirizzo appartiene a un " +
      "dominio verificato dell’organizzazione. La richiesta termina dopo {{valid_for}}.",
    button: "Esamina la richiesta",
    after: "Se non conosci l’utente, rifiuta la richiesta.",
  },
  join_approved: {
    subject: "Ora sei membro di {{organization_name}}",
    preheader: "La tua richiesta di adesione è stata accettata.",
    title: "La tua richiesta è stata accettata",
    lead:
      "La tua richiesta di adesione a {{organization_name}} su {{brand}} è stata accettata. Puoi passare " +
      "all’organizzazione dal tuo account.",
    button: "Apri l’account",
    after: "Se non hai inviato la richiesta, avvisa l’amministratore.",
  },
  join_denied: {
    subject: "La tua richiesta di adesione a {{organization_name}} è stata rifiutata",
    preheader: "Potrai fare una nuova richiesta più avanti.",
    title: "La tua richiesta è stata rifiutata",
    lead:
      "La tua richiesta di adesione a {{organization_name}} su {{brand}} è stata rifiutata. Potrai fare " +
      "una nuova richiesta {{valid_for}} dopo la precedente.",
    button: "Apri l’account",
    after: "Se ti serve l’accesso adesso, chiedi un invito a un membro dell’organizzazione.",
  },
};
