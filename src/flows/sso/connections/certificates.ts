/** Certificates of identity providers in PEM form. */
import { X509Certificate } from "node:crypto";
import { certificatesIn, type LeftOutCertificate } from "../../../base/certificate-text.ts";
import {
  SAML_CERTIFICATE_MAX_CHARACTERS,
  SAML_CERTIFICATES_MAX,
  SAML_KEY_MIN_BITS,
  SAML_METADATA_CERTIFICATES_MAX,
} from "../../../limits/saml-limits.ts";

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

/** Why a certificate in PEM form cannot be used; undefined for a certificate with an RSA key of sufficient length. */
export function unusableReason(pem: string): LeftOutCertificate | undefined {
  const certificate = pem.length > SAML_CERTIFICATE_MAX_CHARACTERS ? undefined : parseCertificate(pem);
  if (!certificate) return { reason: "unreadable" };
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = certificate.publicKey;
  const { sha256 } = describeCertificate(pem);
  if (type !== "rsa") return { reason: "key_type", sha256 };
  const bits = details?.modulusLength ?? 0;
  return bits < SAML_KEY_MIN_BITS ? { reason: "short_key", sha256, bits } : undefined;
}

export interface ChosenCertificates {
  /** In PEM form, those valid longest, in the submitted order. */
  readonly certificates: readonly string[];
  readonly leftOut: readonly LeftOutCertificate[];
}

/**
 * The usable certificates of submitted texts, as of metadata: an unusable certificate refuses no other. Undefined
 * without a usable certificate and beyond the bound, for the validation of the list.
 */
export function chooseCertificates(submitted: readonly string[]): ChosenCertificates | undefined {
  const texts = [...new Set(submitted.flatMap(normalizeCertificates))];
  if (texts.length > SAML_METADATA_CERTIFICATES_MAX) return undefined;
  const judged = texts.map((pem) => ({ pem, problem: unusableReason(pem) }));
  const usable = judged.filter(({ problem }) => !problem).map(({ pem }) => ({ pem, ...describeCertificate(pem) }));
  if (usable.length === 0) return undefined;
  const longest = new Set(
    usable.toSorted((a, b) => b.notAfter.getTime() - a.notAfter.getTime()).slice(0, SAML_CERTIFICATES_MAX),
  );
  const surplus = usable.filter((each) => !longest.has(each));
  return {
    certificates: usable.filter((each) => longest.has(each)).map(({ pem }) => pem),
    leftOut: [
      ...judged.flatMap(({ problem }) => problem ?? []),
      ...surplus.map(({ sha256 }) => ({ reason: "surplus", sha256 }) as const),
    ],
  };
}
