/** The identity in the claims of an identity provider, by the mapping of the connection, without I/O. */

import { isAbsent } from "../../../base/absent.ts";
import { normalizeName } from "../../../base/display-name.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import {
  SSO_ATTRIBUTE_MAX_CHARACTERS,
  SSO_ATTRIBUTES_MAX_BYTES,
  SSO_GROUP_MAX_CHARACTERS,
  SSO_GROUPS_MAX,
  SSO_SUBJECT_MAX_CHARACTERS,
} from "../../../limits/sso-sign-in-limits.ts";
import type { SessionName } from "../../../models/session/session-name.ts";
import { normalizeAssertedEmail } from "../../../models/user/email-address.ts";
import type { Claims } from "../../../providers/identity/id-token.ts";
import type { VerifiedClaims } from "../../../providers/sso/openid-tokens.ts";
import type { IdentityMapping } from "../../../vocabulary/sso/identity-mapping.ts";
import type { OidcConfig } from "../../../vocabulary/sso/oidc-config.ts";
import type { MappedValues } from "./decide-provisioning.ts";

export interface AssertedIdentity extends MappedValues {
  readonly subject: string;
  /** SAML 2.0: the NameID that is an email address, normalised: the spelling of such a subject has no meaning. */
  readonly subjectAddress?: string | undefined;
  /** Normalised; undefined: no claim, no address, or an address that may be the mailbox of another person. */
  readonly email: string | undefined;
  /** False: the identity provider denies the verification. */
  readonly emailVerified: boolean;
  readonly displayName: string | undefined;
  /** Groups were left out of the claims (`_claim_names` of Entra ID), or exceed the bounds. */
  readonly groupsIncomplete: boolean;
  /** Whether a value of `mfa_trust` was asserted. */
  readonly isMultiFactor: boolean;
  /** Milliseconds; undefined: not asserted. */
  readonly authTime: number | undefined;
  /** Milliseconds: no session of this sign-in lives longer (`session_expiry` of IPSIE). */
  readonly sessionEndsAt: number | undefined;
  readonly sessionIndex: string | undefined;
  /** SAML 2.0: the name by which the service requests a sign-out. */
  readonly name?: SessionName | undefined;
}

type Mapping = Pick<
  OidcConfig,
  | "subject_from"
  | "email_from"
  | "first_name_from"
  | "last_name_from"
  | "display_name_from"
  | "groups_from"
  | "attributes"
  | "mfa_trust"
>;

/** `subject`: the claims have no usable subject. */
export function mapClaims(
  mapping: Mapping,
  { idToken, mapped }: Pick<VerifiedClaims, "idToken" | "mapped">,
): Result<AssertedIdentity, "subject"> {
  const read = (name: string | null) => (name !== null && Object.hasOwn(mapped, name) ? mapped[name] : undefined);
  const subject = subjectIn(mapping, mapped);
  if (subject === undefined) return err("subject");
  const { groups, incomplete } = groupsOf(mapped, read(mapping.groups_from));
  return ok({
    subject,
    email: emailOf(read(mapping.email_from)),
    emailVerified: isNotDenied(mapped.email_verified) && isNotDenied(idToken.email_verified),
    displayName: nameOf(mapping, read),
    groups,
    groupsIncomplete: incomplete,
    attributes: attributesIn(mapping, read),
    isMultiFactor: isMultiFactor(mapping, idToken),
    authTime: timeOf(idToken.auth_time),
    sessionEndsAt: timeOf(idToken.session_expiry),
    sessionIndex: sessionIndexIn(idToken),
  });
}

/**
 * The subject under the mapping of a connection, in ID tokens and logout tokens. Beyond the exact integers, several
 * users would have one number.
 */
export function subjectIn({ subject_from: name }: Pick<Mapping, "subject_from">, claims: Claims): string | undefined {
  const claim = Object.hasOwn(claims, name) ? claims[name] : undefined;
  return lineOf(Number.isSafeInteger(claim) ? String(claim) : claim, SSO_SUBJECT_MAX_CHARACTERS);
}

