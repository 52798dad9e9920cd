/** The result of a test of a connection, without I/O (docs/contract.md, section 29.13). */
import type { CompleteOidcConfig } from "../../models/sso-connection/oidc-config.ts";
import type { VerifiedClaims } from "../../providers/sso/openid-tokens.ts";
import type { AssertedIdentity } from "../sso-sign-in/map-claims.ts";
import type { ProvisioningEffect } from "../sso-sign-in/preview-provisioning.ts";
import type { SsoReason } from "../sso-sign-in/refusals.ts";

/** In the order of the sign-in. The checks up to `subject` have the names of the reasons of the attempts. */
export const TEST_CHECKS = [
  "discovery",
  "state",
  "provider_error",
  "issuer",
  "token_request",
  "nonce",
  "id_token",
  "userinfo",
  "subject",
  "email",
  "email_verified",
  "domain",
  "groups",
  "mfa",
] as const;
export type TestCheckName = (typeof TEST_CHECKS)[number];

export const CHECK_OUTCOMES = ["pass", "warning", "fail", "skipped"] as const;
export type CheckOutcome = (typeof CHECK_OUTCOMES)[number];

export interface TestCheck {
  readonly name: TestCheckName;
  readonly outcome: CheckOutcome;
  /** In English, without values of the identity provider; null: no more than name and outcome. */
  readonly detail: string | null;
}

/** What the connection reads from the claims. */
export interface TestMapping {
  readonly subject: string;
  readonly email: string | null;
  readonly display_name: string | null;
  readonly groups: readonly string[];
  readonly attributes: Readonly<Record<string, string>>;
  readonly aal: "aal1" | "aal2";
}

export interface TestResult {
  readonly at: string;
  readonly checks: readonly TestCheck[];
  readonly claims: readonly { readonly name: string; readonly value: string }[];
  /** Null after a failure before the mapping. */
  readonly mapping: TestMapping | null;
  /** Null after a failure before the mapping. */
  readonly effect: ProvisioningEffect | null;
}

const CLAIM_VALUE_MAX_CHARACTERS = 200;
const CLAIM_NAME_MAX_CHARACTERS = 100;
const CLAIMS_MAX = 100;
const GROUPS_MAX = 50;

/** The checks of a response that was refused at one of them. */
export function checksOfFailure(reason: SsoReason, detail: string | null): readonly TestCheck[] {
  const failed = TEST_CHECKS.indexOf(reason as TestCheckName);
  return TEST_CHECKS.map((name, index) => {
    if (index === failed) return { name, outcome: "fail", detail };
    return { name, outcome: index < failed ? "pass" : "skipped", detail: null };
  });
}

export interface AcceptedResponse {
  readonly config: CompleteOidcConfig;
  readonly claims: VerifiedClaims;
  readonly asserted: AssertedIdentity;
  /** Whether the organization accepts the address through this connection. */
  readonly inDomain: boolean;
}

/** The checks of an accepted response: the mapping, and what a sign-in needs. */
export function checksOfIdentity({ config, claims, asserted, inDomain }: AcceptedResponse): readonly TestCheck[] {
  const found: { readonly [name in TestCheckName]?: Omit<TestCheck, "name"> | undefined } = {
    userinfo: claims.usesUserinfo ? undefined : skipped("The ID token has all claims that the mapping needs."),
    ...addressChecks(config, asserted, inDomain),
    groups: groupsCheck(config, asserted),
    mfa: mfaCheck(config, asserted),
  };
  return TEST_CHECKS.map((name) => ({ name, outcome: "pass", detail: null, ...found[name] }));
}

function addressChecks(config: CompleteOidcConfig, asserted: AssertedIdentity, inDomain: boolean) {
  if (asserted.email === undefined) {
    const none = skipped("There is no address.");
    return {
      email: failed(`The claim ${config.email_from} has no e-mail address.`),
      email_verified: none,
      domain: none,
    };
  }
  return {
    email_verified: asserted.emailVerified ? undefined : failed("The identity provider has not verified the address."),
    domain: inDomain
      ? undefined
      : warning("The address is in no verified domain for this connection: this user is refused."),
  };
}

function groupsCheck({ groups_from: from }: CompleteOidcConfig, asserted: AssertedIdentity) {
  if (from === null) return skipped("No claim for groups is set.");
  if (asserted.groupsIncomplete)
    return warning("The identity provider left groups out of the claims (too many groups).");
  return asserted.groups.length > 0 ? undefined : warning("The claim has no groups.");
}

function mfaCheck({ mfa_trust: trust }: CompleteOidcConfig, { isMultiFactor }: AssertedIdentity) {
  if (trust === "never") return skipped("No value of acr or amr is trusted.");
  return isMultiFactor ? undefined : warning("Neither acr nor amr has a trusted value.");
}

const failed = (detail: string) => ({ outcome: "fail", detail }) as const;
const warning = (detail: string) => ({ outcome: "warning", detail }) as const;
const skipped = (detail: string) => ({ outcome: "skipped", detail }) as const;

/** A test succeeds unless a check failed: an administrator may have an address outside of the domains. */
export function isSuccess(checks: readonly TestCheck[]): boolean {
  return checks.every(({ outcome }) => outcome !== "fail");
}

/** The received claims as text, of bounded number and size. */
export function claimsOf({ idToken, mapped }: VerifiedClaims): TestResult["claims"] {
  const textOf = (value: unknown) => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
  return Object.entries({ ...idToken, ...mapped })
    .slice(0, CLAIMS_MAX)
    .map(([name, value]) => ({
      name: cut(name, CLAIM_NAME_MAX_CHARACTERS),
      value: cut(textOf(value), CLAIM_VALUE_MAX_CHARACTERS),
    }));
}

function cut(text: string, maxCharacters: number): string {
  return [...text].slice(0, maxCharacters).join("");
}

export function mappingOf(asserted: AssertedIdentity): TestMapping {
  return {
    subject: asserted.subject,
    email: asserted.email ?? null,
    display_name: asserted.displayName ?? null,
    groups: asserted.groups.slice(0, GROUPS_MAX),
    attributes: asserted.attributes,
    aal: asserted.isMultiFactor ? "aal2" : "aal1",
  };
}
