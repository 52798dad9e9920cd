import type { Static } from "@sinclair/typebox";
import type { PoliciesNow } from "../../flows/organization-policies/policies.ts";
import type { Affected } from "../../models/organization-policy/affected-members.ts";
import { DEFAULT_POLICY, type PolicyMethod, type PolicySettings } from "../../vocabulary/policy-settings.ts";
import type { ReplacePoliciesBody } from "../schemas/organization-policies.ts";

/** The settings of a request: an absent member has the default. */
export function settingsOf(body: Static<typeof ReplacePoliciesBody>): PolicySettings {
  const or = <Value>(value: Value | undefined, fallback: Value) => (value === undefined ? fallback : value);
  return {
    mfa: or(body.mfa, DEFAULT_POLICY.mfa),
    mfaGraceDays: or(body.mfa_grace_days, DEFAULT_POLICY.mfaGraceDays),
    methods: or<readonly PolicyMethod[] | null>(body.methods, DEFAULT_POLICY.methods),
    sessionMaxHours: or(body.session_max_hours, DEFAULT_POLICY.sessionMaxHours),
    sessionIdleMinutes: or(body.session_idle_minutes, DEFAULT_POLICY.sessionIdleMinutes),
    allowedIps: or<readonly string[]>(body.allowed_ips, DEFAULT_POLICY.allowedIps),
    inviteDomains: or<readonly string[]>(body.invite_domains, DEFAULT_POLICY.inviteDomains),
    thirdPartyClients: or(body.third_party_clients, DEFAULT_POLICY.thirdPartyClients),
    approvedClients: or<readonly string[]>(body.approved_clients, DEFAULT_POLICY.approvedClients),
    deviceFlow: or(body.device_flow, DEFAULT_POLICY.deviceFlow),
    trustedBrowsers: or(body.trusted_browsers, DEFAULT_POLICY.trustedBrowsers),
    passwordMinLength: or(body.password_min_length, DEFAULT_POLICY.passwordMinLength),
    passwordCheck: or(body.password_check, DEFAULT_POLICY.passwordCheck),
    domainJoin: or(body.domain_join, DEFAULT_POLICY.domainJoin),
    signInNotices: or(body.sign_in_notices, DEFAULT_POLICY.signInNotices),
  };
}

/** docs/contract.md, section 33.2. */
export function policiesBody({ settings, inForce, policiesAt, revision, updatedAt }: PoliciesNow) {
  return {
    ...settingsBody(settings),
    policies_at: updatedAt === null ? null : policiesAt.toISOString(),
    in_force: settingsBody(inForce ?? DEFAULT_POLICY),
    revision,
    updated_at: updatedAt?.toISOString() ?? null,
  };
}

function settingsBody(settings: PolicySettings) {
  return {
    mfa: settings.mfa,
    mfa_grace_days: settings.mfaGraceDays,
    methods: settings.methods && [...settings.methods],
    session_max_hours: settings.sessionMaxHours,
    session_idle_minutes: settings.sessionIdleMinutes,
    allowed_ips: [...settings.allowedIps],
    invite_domains: [...settings.inviteDomains],
    third_party_clients: settings.thirdPartyClients,
    approved_clients: [...settings.approvedClients],
    device_flow: settings.deviceFlow,
    trusted_browsers: settings.trustedBrowsers,
    password_min_length: settings.passwordMinLength,
    password_check: settings.passwordCheck,
    domain_join: settings.domainJoin,
    sign_in_notices: settings.signInNotices,
  };
}

/** docs/contract.md, section 33.7. */
export function affectedBody({ affected, counts, sessionsEnded, members }: Affected) {
  return {
    affected,
    counts,
    sessions_ended: sessionsEnded,
    members: members.map(({ userId, email, rules }) => ({ user_id: userId, email, rules: [...rules] })),
  };
}
