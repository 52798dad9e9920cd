/** Polish: blocked hosts of metadata documents, in the platform console. */
import type { BlockedHostsTexts } from "../en/blocked-hosts.ts";

export const blockedHostsTexts: BlockedHostsTexts = {
  blockedHosts: {
    title: "Zablokowane hosty",
    lead:
      "Dokument na zablokowanym hoście nie wskazuje żadnej aplikacji: użytkownicy nie mogą się przez nią " +
      "logować, a jej dostęp został zakończony.",
    none: "Żaden host nie jest zablokowany.",
    host: "Host",
    hostHint:
      "Na przykład app.example.com lub *.example.com dla wszystkich hostów poniżej example.com. Dostęp " +
      "aplikacji kończy się natychmiast.",
    since: "Zablokowano",
    add: "Zablokuj host",
    addAction: "Zablokuj host",
    added: "Host jest zablokowany.",
    remove: "Odblokuj",
    removeTitle: (host) => `Odblokować ${host}?`,
    removeText: "Użytkownicy mogą ponownie logować się do aplikacji tego hosta. Zakończony dostęp nie wraca.",
    removed: "Host nie jest już zablokowany.",
    full: "Zablokowano już 1000 hostów. Najpierw odblokuj jeden z nich.",
  },
};
