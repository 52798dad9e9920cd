import type { AddressEmailKinds } from "./shape.ts";

/** E-mails about the addresses of a user. */
export const addressEmails: AddressEmailKinds = {
  email_change: {
    subject: "Conferma il tuo indirizzo email per {{brand}}",
    preheader: "Il link è valido per {{valid_for}}, in un browser in cui hai eseguito l’accesso.",
    title: "Conferma il nuovo indirizzo",
    lead:
      "Conferma che questo indirizzo appartiene al tuo account {{brand}}. Fino ad allora accedi con il tuo indirizzo " +
      "attuale.",
    button: "Conferma indirizzo",
    after: "Non hai richiesto la modifica? Ignora questa email: senza conferma l’indirizzo non verrà usato.",
  },
  email_in_use: {
    subject: "Il tuo indirizzo su {{brand}}",
    preheader: "L’indirizzo appartiene già a un account. Non è cambiato nulla.",
    title: "Il tuo indirizzo è già in uso",
    lead:
      "Questo indirizzo è stato richiesto per un account {{brand}}. L’indirizzo appartiene già a un account, quindi " +
      "non è cambiato nulla.",
    button: "Accedi",
    after:
      "La richiesta è tua? Accedi con questo indirizzo o scegli una nuova password durante l’accesso. Altrimenti " +
      "ignora questa email.",
  },
  email_change_notice: {
    subject: "L’indirizzo email del tuo account {{brand}}",
    preheader: "{{device}}, {{time}}. Se non l’hai fatto tu, annulla la modifica.",
    title: "Il tuo indirizzo email",
    lead: "Gli indirizzi email del tuo account {{brand}} stanno per cambiare o sono cambiati.",
    change:
      "È stato richiesto un nuovo indirizzo principale{{#new_email}}: {{new_email}}{{/new_email}}. Dopo la conferma " +
      "questo indirizzo non apparterrà più all’account.",
    addition:
      "È stato richiesto un indirizzo aggiuntivo{{#new_email}}: {{new_email}}{{/new_email}}. Dopo la conferma " +
      "l’indirizzo potrà essere usato per accedere e reimpostare la password.",
    replaced:
      "L’indirizzo principale è cambiato{{#new_email}} in {{new_email}}{{/new_email}}. Puoi ancora accedere con " +
      "questo indirizzo.",
    undo:
      "Se non l’hai fatto tu, annulla la modifica. Il link può essere usato una sola volta, fino a {{undo_period}} " +
      "dopo la modifica. Tutte le sessioni verranno chiuse e la password e tutti i metodi di accesso aggiunti dopo " +
      "la richiesta verranno rimossi:",
    noUndo: "Questo indirizzo non è mai stato confermato per l’account, quindi non devi fare nulla.",
    button: "Controlla la sicurezza",
    after: "L’hai fatto tu? Allora puoi ignorare questa email.",
  },
  email_removed: {
    subject: "Un indirizzo email è stato rimosso su {{brand}}",
    preheader: "{{device}}, {{time}}. Se non l’hai fatto tu, cambia la password.",
    title: "Un indirizzo email è stato rimosso",
    lead: "L’indirizzo {{email}} è stato rimosso da un account {{brand}}. Non può più essere usato per accedere.",
    button: "Controlla la sicurezza",
    after:
      "L’hai fatto tu? Allora puoi ignorare questa email. Altrimenti cambia subito la password e avvisa " +
      "l’amministratore.",
  },
  email_reverted: {
    subject: "La modifica del tuo indirizzo su {{brand}} è annullata",
    preheader: "Questo indirizzo è di nuovo quello principale. Imposta una nuova password.",
    title: "La modifica del tuo indirizzo è stata annullata",
    lead:
      "Questo indirizzo è di nuovo l’indirizzo principale del tuo account. Tutte le sessioni sono state chiuse e la " +
      "password e tutti i metodi di accesso aggiunti dopo la richiesta sono stati rimossi. Imposta una nuova password.",
    button: "Imposta nuova password",
    after: "Non hai annullato tu la modifica? Avvisa l’amministratore.",
  },
};
