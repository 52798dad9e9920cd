/** French: connections by SAML 2.0. */
import type { SamlTexts } from "../en/saml.ts";

export const samlTexts: SamlTexts = {
  saml: {
    protocol: "Protocole",
    metadata: "Charger les métadonnées du fournisseur d’identité",
    metadataLead:
      "Saisissez l’adresse des métadonnées ou collez les métadonnées. La page affiche les modifications " +
      "avant de les appliquer.",
    metadataUrl: "Adresse des métadonnées",
    metadataXml: "Métadonnées en XML",
    metadataXmlHint: "Seulement sans adresse, 64 Kio au maximum.",
    metadataFile: "Métadonnées dans un fichier",
    metadataFileHint: "Un fichier XML de 512 Kio au maximum.",
    preview: "Afficher les modifications",
    changes: "Modifications apportées par les métadonnées",
    noChanges: "La connexion utilise déjà les paramètres des métadonnées.",
    apply: "Appliquer les modifications",
    imported: "Les métadonnées sont appliquées.",
    settings: "Paramètres du fournisseur d’identité",
    entityId: "Identifiant d’entité du fournisseur d’identité",
    ssoUrl: "URL de connexion",
    sloUrl: "URL de déconnexion",
    certificates: "Certificats des signatures",
    certificatesHint:
      "Au format PEM, 4 au maximum. Pour un changement de clés, saisissez l’ancien et le nouveau certificat.",
    expired: "Expiré",
    endsSoon: "Expire bientôt",
    binding: "Transport des requêtes",
    signedElement: "Signature portant sur",
    signedElements: { assertion: "l’assertion", either: "l’assertion ou la réponse" },
    nameIdFormat: "Format NameID demandé",
    nameIdFormatHint: "Vide\u00A0: aucun format n’est demandé.",
    signRequests: "Signer les requêtes",
    encrypted: "Accepter uniquement les assertions chiffrées",
    enforceExpiry: "Refuser les certificats expirés",
    keysLead: "Le fournisseur d’identité charge les clés avec les métadonnées de ce service.",
    needsSettings: "Identifiant d’entité, URL de connexion et certificat",
    needsKey: "Clé de ce service",
    attributes: "Attributs",
    attributesLead:
      "Noms d’attributs dans l’assertion, comparés exactement. Un identifiant ou une adresse vide provient du NameID.",
    mfaTrust: "Classes d’authentification de confiance",
    incomplete: "Chargez d’abord les métadonnées ou saisissez les paramètres.",
    secondImplementation: "La seconde implémentation confirme le résultat",
    rules: {
      entity_id: "Saisissez l’identifiant d’entité exactement comme le fournisseur d’identité l’affiche.",
      url: "Saisissez une adresse en https.",
      certificates:
        "Saisissez au maximum 4 certificats au format PEM, chacun avec une clé RSA d’au moins 2\u202F048 bits.",
      metadata: "Les métadonnées sont illisibles. Vérifiez l’adresse ou collez le XML complet.",
      metadataTooLong: "Les métadonnées dépassent 64 Kio. Envoyez le fichier ou saisissez l’adresse des métadonnées.",
      fileTooLong:
        "Le fichier dépasse 512 Kio. Envoyez seulement les métadonnées de votre fournisseur d’identité ou " +
        "saisissez l’adresse.",
    },
  },
};
