/** German: the policy of organizations for single sign-on. */
import { pluralIn } from "../../../base/plural.ts";
import type { SsoPolicyTexts } from "../en/sso-policy.ts";

const plural = pluralIn("de");

export const ssoPolicyTexts: SsoPolicyTexts = {
  ssoPolicy: {
    title: "Richtlinie",
    signIn: "Anmeldung",
    signInLead: "Die Richtlinie gilt für alle Verbindungen der Organisation.",
    mode: "Single Sign-on",
    open: "Richtlinie ändern",
    modes: {
      off: "Aus: Verbindungen können nur getestet werden",
      optional: "Freiwillig: Mitglieder können Single Sign-on verwenden",
      required: "Pflicht: Mitglieder müssen Single Sign-on verwenden",
    },
    emergency:
      "Solange Single Sign-on Pflicht ist, behalten Sie einen Notfallzugang mit Ihrem eigenen Passwort und " +
      "zweiten Faktor, jeweils für eine Stunde.",
    notReady:
      "Single Sign-on kann noch nicht zur Pflicht werden. Nötig sind eine aktive Verbindung, eine " +
      "bestätigte Domain und eine Anmeldung über die Verbindung durch einen Inhaber oder Administrator in den " +
      "letzten 24 Stunden. Ihr Konto braucht eine bestätigte Adresse und einen zweiten Faktor oder einen " +
      "Passkey.",
    jit: "Benutzer ohne Mitgliedschaft",
    jits: {
      on: "Konto und Mitgliedschaft bei der ersten Anmeldung anlegen",
      invited_only: "Benutzer mit einer Einladung zulassen",
      off: "Keine neuen Benutzer zulassen",
    },
    guests: "Mitglieder mit Adressen anderer Domains",
    guestRules: { own_methods: "Eigene Anmeldemethoden behalten", required: "Ebenfalls Single Sign-on verwenden" },
    guestsHint: "Gilt, sobald Single Sign-on Pflicht ist.",
    ownFactor: "Zweiter Faktor dieses Dienstes",
    ownFactors: { off: "Nicht verlangt", on: "Verlangt" },
    ownFactorHint:
      "Mitglieder bestätigen nach dem Single Sign-on zusätzlich einen Code einer Authenticator-App, nur für diese " +
      "Organisation.",
    roles: "Rollen",
    rolesLead: "Keine Regel vergibt die Rolle Inhaber, und keine Regel ändert einen Inhaber.",
    defaultRole: "Rolle ohne passende Regel",
    sync: "Regeln anwenden",
    syncs: { always: "Bei jeder Anmeldung", first: "Nur zu Beginn der Mitgliedschaft" },
    rules: "Regeln",
    rulesHint:
      "Das Attribut ist groups oder ein weiteres Attribut der Verbindung. Die höchste passende Rolle gilt. Nach dem " +
      "Speichern gibt es weitere leere Regeln.",
    rule: (number) => `Regel ${number}`,
    from: "Attribut",
    value: "Wert",
    badRules: "Geben Sie in jeder Regel Attribut und Wert ein. Höchstens 50 Regeln.",
    start: "Pflicht ab",
    startKept: (time) => `Wie festgelegt: ${time}`,
    startNow: "Sofort",
    startIn: (count) => plural(count, { one: "In # Tag", other: "In # Tagen" }),
    breakGlass: "Notfallzugang",
    breakGlassHint: "Inhaber mit bestätigter Adresse und einem zweiten Faktor oder Passkey. Höchstens 5.",
    noBreakGlass: "Noch kein Inhaber hat eine bestätigte Adresse und einen zweiten Faktor oder Passkey.",
    preview: "Vorschau",
    previewTitle: "Wirkung der Einstellungen",
    covered: (count) =>
      plural(count, {
        one: "# Mitglied muss Single Sign-on verwenden.",
        other: "# Mitglieder müssen Single Sign-on verwenden.",
      }),
    withoutIdentity: (count) =>
      plural(count, {
        one: "# dieser Mitglieder hat sich noch nicht mit Single Sign-on angemeldet:",
        other: "# dieser Mitglieder haben sich noch nicht mit Single Sign-on angemeldet:",
      }),
    allLinked: "Alle diese Mitglieder haben sich bereits mit Single Sign-on angemeldet.",
    firstMembers: "Die Liste enthält die ersten 100 Adressen.",
    pausedUntil: (time) => `Der Betreiber dieses Dienstes hat die Pflicht bis ${time} ausgesetzt.`,
    console: {
      title: "Pflicht zu Single Sign-on",
      off: "Die Organisation verlangt kein Single Sign-on.",
      on: "Single Sign-on ist Pflicht.",
      since: (time) => `Single Sign-on ist Pflicht ab ${time}.`,
      until: (time) => `Die Pflicht ist ausgesetzt bis ${time}.`,
      pause: "24 Stunden aussetzen",
      text:
        "Betroffene Mitglieder können 24 Stunden lang ihre eigenen Anmeldemethoden verwenden. Die Inhaber " +
        "erhalten eine E‑Mail mit dem Grund.",
      reasonHint: "Wird den Inhabern angezeigt, höchstens 500 Zeichen.",
      paused: "Die Pflicht ist 24 Stunden lang ausgesetzt.",
      end: "Aussetzung beenden",
      ended: "Die Pflicht gilt wieder.",
    },
    saved: "Die Richtlinie ist gespeichert.",
    ownersOnly: "Nur Inhaber können die Richtlinie ändern.",
  },
};
