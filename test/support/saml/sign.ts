/** Signs and encrypts messages of the corpus by xml-crypto and node:crypto, independent of the service's code. */
import { constants, createCipheriv, publicEncrypt, randomBytes, X509Certificate } from "node:crypto";
import { SignedXml } from "xml-crypto";
import { type SamlKey, samlKeys } from "./keys.ts";

export const RSA_SHA256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";
export const RSA_SHA512 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512";
export const RSA_PSS_SHA256 = "http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1";
export const RSA_SHA1 = "http://www.w3.org/2000/09/xmldsig#rsa-sha1";
const HMAC_SHA1 = "http://www.w3.org/2000/09/xmldsig#hmac-sha1";
export const SHA256 = "http://www.w3.org/2001/04/xmlenc#sha256";
export const SHA512 = "http://www.w3.org/2001/04/xmlenc#sha512";
export const SHA1 = "http://www.w3.org/2000/09/xmldsig#sha1";
export const EXC_C14N = "http://www.w3.org/2001/10/xml-exc-c14n#";
export const C14N = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315";
const XENC = "http://www.w3.org/2001/04/xmlenc#";
const XENC11 = "http://www.w3.org/2009/xmlenc11#";
const ENVELOPED = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";

export interface SignOptions {
  readonly key?: SamlKey;
  readonly signatureAlgorithm?: string;
  readonly digestAlgorithm?: string;
  readonly canonicalization?: string;
  readonly transforms?: readonly string[];
  readonly inclusivePrefixes?: readonly string[];
  /** Whether the signature carries the certificate. */
  readonly keyInfo?: boolean;
  readonly prefix?: string;
  /** HMAC-SHA1 with the certificate as the secret: the confusion of a public key with a shared secret. */
  readonly hmac?: boolean;
}

/** Signs the first element with a local name; the signature follows its issuer. */
export function sign(
  xml: string,
  name: "Response" | "Assertion" | "LogoutRequest" | "LogoutResponse",
  options: SignOptions = {},
): string {
  const { key = samlKeys.idp(), keyInfo = true, prefix = "ds" } = options;
  const signer = new SignedXml({
    privateKey: options.hmac ? key.certificate : key.key,
    publicCert: key.certificate,
    signatureAlgorithm: options.hmac ? HMAC_SHA1 : (options.signatureAlgorithm ?? RSA_SHA256),
    canonicalizationAlgorithm: (options.canonicalization ?? EXC_C14N) as typeof EXC_C14N,
    ...(keyInfo ? {} : { getKeyInfoContent: () => null }),
  });
  if (options.hmac) signer.enableHMAC();
  if (options.inclusivePrefixes) limitInclusivePrefixes(signer);
  const element = `//*[local-name(.)='${name}']`;
  signer.addReference({
    xpath: element,
    transforms: [...(options.transforms ?? [ENVELOPED, EXC_C14N])],
    digestAlgorithm: options.digestAlgorithm ?? SHA256,
    ...(options.inclusivePrefixes ? { inclusiveNamespacesPrefixList: [...options.inclusivePrefixes] } : {}),
  });
  const location = { reference: `${element}/*[local-name(.)='Issuer']`, action: "after" } as const;
  signer.computeSignature(xml, { prefix, location });
  return signer.getSignedXml();
}

/** xml-crypto writes `InclusiveNamespaces` into every transform; products, only into the canonicalization. */
function limitInclusivePrefixes(signer: SignedXml): void {
  const writer = signer as unknown as {
    addAllReferences(document: unknown, signature: Element, ...rest: unknown[]): void;
  };
  const write = writer.addAllReferences.bind(signer);
  writer.addAllReferences = (document, signature, ...rest) => {
    write(document, signature, ...rest);
    const unwanted = Array.from(signature.getElementsByTagNameNS(ENVELOPED, "InclusiveNamespaces"));
    for (const element of unwanted) element.parentNode?.removeChild(element);
  };
}

export type ContentCipher = "aes128-gcm" | "aes256-gcm" | "aes128-cbc" | "aes256-cbc";

