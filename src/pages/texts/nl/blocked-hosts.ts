/** Dutch: blocked hosts of metadata documents, in the platform console. */
import type { BlockedHostsTexts } from "../en/blocked-hosts.ts";

export const blockedHostsTexts: BlockedHostsTexts = {
  blockedHosts: {
    title: "Geblokkeerde hosts",
    lead:
      "Een document op een geblokkeerde host wijst geen applicatie aan: gebruikers kunnen er niet mee inloggen " +
      "en de toegang is beëindigd.",
    none: "Er zijn geen hosts geblokkeerd.",
    host: "Host",
    hostHint:
      "Bijvoorbeeld app.example.com, of *.example.com voor alle hosts onder example.com. De toegang van de " +
      "applicaties eindigt meteen.",
    since: "Geblokkeerd sinds",
    add: "Host blokkeren",
    addAction: "Host blokkeren",
    added: "De host is geblokkeerd.",
    remove: "Deblokkeren",
    removeTitle: (host) => `${host} deblokkeren?`,
    removeText: "Gebruikers kunnen weer inloggen bij applicaties van deze host. Beëindigde toegang keert niet terug.",
    removed: "De host is niet meer geblokkeerd.",
    full: "Er zijn al 1.000 hosts geblokkeerd. Deblokkeer eerst een host.",
  },
};
