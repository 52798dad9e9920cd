/** Deutsch. Was Menschen sehen, wenn eine Anwendung sie hier anmeldet. */
import type { OAuthTexts } from "../en/oauth.ts";

export const oauthTexts: OAuthTexts = {
  oauth: {
    continueTo: "weiter zu",
    title: (name) => `Bei ${name} anmelden`,
    lead: (name) => `${name} möchte:`,
    notYou: "Nicht Sie?",
    organizationHint: "Der Zugriff gilt für diese Organisation.",
    change: "Wechseln",
    changeOrganization: "der Organisation",
    switchHint: "Wählen Sie die Organisation. Sie wechseln damit auch hier in diese Organisation.",
    goesTo: (host) => `Sie werden zu ${host} zurückgeleitet.`,
    removable: "Sie können den Zugriff jederzeit in Ihrem Konto unter „Verbundene Anwendungen“ entfernen.",
    home: (name) => `Website von ${name}`,
    policy: (name) => `Datenschutzerklärung von ${name}`,
    terms: (name) => `Nutzungsbedingungen von ${name}`,
    documentHost: "Adresse der Anwendung",
    responseHost: "Ihre Daten gehen an",
    unregistered: "Diese Anwendung ist hier nicht registriert. Prüfen Sie, ob Sie die Adresse kennen.",
    unverified:
      "Niemand hat diese Anwendung geprüft: Name und Bild können falsch sein. Fahren Sie nur fort, wenn Sie dies " +
      "selbst begonnen haben.",
    unverifiedName: (name) => `${name} (nicht geprüft)`,
    leaveTitle: "Weiter zu einer anderen Adresse?",
    leaveText:
      "Niemand hat die Adresse dieser Anwendung hier geprüft. Fahren Sie nur fort, wenn Sie die Adresse kennen.",
    leaveTo: (host) => `Weiter zu ${host}`,
    anyProgram:
      "Jedes Programm auf Ihrem Computer kann sich als diese Anwendung ausgeben. Fahren Sie nur fort, wenn Sie " +
      "diese Anmeldung selbst begonnen haben.",
    allow: "Erlauben",
    deny: "Ablehnen",
    otherAccount: "Anderes Konto verwenden",
    resource: "bei diesem Dienst in Ihrem Namen handeln",
    otherScope: "eine Berechtigung der Anwendung verwenden",
    offlineUntil: "Bis Sie den Zugriff entfernen",
    scopes: {
      openid: "Ihre Identität bestätigen",
      profile: "Ihren Namen, Ihr Bild und Ihre Sprache sehen",
      email: "Ihre E‑Mail-Adresse sehen",
      organization: "Ihre Organisation und Ihre Rolle darin sehen",
      offline_access: "auch ohne Ihr Zutun Zugriff behalten",
    },
    device: {
      title: "Gerät verbinden",
      lead: "Geben Sie den Code ein, den Ihr Gerät anzeigt.",
      code: "Code des Geräts",
      codeHint: "Acht Buchstaben, zum Beispiel WDJB-MJHT",
      compare: "Vergleichen Sie diesen Code mit dem Code auf Ihrem Gerät.",
      seen: "Dieser Code steht auf dem Gerät vor mir",
      mustSee: "Bestätigen Sie, dass Sie diesen Code auf Ihrem Gerät sehen.",
      unknown: "Kein Gerät wartet mit diesem Code. Prüfen Sie den Code oder beginnen Sie auf dem Gerät von vorn.",
      confirmTitle: (name: string) => `Auf einem Gerät bei ${name} anmelden`,
      warning: "Hat Ihnen jemand diesen Code geschickt? Dann brechen Sie ab.",
      address: "Netzwerkadresse des Geräts",
      requested: "Zeitpunkt der Anfrage",
      approvedTitle: "Gerät verbunden",
      approved: "Kehren Sie zu Ihrem Gerät zurück. Die Anmeldung geht dort weiter.",
      deniedTitle: "Gerät abgelehnt",
      denied: "Das Gerät erhält keinen Zugriff.",
    },
    passOnTitle: "Einen Moment",
    passOn: "Sie werden zur Anwendung zurückgeleitet.",
    open: (name) => `${name} öffnen`,
    openHint: "Die Anwendung öffnet sich auf diesem Gerät. Falls nicht, klicken Sie auf die Schaltfläche.",
    openClose: "Danach können Sie dieses Fenster schließen.",
    errorTitle: "Die Anmeldung konnte nicht abgeschlossen werden",
    errorText:
      "Die Anwendung hat eine fehlerhafte Anfrage gesendet, oder die Anfrage ist zu alt. Beginnen Sie dort neu.",
    logoutLead: (name, email) => `${name} möchte Sie abmelden. Sie sind als ${email} angemeldet.`,
    applications: "Verbundene Anwendungen",
    allowed: "Erlaubte Anwendungen",
    applicationsLead:
      "Mit diesem Konto melden Sie sich bei diesen Anwendungen an. Eine Anwendung sieht nur die aufgeführten Daten.",
    none: "Sie haben sich mit diesem Konto bei keiner anderen Anwendung angemeldet.",
    ours: "Teil dieses Dienstes",
    takeBack: "Entfernen",
    takeBackFrom: (name) => `${name} entfernen`,
    takeBackTitle: (name) => `${name} entfernen?`,
    takeBackText:
      "Die Anwendung wird sofort abgemeldet und verliert den Zugriff. Bei der nächsten Anmeldung werden Sie " +
      "erneut um Erlaubnis gebeten.",
    since: (day) => `Seit ${day}`,
    used: "Zuletzt benutzt",
    takenBack:
      "Die Anwendung ist entfernt und abgemeldet. Bei der nächsten Anmeldung werden Sie erneut um Erlaubnis gebeten.",
    logoutErrorTitle: "Die Abmeldung konnte nicht abgeschlossen werden",
    logoutErrorText: "Die Anwendung, von der Sie kommen, hat einen Fehler gemacht. Niemand wurde abgemeldet.",
  },
};
