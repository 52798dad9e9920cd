/** Certificates of identity providers in PEM form. */
import { X509Certificate } from "node:crypto";

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

const PEM = /^-----BEGIN CERTIFICATE-----([\s\S]+)-----END CERTIFICATE-----$/;
const BASE64_LINE = /.{1,64}/g;

/** One form for the PEM and the Base64 of a certificate: consoles display both. Other text stays for the validation. */
export function normalizeCertificate(text: string): string {
  const base64 = (PEM.exec(text.trim())?.[1] ?? text).replace(/\s/g, "");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return text;
  return `-----BEGIN CERTIFICATE-----\n${base64.match(BASE64_LINE)?.join("\n")}\n-----END CERTIFICATE-----\n`;
}
