/** Italian: groups of members. */
import type { GroupTexts } from "../en/groups.ts";

export const groupTexts: GroupTexts = {
  groups: {
    title: "Gruppi",
    lead: "Un gruppo è un elenco di membri. I suoi ruoli valgono per ogni membro del gruppo.",
    group: "Gruppo",
    create: "Nuovo gruppo",
    none: "Ancora nessun gruppo. Crea un gruppo per un team o un’attività.",
    rolesOfMembers: "Ruoli dei membri",
    add: "Indirizzo email di un membro",
    addAction: "Aggiungi",
    addedAt: "Aggiunto",
    noMembers: "Il gruppo non ha membri.",
    remove: "Elimina gruppo",
    removeText: "I membri perdono subito i ruoli del gruppo. Restano nell’organizzazione.",
    created: "Il gruppo è stato creato.",
    saved: "Il gruppo è stato salvato. I ruoli valgono subito.",
    deleted: "Il gruppo è stato eliminato.",
    added: "Il membro è stato aggiunto.",
    removed: "Il membro è stato tolto dal gruppo.",
    taken: "Esiste già un gruppo con questo nome, oppure è stato raggiunto il numero massimo di gruppi.",
    tooManyRoles: "Un membro ha al massimo 10 altri ruoli.",
    tooManyForMember: "Il membro avrebbe più di 10 altri ruoli.",
    notMember: "Nessun membro dell’organizzazione ha questo indirizzo.",
    full: "Il gruppo ha il numero massimo di membri.",
    ofDirectory: "La directory gestisce questo gruppo.",
    notYours: "Non hai il permesso di vedere i gruppi dell’organizzazione.",
    notYoursToChange: "Non hai il permesso di modificare i gruppi.",
    notIncluded: "I gruppi non sono inclusi nel piano della tua organizzazione.",
    removeTitle: (name) => `Eliminare il gruppo ${name}?`,
    fixed: {
      directory: "La directory gestisce questo gruppo. I ruoli del gruppo si assegnano nella pagina della directory.",
      permission: "Non hai il permesso di modificare i gruppi.",
      above: "Il gruppo concede un ruolo con un permesso che non hai. Non puoi modificare il gruppo.",
    },
  },
};
