/** The rules for the settings of a trust (docs/contract.md, section 35.11). */
import { NAME_FLAW, normalizeName } from "../../base/display-name.ts";
import type { FieldFlaw, InputFlaw } from "../../base/invalid-input.ts";
import type { Deps } from "../../deps.ts";
import {
  ISSUER_RSA_MIN_BITS,
  TRUST_AUDIENCE_MAX_CHARACTERS,
  TRUST_CLAIM_MAX_CHARACTERS,
  TRUST_ISSUER_MAX_CHARACTERS,
  TRUST_PREFIX_MIN_CHARACTERS,
  TRUST_VALUE_MAX_CHARACTERS,
} from "../../limits/federation-limits.ts";
import type { IssuerKey, Trust } from "../../models/service-account/trust.ts";
import { readTargetUrl } from "../../providers/guarded-post.ts";
import {
  type ClaimValue,
  isTrustDomain,
  missingImmutableId,
  type TrustCondition,
} from "../../vocabulary/federation.ts";
import { isIssuerKey, withKnownMembers } from "../../vocabulary/public-jwk.ts";

export type TrustSettings = Pick<
  Trust,
  "name" | "issuer" | "keys" | "jwksUri" | "audiences" | "conditions" | "organizations"
>;

const TRUST_DOMAIN = /^spiffe:\/\/[a-z0-9._-]{1,255}$/;
/** A value that contains a sign of a pattern: conditions have no patterns, and the author would expect one. */
const PATTERN = /[*]/;

/** All flaws of the settings of a trust. */
export function trustFlaws(deps: Pick<Deps, "config">, trust: TrustSettings): readonly FieldFlaw[] {
  const { keys, jwksUri, audiences, conditions, issuer } = trust;
  const missing = missingImmutableId(issuer, conditions);
  return [
    ...(normalizeName(trust.name) === undefined ? [{ field: "name", ...NAME_FLAW }] : []),
    ...flawOf("issuer", issuerFlaw(deps, issuer)),
    ...flawOf("keys", keys === null ? undefined : keysFlaw(keys)),
    ...flawOf("jwks_uri", jwksFlaw(deps, trust)),
    ...(keys !== null && jwksUri !== null ? [conflicting("jwks_uri", "in place of keys, never beside keys")] : []),
    ...flawOf("audiences", audiences.every(isAudience) ? undefined : BAD_AUDIENCE),
    ...conditions.flatMap((condition, index) => conditionFlaws(condition, index)),
    ...(missing === undefined
      ? []
      : [{ field: "conditions", rule: "required", text: `equals or one_of on ${missing}` } as const]),
  ];
}

function flawOf(field: string, flaw: InputFlaw | undefined): readonly FieldFlaw[] {
  return flaw ? [{ field, ...flaw }] : [];
}

function conflicting(field: string, text: string): FieldFlaw {
  return { field, rule: "conflicting", text };
}

