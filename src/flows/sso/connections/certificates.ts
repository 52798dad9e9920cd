/** Certificates of identity providers in PEM form. */
import { X509Certificate } from "node:crypto";
import { certificatesIn } from "../../../base/certificate-text.ts";

/** Undefined for text that is no certificate, and for a certificate with an unknown kind of key. */
export function parseCertificate(pem: string): X509Certificate | undefined {
  try {
    const certificate = new X509Certificate(pem);
    return certificate.publicKey ? certificate : undefined;
  } catch {
    return undefined;
  }
}

export interface CertificateDetails {
  /** SHA-256 of the DER form, in hexadecimal. */
  readonly sha256: string;
  readonly notAfter: Date;
}

/** A stored certificate. */
export function describeCertificate(pem: string): CertificateDetails {
  const { fingerprint256, validTo } = new X509Certificate(pem);
  return { sha256: fingerprint256.replaceAll(":", "").toLowerCase(), notAfter: new Date(validTo) };
}

const BASE64_LINE = /.{1,64}/g;

/**
 * The certificates of a submitted text in PEM form: consoles display PEM, Base64 or the element of the metadata, and a
 * file may have several. Other text stays for the validation.
 */
export function normalizeCertificates(text: string): readonly string[] {
  const certificates = certificatesIn(text);
  return certificates.length > 0 ? certificates.map(pemOf) : [text];
}

function pemOf(certificate: Buffer): string {
  const lines = certificate.toString("base64").match(BASE64_LINE)?.join("\n");
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}
