/** Dutch: templates of roles in the console. */
import type { RoleTemplateTexts } from "../en/role-templates.ts";

export const roleTemplateTexts: RoleTemplateTexts = {
  templates: {
    title: "Rolsjablonen",
    lead: "Rollen die elke organisatie aan haar leden kan toewijzen.",
    create: "Nieuw sjabloon",
    createAction: "Sjabloon maken",
    newLead: "Een sjabloon bevat geen rechten van eigenaren. Organisaties kunnen het sjabloon meteen toewijzen.",
    none:
      "Nog geen sjabloon. Maak een sjabloon voor een taak in elke organisatie, zoals het lezen van het " +
      "auditlogboek.",
    organizations: "Organisaties",
    ownersOnly: "Alleen een organisatie kent dit recht toe, met een eigen rol.",
    created: "Het sjabloon is gemaakt.",
    saved: "Het sjabloon is opgeslagen. De nieuwe rechten gelden meteen.",
    deleted: "Het sjabloon is verwijderd.",
    wider:
      "Gewijzigde rechten gelden meteen voor leden. Voeg je rechten toe, dan krijgen de eigenaren van " +
      "organisaties die het sjabloon gebruiken een e‑mail.",
  },
};
