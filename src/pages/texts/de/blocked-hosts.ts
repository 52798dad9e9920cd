/** German: blocked hosts of metadata documents, in the platform console. */
import type { BlockedHostsTexts } from "../en/blocked-hosts.ts";

export const blockedHostsTexts: BlockedHostsTexts = {
  blockedHosts: {
    title: "Blockierte Hosts",
    lead:
      "Ein Dokument auf einem blockierten Host weist keine Anwendung aus: Benutzer können sich mit ihr nicht " +
      "anmelden, und ihr Zugriff ist beendet.",
    none: "Es sind keine Hosts blockiert.",
    host: "Host",
    hostHint:
      "Zum Beispiel app.example.com oder *.example.com für alle Hosts unterhalb von example.com. Der Zugriff " +
      "der zugehörigen Anwendungen endet sofort.",
    since: "Blockiert seit",
    add: "Host blockieren",
    addAction: "Host blockieren",
    added: "Der Host ist blockiert.",
    remove: "Freigeben",
    removeTitle: (host) => `${host} freigeben?`,
    removeText:
      "Benutzer können sich wieder bei Anwendungen dieses Hosts anmelden. Beendete Zugriffe bleiben " + "beendet.",
    removed: "Der Host ist nicht mehr blockiert.",
    full: "Es sind bereits 1.000 Hosts blockiert. Geben Sie zuerst einen Host frei.",
  },
};
