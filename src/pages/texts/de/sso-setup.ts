/** German: set-up links, for administrators and for the person with the link. */
import type { SsoSetupTexts } from "../en/sso-setup.ts";

export const ssoSetupTexts: SsoSetupTexts = {
  ssoSetup: {
    links: "Einrichtungslinks",
    linksLead: "Mit einem Link richtet der Administrator Ihres Identitätsanbieters Single Sign-on ohne Konto ein.",
    noLinks: "Noch keine Einrichtungslinks.",
    tasks: {
      domains: "Domains bestätigen",
      connection: "Eine Verbindung einrichten",
      directory: "Ein Verzeichnis-Token erstellen",
    },
    tasksLabel: "Aufgaben",
    recipient: "E‑Mail-Adresse des Empfängers",
    recipientHint: "Leer lassen, um den Link selbst weiterzugeben.",
    hours: "Stunden bis zum Ablauf des Links",
    hoursHint: "1 bis 336 Stunden.",
    create: "Einrichtungslink erstellen",
    badTasks: "Wählen Sie mindestens eine Aufgabe.",
    full: "Ihre Organisation hat 5 offene Einrichtungslinks, die Höchstzahl. Widerrufen Sie zuerst einen Link.",
    linkTitle: "Einrichtungslink",
    linkLead: "Kopieren Sie den Link jetzt. Er wird nicht erneut angezeigt und funktioniert nur in einem Browser.",
    mailed: (email) => `Der Link wurde auch an ${email} gesendet.`,
    linkKept: "Zurück zu Single Sign-on",
    statuses: {
      pending: "Nicht geöffnet",
      begun: "In Benutzung",
      completed: "Abgeschlossen",
      revoked: "Widerrufen",
      expired: "Abgelaufen",
    },
    until: (time) => `Gültig bis ${time}`,
    revoke: "Widerrufen",
    revokeTitle: "Einrichtungslink widerrufen?",
    revokeText: "Der Link funktioniert sofort nicht mehr. Domains und Verbindungen bleiben bestehen.",
    revoked: "Der Einrichtungslink ist widerrufen.",
    awaitingOwner:
      "Über einen Einrichtungslink wurde die Aktivierung dieser Verbindung angefragt. Prüfen Sie die Einstellungen " +
      "und aktivieren Sie dann die Verbindung. Nur ein Inhaber kann die Verbindung aktivieren.",
    title: (organization) => `Single Sign-on für ${organization} einrichten`,
    invitedBy: (name, organization) =>
      `${name} bittet Sie, Single Sign-on für ${organization} einzurichten. Sie brauchen kein Konto.`,
    invited: (organization) => `Sie können Single Sign-on für ${organization} einrichten. Sie brauchen kein Konto.`,
    begin: "Beginnen",
    beginHint: "Der Link funktioniert danach 8 Stunden lang und nur in diesem Browser.",
    dead:
      "Dieser Einrichtungslink ist beendet oder wurde in einem anderen Browser geöffnet. Bitten Sie den Absender " +
      "um einen neuen Link.",
    overview: "Aufgaben",
    overviewLead:
      "Erledigen Sie die Aufgaben in dieser Reihenfolge. Die Ergebnisse werden gespeichert, und Sie können zu " +
      "jeder Aufgabe zurückkehren.",
    toTasks: "Zurück zu den Aufgaben",
    open: "Öffnen",
    states: { open: "Offen", waiting: "Wartet auf einen Inhaber", done: "Erledigt" },
    finish: "Einrichtung beenden",
    finishLead:
      "Beenden Sie die Einrichtung, wenn alle Aufgaben erledigt sind. Der Link funktioniert danach nicht mehr.",
    finishedTitle: "Die Einrichtung ist beendet",
    finished: "Vielen Dank. Der Link funktioniert nicht mehr, und Sie können diese Seite schließen.",
    domainsElsewhere: "Die Administratoren der Organisation bestätigen die Domains.",
    selectProvider: "Identitätsanbieter auswählen",
    requestLead: "Ein Inhaber der Organisation bestätigt die Aktivierung. Die Inhaber erhalten eine E‑Mail.",
    request: "Aktivierung anfragen",
    requested: "Die Inhaber wurden gebeten, die Verbindung zu aktivieren. Sie können die Einrichtung beenden.",
    waiting: "Ein Inhaber der Organisation wurde gebeten, die Verbindung zu aktivieren.",
    isActive: "Die Verbindung ist aktiv.",
    directoryLead:
      "Mit dem Token erstellt und deaktiviert das Verzeichnis Ihres Identitätsanbieters die Konten der Mitglieder.",
    createToken: "Token erstellen",
    tokenCreated:
      "Das Token wurde erstellt. Wenn Sie das Token verloren haben, bitten Sie um einen neuen Einrichtungslink.",
  },
};
