/** XML Encryption 1.1 of assertions: RSA-OAEP with AES-GCM, or with AES-CBC inside a signed response. */
import { constants, createDecipheriv, privateDecrypt } from "node:crypto";
import { SAML_MESSAGE_MAX_BYTES } from "../../src/limits/saml-limits.ts";
import { decodeBase64 } from "./decode.ts";
import { attributeOf, childOf, childrenOf } from "./elements.ts";
import { DS, XENC } from "./namespaces.ts";
import { require } from "./saml-problem.ts";
import type { XmlElement } from "./xml-document.ts";

/** PKCS #1 1.5 is absent: its padding is an oracle (Bleichenbacher). */
const KEY_TRANSPORT = `${XENC}rsa-oaep-mgf1p`;
/** The default of `rsa-oaep-mgf1p`; OAEP does not depend on collision resistance. */
const OAEP_DIGEST = `${DS}sha1`;
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
  const wrapped = readWrappedKey(data);
  for (const key of privateKeys) {
    const bytes = decryptContent(cipher, unwrapKey(key, wrapped), content);
    if (bytes) return { bytes, key };
  }
  require(false, "decryption");
}

/** The single `EncryptedKey` inside `EncryptedData`; a key elsewhere in the message is not followed. */
function readWrappedKey(data: XmlElement): Buffer {
  const keyInfo = childOf(data, DS, "KeyInfo");
  const keys = keyInfo ? childrenOf(keyInfo, XENC, "EncryptedKey") : [];
  const [key] = keys;
  require(key !== undefined && keys.length === 1 && algorithmOf(key) === KEY_TRANSPORT, "decryption");
  const digest = attributeOf(childOf(childOf(key, XENC, "EncryptionMethod"), DS, "DigestMethod"), "Algorithm");
  require((digest ?? OAEP_DIGEST) === OAEP_DIGEST, "decryption");
  return cipherValueOf(key);
}

function algorithmOf(element: XmlElement): string {
  return attributeOf(childOf(element, XENC, "EncryptionMethod"), "Algorithm") ?? "";
}

function cipherValueOf(element: XmlElement): Buffer {
  const value = decodeBase64(childOf(childOf(element, XENC, "CipherData"), XENC, "CipherValue")?.text ?? "");
  require(value !== undefined && value.length <= SAML_MESSAGE_MAX_BYTES, "decryption");
  return value;
}

function unwrapKey(privateKey: string, wrapped: Buffer): Buffer | undefined {
  try {
    return privateDecrypt({ key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha1" }, wrapped);
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