function issuerFlaw({ config }: Pick<Deps, "config">, issuer: string): InputFlaw | undefined {
  if (issuer.length > TRUST_ISSUER_MAX_CHARACTERS) {
    return { rule: "too_long", text: `at most ${TRUST_ISSUER_MAX_CHARACTERS} characters` };
  }
  if (isTrustDomain(issuer)) {
    return TRUST_DOMAIN.test(issuer) ? undefined : { rule: "format", text: "spiffe:// and a trust domain" };
  }
  if (withoutSlash(issuer) === withoutSlash(config.urls.publicBaseUrl)) {
    return { rule: "not_allowed", text: "this service is no external issuer" };
  }
  if (/[?#{}*\s]/.test(issuer)) return { rule: "format", text: "one exact https URL without a query" };
  const read = readTargetUrl(config.webhooks, issuer);
  return read.ok ? undefined : read.error;
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, "");
}

function jwksFlaw({ config }: Pick<Deps, "config">, { issuer, keys, jwksUri }: TrustSettings): InputFlaw | undefined {
  if (jwksUri === null) {
    const isUnknown = isTrustDomain(issuer) && keys === null;
    return isUnknown ? { rule: "required", text: "a trust domain needs keys or jwks_uri" } : undefined;
  }
  const read = readTargetUrl(config.webhooks, jwksUri);
  return read.ok ? undefined : read.error;
}

/** The members of a public key that a verification reads. A private member stays, so that the rules refuse the key. */
export function publicMembers(key: IssuerKey): IssuerKey {
  const secret = Object.entries(key).filter(([name]) => name === "d" || name === "k");
  return { ...withKnownMembers(key), ...Object.fromEntries(secret) };
}

function keysFlaw(keys: NonNullable<Trust["keys"]>): InputFlaw | undefined {
  const ids = keys.map(({ kid }) => kid);
  if (!keys.every((key) => typeof key.kid === "string" && key.kid !== "")) {
    return { rule: "required", text: "each key needs a kid" };
  }
  if (new Set(ids).size < ids.length) return { rule: "conflicting", text: "two keys have one kid" };
  if (keys.some((key) => "d" in key || "k" in key)) return { rule: "not_allowed", text: "public keys alone" };
  const isUsable = keys.every((key) => isIssuerKey(key) && (key.kty !== "RSA" || isLongRsa(key)));
  return isUsable
    ? undefined
    : { rule: "format", text: `public JWKs for signatures, RSA of ${ISSUER_RSA_MIN_BITS} bits` };
}

function isLongRsa({ n }: Readonly<Record<string, unknown>>): boolean {
  return typeof n === "string" && Buffer.from(n, "base64url").length * 8 >= ISSUER_RSA_MIN_BITS;
}

const BAD_AUDIENCE: InputFlaw = { rule: "format", text: "exact texts without control characters" };

function isAudience(text: string): boolean {
  return text !== "" && text.length <= TRUST_AUDIENCE_MAX_CHARACTERS && !/\p{Cc}/u.test(text) && text.isWellFormed();
}

function conditionFlaws(condition: TrustCondition, index: number): readonly FieldFlaw[] {
  const place = (member: string) => `conditions.${index}.${member}`;
  const at = (member: string, flaw: InputFlaw | undefined): readonly FieldFlaw[] =>
    flaw ? [{ field: "conditions", path: place(member), ...flaw }] : [];
  const operands = ["equals", "one_of", "starts_with"].filter((each) => each in condition);
  if (operands.length !== 1) {
    return at("claim", { rule: "conflicting", text: "one of equals, one_of and starts_with" });
  }
  const claim = at("claim", claimFlaw(condition.claim));
  if ("equals" in condition) return [...claim, ...at("equals", valueFlaw(condition.equals))];
  if ("one_of" in condition) return [...claim, ...condition.one_of.flatMap((each) => at("one_of", valueFlaw(each)))];
  return [...claim, ...at("starts_with", prefixFlaw(condition.starts_with))];
}

function claimFlaw(claim: string): InputFlaw | undefined {
  const isBounded = claim !== "" && claim !== "/" && claim.length <= TRUST_CLAIM_MAX_CHARACTERS;
  const isPointer = !claim.startsWith("/") || !/~(?![01])/.test(claim);
  return isBounded && isPointer && !PATTERN.test(claim) && claim.isWellFormed() && !claim.includes("\0")
    ? undefined
    : { rule: "format", text: "the name of a claim, or a JSON Pointer" };
}

function valueFlaw(value: ClaimValue): InputFlaw | undefined {
  if (typeof value !== "string") return undefined;
  if (value === "") return { rule: "required", text: "an empty value admits every token without the claim" };
  if (PATTERN.test(value)) return { rule: "not_allowed", text: "exact values, without patterns" };
  const isBounded = value.length <= TRUST_VALUE_MAX_CHARACTERS && value.isWellFormed() && !value.includes("\0");
  return isBounded ? undefined : { rule: "too_long", text: `at most ${TRUST_VALUE_MAX_CHARACTERS} characters` };
}

/** A prefix ends at a separator, so that `repo:acme` does not admit `repo:acme-evil`. */
function prefixFlaw(prefix: string): InputFlaw | undefined {
  const flaw = valueFlaw(prefix);
  if (flaw) return flaw;
  const isExact = prefix.length >= TRUST_PREFIX_MIN_CHARACTERS && /[/:]$/.test(prefix);
  return isExact
    ? undefined
    : { rule: "format", text: `at least ${TRUST_PREFIX_MIN_CHARACTERS} characters, ending in / or :` };
}
