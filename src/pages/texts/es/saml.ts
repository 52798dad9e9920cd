/** Spanish: connections by SAML 2.0. */
import type { SamlTexts } from "../en/saml.ts";

export const samlTexts: SamlTexts = {
  saml: {
    protocol: "Protocolo",
    metadata: "Cargar los metadatos del proveedor de identidad",
    metadataLead:
      "Introduce la dirección de los metadatos o pega los metadatos. La página muestra los cambios antes " +
      "de aplicarlos.",
    metadataUrl: "Dirección de los metadatos",
    metadataXml: "Metadatos en XML",
    metadataXmlHint: "Solo sin dirección, 64 KiB como máximo.",
    metadataFile: "Metadatos como archivo",
    metadataFileHint: "Un archivo XML de 512 KiB como máximo.",
    preview: "Mostrar cambios",
    changes: "Cambios de los metadatos",
    noChanges: "La conexión ya tiene la configuración de los metadatos.",
    apply: "Aplicar cambios",
    imported: "Se aplicaron los metadatos.",
    settings: "Configuración del proveedor de identidad",
    entityId: "ID de entidad del proveedor de identidad",
    ssoUrl: "URL de inicio de sesión",
    sloUrl: "URL de cierre de sesión",
    certificates: "Certificados de las firmas",
    certificatesHint:
      "En formato PEM, 4 como máximo. Para cambiar las claves, introduce el certificado anterior y el nuevo.",
    expired: "Caducado",
    endsSoon: "Caduca pronto",
    binding: "Transporte de las solicitudes",
    signedElement: "Firma en",
    signedElements: { assertion: "Aserción", either: "Aserción o respuesta" },
    nameIdFormat: "Formato de NameID solicitado",
    nameIdFormatHint: "Vacío: no se solicita ningún formato.",
    signRequests: "Firmar las solicitudes",
    encrypted: "Aceptar solo aserciones cifradas",
    enforceExpiry: "Rechazar certificados caducados",
    keysLead: "El proveedor de identidad carga las claves con los metadatos de este servicio.",
    needsSettings: "ID de entidad, URL de inicio de sesión y certificado",
    needsKey: "Clave de este servicio",
    attributes: "Atributos",
    attributesLead:
      "Nombres de atributos de la aserción, comparados exactamente. Un ID o una dirección vacíos se leen del NameID.",
    mfaTrust: "Clases de autenticación de confianza",
    incomplete: "Carga primero los metadatos o introduce la configuración.",
    secondImplementation: "La segunda implementación coincide",
    rules: {
      entity_id: "Introduce el ID de entidad exactamente como lo muestra el proveedor de identidad.",
      url: "Introduce una dirección con https.",
      certificates:
        "Introduce 4 certificados en formato PEM como máximo, cada uno con una clave RSA de al menos 2048 bits.",
      metadata: "Los metadatos no se pueden leer. Comprueba la dirección o pega el XML completo.",
      metadataTooLong: "Los metadatos superan los 64 KiB. Sube el archivo o introduce la dirección de los metadatos.",
      fileTooLong:
        "El archivo supera los 512 KiB. Sube solo los metadatos de tu proveedor de identidad o introduce la dirección.",
    },
  },
};