export interface EncryptOptions {
  readonly recipient?: SamlKey;
  readonly cipher?: ContentCipher;
  /** `rsa-oaep`: of XML Encryption 1.1, with SHA-256 and MGF1-SHA-256. */
  readonly transport?: "rsa-oaep-mgf1p" | "rsa-oaep" | "rsa-1_5";
  /** Where the encrypted key stands: inside the encrypted data, or beside, with or without a reference. */
  readonly place?: "inside" | "referenced" | "beside";
  /** Changes the ciphertext after the encryption. */
  readonly change?: (content: Buffer) => Buffer;
}

/** An `EncryptedAssertion` with the assertion text. */
export function encrypt(assertion: string, options: EncryptOptions = {}): string {
  const { recipient = samlKeys.service(), cipher = "aes256-gcm", transport = "rsa-oaep-mgf1p" } = options;
  const { place = "inside" } = options;
  const [size = "", mode = ""] = cipher.split("-");
  const key = randomBytes(size === "aes128" ? 16 : 32);
  const content = encryptContent(Buffer.from(assertion), key, mode);
  const changed = options.change?.(content) ?? content;
  const padding = transport === "rsa-1_5" ? constants.RSA_PKCS1_PADDING : constants.RSA_PKCS1_OAEP_PADDING;
  const hash = transport === "rsa-oaep" ? { oaepHash: "sha256" } : {};
  const wrapped = publicEncrypt({ key: new X509Certificate(recipient.certificate).publicKey, padding, ...hash }, key);
  const encryptedKey = [
    `<xenc:EncryptedKey xmlns:xenc="${XENC}" Id="_key1">${transportMethod(transport)}`,
    `<xenc:CipherData><xenc:CipherValue>${wrapped.toString("base64")}</xenc:CipherValue></xenc:CipherData>`,
    "</xenc:EncryptedKey>",
  ].join("");
  const reference = `<ds:RetrievalMethod Type="${XENC}EncryptedKey" URI="#_key1"/>`;
  const keyInfo = { inside: encryptedKey, referenced: reference, beside: "<ds:KeyName>service</ds:KeyName>" }[place];
  const algorithm = mode === "gcm" ? "http://www.w3.org/2009/xmlenc11#" : "http://www.w3.org/2001/04/xmlenc#";
  return [
    '<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">',
    `<xenc:EncryptedData xmlns:xenc="${XENC}" Type="${XENC}Element">`,
    `<xenc:EncryptionMethod Algorithm="${algorithm}${cipher}"/>`,
    `<ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#">${keyInfo}</ds:KeyInfo>`,
    `<xenc:CipherData><xenc:CipherValue>${changed.toString("base64")}</xenc:CipherValue></xenc:CipherData>`,
    `</xenc:EncryptedData>${place === "inside" ? "" : encryptedKey}</saml:EncryptedAssertion>`,
  ].join("");
}

function transportMethod(transport: NonNullable<EncryptOptions["transport"]>): string {
  if (transport !== "rsa-oaep") return `<xenc:EncryptionMethod Algorithm="${XENC}${transport}"/>`;
  const digest = `<ds:DigestMethod xmlns:ds="http://www.w3.org/2000/09/xmldsig#" Algorithm="${XENC}sha256"/>`;
  const mask = `<xenc11:MGF xmlns:xenc11="${XENC11}" Algorithm="${XENC11}mgf1sha256"/>`;
  return `<xenc:EncryptionMethod Algorithm="${XENC11}rsa-oaep">${digest}${mask}</xenc:EncryptionMethod>`;
}

function encryptContent(content: Buffer, key: Buffer, mode: string): Buffer {
  const bits = key.length * 8;
  if (mode === "gcm") {
    const iv = randomBytes(12);
    const cipher = createCipheriv(bits === 128 ? "aes-128-gcm" : "aes-256-gcm", key, iv);
    return Buffer.concat([iv, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
  }
  const iv = randomBytes(16);
  const cipher = createCipheriv(`aes-${bits}-cbc`, key, iv);
  return Buffer.concat([iv, cipher.update(content), cipher.final()]);
}
