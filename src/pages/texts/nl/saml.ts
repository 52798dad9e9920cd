/** Dutch: connections by SAML 2.0. */
import type { SamlTexts } from "../en/saml.ts";

export const samlTexts: SamlTexts = {
  saml: {
    protocol: "Protocol van de verbinding",
    metadata: "Metagegevens van de identiteitsprovider laden",
    metadataLead:
      "Vul het adres van de metagegevens in, of plak de metagegevens. De pagina toont de wijzigingen " +
      "voordat ze gelden.",
    metadataUrl: "Adres van de metagegevens",
    metadataXml: "Metagegevens als XML",
    metadataXmlHint: "Alleen zonder adres, maximaal 64 KiB.",
    metadataFile: "Metagegevens als bestand",
    metadataFileHint: "Een XML-bestand van maximaal 512 KiB.",
    preview: "Wijzigingen tonen",
    changes: "Wijzigingen door de metagegevens",
    noChanges: "De verbinding heeft de instellingen van de metagegevens al.",
    apply: "Wijzigingen toepassen",
    imported: "De metagegevens zijn toegepast.",
    settings: "Instellingen van de identiteitsprovider",
    entityId: "Entiteits-ID van de identiteitsprovider",
    ssoUrl: "Inlog-URL",
    sloUrl: "Uitlog-URL",
    certificates: "Certificaten voor handtekeningen",
    certificatesHint:
      "In PEM-formaat, maximaal 4. Vul bij een wissel van sleutels het oude en het nieuwe certificaat in.",
    expired: "Verlopen",
    endsSoon: "Verloopt binnenkort",
    binding: "Transport van verzoeken",
    signedElement: "Handtekening op",
    signedElements: { assertion: "Assertie", either: "Assertie of antwoord" },
    nameIdFormat: "Gevraagd NameID-formaat",
    nameIdFormatHint: "Leeg: er wordt geen formaat gevraagd.",
    signRequests: "Verzoeken ondertekenen",
    encrypted: "Alleen versleutelde asserties accepteren",
    enforceExpiry: "Verlopen certificaten weigeren",
    keysLead: "De identiteitsprovider laadt de sleutels met de metagegevens van deze service.",
    needsSettings: "Entiteits-ID, inlog-URL en certificaat",
    needsKey: "Sleutel van deze service",
    attributes: "Attributen",
    attributesLead: "Namen van attributen in de assertie, exact vergeleken. Een leeg ID of adres komt uit de NameID.",
    mfaTrust: "Vertrouwde authenticatieklassen",
    incomplete: "Laad eerst de metagegevens, of vul de instellingen in.",
    secondImplementation: "Tweede implementatie bevestigt het resultaat",
    rules: {
      entity_id: "Vul de entiteits-ID precies zo in als de identiteitsprovider die toont.",
      url: "Vul een adres met https in.",
      certificates: "Vul maximaal 4 certificaten in PEM-formaat in, elk met een RSA-sleutel van minstens 2048 bits.",
      metadata: "De metagegevens zijn niet leesbaar. Controleer het adres, of plak de volledige XML.",
      metadataTooLong:
        "De metagegevens zijn groter dan 64 KiB. Upload het bestand, of vul het adres van de metagegevens in.",
      fileTooLong:
        "Het bestand is groter dan 512 KiB. Upload alleen de metagegevens van je identiteitsprovider, of " +
        "voer het adres in.",
    },
  },
};
