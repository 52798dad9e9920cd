/** Dutch: the policy of organizations for single sign-on. */
import { pluralIn } from "../../../base/plural.ts";
import type { SsoPolicyTexts } from "../en/sso-policy.ts";

const plural = pluralIn("nl");

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
    ownFactor: "Tweede factor van deze service",
    ownFactors: { off: "Niet vereist", on: "Vereist" },
    ownFactorHint:
      "Leden bevestigen na single sign-on ook een code uit een authenticator-app, alleen voor deze organisatie.",
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
    start: "Verplicht vanaf",
    startKept: (time) => `Zoals ingesteld: ${time}`,
    startNow: "Meteen",
    startIn: (count) => plural(count, { one: "Over # dag", other: "Over # dagen" }),
    breakGlass: "Noodtoegang",
    breakGlassHint: "Eigenaren met een geverifieerd adres en een tweede factor of toegangssleutel. Maximaal 5.",
    noBreakGlass: "Nog geen eigenaar heeft een geverifieerd adres en een tweede factor of toegangssleutel.",
    preview: "Voorbeeld",
    previewTitle: "Effect van de instellingen",
    covered: (count) =>
      plural(count, { one: "# lid moet single sign-on gebruiken.", other: "# leden moeten single sign-on gebruiken." }),
    withoutIdentity: (count) =>
      plural(count, {
        one: "# van deze leden heeft nog niet ingelogd met single sign-on:",
        other: "# van deze leden hebben nog niet ingelogd met single sign-on:",
      }),
    allLinked: "Al deze leden hebben al ingelogd met single sign-on.",
    firstMembers: "De lijst bevat de eerste 100 adressen.",
    pausedUntil: (time) => `De exploitant van deze service heeft de verplichting onderbroken tot ${time}.`,
    console: {
      title: "Verplichting van single sign-on",
      off: "De organisatie verplicht single sign-on niet.",
      on: "Single sign-on is verplicht.",
      since: (time) => `Single sign-on is verplicht vanaf ${time}.`,
      until: (time) => `De verplichting is onderbroken tot ${time}.`,
      pause: "24 uur onderbreken",
      text:
        "Betrokken leden kunnen 24 uur lang hun eigen inlogmethoden gebruiken. De eigenaren ontvangen een e‑mail " +
        "met de reden.",
      reasonHint: "Wordt aan de eigenaren getoond, maximaal 500 tekens.",
      paused: "De verplichting is 24 uur onderbroken.",
      end: "Onderbreking beëindigen",
      ended: "De verplichting geldt weer.",
    },
    saved: "Het beleid is opgeslagen.",
    ownersOnly: "Alleen eigenaren kunnen het beleid wijzigen.",
  },
};
