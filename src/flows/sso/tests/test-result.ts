/** The result of a test of a connection, without I/O (docs/contract.md, section 29.13). */
import { SSO_TEST_GROUPS_MAX } from "../../../limits/sso-sign-in-limits.ts";
import { SAML_REASONS } from "../../../pool/saml-protocol.ts";
import type { IdentityMapping } from "../../../vocabulary/sso/identity-mapping.ts";
import type { SsoProtocol } from "../../../vocabulary/sso/protocol-config.ts";
import type { SamlConfig } from "../../../vocabulary/sso/saml-config.ts";
import type { AssertedIdentity } from "../sign-in/map-claims.ts";
import type { ProvisioningEffect } from "../sign-in/preview-provisioning.ts";
import type { SsoReason } from "../sign-in/refusals.ts";
import type { ReceivedValue, ReceivedValues } from "./received-values.ts";

/** Checks of the address and of what a sign-in needs, of both protocols. */
const IDENTITY_CHECKS = ["email", "email_verified", "domain", "groups", "mfa"] as const;

/** In the order of the sign-in. The checks up to `subject` have the names of the reasons of the attempts. */
const CHECKS = {
  oidc: [
    "discovery",
    "state",
    "provider_error",
    "issuer",
    "token_request",
    "nonce",
    "id_token",
    "userinfo",
    "subject",
    ...IDENTITY_CHECKS,
  ],
  saml: ["state", ...SAML_REASONS, "replayed", "email", "domain", "groups", "mfa"],
} as const;

/** The checks of both protocols. */
export const TEST_CHECKS = [...new Set([...CHECKS.oidc, ...CHECKS.saml])] as const;
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
  readonly claims: readonly ReceivedValue[];
  /** Null after a failure before the mapping. */
  readonly mapping: TestMapping | null;
  /** Null after a failure before the mapping. */
  readonly effect: ProvisioningEffect | null;
}

/** The checks of a response that was refused at one of them. */
export function checksOfFailure(
  { protocol, config }: TestedConnection,
  reason: SsoReason,
  detail: string | null,
): readonly TestCheck[] {
  const checks: readonly TestCheckName[] = CHECKS[protocol];
  const failed = checks.indexOf(reason as TestCheckName);
  return checks.map((name, index) => {
    if (index === failed) return { name, outcome: "fail", detail };
    if (index < failed && name === "decryption" && !isEncrypted(config)) return { name, ...NOT_ENCRYPTED };
    return { name, outcome: index < failed ? "pass" : "skipped", detail: null };
  });
}

export interface TestedConnection {
  readonly protocol: SsoProtocol;
  readonly config: IdentityMapping & Partial<Pick<SamlConfig, "encrypted_assertions">>;
}

function isEncrypted(config: TestedConnection["config"]): boolean {
  return config.encrypted_assertions !== "off";
}

export interface AcceptedResponse extends TestedConnection {
  readonly received: ReceivedValues;
  readonly asserted: AssertedIdentity;
  /** Whether the organization accepts the address through this connection. */
  readonly inDomain: boolean;
}

/** The checks of an accepted response: the mapping, and what a sign-in needs. */
export function checksOfIdentity({
  protocol,
  config,
  received,
  asserted,
  inDomain,
}: AcceptedResponse): readonly TestCheck[] {
  const found: { readonly [name in TestCheckName]?: Omit<TestCheck, "name"> | undefined } = {
    userinfo:
      received.usesUserinfo === false ? skipped("The ID token has all claims that the mapping needs.") : undefined,
    decryption: isEncrypted(config) ? undefined : NOT_ENCRYPTED,
    ...addressChecks(config, asserted, inDomain),
    groups: groupsCheck(config, asserted),
    mfa: mfaCheck(config, asserted),
  };
  return CHECKS[protocol].map((name) => ({ name, outcome: "pass", detail: null, ...found[name] }));
}

function addressChecks(config: IdentityMapping, asserted: AssertedIdentity, inDomain: boolean) {
  if (asserted.email === undefined) {
    const none = skipped("There is no address.");
    return {
      email: failed(`${config.email_from ?? "The NameID"} has no email address.`),
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

function groupsCheck({ groups_from: from }: IdentityMapping, asserted: AssertedIdentity) {
  if (from === null) return skipped("No claim for groups is set.");
  if (asserted.groupsIncomplete)
    return warning("The identity provider left groups out of the claims (too many groups).");
  return asserted.groups.length > 0 ? undefined : warning("The claim has no groups.");
}

function mfaCheck({ mfa_trust: trust }: IdentityMapping, { isMultiFactor }: AssertedIdentity) {
  if (trust === "never") return skipped("No value of the identity provider is trusted.");
  return isMultiFactor ? undefined : warning("The response has no trusted value.");
}

const skipped = (detail: string) => ({ outcome: "skipped", detail }) as const;
/** No assertion is decrypted: an encrypted assertion is refused. */
const NOT_ENCRYPTED = skipped("The connection expects no encrypted assertion.");
const failed = (detail: string) => ({ outcome: "fail", detail }) as const;
const warning = (detail: string) => ({ outcome: "warning", detail }) as const;

/** A test succeeds unless a check failed: an administrator may have an address outside of the domains. */
export function isSuccess(checks: readonly TestCheck[]): boolean {
  return checks.every(({ outcome }) => outcome !== "fail");
}

export function mappingOf(asserted: AssertedIdentity): TestMapping {
  return {
    subject: asserted.subject,
    email: asserted.email ?? null,
    display_name: asserted.displayName ?? null,
    groups: asserted.groups.slice(0, SSO_TEST_GROUPS_MAX),
    attributes: asserted.attributes,
    aal: asserted.isMultiFactor ? "aal2" : "aal1",
  };
}
