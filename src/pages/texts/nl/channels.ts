/** Dutch: people behind ways to power. */

import type { channelTexts as english } from "../en/channels.ts";
import type { Shape } from "../shape.ts";

export const channelTexts: Shape<typeof english> = {
  channels: {
    title: "Nieuwe rechten bevestigen",
    text: "Deze personen hebben minder rechten en zijn verantwoordelijk voor wegen naar wat u toekent:",
    action: "Toch toekennen",
    note: "Leden die via een verbinding inloggen, moeten hun bedrijfsaccount vóór de volgende keer zelf koppelen.",
    nobody: "Verwijderd account",
    holders: "Wie nog meer toegang heeft tot dit account",
    holdersLead: "Nieuwe rechten moeten worden bevestigd als een van deze personen er minder heeft.",
    kinds: {
      linked_identity: "Verbinding waarmee het lid inlogt",
      directory_key: "Sleutel van de directory",
      setup_key: "Sleutel van de directory uit een instellink",
      group_mapping: "Sleutel die de groepen vult",
      role_rule: "Verbinding die de groepen meldt",
      default_role: "Verbinding waarvan gebruikers lid worden",
      claimed_domain: "Domein waarvan gebruikers lid worden",
      setup_link: "Instellink",
    },
  },
};
