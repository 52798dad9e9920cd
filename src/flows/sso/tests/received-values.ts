/** The values of a response as text, of bounded number and size, for the result of a test. */
import {
  SSO_TEST_NAME_MAX_CHARACTERS,
  SSO_TEST_VALUE_MAX_CHARACTERS,
  SSO_TEST_VALUES_MAX,
} from "../../../limits/sso-sign-in-limits.ts";
import type { SamlIdentity } from "../../../pool/saml-protocol.ts";
import type { VerifiedClaims } from "../../../providers/sso/openid-tokens.ts";

export interface ReceivedValues {
  readonly values: readonly ReceivedValue[];
  /** Whether UserInfo was read; null: the protocol has none. */
  readonly usesUserinfo: boolean | null;
}

/** A claim, or an attribute of SAML. */
export interface ReceivedValue {
  readonly name: string;
  readonly value: string;
}

export function receivedClaims({ idToken, mapped, usesUserinfo }: VerifiedClaims): ReceivedValues {
  const textOf = (value: unknown) => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
  const claims = Object.entries({ ...idToken, ...mapped });
  return { values: bounded(claims.map(([name, value]) => [name, textOf(value)])), usesUserinfo };
}

/** The NameID and the class of the authentication, then the attributes. */
export function receivedAttributes(identity: SamlIdentity): ReceivedValues {
  const { nameId, nameIdFormat, authnContexts, sessionIndex, attributes } = identity;
  const values = bounded([
    ["NameID", nameId],
    ...(nameIdFormat === null ? [] : [["NameID Format", nameIdFormat] as const]),
    ...authnContexts.map((context) => ["AuthnContextClassRef", context] as const),
    ...(sessionIndex === null ? [] : [["SessionIndex", sessionIndex] as const]),
    ...attributes.map((attribute) => [attribute.name, attribute.values.join(", ")] as const),
  ]);
  return { values, usesUserinfo: null };
}

function bounded(pairs: readonly (readonly [string, string])[]): readonly ReceivedValue[] {
  return pairs.slice(0, SSO_TEST_VALUES_MAX).map(([name, value]) => ({
    name: cut(name, SSO_TEST_NAME_MAX_CHARACTERS),
    value: cut(value, SSO_TEST_VALUE_MAX_CHARACTERS),
  }));
}

function cut(text: string, maxCharacters: number): string {
  return [...text].slice(0, maxCharacters).join("");
}
