/** Verification of assertions of external issuers (RFC 7523, section 3; docs/contract.md, section 35.11). */
import { compactVerify, createLocalJWKSet, errors, type JWTVerifyGetKey } from "jose";
import { unixSeconds } from "../../../base/clock.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import { ASSERTION_SKEW_SECONDS } from "../../../limits/federation-limits.ts";
import { sha256 } from "../../../models/oauth-client/client-secret.ts";
import {
  type AssertionCheck,
  checkClaims,
  checkHeader,
  namesIssuer,
  type ParsedAssertion,
  parseAssertion,
} from "../../../models/service-account/assertion-checks.ts";
import type { FederationUse, TrustOfAccount } from "../../../models/service-account/trust.ts";
import { IssuerUnavailableError } from "../../../providers/issuer-keys.ts";
import { type AssertionRefusal, FEDERATION_ALGORITHMS } from "../../../vocabulary/federation.ts";
import { withoutUse } from "../../../vocabulary/public-jwk.ts";
import { isPermittedAddress } from "../../steps/authorization/key-address.ts";

export type VerifyAssertionDeps = Pick<Deps, "clock" | "issuerKeySets">;

export interface VerifiedAssertion {
  readonly trust: TrustOfAccount;
  /** `sub` of the assertion. */
  readonly subject: string;
  /** The use to record; undefined: the trust accepts an assertion several times. */
  readonly use: FederationUse | undefined;
}

export interface RefusedAssertion {
  readonly reason: AssertionRefusal;
  /** The trust that refused; undefined: none names the issuer. */
  readonly trustId?: string;
  /** `sub` of an assertion with a valid signature. */
  readonly subject?: string;
}

export interface PresentedAssertion {
  readonly assertion: string;
  readonly address: string | null;
  /** The trusts of the account that the request names. */
  readonly trusts: readonly TrustOfAccount[];
  /** The requested scopes; undefined: all scopes of the trust. */
  readonly scopes: readonly string[] | undefined;
}

/**
 * The trust of the account that accepts an assertion. Among several trusts in the issuer of the assertion, a trust
 * with all requested scopes precedes, then the older trust. Consumes nothing.
 */
export async function verifyAssertion(
  deps: VerifyAssertionDeps,
  { assertion, address, trusts, scopes }: PresentedAssertion,
): Promise<Result<VerifiedAssertion, RefusedAssertion>> {
  const parsed = parseAssertion(assertion);
  if (!parsed) return err({ reason: "form" });
  const named = trusts.filter((trust) => namesIssuer(trust, parsed));
  let refused: RefusedAssertion = { reason: "trust" };
  for (const trust of inOrder(named, scopes)) {
    const verified = await verifyBy(deps, trust, { assertion, parsed, address });
    if (verified.ok) return verified;
    // The keys of one trust may be unavailable while a further trust accepts the assertion.
    if (refused.reason !== "keys_unavailable") refused = verified.error;
  }
  return err(refused);
}

function inOrder(trusts: readonly TrustOfAccount[], scopes: readonly string[] | undefined): readonly TrustOfAccount[] {
  const covers = ({ scopes: held }: TrustOfAccount) =>
    scopes === undefined || scopes.every((scope) => (held as readonly string[]).includes(scope));
  return trusts.toSorted((one, other) => Number(covers(other)) - Number(covers(one)));
}

interface AssertionOfIssuer {
  readonly assertion: string;
  readonly parsed: ParsedAssertion;
  readonly address: string | null;
}

