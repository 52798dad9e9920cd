/** The identity in a verified assertion of SAML 2.0, by the mapping of the connection, without I/O. */
import { isAbsent } from "../../../base/absent.ts";
import { normalizeName } from "../../../base/display-name.ts";
import { SAML_NAME_PART_MAX_CHARACTERS } from "../../../limits/saml-limits.ts";
import type { SessionName } from "../../../models/session/session-name.ts";
import { normalizeAssertedEmail } from "../../../models/user/email-address.ts";
import { findAttributes, type SamlAttribute, type SamlIdentity } from "../../../pool/saml-protocol.ts";
import type { SamlConfig } from "../../../vocabulary/sso/saml-config.ts";
import { type AssertedIdentity, attributesIn, groupsIn, sessionIndexOf } from "./map-claims.ts";

/** Entra ID asserts the methods of the authentication by this attribute. */
const AUTHENTICATION_METHODS = "http://schemas.microsoft.com/claims/authnmethodsreferences";
/** Entra ID sends this attribute in place of more than 150 groups. */
const GROUPS_ELSEWHERE = "http://schemas.microsoft.com/claims/groups.link";

export function mapSamlIdentity(config: SamlConfig, identity: SamlIdentity): AssertedIdentity {
  const { attributes } = identity;
  const values = (name: string | null) => (name === null ? [] : valuesOf(attributes, name));
  const text = (name: string | null) => values(name)[0]?.trim() ?? "";
  const asserted = config.email_from === null ? identity.nameId : values(config.email_from)[0];
  const email = asserted === undefined ? undefined : normalizeAssertedEmail(asserted);
  const { groups, incomplete } = groupsIn(values(config.groups_from));
  const whole = `${text(config.first_name_from)} ${text(config.last_name_from)}`;
  return {
    subject: identity.subject,
    subjectAddress: subjectAddressOf(config, identity, email),
    email,
    emailVerified: true,
    displayName: normalizeName(text(config.display_name_from) || whole),
    groups,
    groupsIncomplete: incomplete || values(GROUPS_ELSEWHERE).length > 0,
    attributes: attributesIn(config, (name) => values(name)[0]),
    isMultiFactor: isMultiFactor(config, identity),
    authTime: identity.authnInstant,
    sessionEndsAt: identity.sessionNotOnOrAfter ?? undefined,
    sessionIndex: sessionIndexOf(identity.sessionIndex),
    name: nameOf(identity),
  };
}

const EMAIL_FORMAT = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress";

/** The address of a subject by the NameID, by its format or because the NameID is the asserted address. */
function subjectAddressOf(
  { subject_from: subjectFrom }: SamlConfig,
  { nameId, nameIdFormat }: SamlIdentity,
  email: string | undefined,
): string | undefined {
  const address = subjectFrom === null ? normalizeAssertedEmail(nameId) : undefined;
  return nameIdFormat === EMAIL_FORMAT || address === email ? address : undefined;
}

/** Undefined for an assertion without a NameID, whose subject is an attribute, and for an excessive NameID. */
function nameOf({ nameId, nameIdFormat, nameQualifier, spNameQualifier }: SamlIdentity): SessionName | undefined {
  const name = { value: nameId, format: nameIdFormat, nameQualifier, spNameQualifier };
  const isBounded = Object.values(name).every((value) => (value?.length ?? 0) <= SAML_NAME_PART_MAX_CHARACTERS);
  return nameId !== "" && isBounded ? name : undefined;
}

function valuesOf(attributes: readonly SamlAttribute[], name: string): readonly string[] {
  return findAttributes(attributes, name)
    .flatMap(({ values }) => values)
    .filter((value) => !isAbsent(value));
}

function isMultiFactor({ mfa_trust: trusted }: SamlConfig, { authnContexts, attributes }: SamlIdentity): boolean {
  if (trusted === "never") return false;
  return [...authnContexts, ...valuesOf(attributes, AUTHENTICATION_METHODS)].some((value) => trusted.includes(value));
}
