/** Deutsch. Was Menschen sehen, wenn eine Anwendung sie hier anmeldet. */
import type { OAuthTexts } from "../en/oauth.ts";

export const oauthTexts: OAuthTexts = {
  oauth: {
    title: (name) => `Bei ${name} anmelden`,
    lead: "Die Anwendung möchte:",
    signedInAs: (email) => `Sie sind als ${email} angemeldet.`,
    organization: (name) => `Die Anwendung erhält Zugriff in der Organisation „${name}“.`,
    goesTo: (place) => `Danach geht es weiter zu ${place}.`,
    allow: "Erlauben",
    deny: "Ablehnen",
    otherAccount: "Anderes Konto verwenden",
    resource: "in Ihrem Namen verwenden:",
    scopes: {
      openid: "wissen, wer Sie sind",
      profile: "Ihren Namen, Ihr Bild und Ihre Sprache sehen",
      email: "Ihre E-Mail-Adresse sehen",
      organization: "Ihre Organisation und Ihre Rolle darin sehen",
      offline_access: "angemeldet bleiben, auch wenn Sie nicht da sind",
    },
    passOnTitle: "Einen Moment",
    passOn: "Sie werden zur Anwendung zurückgeleitet.",
    errorTitle: "Diese Anmeldung kann nicht fortgesetzt werden",
    errorText: "Die Anwendung hat einen Fehler gemacht, oder die Anfrage ist zu alt. Beginnen Sie dort neu.",
    logoutLead: (name, email) => `${name} möchte Sie abmelden. Sie sind als ${email} angemeldet.`,
    applications: "Anwendungen",
    allowed: "Erlaubte Anwendungen",
    applicationsLead: "Sie werden dort mit diesem Konto angemeldet.",
    none: "Sie haben sich mit diesem Konto bei keiner anderen Anwendung angemeldet.",
    ours: "Teil dieses Dienstes",
    takeBack: "Entfernen",
    takeBackFrom: (name) => `${name} entfernen`,
    takenBack: "Entfernt. Die Anwendung ist abgemeldet und bittet beim nächsten Mal wieder um Erlaubnis.",
    logoutErrorTitle: "Diese Abmeldung kann nicht fortgesetzt werden",
    logoutErrorText: "Die Anwendung, von der Sie kommen, hat einen Fehler gemacht. Niemand wurde abgemeldet.",
  },
};
