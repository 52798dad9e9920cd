/** The end of a user's access outside of the user's sessions: API keys, and tokens of connected applications. */

import type { RequestContext } from "../../../base/request-context.ts";
import type { Sql } from "../../../database/database.ts";
import type { SessionDeps } from "../../../deps.ts";
import type { AuditEntry } from "../../../models/audit/audit.ts";
import type { SetUpPeriod } from "../../../models/conditions/set-up-period.ts";
import { endFamiliesOfUser } from "../../../models/oauth-grant/family-state.ts";
import { logEndedFamilies } from "../../../models/oauth-grant/token-family.ts";
import { revokeApiKeysOf } from "../../../models/service-account/api-key.ts";
import { deleteTrustsOf } from "../../../models/service-account/trust.ts";
import type { SessionEvent } from "../../../models/session/revocation.ts";
import { type Actor, userAuditEvent } from "../audit/audit-event.ts";
import { type EndedItem, recordEach } from "../audit/record-ended-credentials.ts";
import { endCreatedBy } from "./end-created-keys.ts";
import { type EndedAccess, readEnded, readEndedKeys } from "./read-ended.ts";

export interface AccessEnd {
  readonly userId: string;
  readonly reason:
    | "control_proven"
    | "email_reverted"
    | "sign_in_disowned"
    | "credentials_ended"
    | "managed_address_changed"
    | "user_request"
    | "mfa_reset"
    | "user_deletion";
  readonly at: Date;
}

/** An end with the actor of the records of what ends with the credentials. */
export interface RecordedAccessEnd extends AccessEnd {
  readonly actor: Actor;
  readonly client: RequestContext;
}

/** Revokes the live API keys that a user created, on every replica. `managedOnly`: see `revokeApiKeysOf`. */
export async function endApiKeysOf(
  deps: Pick<SessionDeps, "config" | "random">,
  sql: Sql,
  { userId, at, actor, client }: RecordedAccessEnd,
  { managedOnly, period }: { readonly managedOnly: boolean; readonly period?: SetUpPeriod | undefined },
): Promise<EndedAccess> {
  const revoked = revokeApiKeysOf(sql, userId, { at, managedOnly, period: period ?? {} });
  const ended = await readEndedKeys(deps, sql, revoked, at);
  const created = await endCreatedBy(deps, sql, idsOf(ended.items), { actor, client, at });
  return { items: [...ended.items, ...created.items], events: [...ended.events, ...created.events] };
}

function idsOf(items: readonly EndedItem[]): readonly string[] {
  return items.map(({ id }) => id);
}

/** Deletes the trusts that a user created, on every replica. `managedOnly`: see `revokeApiKeysOf`. */
export async function endTrustsOf(
  deps: Pick<SessionDeps, "config" | "random">,
  sql: Sql,
  { userId, at, actor, client }: RecordedAccessEnd,
  bounds: { readonly managedOnly: boolean; readonly period?: SetUpPeriod | undefined },
): Promise<EndedAccess> {
  const ended = await readEndedKeys(deps, sql, deleteTrustsOf(sql, userId, bounds), at);
  const { events } = await endCreatedBy(deps, sql, idsOf(ended.items), { actor, client, at });
  return { items: ended.items, events: [...ended.events, ...events] };
}

/** Ends all tokens of connected applications of a user, offline tokens too, on every replica. The grants remain. */
export async function endApplicationTokensOf(sql: Sql, { userId, reason, at }: AccessEnd): Promise<EndedAccess> {
  const ended = endFamiliesOfUser(sql, userId, reason, at);
  return await readEnded(sql, ended, logEndedFamilies(sql, "ended", reason, at));
}

export type RecordedEnd = Omit<RecordedAccessEnd, "at">;

/** Revokes the keys of a user who is an administrator, with audit records. Returns the events to announce. */
export async function endKeysRecorded(deps: SessionDeps, sql: Sql, end: RecordedEnd): Promise<readonly SessionEvent[]> {
  const at = new Date(deps.clock.now());
  const ended = await endApiKeysOf(deps, sql, { ...end, at }, { managedOnly: true });
  const trusts = await endTrustsOf(deps, sql, { ...end, at }, { managedOnly: true });
  const ofTrust = { action: "service_account.trust_deleted", resourceType: "service_account" } as const;
  return [
    ...(await recordEnds(deps, sql, end, at, ended, { action: "api_key.revoked", resourceType: "api_key" })),
    ...(await recordEnds(deps, sql, end, at, trusts, ofTrust)),
  ];
}

/** Ends the tokens of a user's connected applications, with audit records. Returns the events to announce. */
export async function endApplicationsRecorded(
  deps: SessionDeps,
  sql: Sql,
  end: RecordedEnd,
): Promise<readonly SessionEvent[]> {
  const at = new Date(deps.clock.now());
  const ended = await endApplicationTokensOf(sql, { ...end, at });
  const record = { action: "oauth.token.revoked", resourceType: "oauth_token_family" } as const;
  return await recordEnds(deps, sql, end, at, ended, record);
}

async function recordEnds(
  deps: SessionDeps,
  sql: Sql,
  { actor, reason, client }: RecordedEnd,
  at: Date,
  { items, events }: EndedAccess,
  { action, resourceType }: Pick<AuditEntry, "action" | "resourceType">,
): Promise<readonly SessionEvent[]> {
  const entry = userAuditEvent(deps, actor, client, { action, at, metadata: { reason } });
  await recordEach(deps, sql, { ...entry, resourceType }, items);
  return events;
}
