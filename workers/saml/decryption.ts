/**
 * XML Encryption 1.1 of assertions: RSA-OAEP with AES-GCM, or with AES-CBC inside a signed response. The key stands
 * inside or beside the encrypted data.
 */
import { constants, createDecipheriv, privateDecrypt } from "node:crypto";
import { SAML_MESSAGE_MAX_BYTES } from "../../src/limits/saml-limits.ts";
import { decodeBase64 } from "./decode.ts";
import { attributeOf, childOf, childrenOf } from "./elements.ts";
import { DS, XENC, XENC11 } from "./namespaces.ts";
import { require } from "./saml-problem.ts";
import type { XmlElement } from "./xml-document.ts";

/** PKCS #1 1.5 is absent: its padding is an oracle (Bleichenbacher). */
const KEY_TRANSPORT = `${XENC}rsa-oaep-mgf1p`;
/** RSA-OAEP of XML Encryption 1.1, with SHA-256 for the digest and for MGF1. */
const KEY_TRANSPORT_11 = `${XENC11}rsa-oaep`;
const MGF1_SHA256 = `${XENC11}mgf1sha256`;
const SHA256 = `${XENC}sha256`;
/** The default of `rsa-oaep-mgf1p`; OAEP does not depend on collision resistance. */
const SHA1 = `${DS}sha1`;
const ELEMENT_TYPE = `${XENC}Element`;
const TAG_BYTES = 16;

interface Cipher {
  readonly name: "aes-128-gcm" | "aes-256-gcm" | "aes-128-cbc" | "aes-256-cbc";
  readonly keyBytes: number;
  readonly ivBytes: number;
  /** A cipher without authentication is an oracle, unless a signature covers the ciphertext. */
  readonly isAuthenticated: boolean;
}

const CIPHERS: Readonly<Record<string, Cipher>> = {
  "http://www.w3.org/2009/xmlenc11#aes128-gcm": {
    name: "aes-128-gcm",
    keyBytes: 16,
    ivBytes: 12,
    isAuthenticated: true,
  },
  "http://www.w3.org/2009/xmlenc11#aes256-gcm": {
    name: "aes-256-gcm",
    keyBytes: 32,
    ivBytes: 12,
    isAuthenticated: true,
  },
  "http://www.w3.org/2001/04/xmlenc#aes128-cbc": {
    name: "aes-128-cbc",
    keyBytes: 16,
    ivBytes: 16,
    isAuthenticated: false,
  },
  "http://www.w3.org/2001/04/xmlenc#aes256-cbc": {
    name: "aes-256-cbc",
    keyBytes: 32,
    ivBytes: 16,
    isAuthenticated: false,
  },
};

export interface DecryptedAssertion {
  readonly bytes: Buffer;
  /** The key that opened the message, in PEM form. */
  readonly key: string;
  /** Whether the library of the second implementation reads the form of the key. */
  readonly isOfLibrary: boolean;
}

/** Decrypts an `EncryptedAssertion`. Every failure is the same problem, so the response is no oracle. */
export function decryptAssertion(
  encrypted: XmlElement,
  privateKeys: readonly string[],
  isSigned: boolean,
): DecryptedAssertion {
  const data = childOf(encrypted, XENC, "EncryptedData");
  require(data !== undefined && (attributeOf(data, "Type") ?? ELEMENT_TYPE) === ELEMENT_TYPE, "decryption");
  const algorithm = algorithmOf(data);
  const cipher = Object.hasOwn(CIPHERS, algorithm) ? CIPHERS[algorithm] : undefined;
  require(cipher !== undefined && (cipher.isAuthenticated || isSigned), "decryption");
  const content = cipherValueOf(data);
  const wrapped = readWrappedKey(encrypted, data);
  for (const key of privateKeys) {
    const bytes = decryptContent(cipher, unwrapKey(key, wrapped), content);
    if (bytes) return { bytes, key, isOfLibrary: wrapped.isInside && wrapped.hash === "sha1" };
  }
  require(false, "decryption");
}