async function verifyBy(
  deps: VerifyAssertionDeps,
  trust: TrustOfAccount,
  { assertion, parsed, address }: AssertionOfIssuer,
): Promise<Result<VerifiedAssertion, RefusedAssertion>> {
  const trustId = trust.id;
  if (trust.disabled) return err({ reason: "disabled", trustId });
  if (!isPermittedAddress(trust, address)) return err({ reason: "address", trustId });
  const flaw = checkHeader(parsed).find((check) => !check.ok);
  if (flaw) return err({ reason: flaw.check, trustId });
  const signature = await verifySignature(deps, trust, assertion);
  if (signature !== "valid") return err({ reason: signature, trustId });
  const { claims } = parsed;
  const subject = typeof claims.sub === "string" ? { subject: claims.sub } : {};
  const failed = checkClaims(trust, parsed, unixSeconds(deps.clock.now())).find((check) => !check.ok);
  if (failed) return err({ reason: failed.check, trustId, ...subject });
  return ok({ trust, subject: String(claims.sub), use: useOf(trust, parsed) });
}

/** The use expires when the assertion is too old: from then on the age refuses the assertion. */
function useOf(trust: TrustOfAccount, { claims }: ParsedAssertion): FederationUse | undefined {
  if (!trust.singleUse) return undefined;
  const { jti, iat, exp } = claims as { readonly jti: string; readonly iat: number; readonly exp: number };
  const endsAt = Math.min(exp, iat + trust.maxAgeSeconds) + ASSERTION_SKEW_SECONDS + 1;
  return { trustId: trust.id, jtiHash: sha256(jti), expiresAt: new Date(endsAt * 1000) };
}

type SignatureState = "valid" | "key" | "signature" | "keys_unavailable";

/** The signature by the key of the issuer with the `kid` of the header. A key in the header never counts. */
async function verifySignature(
  { issuerKeySets }: VerifyAssertionDeps,
  trust: TrustOfAccount,
  assertion: string,
): Promise<SignatureState> {
  try {
    const algorithms = [...FEDERATION_ALGORITHMS];
    await compactVerify(assertion, keysOf(issuerKeySets, trust), { algorithms });
    return "valid";
  } catch (error) {
    if (error instanceof IssuerUnavailableError) return "keys_unavailable";
    const isWithoutKey = error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys;
    return isWithoutKey ? "key" : "signature";
  }
}

function keysOf(issuerKeySets: Deps["issuerKeySets"], trust: TrustOfAccount): JWTVerifyGetKey {
  const { keys, issuer, jwksUri, organizationId } = trust;
  if (keys) return createLocalJWKSet({ keys: keys.map(withoutUse) });
  return issuerKeySets.find({ issuer, jwksUri, ownerId: organizationId ?? "platform" });
}

/** The result of a test of an assertion: every check, met or not. */
export interface AssertionTest {
  readonly accepted: boolean;
  /** Null for an accepted assertion. */
  readonly reason: AssertionRefusal | null;
  readonly checks: readonly AssertionCheck[];
}

/** Tests an assertion against a trust. Issues and consumes nothing. */
export async function testAssertion(
  deps: VerifyAssertionDeps,
  trust: TrustOfAccount,
  assertion: string,
): Promise<AssertionTest> {
  const parsed = parseAssertion(assertion);
  if (!parsed) {
    const check = {
      check: "form",
      ok: false,
      expected: "a signed JWT of at most 16 KiB",
      received: "another text",
    } as const;
    return { accepted: false, reason: "form", checks: [check] };
  }
  const header = checkHeader(parsed);
  const isReadable = header.every(({ ok: isMet }) => isMet);
  const signature = isReadable ? await verifySignature(deps, trust, assertion) : "signature";
  const signed = {
    check: "signature",
    ok: signature === "valid",
    expected: "by the key of the issuer with this kid",
    received: signature,
  } as const;
  const claims = checkClaims(trust, parsed, unixSeconds(deps.clock.now()));
  const enabled = {
    check: "disabled",
    ok: !trust.disabled,
    expected: "an enabled trust",
    received: undefined,
  } as const;
  const checks = [enabled, ...header, signed, ...claims];
  const failed = checks.find(({ ok: isMet }) => !isMet);
  if (!failed) return { accepted: true, reason: null, checks };
  const reason = failed === signed && signature !== "valid" ? signature : failed.check;
  return { accepted: false, reason, checks };
}
