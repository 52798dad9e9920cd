import type { DomainEmailKinds } from "./shape.ts";

/** E-Mails zu den Domains einer Organisation. */
export const domainEmails: DomainEmailKinds = {
  domain_failing: {
    subject: "Der DNS-Eintrag von {{domain}} fehlt",
    preheader: "Ohne den Eintrag verliert Ihre Organisation die Domain. Verbleibende Zeit: {{valid_for}}.",
    title: "Ein DNS-Eintrag fehlt",
    lead:
      "Der TXT-Eintrag, der Ihre Organisation als Inhaberin von {{domain}} ausweist, fehlt. Legen Sie den Eintrag " +
      "wieder an: Sonst verliert Ihre Organisation die Domain, und Single Sign-on endet für Adressen der Domain. " +
      "Verbleibende Zeit: {{valid_for}}.",
    button: "Domain prüfen",
    after: "Der Dienst prüft den Eintrag einmal täglich. Auf der Seite können Sie ihn jederzeit prüfen.",
  },
  domain_lost: {
    subject: "Ihre Organisation hat die Domain {{domain}} verloren",
    preheader: "Der DNS-Eintrag hat sieben Tage lang gefehlt.",
    title: "Eine Domain wurde verloren",
    lead:
      "Der TXT-Eintrag von {{domain}} hat sieben Tage lang gefehlt. Single Sign-on gilt nicht mehr für Adressen der " +
      "Domain. Offene Sitzungen bestehen weiter.",
    button: "Domain erneut bestätigen",
    after: "Um die Domain wieder zu verwenden, legen Sie den DNS-Eintrag an und prüfen Sie die Domain auf der Seite.",
  },
  domain_transferred: {
    subject: "Die Domain {{domain}} wurde übertragen",
    preheader: "Der Betreiber von {{brand}} hat über die Inhaberschaft der Domain entschieden.",
    title: "Eine Domain wurde übertragen",
    lead: "Der Betreiber von {{brand}} hat entschieden, welcher Organisation die Domain {{domain}} gehört.",
    gained:
      "Die Domain gehört jetzt Ihrer Organisation. Behalten Sie den TXT-Eintrag im DNS: Der Dienst prüft ihn einmal " +
      "täglich.",
    givenUp:
      "Die Domain gehört nicht mehr Ihrer Organisation. Single Sign-on gilt nicht mehr für Adressen der Domain. " +
      "Offene Sitzungen bestehen weiter.",
    button: "Domains ansehen",
    after: "Bei Fragen wenden Sie sich an den Betreiber von {{brand}}.",
  },
  sso_identity_conflict: {
    subject: "Eine Anmeldung über Single Sign-on wurde abgelehnt",
    preheader: "Zwei Konten bei Ihrem Identitätsanbieter haben die Adresse {{address}}.",
    title: "Eine Anmeldung wurde abgelehnt",
    lead:
      "Bei Ihrem Identitätsanbieter hat ein zweites Konto die Adresse {{address}} eines Mitglieds. Die " +
      "Anmeldung über die Verbindung {{connection}} am {{time}} wurde abgelehnt, damit das zweite Konto nicht " +
      "den Zugriff des Mitglieds erhält.",
    button: "Single Sign-on prüfen",
    after:
      "Wenn das Mitglied ein neues Konto bei Ihrem Identitätsanbieter hat, heben Sie auf der Seite die " +
      "Verknüpfung des früheren Kontos auf. Andernfalls korrigieren Sie die Adresse bei Ihrem " +
      "Identitätsanbieter.",
  },
  sso_linked: {
    subject: "Anmeldung über {{organization_name}} ist jetzt möglich",
    preheader: "{{organization_name}} meldet Sie über den eigenen Identitätsanbieter an, nur für diese Organisation.",
    title: "Single Sign-on wurde eingerichtet",
    lead:
      "Ihr Konto bei {{brand}} ist jetzt mit Ihrem Konto beim Identitätsanbieter von {{organization_name}} " +
      "verknüpft. Eine Anmeldung dort erreicht nur diese Organisation. Ihr Passwort, Ihre anderen " +
      "Anmeldemethoden und Ihre anderen Organisationen bleiben unverändert.",
    button: "Konto prüfen",
    after: "Wenn Sie diese Anmeldung nicht erkennen, informieren Sie einen Administrator von {{organization_name}}.",
  },
  organization_factor_enabled: {
    subject: "Zweiter Faktor für {{organization_name}} eingerichtet",
    preheader:
      "{{device}}, {{time}}. Wenn Sie das nicht waren, informieren Sie die Administration von {{organization_name}}.",
    title: "Ein zweiter Faktor wurde eingerichtet",
    lead:
      "Für das Single Sign-on bei {{organization_name}} wurde eine Authenticator-App eingerichtet. Die App wird " +
      "nur nach der Anmeldung dort abgefragt. Ihr Passwort und Ihre anderen Anmeldemethoden bleiben unverändert.",
    button: "Konto prüfen",
    after:
      "Waren Sie das? Dann können Sie diese E-Mail ignorieren. Wenn nicht, informieren Sie sofort die " +
      "Administration von {{organization_name}}.",
  },
  sso_break_glass_used: {
    subject: "Notfallzugang zur Firmenanmeldung benutzt",
    preheader: "Die Person {{address}} hat sich ohne Ihren Identitätsanbieter angemeldet.",
    title: "Der Notfallzugang wurde benutzt",
    lead:
      "Die Person {{address}} hat sich am {{time}} mit dem Notfallzugang angemeldet, während Ihre Organisation die " +
      "Anmeldung mit dem Firmenkonto verlangt. Die Sitzung endet nach einer Stunde.",
    button: "Single Sign-on prüfen",
    after: "Wenn Sie diese Anmeldung nicht erwarten, beenden Sie die Sitzung der Person und ändern Sie die Richtlinie.",
  },
  sso_paused: {
    subject: "Single Sign-on ist 24 Stunden lang keine Pflicht",
    preheader: "Der Betreiber von {{brand}} hat die Pflicht ausgesetzt.",
    title: "Die Pflicht ist ausgesetzt",
    lead:
      "Der Betreiber von {{brand}} hat die Pflicht zur Anmeldung mit dem Firmenkonto in Ihrer " +
      "Organisation bis {{time}} ausgesetzt. Mitglieder können sich mit ihren eigenen Methoden anmelden. " +
      "Grund: {{reason}}",
    button: "Single Sign-on prüfen",
    after: "Die Pflicht gilt danach von selbst wieder. Bei Fragen wenden Sie sich an den Betreiber von {{brand}}.",
  },
  requirement_lifted: {
    subject: "Eine Pflicht Ihrer Organisation gilt vielleicht nicht mehr",
    preheader: "Die Einstellung {{setting}} gehörte zur Pflicht.",
    title: "Eine Einstellung einer Pflicht wurde geändert",
    lead:
      "Ihre Organisation verlangt Single Sign-on oder einen zweiten Faktor. Die Einstellung {{setting}}, ein " +
      "Teil dieser Pflicht, wurde am {{time}} von einem Mitglied geändert oder entfernt, das Richtlinien " +
      "ändern darf.",
    button: "Single Sign-on prüfen",
    after:
      "Wenn Sie diese Änderung nicht erwarten, stellen Sie die Einstellung wieder her, und prüfen Sie im " +
      "Audit-Protokoll, wer sie geändert hat.",
  },
  sso_certificate_expiring: {
    subject: "Ein Zertifikat Ihres Identitätsanbieters endet am {{time}}",
    preheader: "Die Verbindung {{connection}} verwendet dieses Zertifikat.",
    title: "Ein Zertifikat endet",
    lead:
      "Ein Zertifikat des Identitätsanbieters der Verbindung {{connection}} gilt bis {{time}}. Fragen Sie den " +
      "Administrator des Identitätsanbieters nach dem nächsten Zertifikat.",
    button: "Verbindung prüfen",
    after:
      "Fügen Sie das nächste Zertifikat neben dem alten hinzu, damit keine Anmeldung fehlschlägt. Mit der " +
      "Adresse der Metadaten liest der Dienst neue Zertifikate selbst.",
  },
  sso_secret_expiring: {
    subject: "Das Client-Geheimnis Ihres Identitätsanbieters läuft am {{time}} ab",
    preheader: "Die Verbindung {{connection}} verwendet dieses Geheimnis.",
    title: "Ein Client-Geheimnis läuft ab",
    lead:
      "Das Client-Geheimnis der Verbindung {{connection}} gilt bis {{time}}. Erstellen Sie beim Identitätsanbieter " +
      "ein neues Geheimnis.",
    button: "Verbindung prüfen",
    after:
      "Geben Sie das neue Geheimnis und das neue Datum ein, bevor das alte abläuft, damit keine Anmeldung fehlschlägt.",
  },
  sso_certificates_changed: {
    subject: "Die Zertifikate der Verbindung {{connection}} wurden geändert",
    preheader: "Die Metadaten Ihres Identitätsanbieters haben sich geändert: {{time}}.",
    title: "Zertifikate wurden geändert",
    lead:
      "Der Dienst hat am {{time}} neue Metadaten des Identitätsanbieters der Verbindung {{connection}} gelesen " +
      "und die Zertifikate der Verbindung geändert.",
    button: "Verbindung prüfen",
    after:
      "Wenn Sie diese Änderung nicht erwarten, deaktivieren Sie die Verbindung und fragen Sie den Administrator " +
      "des Identitätsanbieters.",
  },
  sso_setup_link: {
    subject: "Single Sign-on für {{organization_name}} einrichten",
    preheader: "{{inviter_name}} bittet Sie, Ihren Identitätsanbieter zu verbinden.",
    title: "Single Sign-on einrichten",
    lead:
      "{{inviter_name}} bittet Sie, Single Sign-on für {{organization_name}} bei {{brand}} einzurichten. Sie " +
      "brauchen kein Konto. Der Link funktioniert nur in einem Browser: Öffnen Sie den Link in dem Browser, mit " +
      "dem Sie Ihren Identitätsanbieter verwalten.",
    button: "Einrichtung beginnen",
    after: "Leiten Sie den Link nicht weiter. Wenn Sie diese E-Mail nicht erwarten, ignorieren Sie die E-Mail.",
  },
  sso_activation_requested: {
    subject: "Eine Verbindung wartet auf Ihre Aktivierung",
    preheader: "Die Einrichtung von {{connection}} ist abgeschlossen.",
    title: "Verbindung aktivieren",
    lead:
      "Die Einrichtung der Verbindung {{connection}} wurde am {{time}} über einen Einrichtungslink " +
      "abgeschlossen. Prüfen Sie die Einstellungen. Mitglieder können sich über die Verbindung anmelden, sobald " +
      "ein Inhaber die Verbindung aktiviert.",
    button: "Verbindung prüfen",
    after:
      "Wenn Sie nicht wissen, wer die Verbindung eingerichtet hat, aktivieren Sie die Verbindung nicht und " +
      "widerrufen Sie den Einrichtungslink.",
  },
};
