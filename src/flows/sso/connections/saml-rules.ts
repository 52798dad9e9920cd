/** Rules for the settings of SAML 2.0 (docs/contract.md, section 29.32). */
import type { InputFlaw } from "../../../base/invalid-input.ts";
import { type StoredUrl, storedUrl } from "../../../base/stored-url.ts";
import { SAML_CERTIFICATES_MAX, SAML_KEY_MIN_BITS } from "../../../limits/saml-limits.ts";
import { SSO_ENTITY_ID_MAX_CHARACTERS, SSO_URL_MAX_CHARACTERS } from "../../../limits/sso-limits.ts";
import { targetUrlFlaw } from "../../../providers/guarded-post.ts";
import type { SamlConfig } from "../../../vocabulary/sso/saml-config.ts";
import { describeCertificate, unusableReason } from "./certificates.ts";
import { DUPLICATE, firstFlaw, type Reach, type SettingFlaw, textFlaw, tooLong } from "./setting-flaws.ts";

const NO_CERTIFICATE: InputFlaw = { rule: "format", text: "not a certificate (X.509) in PEM form" };
const WEAK_KEY: InputFlaw = { rule: "not_allowed", text: `an RSA key of at least ${SAML_KEY_MIN_BITS} bits is needed` };
const NOT_HTTPS: InputFlaw = { rule: "format", text: "an https URL without credentials and fragment" };

/** The flaws of the settings that only connections by SAML have. */
export function samlFlaws(reach: Reach, config: SamlConfig): readonly SettingFlaw[] {
  return [
    ["entity_id", optional(config.entity_id, (id) => textFlaw(id, SSO_ENTITY_ID_MAX_CHARACTERS))],
    ["sso_url", optional(config.sso_url, (url) => browserUrlFlaw(reach, url))],
    ["slo_url", optional(config.slo_url, (url) => browserUrlFlaw(reach, url))],
    ["metadata_url", optional(config.metadata_url, (url) => longUrlFlaw(url) ?? targetUrlFlaw(reach, url))],
    ["certificates", certificatesFlaw(config.certificates)],
    ["name_id_format", optional(config.name_id_format, (format) => textFlaw(format, SSO_URL_MAX_CHARACTERS))],
  ];
}

function optional(value: string | null, flawOf: (value: string) => InputFlaw | undefined): InputFlaw | undefined {
  return value === null ? undefined : flawOf(value);
}

function longUrlFlaw(url: string): InputFlaw | undefined {
  return url.length > SSO_URL_MAX_CHARACTERS ? tooLong(SSO_URL_MAX_CHARACTERS) : undefined;
}

/** The browser opens the address, which may be in the network of the company. */
function browserUrlFlaw({ loopback }: Reach, text: string): InputFlaw | undefined {
  const flaw = textFlaw(text, SSO_URL_MAX_CHARACTERS);
  if (flaw) return flaw;
  const url = storedUrl(text);
  if (url === undefined || url.includes("#")) return NOT_HTTPS;
  return url.startsWith("https://") || (loopback && isLoopbackUrl(url)) ? undefined : NOT_HTTPS;
}

function isLoopbackUrl(url: StoredUrl): boolean {
  return LOOPBACK_HOSTS.has(new URL(url).hostname);
}

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

function certificatesFlaw(certificates: readonly string[]): InputFlaw | undefined {
  if (certificates.length > SAML_CERTIFICATES_MAX) {
    return { rule: "too_long", text: `at most ${SAML_CERTIFICATES_MAX}` };
  }
  const flaw = firstFlaw(certificates, certificateFlaw);
  if (flaw) return flaw;
  return new Set(certificates.map((pem) => describeCertificate(pem).sha256)).size < certificates.length
    ? DUPLICATE
    : undefined;
}

function certificateFlaw(pem: string): InputFlaw | undefined {
  const problem = unusableReason(pem);
  if (!problem) return undefined;
  return problem.reason === "unreadable" ? NO_CERTIFICATE : WEAK_KEY;
}
