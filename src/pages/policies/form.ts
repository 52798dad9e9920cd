import {
  CLIENT_POLICIES,
  DEFAULT_POLICY,
  DOMAIN_JOIN_POLICIES,
  MFA_POLICIES,
} from "../../vocabulary/policy-settings.ts";

/** The form of the policies: converts between form fields and settings. */

import { POLICY_MEMBERS } from "../../flows/organization-policies/policy-rules.ts";
import type { StoredPolicy } from "../../models/organization-policy/organization-policy.ts";
import type { PolicySettings } from "../../vocabulary/policy-settings.ts";
import { type Fields, memberIn } from "../page.ts";
import { START_AT_ONCE, START_KEPT, startOfField } from "../start-field.ts";

export function methodField(method: string): string {
  return `method-${method}`;
}

export function clientField(id: string): string {
  return `client-${id}`;
}

const SWITCHES = ["trustedBrowsers", "signInNotices", "deviceFlow", "passwordCheck"] as const;
const NUMBERS = ["sessionMaxHours", "sessionIdleMinutes", "passwordMinLength"] as const;
const CHOICES = ["mfa", "domainJoin", "thirdPartyClients"] as const;

/** The field values of settings. `isPending`: the stored start is ahead. */
export function valuesOf(settings: PolicySettings, isPending: boolean): Record<string, string> {
  const values: Record<string, string> = {
    start: isPending ? START_KEPT : START_AT_ONCE,
    mfa_grace_days: String(settings.mfaGraceDays),
    allowed_ips: settings.allowedIps.join("\n"),
    invite_domains: settings.inviteDomains.join("\n"),
  };
  for (const name of CHOICES) values[POLICY_MEMBERS[name]] = settings[name];
  for (const name of NUMBERS) values[POLICY_MEMBERS[name]] = settings[name]?.toString() ?? "";
  for (const name of SWITCHES) values[POLICY_MEMBERS[name]] = settings[name] ? "on" : "off";
  for (const method of settings.methods ?? []) values[methodField(method)] = "yes";
  for (const id of settings.approvedClients) values[clientField(id)] = "yes";
  return values;
}

/** The lists of which each entry has a field. */
export interface FormLists {
  readonly clientIds: readonly string[];
  /** The own sign-in methods, and the keys of identity providers. */
  readonly methods: readonly string[];
}

/** The submitted field values. */
export function valuesOfForm(form: Fields, { clientIds, methods }: FormLists): Record<string, string> {
  const names = ["start", ...Object.values(POLICY_MEMBERS), ...methods.map(methodField), ...clientIds.map(clientField)];
  return Object.fromEntries(names.map((name) => [name, form.text(name)]));
}

/** The submitted settings. A number that is no number is refused by the validation. */
export function settingsIn(form: Fields, { clientIds, methods: known }: FormLists): PolicySettings {
  const methods = known.filter((method) => form.has(methodField(method)));
  const isOn = (name: (typeof SWITCHES)[number]) => {
    const value = form.text(POLICY_MEMBERS[name]);
    return value === "" ? DEFAULT_POLICY[name] : value === "on";
  };
  return {
    mfa: memberIn(MFA_POLICIES, form.text("mfa")) ?? DEFAULT_POLICY.mfa,
    mfaGraceDays: numberIn(form.text("mfa_grace_days")) ?? 0,
    methods: methods.length === 0 ? null : methods,
    sessionMaxHours: numberIn(form.text("session_max_hours")),
    sessionIdleMinutes: numberIn(form.text("session_idle_minutes")),
    allowedIps: listIn(form.text("allowed_ips")),
    inviteDomains: listIn(form.text("invite_domains")),
    thirdPartyClients: memberIn(CLIENT_POLICIES, form.text("third_party_clients")) ?? DEFAULT_POLICY.thirdPartyClients,
    approvedClients: clientIds.filter((id) => form.has(clientField(id))),
    deviceFlow: isOn("deviceFlow"),
    trustedBrowsers: isOn("trustedBrowsers"),
    passwordMinLength: numberIn(form.text("password_min_length")),
    passwordCheck: isOn("passwordCheck"),
    domainJoin: memberIn(DOMAIN_JOIN_POLICIES, form.text("domain_join")) ?? DEFAULT_POLICY.domainJoin,
    signInNotices: isOn("signInNotices"),
  };
}

/** The start of the submitted settings: the stored time, a number of days from now, or null for at once. */
export function startIn(form: Fields, { policiesAt }: StoredPolicy, now: number): Date | null {
  return startOfField(form.text("start"), policiesAt, now, null);
}

function numberIn(text: string): number | null {
  return text.trim() === "" ? null : Number(text);
}

function listIn(text: string): readonly string[] {
  return text.split(/[\s,;]+/).filter((each) => each !== "");
}
