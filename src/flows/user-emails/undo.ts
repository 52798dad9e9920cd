import type { Refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import type { Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import type { SignInDeps } from "../../deps.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import { insertEmail } from "../../models/email/email.ts";
import type { SessionEvent } from "../../models/session/revocation.ts";
import { lockControlState } from "../../models/user/control.ts";
import { hashAddress } from "../../models/user/email-address.ts";
import { findOwner, type Owner } from "../../models/user/user.ts";
import {
  type EmailChange,
  findChangeByUndoToken,
  isConfirmedSince,
  voidChangesFrom,
} from "../../models/user-email/email-change.ts";
import { deleteUserEmail } from "../../models/user-email/user-email.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { endAndRecordCredentials } from "../steps/credentials/end-credentials.ts";
import { followRevertLink, type RevertLink } from "../steps/credentials/revert-link.ts";
import { composeEmail, noticeDetails } from "../steps/email/compose-email.ts";
import { restoreAddress } from "./move-address.ts";

export interface UndoInput {
  readonly token: string;
  readonly client: RequestContext;
}

/**
 * POST /v1/auth/email/change/undo (docs/contract.md, section 12.14): the mailbox of the former primary address cancels
 * a request, or undoes the change within seven days. The undo of an earlier request voids all later requests and undo
 * links, so that an attacker with the later address cannot undo the undo.
 */
export async function undoAddressChange(
  deps: SignInDeps,
  { token, client }: UndoInput,
): Promise<Result<void, Refusal<"authentication_required" | "invalid_input">>> {
  return await followRevertLink(deps, token, async (link) => {
    const events = await deps.database.transaction("user_email.undo", (sql) => undo(deps, sql, link, client));
    if (events) deps.outbox.wake();
    return events;
  });
}

/** Undefined: the link is unknown, used, void or expired. */
async function undo(
  deps: SignInDeps,
  sql: Sql,
  { tokenHash, at }: RevertLink,
  client: RequestContext,
): Promise<readonly SessionEvent[] | undefined> {
  const found = await findChangeByUndoToken(sql, tokenHash, at);
  const before = found && (await lockControlState(sql, found.userId));
  // Read again under the lock of the user: a concurrent undo has voided the link.
  const change = before && (await findChangeByUndoToken(sql, tokenHash, at));
  if (!change) return undefined;
  const owner = await findOwner(sql, change.userId);
  const isConfirmed = await isConfirmedSince(sql, owner.userId, change.sequence);
  // The record comes first: the trigger of the event streams reads the address that the undo replaces.
  await recordUndo(deps, sql, owner, change, client, at);
  const events = isConfirmed ? await revert(deps, sql, owner, change, { before, client, at }) : [];
  if (!isConfirmed) await deleteUserEmail(sql, owner.userId, change.email);
  await voidChangesFrom(sql, owner.userId, change.sequence);
  return events;
}

async function recordUndo(
  deps: SignInDeps,
  sql: Sql,
  owner: Owner,
  change: EmailChange,
  client: RequestContext,
  at: Date,
): Promise<void> {
  const entry = userAuditEvent(deps, owner, client, {
    action: "user.email.reverted",
    at,
    metadata: {
      change_id: change.id,
      restored: owner.email !== change.previousEmail,
      email_hash: hashAddress(deps.addressKey, change.previousEmail),
    },
  });
  await recordAudit(sql, entry);
}

interface Revert {
  readonly before: NonNullable<Awaited<ReturnType<typeof lockControlState>>>;
  readonly client: RequestContext;
  readonly at: Date;
}

/**
 * Restores the former primary address and ends what an attacker with the session could have set up since the request.
 */
async function revert(
  deps: SignInDeps,
  sql: Sql,
  owner: Owner,
  change: EmailChange,
  { before, client, at }: Revert,
): Promise<readonly SessionEvent[]> {
  const { previousEmail, requestedAt: since } = change;
  await restoreAddress(sql, owner, change, at);
  const end = {
    proof: { kind: "email_undo" },
    reason: "email_reverted",
    period: { since },
    before,
    client,
    at,
  } as const;
  const events = await endAndRecordCredentials(deps, sql, owner, end);
  const restored = { ...owner, email: previousEmail };
  const link = `${deps.config.urls.publicBaseUrl}/forgot-password`;
  const mail = { kind: "email_reverted" as const, values: { ...noticeDetails(client, at), link } };
  await sql`${insertEmail(sql, composeEmail(deps, { to: restored, mail, tenants: undefined, client, at }))}`;
  return events;
}
