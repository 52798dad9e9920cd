/** German: connections of organizations to identity providers. */
import type { SsoConnectionTexts } from "../en/sso-connections.ts";

export const ssoConnectionTexts: SsoConnectionTexts = {
  ssoConnections: {
    title: "Verbindungen",
    lead: "Mitglieder melden sich mit ihrem Firmenkonto bei Ihrem Identitätsanbieter an.",
    none: "Noch keine Verbindungen. Wählen Sie zuerst Ihren Identitätsanbieter.",
    create: "Neue Verbindung",
    newLead: "Wählen Sie Ihren Identitätsanbieter. Die nächste Seite enthält die Anleitung.",
    otherProvider: "Anderer Identitätsanbieter",
    full: "Ihre Organisation hat die Höchstzahl von 10 Verbindungen. Löschen Sie zuerst eine Verbindung.",
    created: "Die Verbindung ist angelegt. Folgen Sie den Schritten auf dieser Seite.",
    saved: "Die Verbindung ist gespeichert.",
    lastSignIn: "Letzte Anmeldung:",
    noSignIn: "Noch keine Anmeldung",
    statuses: { draft: "Entwurf", active: "Aktiv", inactive: "Inaktiv" },
    sections: { overview: "Einrichtung", mapping: "Benutzerdaten", attempts: "Anmeldungen" },
    provider: "Identitätsanbieter einrichten",
    providerLead:
      "Folgen Sie dieser Anleitung in der Konsole des Identitätsanbieters. Die Bezeichnungen sind englisch.",
    instructions: "Anleitung",
    guide: {
      open: (path) => `Öffnen Sie „${path}“.`,
      select: (field, value) => `Wählen Sie unter „${field}“ die Option „${value}“.`,
      choose: (value) => `Wählen Sie „${value}“.`,
      enter: (field) => `Geben Sie diese Adresse unter „${field}“ ein:`,
      copy: (field, target) => `Kopieren Sie „${field}“ in das Feld „${target}“ in Schritt 2 dieser Seite.`,
      repeat: (field, target) => `Kopieren Sie „${field}“ in das Feld „${target}“.`,
    },
    addresses: "Alle Adressen der Verbindung",
    values: "Werte eingeben",
    name: "Name der Verbindung",
    nameHint: "Mitglieder sehen den Namen bei der Anmeldung.",
    issuerHint: (format) => `Format: ${format}`,
    clientSecret: "Client-Geheimnis",
    tokenAuth: "Authentifizierung dieses Dienstes",
    tokenAuths: { client_secret: "Client-Geheimnis", private_key_jwt: "Schlüsselpaar (private_key_jwt)" },
    secretStored: "Ein Geheimnis ist gespeichert. Lassen Sie das Feld leer, um das Geheimnis zu behalten.",
    secretNew: "Das Geheimnis wird verschlüsselt gespeichert und nicht wieder angezeigt.",
    clearSecret: "Gespeichertes Geheimnis löschen",
    secretExpiry: "Ablauf des Geheimnisses",
    secretExpiryHint:
      "Das Datum, das der Identitätsanbieter anzeigt. Inhaber erhalten 30, 14, 7 Tage und 1 Tag vorher eine E‑Mail.",
    secretEnds: (date: string) =>
      `Das Client-Geheimnis gilt bis ${date}. Erstellen Sie beim Identitätsanbieter ein neues Geheimnis.`,
    secretEnded: (date: string) => `Das Client-Geheimnis ist am ${date} abgelaufen. Geben Sie ein neues Geheimnis ein.`,
    noConfigKey:
      "Dieser Dienst kann keine Geheimnisse oder Schlüssel speichern. Wenden Sie sich an den Betreiber dieses " +
      "Dienstes.",
    keysLead: "Der Identitätsanbieter lädt die öffentlichen Schlüssel von dieser Adresse.",
    keyStatuses: { next: "Nächster", current: "In Gebrauch", previous: "Vorheriger" },
    addKey: "Nächsten Schlüssel erstellen",
    promoteKey: "Nächsten Schlüssel verwenden",
    removeKey: "Vorherigen Schlüssel zurückziehen",
    keyAdded:
      "Der nächste Schlüssel ist veröffentlicht. Verwenden Sie den Schlüssel, sobald der Identitätsanbieter ihn " +
      "geladen hat.",
    keyPromoted: "Der nächste Schlüssel ist in Gebrauch. Der vorherige Schlüssel bleibt veröffentlicht.",
    keyRemoved: "Der vorherige Schlüssel ist zurückgezogen.",
    unlinkText:
      "Mit dieser Verbindung sind Benutzer verknüpft. Die Änderung hebt alle Verknüpfungen auf und beendet die " +
      "Sitzungen.",
    unlink: "Alle Verknüpfungen aufheben",
    domains: "Domain bestätigen",
    domainsLead:
      "Nur Adressen Ihrer bestätigten Domains können sich anmelden. Eine Domain ohne Zuordnung gilt für jede aktive " +
      "Verbindung.",
    openToAll: "Jede aktive Verbindung",
    onlyHere: "Nur diese Verbindung",
    onlyOther: "Andere Verbindung",
    assign: "Zuordnen",
    assignNamed: (domain) => `Zuordnen: ${domain}`,
    release: "Zuordnung aufheben",
    releaseNamed: (domain) => `Zuordnung aufheben: ${domain}`,
    assigned: "Die Domain ist dieser Verbindung zugeordnet.",
    released: "Die Zuordnung ist aufgehoben.",
    manageDomains: "Domains verwalten",
    activation: "Verbindung aktivieren",
    activationLead:
      "Mitglieder können sich über eine aktive Verbindung anmelden, wenn die Richtlinie Single Sign-on erlaubt.",
    conditions: {
      values: "Issuer und Client-ID",
      credential: "Client-Geheimnis oder Schlüsselpaar",
      domain: "Bestätigte Domain",
      test: "Erfolgreicher Test mit den aktuellen Einstellungen",
    },
    met: "Erledigt",
    missing: "Fehlt",
    activate: "Aktivieren",
    activated: "Die Verbindung ist aktiv.",
    notReady: "Die Verbindung kann noch nicht aktiviert werden. Schließen Sie die Schritte auf dieser Seite ab.",
    deactivate: "Deaktivieren",
    deactivateTitle: (name) => `${name} deaktivieren?`,
    deactivateText: "Über die Verbindung ist keine Anmeldung mehr möglich. Die Sitzungen der Verbindung enden sofort.",
    deactivated: "Die Verbindung ist inaktiv. Ihre Sitzungen sind beendet.",
    remove: "Verbindung löschen",
    removeLead: "Löscht die Einstellungen, die Verknüpfungen mit Benutzern und die Liste der Anmeldungen.",
    removeTitle: (name) => `${name} löschen?`,
    removeText:
      "Einstellungen, Verknüpfungen mit Benutzern und die Liste der Anmeldungen werden gelöscht. Die Sitzungen enden " +
      "sofort.",
    removed: "Die Verbindung ist gelöscht.",
    mapping: "Zuordnung der Claims",
    mappingLead: "Namen der Claims in der Antwort des Identitätsanbieters. Die Namen müssen genau übereinstimmen.",
    claims: {
      subject_from: "Dauerhafte ID des Benutzers",
      email_from: "E‑Mail-Adresse",
      first_name_from: "Vorname",
      last_name_from: "Nachname",
      display_name_from: "Vollständiger Name",
      groups_from: "Gruppen",
    },
    subjectHint: "Ein Wert, der sich nie ändert und nie einem zweiten Benutzer gehört.",
    claimsFrom: "Quelle der Claims",
    claimsFroms: { id_token: "ID-Token", userinfo: "UserInfo-Endpunkt" },
    attributes: "Weitere Attribute",
    attributesHint: "Ein Attribut pro Zeile: Name = Claim. Höchstens 16.",
    factor: "Zweiter Faktor",
    factorLead: "Zwei-Faktor-Anmeldungen beim Identitätsanbieter.",
    mfaTrust: "Anerkannte Werte von acr oder amr",
    mfaHint:
      "Ein Wert pro Zeile. Mit einem anerkannten Wert zählt die Anmeldung als Zwei-Faktor-Anmeldung. Ohne Eintrag " +
      "wird kein Wert anerkannt.",
    request: "Anfrage",
    requestLead: "Einstellungen, die nur wenige Identitätsanbieter benötigen.",
    scopesHint: "Durch Leerzeichen getrennt, mit openid.",
    parameters: "Weitere Parameter",
    parametersHint: "Ein Parameter pro Zeile: Name = Wert. Höchstens 10.",
    skew: "Zulässige Abweichung der Uhren in Sekunden",
    idpInitiated: "Anmeldungen aus dem Portal des Identitätsanbieters zulassen",
    rules: {
      issuer:
        "Geben Sie den Issuer genau so ein, wie der Identitätsanbieter ihn anzeigt: ein Mandant, https, ohne " +
        "Abfrageparameter.",
      client_id: "Geben Sie die Client-ID des Identitätsanbieters ein.",
      client_secret: "Geben Sie das Client-Geheimnis des Identitätsanbieters ein, höchstens 1.024 Zeichen.",
      client_secret_expires_on: "Geben Sie ein Datum ein.",
      claim: "Geben Sie den Namen eines Claims ein, höchstens 255 Zeichen.",
      attributes: "Schreiben Sie jede Zeile als Name = Claim, mit verschiedenen Namen, höchstens 16.",
      mfa_trust: "Geben Sie höchstens 10 Werte mit höchstens 255 Zeichen ein.",
      scopes: "Trennen Sie Scopes durch einzelne Leerzeichen. Der Scope openid ist erforderlich.",
      extra_parameters: "Schreiben Sie jede Zeile als Name = Wert, ohne Parameter des Protokolls, höchstens 10.",
      clock_skew_seconds: "Geben Sie eine ganze Zahl von 0 bis 300 ein.",
    },
    attemptsLead: "Bis zu 200 Anmeldungen der letzten 30 Tage.",
    noAttempts: "Noch keine Anmeldungen. Erfolgreiche und abgelehnte Anmeldungen erscheinen hier.",
    time: "Zeit",
    result: "Ergebnis",
    requestId: "Anfrage-ID",
    succeeded: "Angemeldet",
    refused: "Abgelehnt",
    reasons: {
      state: "Die Anmeldung ist abgelaufen oder begann in einem anderen Browser. Der Benutzer kann neu beginnen.",
      discovery: "Die Konfiguration des Identitätsanbieters konnte nicht geladen werden. Prüfen Sie den Issuer.",
      provider_error:
        "Der Identitätsanbieter hat die Anmeldung abgelehnt. Prüfen Sie, ob die Anwendung dem Benutzer zugewiesen ist.",
      issuer: "Die Antwort kam von einem anderen Issuer. Geben Sie den Issuer genau ein.",
      token_request:
        "Der Identitätsanbieter hat Client-ID oder Geheimnis abgelehnt. Geben Sie ein aktuelles Geheimnis ein.",
      id_token: "Das ID-Token ist nicht gültig. Prüfen Sie Client-ID, Signaturalgorithmus und Uhr.",
      nonce: "Das ID-Token gehört zu einer anderen Anmeldung. Der Benutzer kann neu beginnen.",
      userinfo: "UserInfo konnte nicht gelesen werden oder gehört zu einem anderen Benutzer.",
      subject: "Die dauerhafte ID oder die E‑Mail-Adresse fehlt. Prüfen Sie die Claims.",
      domain: "Die Adresse liegt in keiner bestätigten Domain dieser Verbindung. Bestätigen Sie die Domain.",
      email_not_verified: "Der Identitätsanbieter kennzeichnet die Adresse als nicht bestätigt.",
      disabled: "Der Benutzer ist deaktiviert.",
      not_a_member: "Die Mitgliedschaft wurde beendet. Laden Sie den Benutzer erneut ein.",
      identity_conflict:
        "Die Adresse gehört einem Benutzer, der mit einem anderen Konto des Identitätsanbieters verknüpft ist.",
      link_required:
        "Ein Benutzer mit dieser Rolle wird nicht über die Adresse verknüpft. Der Benutzer kann das Firmenkonto " +
        "auf der Seite „Sicherheit“ seines Kontos verknüpfen.",
      not_invited: "Der Benutzer hat keine Einladung, und die Richtlinie lässt keine neuen Benutzer zu.",
      step_up: "Der Identitätsanbieter hat den Benutzer nicht erneut mit einem anerkannten zweiten Faktor bestätigt.",
      too_large: "Die Antwort ist zu groß, oder das Lesen hat zu lange gedauert.",
      not_xml: "Die Antwort ist kein gültiges XML nach SAML 2.0.",
      structure: "Die Antwort hat Elemente, die SAML 2.0 nicht zulässt, oder nicht genau eine Assertion.",
      status:
        "Der Identitätsanbieter hat die Anmeldung abgelehnt. Prüfen Sie, ob die Anwendung dem Benutzer zugewiesen ist.",
      signature:
        "Die Signatur fehlt oder ist ungültig. Lassen Sie den Identitätsanbieter die Assertion mit " +
        "RSA-SHA256 signieren.",
      key:
        "Die Signatur stammt von einem anderen Schlüssel. Laden Sie die Metadaten neu, oder geben Sie das " +
        "aktuelle Zertifikat ein.",
      decryption:
        "Die Assertion ließ sich nicht entschlüsseln, oder die Verschlüsselung weicht von den Einstellungen ab.",
      destination: "Die Antwort nennt ein anderes Ziel. Prüfen Sie die ACS-URL beim Identitätsanbieter.",
      recipient: "Die Assertion nennt einen anderen Empfänger. Prüfen Sie die ACS-URL beim Identitätsanbieter.",
      audience:
        "Die Assertion gilt für einen anderen Dienst. Prüfen Sie die Entity-ID (Audience) beim Identitätsanbieter.",
      in_response_to:
        "Die Antwort gehört zu keiner begonnenen Anmeldung. Der Benutzer beginnt auf der Anmeldeseite des Dienstes.",
      time: "Die Antwort ist abgelaufen, oder die Uhren weichen ab. Prüfen Sie die Uhr des Identitätsanbieters.",
      condition: "Die Assertion hat eine Bedingung, die der Dienst nicht kennt.",
      replayed: "Der Identitätsanbieter hat die ID einer früheren Assertion wiederverwendet.",
      implementations_disagree:
        "Zwei Implementierungen lesen die Antwort unterschiedlich. Wenden Sie sich an den Betreiber des Dienstes.",
      changed: "Die Einstellungen haben sich während der Anmeldung geändert. Der Benutzer kann neu beginnen.",
    },
    warnings: {
      address_taken: "Die neue Adresse des Benutzers gehört einem anderen Benutzer. Der Benutzer behält seine Adresse.",
    },
    console: {
      noConnections: "Die Organisation hat keine Verbindungen.",
      noDomains: "Die Organisation hat keine Domains.",
      connection: "Verbindung",
      lastSignIn: "Letzte Anmeldung",
      lastCheck: "Letzte Prüfung",
      claimed: "Strittiger Anspruch",
      transfer: "Domain übertragen",
      transferTitle: (domain) => `${domain} übertragen`,
      transferText:
        "Die Domain gehört einer anderen Organisation. Nach der Übertragung gehört die Domain " +
        "dieser Organisation. Die Inhaber beider Organisationen erhalten eine E‑Mail, die den Grund nicht nennt.",
      reason: "Grund",
      reasonHint: "Für das Audit-Protokoll der Plattform, höchstens 500 Zeichen.",
      transferred: "Die Domain gehört jetzt dieser Organisation.",
      noConflict: "Die Domain gehört keiner anderen Organisation.",
    },
  },
};