/** The session at the identity provider (`sid`), in ID tokens and logout tokens. */
export function sessionIndexIn({ sid }: Claims): string | undefined {
  return sessionIndexOf(sid);
}

/** A session index within the bounds; any other value counts as absent. */
export function sessionIndexOf(value: unknown): string | undefined {
  return lineOf(value, SSO_SUBJECT_MAX_CHARACTERS);
}

/** A list of one address is the address; a list of several names no single mailbox. */
function emailOf(claim: unknown): string | undefined {
  const [value, ...further] = [claim].flat().filter((each) => !isAbsent(each));
  return typeof value === "string" && further.length === 0 ? normalizeAssertedEmail(value) : undefined;
}

/** An absent claim counts as true: the domain of the address is verified. Some providers write the boolean as text. */
function isNotDenied(claim: unknown): boolean {
  return isAbsent(claim) || claim === true || claim === 1 || (typeof claim === "string" && /^(?:true|1)$/i.test(claim));
}

function nameOf(mapping: Mapping, read: (name: string | null) => unknown): string | undefined {
  const text = (name: string | null) => {
    const value = read(name);
    return typeof value === "string" ? value.trim() : "";
  };
  const whole = `${text(mapping.first_name_from)} ${text(mapping.last_name_from)}`;
  return normalizeName(text(mapping.display_name_from) || whole);
}

function groupsOf(claims: VerifiedClaims["mapped"], claim: unknown): AssertedGroups {
  const names = claims._claim_names;
  const isElsewhere = typeof names === "object" && names !== null && "groups" in names;
  const { groups, incomplete } = groupsIn(Array.isArray(claim) ? claim : [claim]);
  return { groups, incomplete: incomplete || isElsewhere || Boolean(claims.hasgroups) };
}

interface AssertedGroups {
  readonly groups: readonly string[];
  readonly incomplete: boolean;
}

/** The names of groups within the bounds. */
export function groupsIn(values: readonly unknown[]): AssertedGroups {
  const names = values.filter((value) => lineOf(value, SSO_GROUP_MAX_CHARACTERS) !== undefined) as string[];
  return { groups: names.slice(0, SSO_GROUPS_MAX), incomplete: names.length > SSO_GROUPS_MAX };
}

/** Values beyond the bounds count as absent. */
export function attributesIn(
  { attributes }: Pick<IdentityMapping, "attributes">,
  read: (name: string) => unknown,
): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { name, from } of attributes) {
    const claim = read(from);
    const isScalar = typeof claim === "number" || typeof claim === "boolean";
    const value = lineOf(isScalar ? String(claim) : claim, SSO_ATTRIBUTE_MAX_CHARACTERS);
    if (value === undefined) continue;
    const next = { ...found, [name]: value };
    if (Buffer.byteLength(JSON.stringify(next)) <= SSO_ATTRIBUTES_MAX_BYTES) found[name] = value;
  }
  return found;
}

function isMultiFactor({ mfa_trust: trusted }: Mapping, { acr, amr }: VerifiedClaims["idToken"]): boolean {
  if (trusted === "never") return false;
  return [acr, amr].flat().some((value) => typeof value === "string" && trusted.includes(value));
}

/** The range of `Date` (ECMA-262, section 21.4.1.1). */
const DATE_MAX_SECONDS = 8_640_000_000_000;

/** Milliseconds of a NumericDate, which may have a fraction (RFC 7519, section 2), at the full second before. */
export function timeOf(claim: unknown): number | undefined {
  return typeof claim === "number" && Math.abs(claim) <= DATE_MAX_SECONDS ? Math.floor(claim) * 1000 : undefined;
}

/** An asserted time of a sign-in, neither in the future nor before the years that PostgreSQL stores. */
export function signInTime(asserted: number, now: number): number {
  return Math.min(Math.max(asserted, 0), now);
}

/** Text without control characters, within the bound. */
function lineOf(claim: unknown, maxCharacters: number): string | undefined {
  if (typeof claim !== "string" || claim.length === 0 || claim.length > maxCharacters) return undefined;
  return /[\p{C}\p{Zl}\p{Zp}]/u.test(claim) ? undefined : claim;
}