interface WrappedKey {
  readonly bytes: Buffer;
  readonly hash: "sha1" | "sha256";
  readonly isInside: boolean;
}

/** The single `EncryptedKey` of the parent; a key elsewhere in the message is not followed. */
function readWrappedKey(parent: XmlElement, data: XmlElement): WrappedKey {
  const keyInfo = childOf(data, DS, "KeyInfo");
  const inside = keyInfo ? childrenOf(keyInfo, XENC, "EncryptedKey") : [];
  const beside = childrenOf(parent, XENC, "EncryptedKey");
  const [key, ...further] = [...inside, ...beside];
  require(key !== undefined && further.length === 0, "decryption");
  const isInside = inside.length > 0;
  // A reference names the key beside the data (XML Encryption 1.1, section 3.5); the key may stand there without one.
  const reference = attributeOf(childOf(keyInfo, DS, "RetrievalMethod"), "URI");
  require(isInside || reference === undefined || reference === `#${attributeOf(key, "Id")}`, "decryption");
  return { bytes: cipherValueOf(key), hash: hashOfTransport(key), isInside };
}

/** The hash of OAEP by the key transport; any other combination is refused. */
function hashOfTransport(key: XmlElement): WrappedKey["hash"] {
  const method = childOf(key, XENC, "EncryptionMethod");
  const digest = attributeOf(childOf(method, DS, "DigestMethod"), "Algorithm") ?? SHA1;
  const mask = attributeOf(childOf(method, XENC11, "MGF"), "Algorithm");
  const isEarlier = algorithmOf(key) === KEY_TRANSPORT && digest === SHA1 && mask === undefined;
  const isLater = algorithmOf(key) === KEY_TRANSPORT_11 && digest === SHA256 && mask === MGF1_SHA256;
  require(isEarlier || isLater, "decryption");
  return isLater ? "sha256" : "sha1";
}

function algorithmOf(element: XmlElement): string {
  return attributeOf(childOf(element, XENC, "EncryptionMethod"), "Algorithm") ?? "";
}

function cipherValueOf(element: XmlElement): Buffer {
  const value = decodeBase64(childOf(childOf(element, XENC, "CipherData"), XENC, "CipherValue")?.text ?? "");
  require(value !== undefined && value.length <= SAML_MESSAGE_MAX_BYTES, "decryption");
  return value;
}

function unwrapKey(privateKey: string, { bytes, hash }: WrappedKey): Buffer | undefined {
  try {
    return privateDecrypt({ key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: hash }, bytes);
  } catch {
    return undefined;
  }
}

function decryptContent(cipher: Cipher, key: Buffer | undefined, content: Buffer): Buffer | undefined {
  if (key?.length !== cipher.keyBytes || content.length <= cipher.ivBytes + TAG_BYTES) return undefined;
  const iv = content.subarray(0, cipher.ivBytes);
  try {
    return cipher.isAuthenticated
      ? openAuthenticated(cipher.name as "aes-128-gcm", key, iv, content.subarray(cipher.ivBytes))
      : openUnauthenticated(cipher.name, key, iv, content.subarray(cipher.ivBytes));
  } catch {
    return undefined;
  }
}

function openAuthenticated(name: "aes-128-gcm", key: Buffer, iv: Buffer, content: Buffer): Buffer {
  const decipher = createDecipheriv(name, key, iv, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(content.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(content.subarray(0, -TAG_BYTES)), decipher.final()]);
}

/** XML Encryption 1.1, section 5.2.1: the last byte is the length of the padding, whose other bytes are arbitrary. */
function openUnauthenticated(name: string, key: Buffer, iv: Buffer, content: Buffer): Buffer | undefined {
  const decipher = createDecipheriv(name, key, iv).setAutoPadding(false);
  const padded = Buffer.concat([decipher.update(content), decipher.final()]);
  const padding = padded.at(-1) ?? 0;
  return padding >= 1 && padding <= iv.length ? padded.subarray(0, -padding) : undefined;
}
