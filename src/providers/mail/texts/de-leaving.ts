import type { LeavingEmailKinds } from "./shape.ts";

/** E-mails about deletions and exports. */
export const leavingEmails: LeavingEmailKinds = {
  account_deletion: {
    subject: "Ihr Konto bei {{brand}} wird gelöscht",
    preheader:
      "{{#link}}Frist, um das Konto zu behalten: {{valid_for}}.{{/link}}{{^link}}Das Konto ist geschlossen.{{/link}}",
    title: "Ihr Konto wird gelöscht",
    lead:
      "Die Löschung Ihres Kontos bei {{brand}} wurde beantragt. Das Konto ist geschlossen: Alle Geräte und " +
      "Anwendungen sind abgemeldet, eine Anmeldung ist nicht mehr möglich.",
    byAdministrator: "Ein Administrator hat die Löschung beantragt.",
    pending:
      "Nach Ablauf der Frist werden alle Daten des Kontos gelöscht. Bis dahin können Sie das Konto behalten. " +
      "Frist: {{valid_for}}. Der Link funktioniert einmal.",
    immediate: "Alle Daten des Kontos werden jetzt gelöscht. Die Löschung kann nicht rückgängig gemacht werden.",
    button: "Konto behalten",
    after: "Waren Sie das? Dann müssen Sie nichts weiter tun.",
  },
  organization_deletion: {
    subject: "Die Organisation „{{organization_name}}“ bei {{brand}} wird gelöscht",
    preheader: "Frist, um die Organisation zu behalten: {{valid_for}}.",
    title: "Eine Organisation wird gelöscht",
    lead:
      "Die Löschung von {{organization_name}} wurde beantragt. Die Organisation ist gesperrt: Mitglieder und " +
      "API-Schlüssel haben keinen Zugriff. Nach Ablauf der Frist werden alle Daten der Organisation gelöscht. Bis " +
      "dahin kann jeder Inhaber die Organisation behalten. Frist: {{valid_for}}. Der Link " +
      "funktioniert einmal.",
    button: "Organisation behalten",
    after:
      "Sie erhalten diese E-Mail als Inhaber der Organisation. Ist die Löschung gewollt? Dann müssen Sie nichts " +
      "weiter tun.",
  },
  data_export: {
    subject: "Ihre Daten bei {{brand}} stehen zum Herunterladen bereit",
    preheader: "Der Download ist befristet verfügbar: {{valid_for}}.",
    title: "Ihre Daten stehen bereit",
    lead:
      "Die Kopie Ihrer Daten bei {{brand}} ist fertig. Melden Sie sich an, um die Kopie herunterzuladen. " +
      "Verfügbar: {{valid_for}}; danach wird die Kopie gelöscht.",
    button: "Daten herunterladen",
    after:
      "Haben Sie Ihre Daten nicht angefordert? Ändern Sie Ihr Passwort und benachrichtigen Sie Ihren Administrator.",
  },
};
