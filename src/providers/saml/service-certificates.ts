/**
 * Owns: the certificates of service keys in memory. Updated by: requests. Bound: `SAML_SERVICE_CERTIFICATES_MAX`, least
 * recently used first out. A crash loses: no data; a certificate is a function of the key.
 */
import { LRUCache } from "lru-cache";
import { SAML_SERVICE_CERTIFICATES_MAX } from "../../limits/saml-limits.ts";
import { type ServiceCertificateInput, serviceCertificate } from "./service-certificate.ts";
import type { RsaSigner } from "./signed-message.ts";

export interface ServiceCertificates {
  /** The certificate of a key; `signer` is called for an unknown key only. */
  find(keyId: string, input: ServiceCertificateInput, signer: RsaSigner): Promise<string>;
}

export function serviceCertificates(): ServiceCertificates {
  const certificates = new LRUCache<string, Promise<string>>({ max: SAML_SERVICE_CERTIFICATES_MAX });
  return {
    find(keyId, input, signer) {
      const known = certificates.get(keyId);
      if (known) return known;
      const made = serviceCertificate(input, signer);
      certificates.set(keyId, made);
      made.catch(() => certificates.delete(keyId));
      return made;
    },
  };
}
