/** Italian: blocked hosts of metadata documents, in the platform console. */
import type { BlockedHostsTexts } from "../en/blocked-hosts.ts";

export const blockedHostsTexts: BlockedHostsTexts = {
  blockedHosts: {
    title: "Host bloccati",
    lead:
      "Un documento su un host bloccato non identifica alcuna applicazione: gli utenti non possono accedervi e " +
      "il suo accesso è terminato.",
    none: "Nessun host è bloccato.",
    host: "Host",
    hostHint:
      "Ad esempio app.example.com, oppure *.example.com per tutti gli host sotto example.com. L’accesso delle " +
      "sue applicazioni termina subito.",
    since: "Bloccato dal",
    add: "Blocca un host",
    addAction: "Blocca host",
    added: "L’host è bloccato.",
    remove: "Sblocca",
    removeTitle: (host) => `Sbloccare ${host}?`,
    removeText:
      "Gli utenti possono accedere di nuovo alle applicazioni di questo host. Gli accessi terminati non " +
      "ritornano.",
    removed: "L’host non è più bloccato.",
    full: "Ci sono già 1.000 host bloccati. Sblocca prima un host.",
  },
};
