import type { DirectoryEmailKinds } from "./shape.ts";

/** E-Mails zum Verzeichnis einer Organisation. */
export const directoryEmails: DirectoryEmailKinds = {
  api_key_expiring: {
    subject: "Der Verzeichnisschlüssel „{{key_name}}“ läuft bald ab",
    preheader: "Verbleibende Zeit: {{valid_for}}. Ersetzen Sie den Schlüssel rechtzeitig.",
    title: "Ein Verzeichnisschlüssel läuft bald ab",
    lead:
      "Der API-Schlüssel des Dienstkontos „{{key_name}}“ läuft bald ab. Verbleibende Zeit: {{valid_for}}. Danach " +
      "kann Ihr Verzeichnis Benutzer weder anlegen noch deaktivieren: Personen, die Ihr Unternehmen verlassen, " +
      "behalten den Zugang.",
    button: "Schlüssel ersetzen",
    after:
      "Erstellen Sie auf der Seite einen zweiten Schlüssel und tragen Sie ihn in Ihrem Verzeichnis ein. Widerrufen " +
      "Sie danach den alten Schlüssel.",
  },
  directory_joined: {
    subject: "Ihr Konto gehört jetzt zu {{organization_name}}",
    preheader: "Das Verzeichnis der Organisation hat Sie hinzugefügt.",
    title: "Sie wurden zu einer Organisation hinzugefügt",
    lead:
      "Das Verzeichnis von {{organization_name}} hat Ihr Konto bei {{brand}} als Mitglied hinzugefügt. Ihr " +
      "Passwort, Ihre anderen Anmeldemethoden und Ihre anderen Organisationen bleiben unverändert. Die " +
      "Organisation kann die Mitgliedschaft beenden, nicht Ihr Konto.",
    button: "Konto öffnen",
    after: "Wenn Sie die Organisation nicht kennen, können Sie sie in Ihrem Konto verlassen.",
  },
  directory_refused: {
    subject: "Eine Änderung durch Ihr Verzeichnis wurde abgelehnt",
    preheader: "Der letzte Inhaber und Benutzer für den Notfallzugang bleiben aktiv.",
    title: "Eine Änderung durch Ihr Verzeichnis wurde abgelehnt",
    lead:
      "Das Verzeichnis von {{organization_name}} wollte bei {{brand}} den letzten Inhaber oder einen Benutzer für " +
      "den Notfallzugang deaktivieren oder löschen. Der Benutzer bleibt aktiv, damit die Organisation erreichbar " +
      "bleibt.",
    button: "Verzeichnis prüfen",
    after:
      "Soll der Benutzer ausscheiden, machen Sie zuerst ein anderes Mitglied zum Inhaber oder ändern Sie die " +
      "Benutzer für den Notfallzugang.",
  },
};
