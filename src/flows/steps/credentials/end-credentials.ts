import type { RequestContext } from "../../../base/request-context.ts";
import type { Sql } from "../../../database/database.ts";
import type { SessionDeps } from "../../../deps.ts";
import type { SessionEvent } from "../../../models/session/revocation.ts";
import type { Owner } from "../../../models/user/user.ts";
import { type Actor, userAuditEvent } from "../audit/audit-event.ts";
import { recordEach } from "../audit/record-ended-credentials.ts";
import type { ComposeDeps } from "../email/compose-email.ts";
import type { EndedAccess } from "../sessions/read-ended.ts";
import type { CredentialKind, Removal } from "./credential-kind.ts";
import { CREDENTIAL_KINDS, type CredentialKindName } from "./credential-kinds.ts";

/** The ended credentials of one kind. */
export interface EndedKind {
  readonly name: CredentialKindName;
  readonly kind: CredentialKind;
  readonly access: EndedAccess;
}

/**
 * Ends every kind of credential; the move of a managed account to another mailbox leaves out kinds that serve the
 * organization, whose permissions the person behind the move has too. Runs one statement after the other: the snapshot
 * of each statement includes the commits of transactions that held the lock of the user before.
 */
export async function endCredentials(
  deps: SessionDeps & ComposeDeps,
  sql: Sql,
  removal: Removal,
): Promise<readonly EndedKind[]> {
  const ended: EndedKind[] = [];
  for (const name of Object.keys(CREDENTIAL_KINDS) as CredentialKindName[]) {
    const kind: CredentialKind = CREDENTIAL_KINDS[name];
    if (removal.proof.kind === "managed_address" && kind.servesOrganization) continue;
    ended.push({ name, kind, access: await kind.remove(deps, sql, removal) });
  }
  return ended;
}

export interface EndedRecord {
  readonly actor: Actor;
  readonly reason: Removal["reason"];
  readonly client: RequestContext;
  readonly at: Date;
}

/** Records every ended credential of the kinds with records. */
export async function recordEndedKinds(
  deps: SessionDeps & ComposeDeps,
  sql: Sql,
  { actor, reason, client, at }: EndedRecord,
  ended: readonly EndedKind[],
): Promise<void> {
  for (const { kind, access } of ended) {
    if (!kind.record) continue;
    const { action, resourceType } = kind.record;
    const entry = userAuditEvent(deps, actor, client, { action, at, metadata: { reason } });
    await recordEach(deps, sql, { ...entry, resourceType }, access.items);
  }
}

/** Ends and records the credentials of a user; returns the events to announce after the commit. */
export async function endAndRecordCredentials(
  deps: SessionDeps & ComposeDeps,
  sql: Sql,
  owner: Owner,
  end: Omit<Removal, "userId" | "organizationId">,
): Promise<readonly SessionEvent[]> {
  const { userId, organizationId } = owner;
  const ended = await endCredentials(deps, sql, { ...end, userId, organizationId });
  await recordEndedKinds(deps, sql, { ...end, actor: owner }, ended);
  return ended.flatMap(({ access }) => access.events);
}

/** The ended credentials as metadata of the record of the proof. */
export function summarizeEnded(ended: readonly EndedKind[]): Readonly<Record<string, number | boolean>> {
  return Object.fromEntries(ended.flatMap(summaryOf));
}

/** The number of ended items of each kind with such items. */
export function countEnded(ended: readonly EndedKind[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    ended.flatMap(({ name, access: { items } }) => (items.length > 0 ? [[name, items.length]] : [])),
  );
}

function summaryOf({ name, kind, access: { items } }: EndedKind): [string, number | boolean][] {
  if (kind.summary === undefined || (kind.summary === "nonzero" && items.length === 0)) return [];
  return [[name, kind.summary === "flag" ? items.length > 0 : items.length]];
}
