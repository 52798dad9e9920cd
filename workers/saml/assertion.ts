/** The rules for the content of a verified assertion (docs/contract.md, chapter 29), and the identity read from it. */
import { SAML_ASSERTION_LIFETIME_MAX_MS, SAML_SUBJECT_MAX_CHARACTERS } from "../../src/limits/saml-limits.ts";
import {
  findAttributes,
  type SamlAttribute,
  type SamlIdentity,
  type SamlResponseJob,
  type SamlTrust,
} from "../../src/pool/saml-protocol.ts";
import { decodeTime } from "./decode.ts";
import { attributeOf, childOf, childrenOf, trimmedText } from "./elements.ts";
import { SAML, TRANSIENT } from "./namespaces.ts";
import { require, SamlProblem } from "./saml-problem.ts";
import type { XmlElement } from "./xml-document.ts";

/** The verified parts of a message. */
export interface VerifiedResponse {
  /** The response: from the verified bytes if the response is signed, else as received. */
  readonly response: XmlElement;
  readonly isResponseSigned: boolean;
  readonly assertion: XmlElement;
}

/** Applies the rules in their order. Throws `SamlProblem`. */
export function readIdentity(verified: VerifiedResponse, job: SamlResponseJob): SamlIdentity {
  const { assertion } = verified;
  const confirmations = confirmationsOf(assertion);
  requireAddressees(verified, confirmations, job.trust);
  requireRequest(verified, confirmations, job.requestId);
  const expiresAt = requireTime(assertion, confirmations, job);
  const statements = authnStatementsOf(assertion);
  const sessionEnds = statements.flatMap((statement) => readTimes([statement], "SessionNotOnOrAfter", true));
  const authnInstants = readInstants(statements, job);
  requireKnownConditions(childOf(assertion, SAML, "Conditions"));
  const attributes = attributesOf(assertion);
  return {
    assertionId: attributeOf(assertion, "ID") ?? "",
    expiresAt,
    ...readSubject(assertion, attributes, job.trust),
    sessionIndex: attributeOf(statements[0], "SessionIndex") ?? null,
    sessionNotOnOrAfter: sessionEnds.length === 0 ? null : Math.min(...sessionEnds),
    authnInstant: Math.min(...authnInstants),
    authnContexts: statements.flatMap((statement) => {
      const context = childOf(statement, SAML, "AuthnContext");
      return context ? childrenOf(context, SAML, "AuthnContextClassRef").map(({ text }) => text.trim()) : [];
    }),
    attributes,
  };
}

function confirmationsOf(assertion: XmlElement): (XmlElement | undefined)[] {
  const subject = childOf(assertion, SAML, "Subject");
  const confirmations = subject ? childrenOf(subject, SAML, "SubjectConfirmation") : [];
  return confirmations.map((confirmation) => childOf(confirmation, SAML, "SubjectConfirmationData"));
}

function authnStatementsOf(assertion: XmlElement): XmlElement[] {
  return childrenOf(assertion, SAML, "AuthnStatement");
}

function requireAddressees(
  { response, isResponseSigned, assertion }: VerifiedResponse,
  confirmations: readonly (XmlElement | undefined)[],
  trust: SamlTrust,
): void {
  const [ofResponse, ofAssertion] = [response, assertion].map((each) => trimmedText(childOf(each, SAML, "Issuer")));
  const mayOmit = ofResponse === undefined && !isResponseSigned;
  require(ofAssertion === trust.entityId && (mayOmit || ofResponse === trust.entityId), "issuer");
  const destination = attributeOf(response, "Destination");
  const isOptional = destination === undefined && !isResponseSigned;
  require(isOptional || destination === trust.acsUrl, "destination");
  require(confirmations.every((data) => attributeOf(data, "Recipient") === trust.acsUrl), "recipient");
  const conditions = childOf(assertion, SAML, "Conditions");
  const restrictions = conditions ? childrenOf(conditions, SAML, "AudienceRestriction") : [];
  const namesService = (restriction: XmlElement) =>
    childrenOf(restriction, SAML, "Audience").some((each) => trimmedText(each) === trust.spEntityId);
  require(restrictions.length > 0 && restrictions.every(namesService), "audience");
}

function requireRequest(
  { response }: VerifiedResponse,
  confirmations: readonly (XmlElement | undefined)[],
  requestId: string | null,
): void {
  const references = [response, ...confirmations].map((element) => attributeOf(element, "InResponseTo"));
  require(requestId !== null && references.every((reference) => reference === requestId), "in_response_to");
}

