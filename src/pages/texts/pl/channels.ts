/** Polish: people behind ways to power. */

import type { channelTexts as english } from "../en/channels.ts";
import type { Shape } from "../shape.ts";

export const channelTexts: Shape<typeof english> = {
  channels: {
    title: "Potwierdź nowe uprawnienia",
    text: "Te osoby mają mniej uprawnień i odpowiadają za drogi do tego, co nadajesz:",
    action: "Nadaj mimo to",
    note: "Członkowie logowani przez połączenie muszą przed następnym logowaniem sami połączyć konto firmowe.",
    nobody: "Usunięte konto",
    holders: "Kto jeszcze ma dostęp do tego konta",
    holdersLead: "Nowe uprawnienia wymagają potwierdzenia, jeśli któraś z tych osób ma ich mniej.",
    kinds: {
      linked_identity: "Połączenie, które loguje członka",
      directory_key: "Klucz katalogu",
      setup_key: "Klucz katalogu z linku konfiguracyjnego",
      group_mapping: "Klucz, który wypełnia grupy",
      role_rule: "Połączenie, które podaje grupy",
      default_role: "Połączenie, którego użytkownicy dołączają",
      claimed_domain: "Domena, której użytkownicy dołączają",
      setup_link: "Link konfiguracyjny",
    },
  },
};
