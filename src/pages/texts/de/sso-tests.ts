/** German: tests of connections, linked company accounts. */
import type { SsoTestTexts } from "../en/sso-tests.ts";

export const ssoTestTexts: SsoTestTexts = {
  companyAccounts: {
    title: "Firmenkonten",
    lead: "Konten beim Identitätsanbieter Ihrer Organisation, mit denen Sie sich anmelden.",
    unlinkTitle: "Verknüpfung mit dem Firmenkonto aufheben?",
    unlinkText: "Die Sitzungen des Firmenkontos enden sofort. Sie bleiben Mitglied.",
    unlinked: "Die Verknüpfung mit dem Firmenkonto ist aufgehoben.",
    notLinked: "Nicht verknüpft",
    link: "Verknüpfen",
    linkTitle: "Dieses Firmenkonto verknüpfen?",
    linkText: (organization) => `Ab jetzt melden Sie sich mit dem Firmenkonto bei ${organization} an.`,
    subject: "Dauerhafte ID",
    email: "E‑Mail-Adresse",
    linkFailed:
      "Das Firmenkonto wurde nicht verknüpft. Versuchen Sie es erneut, oder wenden Sie sich an Ihren Administrator.",
    linkTaken: "Dieses Firmenkonto ist mit einem anderen Konto verknüpft. Wenden Sie sich an Ihren Administrator.",
    linkDone: "Das Firmenkonto ist verknüpft.",
    continueTo: (name) => `Weiter zu ${name}`,
    membersLead: "Mitglieder, die sich über den Identitätsanbieter anmelden, mit der Herkunft der Verknüpfung.",
    noMembers: "Noch kein Mitglied hat sich über den Identitätsanbieter angemeldet.",
    linkedBy: "Verknüpft durch",
    origins: { domain: "Domain", user: "Mitglied", directory: "Verzeichnis" },
    unlinkMemberText: "Die Sitzungen des Firmenkontos enden sofort. Das Mitglied bleibt in der Organisation.",
    resetFactor: "Zweiten Faktor zurücksetzen",
    resetTitle: "Zweiten Faktor zurücksetzen?",
    resetText:
      "Das Mitglied richtet nach dem nächsten Single Sign-on eine neue Authenticator-App ein. Offene Sitzungen " +
      "laufen weiter.",
    factorReset: "Der zweite Faktor wurde zurückgesetzt.",
    factorTitle: "Zweiten Faktor einrichten",
    factorLead: (organization) =>
      `${organization} verlangt nach dem Single Sign-on einen Code einer Authenticator-App. Die App gilt nur für ` +
      "diese Organisation.",
    stepUpLead: "Dieser Schritt verlangt eine neue Bestätigung. Bestätigen Sie mit Ihrem Firmenkonto.",
    stepUpFailed:
      "Ihr Firmenkonto hat den zweiten Faktor nicht bestätigt. Versuchen Sie es erneut, oder wenden Sie " +
      "sich an Ihren Administrator.",
    stepUpNever:
      "Dieser Schritt verlangt einen zweiten Faktor, und Ihre Organisation erkennt keinen zweiten Faktor Ihres " +
      "Firmenkontos an. Bitten Sie einen Administrator, in der Verbindung die anerkannten Werte von acr oder " +
      "amr (mfa_trust) einzutragen.",
  },
  ssoTests: {
    title: "Verbindung testen",
    lead: "Ein Test meldet Sie beim Identitätsanbieter an und ändert für Mitglieder nichts.",
    start: "Verbindung jetzt testen",
    again: "Erneut testen",
    go: "Weiter zum Identitätsanbieter",
    incomplete: "Geben Sie zuerst Issuer, Client-ID und Geheimnis oder Schlüssel ein.",
    last: "Letzter Test:",
    passed: "Der Test war erfolgreich.",
    failed: "Der Test ist fehlgeschlagen. Beheben Sie die fehlgeschlagene Prüfung und testen Sie erneut.",
    outdated: "Die Einstellungen haben sich seit diesem Test geändert. Testen Sie erneut.",
    outcomes: {
      pass: "Bestanden",
      warning: "Warnung",
      fail: "Fehlgeschlagen",
      skipped: "Übersprungen",
    },
    checks: {
      discovery: "Konfiguration geladen",
      state: "Gleicher Browser",
      provider_error: "Anmeldung beim Identitätsanbieter",
      issuer: "Issuer wie eingegeben",
      token_request: "Client-ID und Geheimnis oder Schlüssel akzeptiert",
      nonce: "Antwort gehört zum Test",
      id_token: "ID-Token gültig",
      userinfo: "UserInfo gelesen",
      subject: "Dauerhafte ID vorhanden",
      email: "E‑Mail-Adresse vorhanden",
      email_verified: "Adresse vom Identitätsanbieter bestätigt",
      domain: "Adresse in einer bestätigten Domain",
      groups: "Gruppen vorhanden",
      mfa: "Zweiter Faktor beim Identitätsanbieter",
    },
    hints: {
      email: "Der Claim enthält keine E‑Mail-Adresse. Prüfen Sie die Claims.",
      domain:
        "Die Adresse liegt in keiner bestätigten Domain dieser Verbindung: Dieser Benutzer kann sich nicht anmelden.",
      groups: "Die Antwort enthält keine oder nicht alle Gruppen.",
      mfa: "Weder acr noch amr hat einen anerkannten Wert.",
    },
    effect: "Wirkung einer Anmeldung",
    effects: {
      sign_in: "Der Benutzer meldet sich an.",
      link: "Der Benutzer meldet sich an, und das Firmenkonto wird verknüpft.",
      create: "Ein neuer Benutzer wird angelegt.",
      refused: "Die Anmeldung wird abgelehnt.",
    },
    mapping: "Benutzerdaten",
    received: "Empfangene Claims",
    subject: "Dauerhafte ID",
    role: "Rolle",
    twoStep: "Zwei-Faktor-Anmeldung",
    yes: "Ja",
    no: "Nein",
  },
};
