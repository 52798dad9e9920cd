import type { LeavingEmailKinds } from "./shape.ts";

/** E-mails about deletions and exports. */
export const leavingEmails: LeavingEmailKinds = {
  account_deletion: {
    subject: "Il tuo account {{brand}} verrà eliminato",
    preheader: "{{#link}}Puoi mantenere l’account per {{valid_for}}.{{/link}}{{^link}}L’account è chiuso.{{/link}}",
    title: "Il tuo account verrà eliminato",
    lead:
      "È stata richiesta l’eliminazione del tuo account {{brand}}. L’account è chiuso: tutte le sessioni su " +
      "dispositivi e applicazioni sono state chiuse e nessuno può accedere.",
    byAdministrator: "Un amministratore ha richiesto l’eliminazione.",
    pending:
      "Tutti i dati dell’account verranno cancellati dopo {{valid_for}}. Fino ad allora puoi mantenere l’account. Il " +
      "link può essere usato una sola volta.",
    immediate: "Tutti i dati dell’account vengono cancellati ora. L’eliminazione non può essere annullata.",
    button: "Mantieni il mio account",
    after: "La richiesta è tua? Allora non devi fare altro.",
  },
  organization_deletion: {
    subject: "“{{organization_name}}” su {{brand}} verrà eliminata",
    preheader: "Ogni proprietario può mantenere l’organizzazione per {{valid_for}}.",
    title: "Un’organizzazione verrà eliminata",
    lead:
      "È stata richiesta l’eliminazione di {{organization_name}}. L’organizzazione è sospesa: i membri e le chiavi " +
      "API non hanno accesso. Tutti i dati dell’organizzazione verranno cancellati dopo {{valid_for}}. Fino " +
      "ad allora ogni proprietario può mantenerla. Il link può essere usato una sola volta.",
    button: "Mantieni l’organizzazione",
    after: "Ricevi questa email in qualità di proprietario. L’eliminazione è corretta? Allora non devi fare altro.",
  },
  data_export: {
    subject: "I tuoi dati di {{brand}} sono pronti da scaricare",
    preheader: "Il download è disponibile per {{valid_for}}.",
    title: "I tuoi dati sono pronti",
    lead:
      "La copia dei tuoi dati di {{brand}} è pronta. Accedi per scaricarla entro {{valid_for}}; dopo questo termine " +
      "la copia verrà eliminata.",
    button: "Scarica i miei dati",
    after: "Non hai richiesto i tuoi dati? Cambia la password e avvisa l’amministratore.",
  },
};
