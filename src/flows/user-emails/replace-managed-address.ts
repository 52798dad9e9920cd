import type { Sql } from "../../database/database.ts";
import type { SignInDeps } from "../../deps.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import { insertEmail } from "../../models/email/email.ts";
import { logChangeOfUser, type SessionEvent } from "../../models/session/revocation.ts";
import { lockControlState } from "../../models/user/control.ts";
import { hashAddress } from "../../models/user/email-address.ts";
import type { Owner } from "../../models/user/user.ts";
import { deleteChangesOf, insertEmailChange } from "../../models/user-email/email-change.ts";
import { deleteUserEmail, insertVerifiedEmail } from "../../models/user-email/user-email.ts";
import { type Actor, userAuditEvent } from "../steps/audit/audit-event.ts";
import { countEnded, type EndedKind, endCredentials, recordEndedKinds } from "../steps/credentials/end-credentials.ts";
import { tokensDeadAt } from "../steps/sessions/end-sessions.ts";
import { type AddressEmail, composeNotice } from "./change-emails.ts";
import { EMAIL_CHANGED } from "./confirm-change.ts";
import { movePrimaryAddress } from "./move-address.ts";

export interface ManagedAddress extends Pick<AddressEmail, "client" | "at"> {
  /** Locked, and managed by the organization. */
  readonly user: Owner;
  readonly organizationId: string;
  /** Free, and in a verified domain of the organization. */
  readonly email: string;
  readonly actor: Actor;
  readonly source: "directory" | "sso";
}

/**
 * Replaces the address of a user whom an organization manages; both mailboxes receive a notice. The mailbox may have
 * another holder from now on, so everything ends that the former holder could have set up; sessions of single sign-on
 * continue. The former address is free at once: the organization decides about the addresses of its domain, and no link
 * in a former mailbox takes the address back. Returns the events to announce after the commit.
 */
export async function replaceManagedAddress(
  deps: SignInDeps,
  sql: Sql,
  { user, organizationId, email, actor, source, client, at }: ManagedAddress,
): Promise<readonly SessionEvent[]> {
  const { userId, email: previousEmail } = user;
  const id = deps.random.uuid();
  await insertVerifiedEmail(sql, userId, email, at);
  await movePrimaryAddress(sql, userId, email, at);
  await deleteUserEmail(sql, userId, previousEmail);
  await deleteChangesOf(sql, userId);
  const ended = await endFormerAccess(deps, sql, { user, organizationId, actor, client, at });
  const links = { tokenHash: null, undoTokenHash: null, requestedAt: at, confirmedAt: at, expiresAt: at };
  await insertEmailChange(sql, { id, userId, kind: "change", email, previousEmail, ...links });
  const metadata = { change_id: id, email_hash: hashAddress(deps.addressKey, email), source, ...countEnded(ended) };
  const resource = { type: "user", id: userId } as const;
  await recordAudit(sql, userAuditEvent(deps, actor, client, { action: "user.email.changed", at, resource, metadata }));
  const hasEnded = Object.keys(countEnded(ended)).length > 0;
  const change = { email, kind: "change", undoToken: undefined, hasEnded } as const;
  for (const address of [previousEmail, email]) {
    const owner = { ...user, email: address };
    await insertEmail(sql, composeNotice(deps, { owner, tenants: { organizationId }, client, at }, change));
  }
  const changed = await logChangeOfUser(sql, userId, EMAIL_CHANGED, at, tokensDeadAt(deps, at));
  return [...ended.flatMap(({ access }) => access.events), ...changed];
}

/** Ends and records, as a first controlling proof does, what the former holder of the mailbox could have set up. */
async function endFormerAccess(
  deps: SignInDeps,
  sql: Sql,
  { user: { userId }, organizationId, actor, client, at }: Omit<ManagedAddress, "email" | "source">,
): Promise<readonly EndedKind[]> {
  const before = await lockControlState(sql, userId);
  if (!before) return [];
  const proof = { kind: "managed_address" } as const;
  const reason = "managed_address_changed";
  const ended = await endCredentials(deps, sql, { userId, organizationId, proof, reason, before, client, at });
  await recordEndedKinds(deps, sql, { actor, reason, client, at }, ended);
  return ended;
}
