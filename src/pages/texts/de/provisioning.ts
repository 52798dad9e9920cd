/** German: the directory of an organization. */
import { pluralIn } from "../../../base/plural.ts";
import type { ProvisioningTexts } from "../en/provisioning.ts";

const plural = pluralIn("de");

export const provisioningTexts: ProvisioningTexts = {
  provisioning: {
    title: "Verzeichnis",
    lead: "Ihr Benutzerverzeichnis erstellt, ändert und deaktiviert Mitglieder automatisch (SCIM 2.0).",
    none: "Noch kein Verzeichnis. Erstellen Sie das Verzeichnis und verbinden Sie dann Ihr Produkt.",
    create: "Verzeichnis erstellen",
    created: "Das Verzeichnis wurde erstellt. Erstellen Sie einen Schlüssel, um Ihr Produkt zu verbinden.",
    saved: "Die Einstellungen wurden gespeichert.",
    paused: "Das Verzeichnis ist angehalten.",
    resumed: "Das Verzeichnis ist aktiv.",
    deleted: "Das Verzeichnis wurde gelöscht. Mitglieder bleiben.",
    mapped: "Die Rolle der Gruppe wurde geändert.",
    statuses: { active: "Aktiv", paused: "Angehalten" },
    sections: { overview: "Einrichtung", groups: "Gruppen", users: "Benutzer", requests: "Abgelehnte Anfragen" },
    lastRequest: "Letzte Anfrage",
    noRequest: "Noch keine Anfrage",
    connect: "Verzeichnis verbinden",
    connectLead:
      "Tragen Sie die Basis-URL und einen Schlüssel in der Konsole Ihres Produkts ein. Die Namen sind englisch.",
    baseUrl: "Basis-URL",
    enterUrl: (field: string) => `Tragen Sie unter „${field}“ die Basis-URL ein.`,
    enterKey: (field: string) => `Tragen Sie unter „${field}“ einen Schlüssel ein.`,
    keys: "Schlüssel",
    keysLead:
      "Zwei Schlüssel können gleichzeitig gültig sein, damit Sie einen Schlüssel ohne Unterbrechung " +
      "ersetzen können. Inhaber erhalten eine E‑Mail, bevor ein Schlüssel abläuft.",
    noKeys: "Noch kein Schlüssel.",
    createKey: "Schlüssel erstellen",
    settings: "Einstellungen",
    roleSource: "Rollen der Mitglieder",
    roleSources: { groups: "Nach den Gruppen des Verzeichnisses", none: "Gruppen vergeben keine Rolle" },
    defaultRole: "Rolle, wenn keine Gruppe eine Rolle vergibt",
    outsideDomains: "Adressen außerhalb Ihrer bestätigten Domains",
    outsideRules: { invite: "Einladen", refuse: "Ablehnen" },
    pause: "Verzeichnis anhalten",
    pauseTitle: "Verzeichnis anhalten?",
    pauseText: "Das Verzeichnis kann lesen, aber Änderungen werden abgelehnt, bis Sie es fortsetzen.",
    resume: "Verzeichnis fortsetzen",
    resumeText: "Änderungen durch das Verzeichnis werden wieder angenommen.",
    remove: "Verzeichnis löschen",
    removeTitle: "Verzeichnis löschen?",
    removeText: "Benutzer, Gruppen und abgelehnte Anfragen des Verzeichnisses werden gelöscht. Mitglieder bleiben.",
    pauseFirst: "Halten Sie das Verzeichnis zuerst an.",
    groupsLead:
      "Eine Gruppe vergibt keine Rolle, bis Sie ihr eine Rolle zuweisen. Eine Vorschau zeigt zuerst die Wirkung.",
    noGroups: "Noch keine Gruppen. Übertragen Sie Gruppen aus Ihrem Produkt.",
    group: "Gruppe",
    members: "Mitglieder",
    noRole: "Keine Rolle",
    roleOf: (group: string) => `Rolle von ${group}`,
    changeRole: "Rolle ändern",
    previewTitle: (group: string, role: string) => `${group}: ${role}`,
    previewText: (count: number) =>
      plural(count, {
        one: "Die Rolle von # Mitglied ändert sich.",
        other: "Die Rolle von # Mitgliedern ändert sich.",
      }),
    previewMore: (count: number) =>
      plural(count, { one: "und # weiteres Mitglied", other: "und # weitere Mitglieder" }),
    applyRole: "Anwenden",
    noUsers: "Noch keine Benutzer. Weisen Sie Benutzer in Ihrem Produkt zu.",
    user: "Benutzer",
    link: "Verknüpfung",
    updated: "Geändert",
    inactive: "Inaktiv",
    notLinked: "Ohne Wirkung",
    links: {
      domain: "Über die bestätigte Domain",
      member: "Mit einem vorhandenen Mitglied",
      invitation: "Eingeladen",
      none: "Keine verwendbare Adresse, oder die Adresse gehört zu einem anderen Eintrag",
    },
    requestsLead: "Die letzten 500 abgelehnten Anfragen aus 30 Tagen, ohne Werte. Die Gründe sind englisch.",
    noRequests: "Keine abgelehnten Anfragen.",
    request: "Anfrage",
    cause: "Grund",
    notYours: "Nur Inhaber und Administratoren können das Verzeichnis verwalten.",
    notIncluded: "Verzeichnisse sind im Tarif Ihrer Organisation nicht enthalten.",
    consoleNone: "Kein Verzeichnis.",
  },
};