/** Returns the time from which the assertion is refused. */
function requireTime(
  assertion: XmlElement,
  confirmations: readonly (XmlElement | undefined)[],
  job: SamlResponseJob,
): number {
  const skew = job.trust.clockSkewSeconds * 1000;
  const conditions = childOf(assertion, SAML, "Conditions");
  require(confirmations.every((data) => attributeOf(data, "NotBefore") === undefined), "time");
  const [issuedAt] = readTimes([assertion], "IssueInstant");
  require(issuedAt !== undefined && issuedAt <= job.now + skew, "time");
  for (const notBefore of readTimes([conditions], "NotBefore", true)) require(notBefore <= job.now + skew, "time");
  const ends = readTimes([conditions, ...confirmations], "NotOnOrAfter");
  const expiresAt = Math.min(...ends, issuedAt + SAML_ASSERTION_LIFETIME_MAX_MS) + skew;
  require(job.now < expiresAt, "time");
  for (const end of readTimes(authnStatementsOf(assertion), "SessionNotOnOrAfter", true)) {
    require(job.now < end + skew, "time");
  }
  return expiresAt;
}

function readInstants(statements: readonly XmlElement[], job: SamlResponseJob): number[] {
  const skew = job.trust.clockSkewSeconds * 1000;
  const instants = readTimes(statements, "AuthnInstant");
  const oldest = job.maxAgeSeconds === null ? Number.NEGATIVE_INFINITY : job.now - job.maxAgeSeconds * 1000 - skew;
  require(instants.every((instant) => instant >= oldest && instant <= job.now + skew), "time");
  return instants;
}

/** The times of an attribute of elements; an absent attribute is refused unless `isOptional`. */
function readTimes(elements: readonly (XmlElement | undefined)[], name: string, isOptional = false): number[] {
  return elements.flatMap((element) => {
    const text = attributeOf(element, name);
    if (text === undefined && isOptional) return [];
    const time = decodeTime(text ?? "");
    require(time !== undefined, "time");
    return [time];
  });
}

/** `OneTimeUse` holds for every assertion here, and the service issues no assertions that `ProxyRestriction` limits. */
function requireKnownConditions(conditions: XmlElement | undefined): void {
  if (!conditions) return;
  const count = (name: string) => childrenOf(conditions, SAML, name).length;
  require(count("Condition") === 0 && count("OneTimeUse") <= 1 && count("ProxyRestriction") <= 1, "condition");
}

/** Values with elements of their own, such as eduPersonTargetedID, are not text and are left out. */
function attributesOf(assertion: XmlElement): SamlAttribute[] {
  const statements = childrenOf(assertion, SAML, "AttributeStatement");
  return statements.flatMap((statement) =>
    childrenOf(statement, SAML, "Attribute")
      .filter(isReadable)
      .map((attribute) => ({
        name: attributeOf(attribute, "Name") ?? "",
        friendlyName: attributeOf(attribute, "FriendlyName") ?? null,
        values: childrenOf(attribute, SAML, "AttributeValue")
          .filter(({ children }) => children.length === 0)
          .map(({ text }) => text),
      })),
  );
}

/** The second implementation cannot read an attribute with the name of the prototype, so no mapping can. */
function isReadable(attribute: XmlElement): boolean {
  return attributeOf(attribute, "Name") !== "__proto__";
}

/** Control, format and unassigned characters, and line separators: two such subjects can look alike. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/u;

function readSubject(
  assertion: XmlElement,
  attributes: readonly SamlAttribute[],
  { subjectFrom, emailFrom }: SamlTrust,
): Pick<SamlIdentity, "subject" | "nameId" | "nameIdFormat" | "nameQualifier" | "spNameQualifier"> {
  const element = childOf(childOf(assertion, SAML, "Subject"), SAML, "NameID");
  const [nameId, nameIdFormat] = [trimmedText(element) ?? "", attributeOf(element, "Format") ?? null];
  if (emailFrom !== null) require(addressesIn(attributes, emailFrom).size <= 1, "subject");
  if (subjectFrom === null) require(nameIdFormat !== TRANSIENT, "subject");
  const subject = subjectFrom === null ? nameId : singleValue(attributes, subjectFrom);
  require(subject.trim() !== "" && [...subject].length <= SAML_SUBJECT_MAX_CHARACTERS, "subject");
  require(!UNPRINTABLE.test(subject), "subject");
  const [nameQualifier, spNameQualifier] = [qualifierOf(element, ""), qualifierOf(element, "SP")];
  return { subject, nameId, nameIdFormat, nameQualifier, spNameQualifier };
}

function qualifierOf(nameId: XmlElement | undefined, prefix: "" | "SP"): string | null {
  return attributeOf(nameId, `${prefix}NameQualifier`) ?? null;
}

/** The different addresses of an attribute: a repeated address is one, and empty values are absent. */
function addressesIn(attributes: readonly SamlAttribute[], name: string): ReadonlySet<string> {
  return new Set(valuesOf(attributes, name).map((value) => value.trim().toLowerCase()));
}

/** Values of white space alone are absent. */
function valuesOf(attributes: readonly SamlAttribute[], name: string): readonly string[] {
  return findAttributes(attributes, name)
    .flatMap(({ values }) => values)
    .filter((value) => value.trim() !== "");
}

function singleValue(attributes: readonly SamlAttribute[], name: string): string {
  const [value, ...further] = new Set(valuesOf(attributes, name));
  if (value === undefined || further.length > 0) throw new SamlProblem("subject");
  return value;
}
