/** Metadata of identity providers (SAML metadata 2.0). Trust is the choice of the administrator, and https. */
import { X509Certificate } from "node:crypto";
import {
  SAML_CERTIFICATES_MAX,
  SAML_KEY_MIN_BITS,
  SAML_LEVELS_MAX,
  SAML_METADATA_MAX_BYTES,
  SAML_METADATA_NODES_MAX,
} from "../../src/limits/saml-limits.ts";
import type {
  IdpMetadata,
  SamlCertificate,
  SamlMetadataJob,
  SamlMetadataProblem,
  SamlMetadataResult,
} from "../../src/pool/saml-protocol.ts";
import { decodeBase64, decodeTime } from "./decode.ts";
import { attributeOf, childrenOf, descendants } from "./elements.ts";
import { DS, METADATA, SAMLP } from "./namespaces.ts";
import { openDocument, type XmlElement, XmlProblem } from "./xml-document.ts";

const BINDINGS = "urn:oasis:names:tc:SAML:2.0:bindings:";

class MetadataProblem extends Error {
  readonly problem: SamlMetadataProblem;

  constructor(problem: SamlMetadataProblem) {
    super(problem);
    this.problem = problem;
  }
}

/** Reads the description of one identity provider. */
export function readMetadata(job: SamlMetadataJob): SamlMetadataResult {
  try {
    return { ok: true, kind: "metadata", metadata: parseMetadata(job) };
  } catch (error) {
    if (error instanceof MetadataProblem) return { ok: false, kind: "metadata", problem: error.problem };
    if (error instanceof XmlProblem) return { ok: false, kind: "metadata", problem: error.reason };
    throw error;
  }
}

function parseMetadata({ xml, entityId, now }: SamlMetadataJob): IdpMetadata {
  const bytes = Buffer.from(xml);
  if (bytes.length > SAML_METADATA_MAX_BYTES) throw new MetadataProblem("too_large");
  using document = openDocument(bytes, { levelsMax: SAML_LEVELS_MAX, nodesMax: SAML_METADATA_NODES_MAX });
  const entity = findEntity(document.root, entityId);
  const descriptor = findDescriptor(entity);
  for (const element of [document.root, entity, descriptor]) requireValid(element, now);
  const certificates = readCertificates(descriptor);
  if (certificates.length === 0) throw new MetadataProblem("no_certificate");
  if (certificates.length > SAML_CERTIFICATES_MAX) throw new MetadataProblem("too_many_certificates");
  const signOn = (binding: string) => locationOf(descriptor, "SingleSignOnService", binding);
  const metadata: IdpMetadata = {
    entityId: attributeOf(entity, "entityID") ?? "",
    redirectUrl: signOn("HTTP-Redirect"),
    postUrl: signOn("HTTP-POST"),
    logoutRedirectUrl: locationOf(descriptor, "SingleLogoutService", "HTTP-Redirect"),
    logoutPostUrl: locationOf(descriptor, "SingleLogoutService", "HTTP-POST"),
    certificates,
  };
  if (metadata.redirectUrl === null && metadata.postUrl === null) throw new MetadataProblem("no_sign_on_service");
  return metadata;
}

/** The named entity, or the only entity with an identity provider of SAML 2.0. */
function findEntity(root: XmlElement, entityId: string | null): XmlElement {
  const entities = descendants(root).filter(
    ({ namespace, name }) => namespace === METADATA && name === "EntityDescriptor",
  );
  const providers = entities.filter((entity) => descriptorsOf(entity).length > 0);
  const named = entityId === null ? providers : providers.filter((each) => attributeOf(each, "entityID") === entityId);
  const [entity] = named;
  if (!entity) throw new MetadataProblem(providers.length === 0 ? "no_identity_provider" : "unknown_entity");
  if (named.length > 1) throw new MetadataProblem("several_entities");
  return entity;
}

function findDescriptor(entity: XmlElement): XmlElement {
  const [descriptor, ...further] = descriptorsOf(entity);
  if (!descriptor || further.length > 0) throw new MetadataProblem("several_entities");
  return descriptor;
}

function descriptorsOf(entity: XmlElement): XmlElement[] {
  return childrenOf(entity, METADATA, "IDPSSODescriptor").filter((descriptor) =>
    (attributeOf(descriptor, "protocolSupportEnumeration") ?? "").split(/\s+/).includes(SAMLP),
  );
}

function requireValid(element: XmlElement, now: number): void {
  const validUntil = attributeOf(element, "validUntil");
  if (validUntil === undefined) return;
  const time = decodeTime(validUntil);
  if (time === undefined || time <= now) throw new MetadataProblem("expired");
}

function locationOf(descriptor: XmlElement, service: string, binding: string): string | null {
  const found = childrenOf(descriptor, METADATA, service).find(
    (each) => attributeOf(each, "Binding") === `${BINDINGS}${binding}`,
  );
  return attributeOf(found, "Location") ?? null;
}

/** Certificates for signatures, each key once. A descriptor without `use` serves signatures too. */
function readCertificates(descriptor: XmlElement): SamlCertificate[] {
  const descriptors = childrenOf(descriptor, METADATA, "KeyDescriptor").filter(
    (each) => attributeOf(each, "use") !== "encryption",
  );
  const texts = descriptors.flatMap((each) =>
    descendants(each).filter(({ namespace, name }) => namespace === DS && name === "X509Certificate"),
  );
  const certificates = texts.map(({ text }) => readCertificate(text));
  return certificates.filter(({ sha256 }, index) => certificates.findIndex((each) => each.sha256 === sha256) === index);
}

function readCertificate(text: string): SamlCertificate {
  const certificate = parseCertificate(text);
  const { publicKey } = certificate;
  const bits = publicKey.asymmetricKeyDetails?.modulusLength ?? 0;
  if (publicKey.asymmetricKeyType !== "rsa" || bits < SAML_KEY_MIN_BITS) throw new MetadataProblem("weak_key");
  return {
    pem: certificate.toString(),
    sha256: certificate.fingerprint256.replaceAll(":", "").toLowerCase(),
    notAfter: Date.parse(certificate.validTo),
  };
}

function parseCertificate(text: string): X509Certificate {
  const bytes = decodeBase64(text);
  try {
    if (bytes) return new X509Certificate(bytes);
  } catch {}
  throw new MetadataProblem("no_certificate");
}
