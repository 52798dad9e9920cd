import type { MembershipEmailKinds } from "./shape.ts";

/** E-mails about roles of an organization and requests to join. */
export const membershipEmails: MembershipEmailKinds = {
  account_channels: {
    subject: "Ihre Berechtigungen in {{organization_name}} haben sich geändert",
    preheader: "Sehen Sie, wer noch Zugriff auf Ihr Konto hat.",
    title: "Sie haben mehr Berechtigungen",
    lead:
      "Sie haben jetzt mehr Berechtigungen in {{organization_name}}. Auch diese Verbindungen und Schlüssel " +
      "erreichen Ihr Konto, die verantwortliche Person steht in Klammern: {{channels}}.",
    button: "Sicherheitseinstellungen öffnen",
    after:
      "Wenn die Anmeldung mit Ihrem Firmenkonto nicht mehr gelingt, melden Sie sich mit einer eigenen Methode " +
      "an und verknüpfen Sie das Firmenkonto in den Sicherheitseinstellungen.",
  },
  channels_accepted: {
    subject: "Neue Berechtigungen in {{organization_name}} wurden bestätigt",
    preheader: "Personen mit weniger Berechtigungen sind für Wege dorthin verantwortlich.",
    title: "Eine Vergabe wurde bestätigt",
    lead:
      "In {{organization_name}} wurden Berechtigungen vergeben, obwohl für diese Wege dorthin Personen mit " +
      "weniger Berechtigungen verantwortlich sind: {{channels}}.",
    button: "Organisation prüfen",
    after:
      "Wenn Sie das nicht erwarten, machen Sie die Änderung rückgängig oder ersetzen Sie die Verbindungen und " +
      "Schlüssel.",
  },
  role_template_widened: {
    subject: "Die Rolle „{{role_name}}“ hat neue Berechtigungen",
    preheader: "Mitglieder von {{organization_name}} mit der Rolle haben die Berechtigungen ab sofort.",
    title: "Eine Rolle hat neue Berechtigungen",
    lead:
      "Die Plattform {{brand}} hat der Vorlage „{{role_name}}“, die {{organization_name}} verwendet, " +
      "Berechtigungen hinzugefügt. Mitglieder mit der Rolle haben diese Berechtigungen ab sofort: " +
      "{{added}}.",
    button: "Rolle prüfen",
    after:
      "Sollen Mitglieder diese Berechtigungen nicht haben? Entziehen Sie ihnen die Rolle oder erstellen " +
      "Sie eine eigene Rolle.",
  },
  join_requested: {
    subject: "Eine Anfrage zum Beitritt zu {{organization_name}}",
    preheader: "{{address}} möchte Mitglied werden. Zeit für die Entscheidung: {{valid_for}}.",
    title: "Eine Beitrittsanfrage an Ihre Organisation",
    lead:
      "Der Benutzer {{address}} möchte bei {{brand}} der Organisation {{organization_name}} beitreten. Die Adresse " +
      "gehört zu einer bestätigten Domain der Organisation. Zeit für die Entscheidung: {{valid_for}}.",
    button: "Anfrage prüfen",
    after: "Wenn Sie den Benutzer nicht kennen, lehnen Sie die Anfrage ab.",
  },
  join_approved: {
    subject: "Sie sind jetzt Mitglied von {{organization_name}}",
    preheader: "Ihre Beitrittsanfrage wurde angenommen.",
    title: "Ihre Anfrage wurde angenommen",
    lead:
      "Ihre Anfrage zum Beitritt zu {{organization_name}} bei {{brand}} wurde angenommen. Sie können in " +
      "Ihrem Konto zu der Organisation wechseln.",
    button: "Konto öffnen",
    after: "Wenn Sie keine Anfrage gestellt haben, informieren Sie Ihren Administrator.",
  },
  join_denied: {
    subject: "Ihre Anfrage zum Beitritt zu {{organization_name}} wurde abgelehnt",
    preheader: "Sie können später erneut anfragen.",
    title: "Ihre Anfrage wurde abgelehnt",
    lead:
      "Ihre Anfrage zum Beitritt zu {{organization_name}} bei {{brand}} wurde abgelehnt. Wartezeit bis zu " +
      "einer neuen Anfrage: {{valid_for}} ab Ihrer Anfrage.",
    button: "Konto öffnen",
    after: "Wenn Sie jetzt Zugang brauchen, bitten Sie ein Mitglied der Organisation um eine Einladung.",
  },
};
