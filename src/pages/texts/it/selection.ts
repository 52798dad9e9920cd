/** Italian: selected rows of lists, and actions on the selected rows. */
import { pluralIn } from "../../../base/plural.ts";
import type { SelectionTexts } from "../en/selection.ts";

const plural = pluralIn("it");

export const selectionTexts: SelectionTexts = {
  selection: {
    select: (name) => `Seleziona ${name}`,
    rows: "Righe selezionate",
    all: "Seleziona tutto",
    back: "Torna all’elenco",
    missing: "Questa riga non esiste più.",
    bounds: (count) =>
      plural(count, {
        one: "Seleziona # riga.",
        many: "Seleziona da 1 a # righe.",
        other: "Seleziona da 1 a # righe.",
      }),
    partial: (count) =>
      plural(count, {
        one: "# riga non è stata modificata",
        many: "# di righe non sono state modificate",
        other: "# righe non sono state modificate",
      }),
    actions: {
      "remove-selected": {
        action: "Rimuovi",
        title: (count) =>
          plural(count, { one: "Rimuovere # membro?", many: "Rimuovere # di membri?", other: "Rimuovere # membri?" }),
        text:
          "I membri perderanno immediatamente l’accesso a questa organizzazione. Gli account non verranno " +
          "eliminati.",
        done: (count) =>
          plural(count, { one: "# membro rimosso.", many: "# di membri rimossi.", other: "# membri rimossi." }),
      },
      "resend-selected": {
        action: "Invia di nuovo",
        title: (count) =>
          plural(count, {
            one: "Inviare di nuovo # invito?",
            many: "Inviare di nuovo # di inviti?",
            other: "Inviare di nuovo # inviti?",
          }),
        text: "Ogni email contiene un nuovo link. I link precedenti non funzioneranno più.",
        done: (count) =>
          plural(count, {
            one: "# invito inviato di nuovo.",
            many: "# di inviti inviati di nuovo.",
            other: "# inviti inviati di nuovo.",
          }),
      },
      "revoke-selected": {
        action: "Revoca",
        title: (count) =>
          plural(count, { one: "Revocare # invito?", many: "Revocare # di inviti?", other: "Revocare # inviti?" }),
        text: "I link nelle email non funzioneranno più.",
        done: (count) =>
          plural(count, { one: "# invito revocato.", many: "# di inviti revocati.", other: "# inviti revocati." }),
      },
      "end-selected": {
        action: "Chiudi sessioni",
        title: (count) =>
          plural(count, {
            one: "Chiudere # sessione?",
            many: "Chiudere # di sessioni?",
            other: "Chiudere # sessioni?",
          }),
        text: "Le sessioni sui dispositivi verranno chiuse immediatamente. Gli utenti potranno accedere di nuovo.",
        done: (count) =>
          plural(count, { one: "# sessione chiusa.", many: "# di sessioni chiuse.", other: "# sessioni chiuse." }),
      },
      "disable-selected": {
        action: "Disabilita",
        title: (count) =>
          plural(count, {
            one: "Disabilitare # utente?",
            many: "Disabilitare # di utenti?",
            other: "Disabilitare # utenti?",
          }),
        text:
          "Tutte le sessioni di questi utenti verranno chiuse immediatamente e ogni accesso verrà " +
          "rifiutato finché non riabiliterai gli account.",
        done: (count) =>
          plural(count, {
            one: "# utente disabilitato.",
            many: "# di utenti disabilitati.",
            other: "# utenti disabilitati.",
          }),
      },
      "sign-out-selected": {
        action: "Chiudi tutte le sessioni",
        title: (count) =>
          plural(count, {
            one: "Chiudere tutte le sessioni di # utente?",
            many: "Chiudere tutte le sessioni di # di utenti?",
            other: "Chiudere tutte le sessioni di # utenti?",
          }),
        text:
          "Tutte le sessioni di questi utenti verranno chiuse immediatamente. Gli utenti potranno " +
          "accedere di nuovo.",
        done: (count) =>
          plural(count, {
            one: "Tutte le sessioni di # utente sono state chiuse.",
            many: "Tutte le sessioni di # di utenti sono state chiuse.",
            other: "Tutte le sessioni di # utenti sono state chiuse.",
          }),
      },
    },
  },
};
