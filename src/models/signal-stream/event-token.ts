/** The claims of security event tokens (RFC 8417, SSF 1.0, section 4.1). */
import { unixSeconds } from "../../base/clock.ts";
import { isPersonalOrganization } from "../../vocabulary/personal-organization.ts";
import {
  ACCOUNT_DISABLED,
  ACCOUNT_PURGED,
  ASSURANCE_LEVEL_CHANGE,
  CREDENTIAL_CHANGE,
  CREDENTIAL_CHANGES,
  type EventUri,
  eventOf,
  IDENTIFIER_CHANGED,
  SESSION_REVOKED,
  STREAM_EVENTS,
  type StreamEvent,
} from "./event-type.ts";

/** An event that waits for the receiver of a stream. */
export interface QueuedEvent {
  readonly streamId: string;
  /** Owner of the stream and audience of the token. */
  readonly serviceAccountId: string;
  /** `jti`: equal in every delivery. */
  readonly eventId: string;
  /** The audit action, or a `StreamEvent`. */
  readonly eventType: string;
  /** JSON: `AuditFacts`, or the members of the stream's own event. */
  readonly payload: string;
  readonly createdAt: Date;
}

/** The payload that the trigger of migration 0019 stores. */
interface AuditDetails {
  readonly txn: string;
  readonly user_id: string;
  readonly session_id: string | null;
  /** Organization of the session. */
  readonly organization_id: string | null;
  readonly initiator: "user" | "admin" | "system";
  readonly reason: string | null;
  readonly previous_aal: string | null;
  /** Whether the user had no password before a reset. Undefined in rows of the earlier trigger. */
  readonly first_password?: boolean | null;
  /** Transports of a passkey. */
  readonly transports: readonly string[] | null;
  readonly aaguid: string | null;
  /** Former and new primary address of `identifier-changed`. Undefined in rows of the earlier trigger. */
  readonly old_email?: string | null;
  readonly new_email?: string | null;
}

type Claims = Readonly<Record<string, unknown>>;

/** The claims; every claim comes from the stored event, so the claims of every delivery are equal. */
export function eventClaims(issuer: string, event: QueuedEvent): Claims {
  const common = {
    iss: issuer,
    aud: event.serviceAccountId,
    jti: event.eventId,
    iat: unixSeconds(event.createdAt.getTime()),
  };
  if (isStreamEvent(event.eventType)) {
    const events = { [STREAM_EVENTS[event.eventType]]: JSON.parse(event.payload) };
    return { ...common, sub_id: { format: "opaque", id: event.streamId }, events };
  }
  const uri = eventOf(event.eventType);
  if (!uri) throw new Error(`the audit action ${event.eventType} leads to no event`);
  const details: AuditDetails = JSON.parse(event.payload);
  const events = { [uri]: EVENT_OBJECTS[uri](details, event) };
  return { ...common, txn: details.txn, sub_id: subjectOf(issuer, details), events };
}

function isStreamEvent(eventType: string): eventType is StreamEvent {
  return eventType in STREAM_EVENTS;
}

/**
 * A user, or a session with its user and organization (SSF 1.0, section 3.3); the former address of a changed
 * identifier (RISC 1.0, section 2.6). A personal organization is no tenant (docs/contract.md, section 37.2).
 */
function subjectOf(issuer: string, { user_id, session_id, organization_id, old_email }: AuditDetails): Claims {
  if (old_email) return { format: "email", email: old_email };
  const user = { format: "iss_sub", iss: issuer, sub: user_id };
  if (session_id === null) return user;
  const [session, tenant] = [session_id, organization_id].map((id) => ({ format: "opaque", id }));
  if (isPersonalOrganization({ userId: user_id, organizationId: organization_id })) {
    return { format: "complex", user, session };
  }
  return { format: "complex", user, session, tenant };
}

const EVENT_OBJECTS: Readonly<Record<EventUri, (details: AuditDetails, event: QueuedEvent) => Claims>> = {
  [SESSION_REVOKED]: (details, event) => ({ ...commonMembers(details, event), ...initiatorOf(details) }),
  [CREDENTIAL_CHANGE]: (details, event) => ({ ...commonMembers(details, event), ...credentialMembers(details, event) }),
  [ASSURANCE_LEVEL_CHANGE]: (details, event) => ({
    ...commonMembers(details, event),
    namespace: "NIST-AAL",
    current_level: "nist-aal2",
    ...(details.previous_aal ? { previous_level: `nist-${details.previous_aal}` } : {}),
    change_direction: "increase",
  }),
  [ACCOUNT_DISABLED]: () => ({}),
  [ACCOUNT_PURGED]: () => ({}),
  [IDENTIFIER_CHANGED]: ({ new_email }) => (new_email ? { "new-value": new_email } : {}),
};

/** Reasons of ended sessions whose initiator is not the actor of the record (CAEP 1.0, section 2). */
const INITIATORS: Readonly<Record<string, "admin" | "policy">> = {
  refresh_reuse: "policy",
  sso_required: "policy",
  policy: "policy",
  idp_logout: "admin",
  directory_deactivated: "admin",
};

function initiatorOf({ reason }: AuditDetails): Claims {
  const initiator = reason === null ? undefined : INITIATORS[reason];
  return initiator === undefined ? {} : { initiating_entity: initiator };
}

/** CAEP 1.0, section 2. The reason is a word of the audit trail: the reason of the record, or the action. */
function commonMembers({ initiator, reason }: AuditDetails, { createdAt, eventType }: QueuedEvent): Claims {
  return {
    event_timestamp: unixSeconds(createdAt.getTime()),
    initiating_entity: initiator,
    reason_admin: { en: reason ?? eventType },
  };
}

/** CAEP 1.0, section 3.3.1. */
function credentialMembers({ first_password, transports, aaguid }: AuditDetails, { eventType }: QueuedEvent): Claims {
  const [credential, usual] = CREDENTIAL_CHANGES[eventType as keyof typeof CREDENTIAL_CHANGES];
  const change = first_password ? "create" : usual;
  if (credential !== "passkey") return { credential_type: credential, change_type: change };
  return {
    credential_type: transports?.includes("internal") ? "fido2-platform" : "fido2-roaming",
    change_type: change,
    fido2_aaguid: aaguid,
  };
}
