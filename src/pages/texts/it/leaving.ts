/** Italian: copies of the user's data, and the deletion of accounts and organizations. */
import { pluralIn } from "../../../base/plural.ts";
import type { LeavingTexts } from "../en/leaving.ts";

const plural = pluralIn("it");

export const leavingTexts: LeavingTexts = {
  dataExport: {
    title: "I tuoi dati",
    lead: "Richiedi una copia dei dati del tuo account. Riceverai un’email quando la copia sarà pronta.",
    contents:
      "La copia è un file JSON con profilo, indirizzi, organizzazioni, sessioni, passkey, applicazioni, inviti " +
      "inviati e la tua attività. Non contiene password o chiavi.",
    request: "Richiedi una copia",
    requested: "Stiamo preparando la tua copia. Riceverai un’email quando sarà pronta.",
    limited: (span) => `Puoi richiedere una copia al giorno. Riprova tra ${span}.`,
    copies: "Copie",
    none: "Non è stata richiesta nessuna copia.",
    pending: "In preparazione",
    failed: "Non è stato possibile creare la copia. Richiedine una nuova.",
    until: (time) => `Disponibile fino a: ${time}`,
    requestedOn: (day) => `Richiesta: ${day}`,
    download: "Scarica",
    signInAgain: "Esci e accedi di nuovo per continuare.",
  },
  deleteAccount: {
    title: "Elimina account",
    open: "Elimina il mio account",
    rowDetails: "Chiude ora l’account e cancella in seguito tutti i dati.",
    exportDetails: "Ottieni una copia dei tuoi dati in un file.",
    now: "Subito",
    signedOut: "Uscirai dall’account su tutti i dispositivi e le applicazioni perderanno l’accesso.",
    noSignIn: "Nessuno potrà accedere all’account.",
    invitations: "I tuoi inviti in attesa non saranno più validi.",
    organizationsSuspended: (names) => `Queste organizzazioni non hanno altri membri e verranno sospese: ${names}.`,
    later: (days) => plural(days, { one: "Dopo # giorno", many: "Dopo # di giorni", other: "Dopo # giorni" }),
    immediately: "Subito dopo",
    erased:
      "Il tuo profilo, gli indirizzi, i metodi di accesso, i dispositivi e l’accesso delle applicazioni verranno " +
      "cancellati.",
    organizationsErased: (names) => `Queste organizzazioni verranno cancellate insieme al tuo account: ${names}.`,
    kept: "I registri delle attività conservano un ID senza il tuo nome e il tuo indirizzo.",
    cancelUntil: "Fino ad allora potrai mantenere l’account con il link nell’email che ti invieremo.",
    noCancel: "L’eliminazione non può essere annullata.",
    lastOwner: (names) =>
      `Prima assegna a un altro membro il ruolo di proprietario in queste organizzazioni: ${names}.`,
    breakGlass: (names) =>
      `Hai l’accesso di emergenza di queste organizzazioni. Prima designa un altro membro: ${names}.`,
    lastPlatformOwner: "La piattaforma non ha altri proprietari. Prima assegna questo ruolo a un altro utente.",
    typeEmail: (email) => `Digita ${email} per confermare`,
    wrongEmail: "Questo non è l’indirizzo del tuo account.",
    code: "Codice ricevuto via email",
    sendCode: "Invia un codice",
    codeSent: "Abbiamo inviato un codice al tuo indirizzo.",
    wrongCode: "Il codice non è corretto o è scaduto.",
    codeLead: "Il tuo account non ha una password. Confermeremo l’eliminazione con un codice.",
    done: "Ti abbiamo inviato un’email. Fino alla cancellazione puoi mantenere l’account con il link nell’email.",
    doneImmediate: "Tutti i dati dell’account verranno cancellati a breve.",
  },
  cancelDeletion: {
    title: "Mantieni l’account",
    lead:
      "L’eliminazione verrà annullata e potrai accedere di nuovo. Le sessioni resteranno chiuse su tutti i " +
      "dispositivi.",
    action: "Mantieni il mio account",
    doneTitle: "L’account è stato mantenuto",
    done: "L’eliminazione è stata annullata. Puoi accedere di nuovo.",
    organizationTitle: "Mantieni l’organizzazione",
    organizationLead: "L’eliminazione verrà annullata e i membri e le chiavi API avranno di nuovo accesso.",
    organizationAction: "Mantieni l’organizzazione",
    organizationDoneTitle: "L’organizzazione è stata mantenuta",
    organizationDone: "L’eliminazione è stata annullata. I membri possono accedere di nuovo.",
    dead: "Il link è scaduto o è già stato usato.",
  },
  deleteOrganization: {
    title: (name) => `Elimina ${name}`,
    open: "Elimina organizzazione",
    lead:
      "Tutti i dati dell’organizzazione verranno cancellati dopo 30 giorni. Fino ad allora ogni proprietario potrà " +
      "mantenerla.",
    suspended: "L’organizzazione verrà sospesa subito: i membri e le chiavi API non avranno accesso.",
    erased:
      "Dopo 30 giorni i membri, gli inviti, le chiavi API e i webhook verranno cancellati. Gli account dei membri " +
      "non verranno eliminati.",
    notice: "Ogni proprietario riceverà un’email con un link per mantenere l’organizzazione.",
    export: "Scarica i dati",
    typeSlug: (slug) => `Digita ${slug} per confermare`,
    wrongSlug: "Questo non è lo slug dell’organizzazione.",
    done: "L’organizzazione è sospesa e verrà eliminata.",
    ownersOnly: "Solo un proprietario può eliminare l’organizzazione.",
  },
  adminDeletions: {
    title: "Eliminazioni",
    lead: "Eliminazioni in attesa e cancellazioni degli ultimi 180 giorni.",
    none: "Nessuna eliminazione in attesa.",
    user: "Utente",
    organization: "Organizzazione",
    due: "Cancellazione",
    erased: "Dati cancellati",
    reason: "Motivo",
    reasonHint: "Il motivo viene cancellato insieme ai dati.",
    badReason: "Inserisci un motivo di massimo 500 caratteri.",
    cancel: "Annulla eliminazione",
    cancelled: "L’eliminazione è stata annullata.",
    pendingUntil: (time) => `I dati verranno cancellati in questa data: ${time}.`,
    deleteUser: "Elimina utente",
    deleteUserText: "L’account verrà chiuso subito. L’utente riceverà un’email con un link che annulla l’eliminazione.",
    deleteOrganization: "Elimina organizzazione",
    deleteOrganizationText:
      "L’organizzazione verrà sospesa subito. I proprietari riceveranno un’email con un link che annulla " +
      "l’eliminazione.",
    requestedDone: "L’eliminazione è stata richiesta.",
    conflict:
      "Operazione non possibile: un’eliminazione è già in attesa o un’organizzazione resterebbe senza proprietario.",
  },
};
