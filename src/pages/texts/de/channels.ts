/** German: people behind ways to power. */

import type { channelTexts as english } from "../en/channels.ts";
import type { Shape } from "../shape.ts";

export const channelTexts: Shape<typeof english> = {
  channels: {
    title: "Neue Berechtigungen bestätigen",
    text: "Diese Personen haben weniger Berechtigungen und sind für Wege zu dem verantwortlich, was Sie vergeben:",
    action: "Trotzdem vergeben",
    note:
      "Mitglieder, die eine Verbindung anmeldet, müssen ihr Firmenkonto vor der nächsten Anmeldung selbst " +
      "verknüpfen.",
    nobody: "Gelöschtes Konto",
    holders: "Wer noch Zugriff auf dieses Konto hat",
    holdersLead: "Neue Berechtigungen brauchen eine Bestätigung, wenn hier jemand weniger Berechtigungen hat.",
    kinds: {
      linked_identity: "Verbindung, die das Mitglied anmeldet",
      directory_key: "Schlüssel des Verzeichnisses",
      setup_key: "Schlüssel des Verzeichnisses aus einem Einrichtungslink",
      group_mapping: "Schlüssel, der die Gruppen füllt",
      role_rule: "Verbindung, die die Gruppen meldet",
      default_role: "Verbindung, deren Benutzer beitreten",
      claimed_domain: "Domain, deren Benutzer beitreten",
      setup_link: "Einrichtungslink",
    },
  },
};
