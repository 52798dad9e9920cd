/** English: blocked hosts of metadata documents, in the platform console. */
import type { Shape } from "../shape.ts";

export const blockedHostsTexts = {
  blockedHosts: {
    title: "Blocked hosts",
    lead:
      "A document on a blocked host identifies no application: users can't sign in with it, and its access has " +
      "ended.",
    none: "No hosts are blocked.",
    host: "Host",
    hostHint:
      "For example app.example.com, or *.example.com for every host below example.com. Access of its " +
      "applications ends immediately.",
    since: "Blocked since",
    add: "Block a host",
    addAction: "Block host",
    added: "The host is blocked.",
    remove: "Unblock",
    removeTitle: (host: string) => `Unblock ${host}?`,
    removeText: "Users can sign in to applications of this host again. Ended access does not return.",
    removed: "The host is no longer blocked.",
    full: "There are already 1,000 blocked hosts. Unblock one first.",
  },
};

export type BlockedHostsTexts = Shape<typeof blockedHostsTexts>;
