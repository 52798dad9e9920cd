/**
 * Self-signed certificates of service keys. Identity providers take a key from metadata only as a certificate and trust
 * the key itself. The certificate is a function of the key: no column stores the certificate, and every replica writes
 * equal bytes (RSA PKCS #1 1.5 is deterministic).
 */
import { createHash, createPublicKey } from "node:crypto";
import { SAML_CERTIFICATE_LIFETIME_YEARS } from "../../limits/saml-limits.ts";
import type { RsaSigner } from "./signed-message.ts";

/** Tags of DER (X.690). */
const TAGS = { integer: 0x02, bits: 0x03, null: 0x05, oid: 0x06, utf8: 0x0c, time: 0x18, sequence: 0x30, set: 0x31 };
/** `version` of a certificate, explicitly tagged [0]. */
const VERSION_TAG = 0xa0;
/** Version 3 (RFC 5280, section 4.1.2.1). */
const VERSION = Buffer.from([2]);
const SHA256_WITH_RSA = Buffer.from("2a864886f70d01010b", "hex");
const COMMON_NAME = Buffer.from("550403", "hex");
const SERIAL_BYTES = 16;
const LONG_LENGTH = 0x80;

export interface ServiceCertificateInput {
  readonly publicJwk: Readonly<Record<string, string>>;
  /** The subject and issuer: the entity id of the service at the connection. */
  readonly commonName: string;
  /** The first day of validity. */
  readonly createdAt: Date;
}

/** The certificate in Base64 of DER, as metadata contains certificates. */
export async function serviceCertificate(input: ServiceCertificateInput, signer: RsaSigner): Promise<string> {
  const publicKey = createPublicKey({ key: input.publicJwk as JsonWebKey, format: "jwk" });
  const key = publicKey.export({ type: "spki", format: "der" });
  const algorithm = der(TAGS.sequence, der(TAGS.oid, SHA256_WITH_RSA), der(TAGS.null));
  const name = nameOf(input.commonName);
  const content = der(
    TAGS.sequence,
    der(VERSION_TAG, der(TAGS.integer, VERSION)),
    der(TAGS.integer, serialOf(key)),
    algorithm,
    name,
    der(TAGS.sequence, timeOf(input.createdAt, 0), timeOf(input.createdAt, SAML_CERTIFICATE_LIFETIME_YEARS)),
    name,
    key,
  );
  const unusedBits = Buffer.from([0]);
  const signature = der(TAGS.bits, unusedBits, await signer(content));
  return der(TAGS.sequence, content, algorithm, signature).toString("base64");
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
}

function lengthOf(length: number): Buffer {
  if (length < LONG_LENGTH) return Buffer.from([length]);
  const hex = length.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), "0"), "hex");
  return Buffer.concat([Buffer.from([LONG_LENGTH + bytes.length]), bytes]);
}

/** A positive number: the highest bit is the sign. */
function serialOf(key: Buffer): Buffer {
  const serial = createHash("sha256").update(key).digest().subarray(0, SERIAL_BYTES);
  serial.writeUInt8((serial.readUInt8(0) & 0x3f) | 0x40, 0);
  return serial;
}

function nameOf(commonName: string): Buffer {
  const attribute = der(TAGS.sequence, der(TAGS.oid, COMMON_NAME), der(TAGS.utf8, Buffer.from(commonName)));
  return der(TAGS.sequence, der(TAGS.set, attribute));
}

/** GeneralizedTime at midnight (RFC 5280, section 4.1.2.5.2). */
function timeOf(date: Date, years: number): Buffer {
  const day = new Date(Date.UTC(date.getUTCFullYear() + years, date.getUTCMonth(), date.getUTCDate()));
  const text = day.toISOString().slice(0, 19).replace(/[-:T]/g, "");
  return der(TAGS.time, Buffer.from(`${text}Z`));
}
