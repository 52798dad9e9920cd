import type { AddressEmailKinds } from "./shape.ts";

/** E-mails about the addresses of a user. */
export const addressEmails: AddressEmailKinds = {
  email_change: {
    subject: "Bestätigen Sie Ihre E-Mail-Adresse für {{brand}}",
    preheader: "Der Link gilt {{valid_for}}, in einem Browser, in dem Sie angemeldet sind.",
    title: "Neue Adresse bestätigen",
    lead:
      "Bestätigen Sie, dass diese Adresse zu Ihrem Konto bei {{brand}} gehört. Bis dahin melden Sie sich mit Ihrer " +
      "bisherigen Adresse an.",
    button: "Adresse bestätigen",
    after: "Nicht angefordert? Ignorieren Sie diese E-Mail: Ohne Bestätigung wird die Adresse nicht verwendet.",
  },
  email_in_use: {
    subject: "Ihre Adresse bei {{brand}}",
    preheader: "Die Adresse gehört bereits zu einem Konto. Es wurde nichts geändert.",
    title: "Ihre Adresse wird bereits verwendet",
    lead:
      "Diese Adresse wurde für ein Konto bei {{brand}} angefordert. Sie gehört bereits zu einem Konto, deshalb " +
      "wurde nichts geändert.",
    button: "Anmelden",
    after:
      "Waren Sie das? Dann melden Sie sich mit dieser Adresse an, oder wählen Sie bei der Anmeldung ein neues " +
      "Passwort. Wenn nicht, ignorieren Sie diese E-Mail.",
  },
  email_change_notice: {
    subject: "Die E-Mail-Adresse Ihres Kontos bei {{brand}}",
    preheader: "{{device}}, {{time}}. Wenn Sie das nicht waren, machen Sie die Änderung rückgängig.",
    title: "Ihre E\u2011Mail-Adresse",
    lead: "Die E-Mail-Adressen Ihres Kontos bei {{brand}} werden geändert oder wurden geändert.",
    change:
      "Eine neue Hauptadresse wurde angefordert{{#new_email}}: {{new_email}}{{/new_email}}. Nach deren Bestätigung " +
      "gehört diese Adresse nicht mehr zum Konto.",
    addition:
      "Eine weitere Adresse wurde angefordert{{#new_email}}: {{new_email}}{{/new_email}}. Nach deren Bestätigung " +
      "kann man sich mit der Adresse anmelden und das Passwort zurücksetzen.",
    replaced:
      "Die Hauptadresse wurde geändert{{#new_email}} auf {{new_email}}{{/new_email}}. Mit dieser Adresse können " +
      "Sie sich weiterhin anmelden.",
    undo:
      "Wenn Sie das nicht waren, machen Sie die Änderung rückgängig. Der Link gilt einmal, bis {{undo_period}} " +
      "nach der Änderung. Alle Geräte werden abgemeldet; das Passwort und alle seit der Anforderung " +
      "hinzugefügten Anmeldemittel werden entfernt:",
    noUndo: "Diese Adresse wurde für das Konto nie bestätigt, deshalb ist kein Schritt nötig.",
    button: "Sicherheitseinstellungen prüfen",
    after: "Waren Sie das? Dann können Sie diese E-Mail ignorieren.",
  },
  email_removed: {
    subject: "Bei {{brand}} wurde eine E-Mail-Adresse entfernt",
    preheader: "{{device}}, {{time}}. Wenn Sie das nicht waren, ändern Sie Ihr Passwort.",
    title: "Eine E\u2011Mail-Adresse wurde entfernt",
    lead:
      "Die Adresse {{email}} wurde aus einem Konto bei {{brand}} entfernt. Mit der Adresse kann man sich nicht " +
      "mehr anmelden.",
    button: "Sicherheitseinstellungen prüfen",
    after:
      "Waren Sie das? Dann können Sie diese E-Mail ignorieren. Wenn nicht, ändern Sie sofort Ihr Passwort und " +
      "benachrichtigen Sie Ihre Administration.",
  },
  email_reverted: {
    subject: "Die Änderung Ihrer Adresse bei {{brand}} wurde rückgängig gemacht",
    preheader: "Diese Adresse ist wieder die Hauptadresse. Setzen Sie ein neues Passwort.",
    title: "Die Änderung Ihrer Adresse wurde rückgängig gemacht",
    lead:
      "Diese Adresse ist wieder die Hauptadresse Ihres Kontos. Alle Geräte wurden abgemeldet; das Passwort und alle " +
      "seit der Anforderung hinzugefügten Anmeldemittel wurden entfernt. Setzen Sie ein neues Passwort.",
    button: "Neues Passwort setzen",
    after: "Haben Sie die Änderung nicht rückgängig gemacht? Benachrichtigen Sie Ihre Administration.",
  },
};
