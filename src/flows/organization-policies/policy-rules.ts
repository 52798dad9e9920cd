/** The validation of submitted policies (docs/contract.md, section 33.2). */
import { type FieldFlaw, hasFlaws, type InputFlaw, invalidFields } from "../../base/invalid-input.ts";
import { canonicalNetwork, coversEverything } from "../../base/ip-ranges.ts";
import type { Refusal } from "../../base/problem.ts";
import { isUuid } from "../../base/random.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { DAY_MS } from "../../base/time-units.ts";
import type { Deps } from "../../deps.ts";
import { PASSWORD_MIN_CODE_POINTS } from "../../limits/account-limits.ts";
import {
  POLICY_AHEAD_DAYS_MAX,
  POLICY_APPROVED_CLIENTS_MAX,
  POLICY_GRACE_DAYS_MAX,
  POLICY_IDLE_MINUTES_MAX,
  POLICY_IDLE_MINUTES_MIN,
  POLICY_INVITE_DOMAINS_MAX,
  POLICY_NETWORKS_MAX,
  POLICY_PASSWORD_LENGTH_MAX,
  POLICY_SESSION_HOURS_MAX,
  POLICY_START_TOLERANCE_MS,
} from "../../limits/policy-limits.ts";
import { validateMailDomain } from "../../models/organization-domain/domain-name.ts";
import { OWN_METHODS, type PolicySettings } from "../../vocabulary/policy-settings.ts";

/** The member of the API for every setting. */
export const POLICY_MEMBERS = {
  mfa: "mfa",
  mfaGraceDays: "mfa_grace_days",
  methods: "methods",
  sessionMaxHours: "session_max_hours",
  sessionIdleMinutes: "session_idle_minutes",
  allowedIps: "allowed_ips",
  inviteDomains: "invite_domains",
  thirdPartyClients: "third_party_clients",
  approvedClients: "approved_clients",
  deviceFlow: "device_flow",
  trustedBrowsers: "trusted_browsers",
  passwordMinLength: "password_min_length",
  passwordCheck: "password_check",
  domainJoin: "domain_join",
  signInNotices: "sign_in_notices",
} as const satisfies Record<keyof PolicySettings, string>;

export interface SubmittedPolicies {
  readonly settings: PolicySettings;
  /** Null: now. */
  readonly policiesAt: Date | null;
}

const TOO_LATE: InputFlaw = { rule: "not_allowed", text: `at most ${POLICY_AHEAD_DAYS_MAX} days ahead` };
const PAST: InputFlaw = { rule: "not_allowed", text: "not in the past; null: now" };
const NO_METHOD: InputFlaw = { rule: "too_short", text: "at least one method" };
const UNKNOWN_METHOD: InputFlaw = {
  rule: "unknown_value",
  text: `${OWN_METHODS.join(", ")}, or the key of an identity provider`,
};
const NOT_A_RANGE: InputFlaw = { rule: "format", text: "addresses or CIDR ranges, such as 192.0.2.0/24" };
const EVERYTHING: InputFlaw = { rule: "not_allowed", text: "a range of all addresses restricts nothing" };
const NOT_A_CLIENT: InputFlaw = { rule: "format", text: "ids of applications" };

/** Validates settings, and returns the stored form: canonical ranges and domains, without repetitions. */
export function validatePolicies(
  { clock, identityProviders }: Pick<Deps, "clock" | "identityProviders">,
  { settings, policiesAt }: SubmittedPolicies,
): Result<PolicySettings, Refusal<"invalid_input">> {
  const networks = settings.allowedIps.map(canonicalNetwork);
  const domains = settings.inviteDomains.map(validateMailDomain);
  const domainFlaw = domains.find((domain) => !domain.ok);
  const { methods, approvedClients } = settings;
  const known: readonly string[] = [...OWN_METHODS, ...identityProviders.keys()];
  const flaws: readonly (readonly [string, InputFlaw | undefined])[] = [
    ["mfa_grace_days", outside(settings.mfaGraceDays, 0, POLICY_GRACE_DAYS_MAX)],
    ["methods", methodsFlaw(methods, known)],
    ["session_max_hours", outside(settings.sessionMaxHours, 1, POLICY_SESSION_HOURS_MAX)],
    ["session_idle_minutes", outside(settings.sessionIdleMinutes, POLICY_IDLE_MINUTES_MIN, POLICY_IDLE_MINUTES_MAX)],
    ["allowed_ips", tooMany(networks, POLICY_NETWORKS_MAX) ?? networkFlaw(networks)],
    [
      "invite_domains",
      tooMany(domains, POLICY_INVITE_DOMAINS_MAX) ?? (domainFlaw?.ok === false ? domainFlaw.error : undefined),
    ],
    [
      "approved_clients",
      tooMany(approvedClients, POLICY_APPROVED_CLIENTS_MAX) ??
        (approvedClients.every(isUuid) ? undefined : NOT_A_CLIENT),
    ],
    ["password_min_length", outside(settings.passwordMinLength, PASSWORD_MIN_CODE_POINTS, POLICY_PASSWORD_LENGTH_MAX)],
    ["policies_at", policiesAt === null ? undefined : startFlaw(policiesAt.getTime() - clock.now())],
  ];
  const found: FieldFlaw[] = flaws.flatMap(([field, flaw]) => (flaw ? [{ field, ...flaw }] : []));
  if (hasFlaws(found)) return err(invalidFields(found));
  return ok({
    ...settings,
    methods: methods && known.filter((method) => methods.includes(method)),
    allowedIps: distinct(networks.filter((network) => network !== undefined)),
    inviteDomains: distinct(domains.flatMap((domain) => (domain.ok ? [domain.value] : []))),
    approvedClients: distinct(approvedClients.map((id) => id.toLowerCase())),
  });
}

function methodsFlaw(methods: PolicySettings["methods"], known: readonly string[]): InputFlaw | undefined {
  if (methods?.length === 0) return NO_METHOD;
  return methods?.every((method) => known.includes(method)) === false ? UNKNOWN_METHOD : undefined;
}

/** A start of "now" arrives a moment later, by another clock. */
function startFlaw(aheadMs: number): InputFlaw | undefined {
  if (aheadMs < -POLICY_START_TOLERANCE_MS) return PAST;
  return aheadMs > POLICY_AHEAD_DAYS_MAX * DAY_MS ? TOO_LATE : undefined;
}

function networkFlaw(networks: readonly (string | undefined)[]): InputFlaw | undefined {
  if (networks.includes(undefined)) return NOT_A_RANGE;
  return networks.some((network) => network !== undefined && coversEverything(network)) ? EVERYTHING : undefined;
}

function outside(value: number | null, min: number, max: number): InputFlaw | undefined {
  if (value === null || (Number.isInteger(value) && value >= min && value <= max)) return undefined;
  return { rule: "not_allowed", text: `a whole number from ${min} to ${max}` };
}

function tooMany(list: readonly unknown[], max: number): InputFlaw | undefined {
  return list.length > max ? { rule: "too_long", text: `at most ${max}` } : undefined;
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
