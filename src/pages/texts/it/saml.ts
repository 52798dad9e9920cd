/** Italian: connections by SAML 2.0. */
import type { SamlTexts } from "../en/saml.ts";

export const samlTexts: SamlTexts = {
  saml: {
    protocol: "Protocollo",
    metadata: "Carica i metadati del provider di identità",
    metadataLead:
      "Inserisci l’indirizzo dei metadati o incolla i metadati. La pagina mostra le modifiche prima di applicarle.",
    metadataUrl: "Indirizzo dei metadati",
    metadataXml: "Metadati in XML",
    metadataXmlHint: "Solo senza indirizzo, al massimo 64 KiB.",
    metadataFile: "Metadati come file",
    metadataFileHint: "Un file XML di al massimo 512 KiB.",
    preview: "Mostra modifiche",
    changes: "Modifiche dei metadati",
    noChanges: "La connessione ha già le impostazioni dei metadati.",
    apply: "Applica modifiche",
    imported: "I metadati sono applicati.",
    settings: "Impostazioni del provider di identità",
    entityId: "ID entità del provider di identità",
    ssoUrl: "URL di accesso",
    sloUrl: "URL di uscita",
    certificates: "Certificati delle firme",
    certificatesHint:
      "In formato PEM, al massimo 4. Per un cambio di chiavi, inserisci il vecchio e il nuovo certificato.",
    expired: "Scaduto",
    endsSoon: "Scade a breve",
    binding: "Trasporto delle richieste",
    signedElement: "Firma su",
    signedElements: { assertion: "Asserzione", either: "Asserzione o risposta" },
    nameIdFormat: "Formato NameID richiesto",
    nameIdFormatHint: "Vuoto: nessun formato richiesto.",
    signRequests: "Firma le richieste",
    encrypted: "Accetta solo asserzioni cifrate",
    enforceExpiry: "Rifiuta certificati scaduti",
    keysLead: "Il provider di identità carica le chiavi con i metadati di questo servizio.",
    needsSettings: "ID entità, URL di accesso e certificato",
    needsKey: "Chiave di questo servizio",
    attributes: "Attributi",
    attributesLead:
      "Nomi di attributi nell’asserzione, confrontati esattamente. Un ID o un indirizzo vuoto viene letto dal NameID.",
    mfaTrust: "Classi di autenticazione attendibili",
    incomplete: "Carica prima i metadati o inserisci le impostazioni.",
    secondImplementation: "La seconda implementazione concorda",
    rules: {
      entity_id: "Inserisci l’ID entità esattamente come lo mostra il provider di identità.",
      url: "Inserisci un indirizzo con https.",
      certificates:
        "Inserisci al massimo 4 certificati in formato PEM, ciascuno con una chiave RSA di almeno 2048 bit.",
      metadata: "I metadati non sono leggibili. Verifica l’indirizzo o incolla l’XML completo.",
      metadataTooLong: "I metadati superano i 64 KiB. Carica il file oppure inserisci l’indirizzo dei metadati.",
      fileTooLong:
        "Il file supera i 512 KiB. Carica solo i metadati del tuo provider di identità oppure inserisci l’indirizzo.",
    },
  },
};
