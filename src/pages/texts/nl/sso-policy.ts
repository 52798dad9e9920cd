/** Dutch: the policy of organizations for single sign-on. */
import type { SsoPolicyTexts } from "../en/sso-policy.ts";

export const ssoPolicyTexts: SsoPolicyTexts = {
  ssoPolicy: {
    title: "Beleid",
    signIn: "Inloggen",
    signInLead: "Het beleid geldt voor alle verbindingen van de organisatie.",
    mode: "Single sign-on",
    open: "Beleid wijzigen",
    modes: {
      off: "Uit: verbindingen kunnen alleen worden getest",
      optional: "Optioneel: leden mogen single sign-on gebruiken",
      required: "Verplicht: leden moeten single sign-on gebruiken",
    },
    emergency:
      "Zolang single sign-on verplicht is, houd je noodtoegang met je eigen wachtwoord en tweede factor, " +
      "telkens voor een uur.",
    notReady:
      "Single sign-on kan nog niet verplicht worden. Nodig zijn een actieve verbinding, een geverifieerd " +
      "domein en een login via de verbinding door een eigenaar of beheerder in de afgelopen 24 uur. Je " +
      "account heeft een geverifieerd adres en een tweede factor of toegangssleutel nodig.",
    jit: "Gebruikers zonder lidmaatschap",
    jits: {
      on: "Account en lidmaatschap maken bij de eerste keer inloggen",
      invited_only: "Gebruikers met een uitnodiging toelaten",
      off: "Niemand toelaten",
    },
    guests: "Leden met adressen van andere domeinen",
    guestRules: { own_methods: "Houden hun eigen inlogmethoden", required: "Gebruiken ook single sign-on" },
    guestsHint: "Geldt zodra single sign-on verplicht is.",
    roles: "Rollen",
    rolesLead: "Geen regel kent de rol Eigenaar toe en geen regel wijzigt een eigenaar.",
    defaultRole: "Rol zonder passende regel",
    sync: "Regels toepassen",
    syncs: { always: "Bij elke keer inloggen", first: "Alleen bij het begin van het lidmaatschap" },
    rules: "Regels",
    rulesHint:
      "Het attribuut is groups of een ander attribuut van de verbinding. De hoogste passende rol geldt. Na opslaan " +
      "verschijnen meer lege regels.",
    rule: (number) => `Regel ${number}`,
    from: "Attribuut",
    value: "Waarde",
    badRules: "Vul in elke regel attribuut en waarde in. Maximaal 50 regels.",
    saved: "Het beleid is opgeslagen.",
    ownersOnly: "Alleen eigenaren kunnen het beleid wijzigen.",
  },
};
