/** The supported events, and the audit actions that cause the events (docs/contract.md, section 27.4). */

const CAEP = "https://schemas.openid.net/secevent/caep/event-type/";

export const SESSION_REVOKED = `${CAEP}session-revoked`;
export const CREDENTIAL_CHANGE = `${CAEP}credential-change`;
export const ASSURANCE_LEVEL_CHANGE = `${CAEP}assurance-level-change`;
export const ACCOUNT_DISABLED = "https://schemas.openid.net/secevent/risc/event-type/account-disabled";
export const ACCOUNT_PURGED = "https://schemas.openid.net/secevent/risc/event-type/account-purged";
export const IDENTIFIER_CHANGED = "https://schemas.openid.net/secevent/risc/event-type/identifier-changed";

export const EVENTS_SUPPORTED = [
  SESSION_REVOKED,
  CREDENTIAL_CHANGE,
  ASSURANCE_LEVEL_CHANGE,
  ACCOUNT_DISABLED,
  ACCOUNT_PURGED,
  IDENTIFIER_CHANGED,
] as const;
export type EventUri = (typeof EVENTS_SUPPORTED)[number];

/** Events about the stream itself (SSF 1.0, sections 8.1.4.1 and 8.1.5), which every stream gets. */
export const STREAM_EVENTS = {
  "stream.verification": "https://schemas.openid.net/secevent/ssf/event-type/verification",
  "stream.updated": "https://schemas.openid.net/secevent/ssf/event-type/stream-updated",
} as const;
export type StreamEvent = keyof typeof STREAM_EVENTS;

type CredentialType = "password" | "app" | "passkey" | "recovery-code";
type ChangeType = "create" | "revoke" | "update" | "delete";

/** The changed credential; a passkey appears as `fido2-platform` or `fido2-roaming`. */
export const CREDENTIAL_CHANGES = {
  "auth.control.proven": ["password", "revoke"],
  "auth.passkey.deleted": ["passkey", "delete"],
  "auth.passkey.registered": ["passkey", "create"],
  "auth.password.changed": ["password", "update"],
  "auth.password_reset.consumed": ["password", "update"],
  "mfa.disabled": ["app", "delete"],
  "mfa.enabled": ["app", "create"],
  "mfa.recovery_codes.regenerated": ["recovery-code", "update"],
  "mfa.reset": ["app", "revoke"],
  "user.password_replaced": ["password", "update"],
} as const satisfies Record<string, readonly [CredentialType, ChangeType]>;

const ACTIONS: Readonly<Record<EventUri, readonly string[]>> = {
  [SESSION_REVOKED]: ["auth.logout", "auth.refresh.reuse_detected", "auth.session.revoked"],
  [CREDENTIAL_CHANGE]: Object.keys(CREDENTIAL_CHANGES),
  [ASSURANCE_LEVEL_CHANGE]: ["auth.mfa.step_up"],
  [ACCOUNT_DISABLED]: ["user.deletion_requested", "user.disabled"],
  [ACCOUNT_PURGED]: ["user.deleted"],
  [IDENTIFIER_CHANGED]: ["user.email.changed", "user.email.reverted"],
};

/** The delivered subset of the requested events; null: the receiver requested no list. */
export function eventsDelivered(requested: readonly string[] | null): readonly EventUri[] {
  return EVENTS_SUPPORTED.filter((uri) => requested === null || requested.includes(uri));
}

/** The audit actions that lead to these events. */
export function actionsOf(events: readonly EventUri[]): readonly string[] {
  return events.flatMap((uri) => ACTIONS[uri]);
}

/** The event that an audit action leads to. */
export function eventOf(action: string): EventUri | undefined {
  return EVENTS_SUPPORTED.find((uri) => ACTIONS[uri].includes(action));
}
