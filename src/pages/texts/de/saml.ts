/** German: connections by SAML 2.0. */
import type { SamlTexts } from "../en/saml.ts";

export const samlTexts: SamlTexts = {
  saml: {
    protocol: "Protokoll",
    metadata: "Metadaten des Identitätsanbieters laden",
    metadataLead:
      "Geben Sie die Adresse der Metadaten ein, oder fügen Sie die Metadaten ein. Die Seite zeigt die " +
      "Änderungen, bevor sie gelten.",
    metadataUrl: "Adresse der Metadaten",
    metadataXml: "Metadaten als XML",
    metadataXmlHint: "Nur ohne Adresse, höchstens 64 KiB.",
    metadataFile: "Metadaten als Datei",
    metadataFileHint: "Eine XML-Datei von höchstens 512 KiB.",
    preview: "Änderungen anzeigen",
    changes: "Änderungen durch die Metadaten",
    noChanges: "Die Verbindung hat bereits die Einstellungen der Metadaten.",
    apply: "Änderungen übernehmen",
    imported: "Die Metadaten sind übernommen.",
    settings: "Einstellungen des Identitätsanbieters",
    entityId: "Entity-ID des Identitätsanbieters",
    ssoUrl: "Anmelde-URL",
    sloUrl: "Abmelde-URL",
    certificates: "Zertifikate für Signaturen",
    certificatesHint:
      "Im PEM-Format, höchstens 4. Geben Sie bei einem Schlüsselwechsel das alte und das neue Zertifikat ein.",
    expired: "Abgelaufen",
    endsSoon: "Läuft bald ab",
    binding: "Übertragung der Anfragen",
    signedElement: "Signatur auf",
    signedElements: { assertion: "der Assertion", either: "der Assertion oder der Antwort" },
    nameIdFormat: "Angefordertes NameID-Format",
    nameIdFormatHint: "Leer: kein Format wird angefordert.",
    signRequests: "Anfragen signieren",
    encrypted: "Nur verschlüsselte Assertions annehmen",
    enforceExpiry: "Abgelaufene Zertifikate ablehnen",
    keysLead: "Der Identitätsanbieter lädt die Schlüssel mit den Metadaten dieses Dienstes.",
    needsSettings: "Entity-ID, Anmelde-URL und Zertifikat",
    needsKey: "Schlüssel dieses Dienstes",
    attributes: "Attribute",
    attributesLead:
      "Namen von Attributen in der Assertion, exakt verglichen. Eine leere ID oder Adresse stammt aus der NameID.",
    mfaTrust: "Vertrauenswürdige Authentifizierungsklassen",
    incomplete: "Laden Sie zuerst die Metadaten, oder geben Sie die Einstellungen ein.",
    secondImplementation: "Zweite Implementierung stimmt überein",
    rules: {
      entity_id: "Geben Sie die Entity-ID genau so ein, wie der Identitätsanbieter sie anzeigt.",
      url: "Geben Sie eine Adresse mit https ein.",
      certificates: "Geben Sie höchstens 4 Zertifikate im PEM-Format ein, jedes mit einem RSA-Schlüssel ab 2.048 Bit.",
      metadata: "Die Metadaten sind nicht lesbar. Prüfen Sie die Adresse, oder fügen Sie das vollständige XML ein.",
      metadataTooLong:
        "Die Metadaten sind größer als 64 KiB. Laden Sie die Datei hoch, oder geben Sie die Adresse der Metadaten ein.",
      fileTooLong:
        "Die Datei ist größer als 512 KiB. Laden Sie nur die Metadaten Ihres Identitätsanbieters hoch, " +
        "oder geben Sie die Adresse ein.",
    },
  },
};
