import type { DirectoryEmailKinds } from "./shape.ts";

/** E-mails about the directory of an organization. */
export const directoryEmails: DirectoryEmailKinds = {
  api_key_expiring: {
    subject: "La chiave della directory “{{key_name}}” sta per scadere",
    preheader: "Tempo rimanente: {{valid_for}}. Sostituisci la chiave in tempo.",
    title: "Una chiave della directory sta per scadere",
    lead:
      "La chiave API dell’account di servizio “{{key_name}}” sta per scadere. Tempo rimanente: {{valid_for}}. Dopo " +
      "la scadenza la directory non potrà né creare né disattivare utenti: chi lascia l’azienda manterrà l’accesso.",
    button: "Sostituisci la chiave",
    after: "Crea una seconda chiave nella pagina e inseriscila nella directory. Poi revoca la chiave precedente.",
  },
  directory_joined: {
    subject: "Il tuo account ora fa parte di {{organization_name}}",
    preheader: "La directory dell’organizzazione ti ha aggiunto.",
    title: "Sei stato aggiunto a un’organizzazione",
    lead:
      "La directory di {{organization_name}} ha aggiunto il tuo account {{brand}} come membro. La password, gli " +
      "altri metodi di accesso e le altre organizzazioni restano invariati. L’organizzazione può terminare " +
      "l’appartenenza, non il tuo account.",
    button: "Apri l’account",
    after: "Se non conosci l’organizzazione, puoi lasciarla dal tuo account.",
  },
  directory_refused: {
    subject: "Una modifica della directory è stata rifiutata",
    preheader: "L’ultimo proprietario e gli utenti per l’accesso di emergenza restano attivi.",
    title: "Una modifica della directory è stata rifiutata",
    lead:
      "La directory di {{organization_name}} ha tentato di disattivare o eliminare l’ultimo proprietario o un " +
      "utente per l’accesso di emergenza su {{brand}}. L’utente resta attivo, così l’organizzazione rimane " +
      "accessibile.",
    button: "Controlla la directory",
    after:
      "Se l’utente deve andarsene, rendi prima proprietario un altro membro o cambia gli utenti per l’accesso di " +
      "emergenza.",
  },
};
