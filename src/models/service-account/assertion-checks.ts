/** The checks of an assertion of an external issuer, as pure functions (docs/contract.md, section 35.11). */
import { isUtf8 } from "node:buffer";
import { findJsonFlaw } from "../../base/json-text.ts";
import { ASSERTION_MAX_CHARACTERS, ASSERTION_SKEW_SECONDS } from "../../limits/federation-limits.ts";
import {
  type AssertionCheckName,
  conditionHolds,
  FEDERATION_ALGORITHMS,
  isTrustDomain,
  REFUSED_ASSERTION_TYPES,
  REFUSED_HEADERS,
  readClaim,
  type TrustCondition,
} from "../../vocabulary/federation.ts";
import { type JsonMembers, parseJsonObject } from "../../vocabulary/json-object.ts";
import type { Trust } from "./trust.ts";

/** The parts of an assertion, not verified. */
export interface ParsedAssertion {
  readonly header: JsonMembers;
  readonly claims: JsonMembers;
}

/** The outcome of a check. `expected` and `received` are for the author of the trust. */
export interface AssertionCheck {
  readonly check: AssertionCheckName;
  readonly ok: boolean;
  readonly expected: string;
  /** Undefined: absent. */
  readonly received: unknown;
}

const COMPACT = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/;

/**
 * Parses a compact JWS with JSON objects; undefined for any other text. Duplicate members are refused, because the
 * issuer and this service could read different members.
 */
export function parseAssertion(assertion: string): ParsedAssertion | undefined {
  if (assertion.length > ASSERTION_MAX_CHARACTERS) return undefined;
  const [, header, claims] = COMPACT.exec(assertion) ?? [];
  const parts = [parseSegment(header), parseSegment(claims)] as const;
  return parts[0] && parts[1] ? { header: parts[0], claims: parts[1] } : undefined;
}

function parseSegment(segment: string | undefined): JsonMembers | undefined {
  const bytes = Buffer.from(segment ?? "", "base64url");
  const text = isUtf8(bytes) ? bytes.toString() : "";
  const members = parseJsonObject(text);
  return members && findJsonFlaw(text) === undefined ? members : undefined;
}

/** Whether an assertion names the issuer of a trust. A SPIFFE id names the trust domain by the subject. */
export function namesIssuer({ issuer }: Pick<Trust, "issuer">, { claims }: ParsedAssertion): boolean {
  if (!isTrustDomain(issuer)) return claims.iss === issuer;
  return typeof claims.sub === "string" && claims.sub.startsWith(`${issuer}/`);
}

/** The checks of the header (RFC 7515, section 4; RFC 8725, section 3). */
export function checkHeader({ header }: ParsedAssertion): readonly AssertionCheck[] {
  const { alg, typ, kid } = header;
  const named = REFUSED_HEADERS.filter((name) => name in header);
  const type = typeof typ === "string" ? typ.toLowerCase().replace(/^application\//, "") : "";
  const isTyped = typ === undefined || (typeof typ === "string" && !REFUSED_ASSERTION_TYPES.includes(type));
  return [
    checkOf("algorithm", (FEDERATION_ALGORITHMS as readonly unknown[]).includes(alg), FEDERATION_ALGORITHMS, alg),
    checkOf("header", named.length === 0, `without ${REFUSED_HEADERS.join(", ")}`, named.join(", ") || undefined),
    checkOf("type", isTyped, "JWT", typ),
    checkOf("key", typeof kid === "string" && kid !== "", "a kid among the keys of the issuer", kid),
  ];
}

/** The checks of the claims, for an assertion with a valid signature. */
export function checkClaims(trust: Trust, { claims }: ParsedAssertion, now: number): readonly AssertionCheck[] {
  const { iss, aud, exp, nbf, iat, sub, jti } = claims;
  const audiences = typeof aud === "string" ? [aud] : textsOf(aud);
  const begins = nbf === undefined || (isTime(nbf) && nbf <= now + ASSERTION_SKEW_SECONDS);
  const isLive = isTime(exp) && now < exp + ASSERTION_SKEW_SECONDS && begins;
  const age = isTime(iat) ? now - iat : undefined;
  const isYoung = age !== undefined && age <= trust.maxAgeSeconds + ASSERTION_SKEW_SECONDS;
  const isOfTrust = namesIssuer(trust, { header: {}, claims });
  return [
    checkOf("issuer", isOfTrust, trust.issuer, isTrustDomain(trust.issuer) ? sub : iss),
    checkOf(
      "audience",
      audiences.some((each) => trust.audiences.includes(each)),
      trust.audiences,
      aud,
    ),
    checkOf("expiry", isLive, `exp after ${now}, and nbf, if any, before`, exp),
    checkOf("age", isYoung && age >= -ASSERTION_SKEW_SECONDS, `iat within ${trust.maxAgeSeconds} seconds`, iat),
    checkOf("subject", typeof sub === "string" && sub !== "", "a text", sub),
    ...trust.conditions.map((condition) =>
      checkOf("condition", conditionHolds(condition, claims), describe(condition), readClaim(claims, condition.claim)),
    ),
    ...(trust.singleUse ? [checkOf("single_use", typeof jti === "string" && jti !== "", "a jti", jti)] : []),
  ];
}

function checkOf(
  check: AssertionCheckName,
  isMet: boolean,
  expected: string | readonly string[],
  received: unknown,
): AssertionCheck {
  return { check, ok: isMet, expected: typeof expected === "string" ? expected : expected.join(", "), received };
}

/** The elements of a list of texts; a list with any other element is empty. */
function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string") ? value : [];
}

/** A number alone: a text with digits is no time (RFC 7519, section 2). */
function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function describe(condition: TrustCondition): string {
  const { claim } = condition;
  if ("equals" in condition) return `${claim} equals ${JSON.stringify(condition.equals)}`;
  if ("one_of" in condition) return `${claim} one of ${JSON.stringify(condition.one_of)}`;
  return `${claim} starts with ${JSON.stringify(condition.starts_with)}`;
}
