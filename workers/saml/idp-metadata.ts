/** Metadata of identity providers (SAML metadata 2.0). Trust is the choice of the administrator, and https. */
import { X509Certificate } from "node:crypto";
import { certificatesIn, type LeftOutCertificate } from "../../src/base/certificate-text.ts";
import { readMembers } from "../../src/base/partial-list.ts";
import { err, ok, type Result } from "../../src/base/result.ts";
import {
  SAML_CERTIFICATES_MAX,
  SAML_KEY_MIN_BITS,
  SAML_LEVELS_MAX,
  SAML_METADATA_CERTIFICATES_MAX,
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
import { decodeTime } from "./decode.ts";
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
  if (xml.length > SAML_METADATA_MAX_BYTES) throw new MetadataProblem("too_large");
  const bytes = Buffer.from(plainText(xml));
  if (bytes.length > SAML_METADATA_MAX_BYTES) throw new MetadataProblem("too_large");
  const bounds = { levelsMax: SAML_LEVELS_MAX, nodesMax: SAML_METADATA_NODES_MAX };
  using document = openDocument(bytes, bounds, "metadata");
  const entity = findEntity(document.root, entityId);
  const descriptor = findDescriptor(entity);
  for (const element of [document.root, entity, descriptor]) requireValid(element, now);
  const { certificates, leftOut } = readCertificates(descriptor);
  const signOn = (binding: string) => locationOf(descriptor, "SingleSignOnService", binding);
  const metadata: IdpMetadata = {
    entityId: uriOf(entity, "entityID") ?? "",
    redirectUrl: signOn("HTTP-Redirect"),
    postUrl: signOn("HTTP-POST"),
    logoutRedirectUrl: locationOf(descriptor, "SingleLogoutService", "HTTP-Redirect"),
    logoutPostUrl: locationOf(descriptor, "SingleLogoutService", "HTTP-POST"),
    certificates,
    leftOut,
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
  const named = entityId === null ? providers : providers.filter((each) => uriOf(each, "entityID") === entityId);
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
  const validUntil = uriOf(element, "validUntil");
  if (validUntil === undefined) return;
  const time = decodeTime(inUtc(validUntil));
  if (time === undefined || time <= now) throw new MetadataProblem("expired");
}

/** The first service of the binding with an address. */
function locationOf(descriptor: XmlElement, service: string, binding: string): string | null {
  const named = childrenOf(descriptor, METADATA, service).filter(
    (each) => uriOf(each, "Binding") === `${BINDINGS}${binding}`,
  );
  return named.map((each) => uriOf(each, "Location")).find((location) => location !== undefined) ?? null;
}

/** XML Schema collapses the white space of `anyURI` and `dateTime`; an empty value is absent. */
function uriOf(element: XmlElement, name: string): string | undefined {
  return attributeOf(element, name)?.trim() || undefined;
}

const ZONE = /(?:Z|[+-]\d\d:\d\d)$/;
const OFFSET = /([+-])(\d\d):(\d\d)$/;

/** A time of XML Schema in UTC: without a zone, the time is in UTC (SAML core 2.0, section 1.3.3). */
function inUtc(text: string): string {
  const zoned = ZONE.test(text) ? text : `${text}Z`;
  const time = OFFSET.test(zoned) ? Date.parse(zoned.replace(/(\.\d{3})\d+/, "$1")) : Number.NaN;
  return Number.isNaN(time) ? zoned : new Date(time).toISOString();
}

const DECLARATION = /^<\?xml\s[^>]*\?>/;
/** Without `<` within: the time is linear for every text. */
const INSTRUCTIONS = /<\?(?!xml\s)[^<>]*\?>/g;

/**
 * The text without white space before the declaration, without the encoding, which was decoded already, and without
 * processing instructions, such as stylesheets.
 */
function plainText(xml: string): string {
  return xml
    .replace(/^[\uFEFF\s]+/, "")
    .replace(INSTRUCTIONS, "")
    .replace(DECLARATION, (declaration) => declaration.replace(/\sencoding\s*=\s*(?:"[^"]*"|'[^']*')/, ""));
}

interface ReadCertificates {
  readonly certificates: readonly SamlCertificate[];
  readonly leftOut: readonly LeftOutCertificate[];
}

/**
 * Certificates for signatures, each once. A descriptor without `use` serves signatures too. Throws if no certificate
 * is usable.
 */
function readCertificates(descriptor: XmlElement): ReadCertificates {
  const descriptors = childrenOf(descriptor, METADATA, "KeyDescriptor").filter(
    (each) => attributeOf(each, "use")?.trim() !== "encryption",
  );
  const data = descriptors
    .flatMap(descendants)
    .filter(({ namespace, name }) => namespace === DS && name === "X509Data");
  const { items, leftOut } = readMembers(data.flatMap(leavesIn), readCertificate);
  const distinct = items.filter(({ sha256 }, index) => items.findIndex((each) => each.sha256 === sha256) === index);
  if (distinct.length === 0) {
    const isWeak = leftOut.some(({ reason }) => reason === "short_key" || reason === "key_type");
    throw new MetadataProblem(isWeak ? "weak_key" : "no_certificate");
  }
  const longest = new Set(distinct.toSorted((a, b) => b.notAfter - a.notAfter).slice(0, SAML_CERTIFICATES_MAX));
  const surplus = distinct.filter((each) => !longest.has(each));
  return {
    certificates: distinct.filter((each) => longest.has(each)),
    leftOut: [...leftOut, ...surplus.map(({ sha256 }) => ({ reason: "surplus", sha256 }) as const)],
  };
}

/** A certificate of a message, before its key is checked; undefined for unreadable text. */
type ParsedCertificate = X509Certificate | undefined;

/**
 * The certificates of an `X509Data` without the authorities of a chain: all certificates of the element relate to one
 * key (XML Signature 1.1, section 4.5.4), and the key of an authority signs no assertions.
 */
function leavesIn(data: XmlElement): readonly ParsedCertificate[] {
  const texts = childrenOf(data, DS, "X509Certificate").map(({ text }) => certificatesIn(text));
  const parsed = texts.flatMap((found) => (found.length > 0 ? found.map(parseCertificate) : [undefined]));
  const known = parsed.slice(0, SAML_METADATA_CERTIFICATES_MAX);
  return known.filter((each) => each === undefined || !known.some((other) => other && isAuthorityOf(each, other)));
}

function isAuthorityOf({ subject }: X509Certificate, { subject: named, issuer }: X509Certificate): boolean {
  return issuer === subject && named !== subject;
}

function parseCertificate(bytes: Buffer): ParsedCertificate {
  try {
    const certificate = new X509Certificate(bytes);
    return certificate.publicKey ? certificate : undefined;
  } catch {
    return undefined;
  }
}

function readCertificate(certificate: ParsedCertificate): Result<SamlCertificate, LeftOutCertificate> {
  if (!certificate) return err({ reason: "unreadable" });
  const { publicKey } = certificate;
  const sha256 = certificate.fingerprint256.replaceAll(":", "").toLowerCase();
  const bits = publicKey.asymmetricKeyDetails?.modulusLength ?? 0;
  if (publicKey.asymmetricKeyType !== "rsa") return err({ reason: "key_type", sha256 });
  if (bits < SAML_KEY_MIN_BITS) return err({ reason: "short_key", sha256, bits });
  return ok({ pem: certificate.toString(), sha256, notAfter: Date.parse(certificate.validTo) });
}
