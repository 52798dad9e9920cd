/** The service as a party of SAML 2.0 at a connection. */
import type { Deps } from "../../../deps.ts";
import { openServiceKey } from "../../../models/sso-connection/connection-secret.ts";
import type { HeldMembers } from "../../../models/sso-connection/held-connection.ts";
import type { ServiceKey } from "../../../models/sso-connection/service-key.ts";
import type { SamlLogoutTrust, SamlTrust } from "../../../pool/saml-protocol.ts";
import { rsaSigner } from "../../../providers/saml/rsa-signer.ts";
import type { RsaSigner } from "../../../providers/saml/signed-message.ts";
import { describeCertificate } from "../connections/certificates.ts";
import { connectionUrls } from "../connections/urls.ts";
import type { SamlConnection } from "./connection.ts";

type KeyDeps = Pick<Deps, "configKeys">;

/** A signer with a service key; undefined when no configured key opens the private key. */
export function signerOf({ configKeys }: KeyDeps, key: ServiceKey | undefined): RsaSigner | undefined {
  const pem = key && openServiceKey(configKeys, key);
  return pem === undefined ? undefined : rsaSigner(pem);
}

export function currentKey({ serviceKeys }: Pick<HeldMembers, "serviceKeys">): ServiceKey | undefined {
  return serviceKeys.find(({ status }) => status === "current");
}

/** The values that a response at a connection must match. */
export function samlTrustOf(
  deps: KeyDeps & Pick<Deps, "clock" | "config">,
  { id, config, serviceKeys }: SamlConnection,
): SamlTrust {
  const { acsUrl, spEntityId } = connectionUrls(deps, id);
  return {
    entityId: config.entity_id,
    spEntityId,
    acsUrl,
    certificates: countedCertificates(deps, config),
    signedElement: config.signed_element,
    encryptedAssertions: config.encrypted_assertions,
    decryptionKeys: config.encrypted_assertions === "required" ? decryptionKeys(deps, serviceKeys) : [],
    clockSkewSeconds: config.clock_skew_seconds,
    subjectFrom: config.subject_from,
    emailFrom: config.email_from,
  };
}

/** The values that a logout message at a connection must match. */
export function logoutTrustOf(
  deps: KeyDeps & Pick<Deps, "clock" | "config">,
  { id, config, serviceKeys }: SamlConnection,
): SamlLogoutTrust {
  return {
    entityId: config.entity_id,
    sloUrl: connectionUrls(deps, id).sloUrl,
    certificates: countedCertificates(deps, config),
    decryptionKeys: decryptionKeys(deps, serviceKeys),
    clockSkewSeconds: config.clock_skew_seconds,
  };
}

function countedCertificates({ clock }: Pick<Deps, "clock">, config: SamlConnection["config"]): readonly string[] {
  if (!config.enforce_certificate_expiry) return config.certificates;
  return config.certificates.filter((pem) => describeCertificate(pem).notAfter.getTime() > clock.now());
}

/** The identity provider may still encrypt for the previous key, or already for the next key. */
const DECRYPTION_ORDER: readonly ServiceKey["status"][] = ["current", "previous", "next"];

function decryptionKeys({ configKeys }: KeyDeps, keys: readonly ServiceKey[]): readonly string[] {
  return DECRYPTION_ORDER.flatMap((status) => {
    const key = keys.find((each) => each.status === status);
    return (key && openServiceKey(configKeys, key)) ?? [];
  });
}
