/** German: the policy of organizations for single sign-on. */
import type { SsoPolicyTexts } from "../en/sso-policy.ts";

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
      "bestätigte Domain und eine Anmeldung über die Verbindung durch einen Inhaber oder Admin in den " +
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
    saved: "Die Richtlinie ist gespeichert.",
    ownersOnly: "Nur Inhaber können die Richtlinie ändern.",
  },
};
