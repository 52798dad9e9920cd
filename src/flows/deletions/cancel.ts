import { invalidInput } from "../../base/invalid-input.ts";
import { isOpaqueToken } from "../../base/opaque-token.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { hashToken } from "../../base/token-hash.ts";
import type { Sql } from "../../database/database.ts";
import type { SessionDeps } from "../../deps.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import {
  type Deletion,
  deleteDeletion,
  findDeletionByToken,
  findPendingDeletion,
  type LinkHolder,
  listDependentDeletions,
  lockCancellableDeletion,
  type SubjectType,
} from "../../models/deletion/deletion.ts";
import { isActiveOwner, lockMembership } from "../../models/member/members.ts";
import { reopenOrganization } from "../../models/organization/closing-organization.ts";
import type { SessionEvent } from "../../models/session/revocation.ts";
import { reopenUser } from "../../models/user/closing-user.ts";
import { type Actor, userAuditEvent } from "../steps/audit/audit-event.ts";
import type { PlatformCaller } from "../steps/authorization/authorize-platform-role.ts";
import { refuseProtected } from "../steps/authorization/protected-users.ts";
import { announceSuspensionChange, logSuspensionChange } from "../steps/sessions/end-organization-sessions.ts";

const DEAD_LINK = refusal("authentication_required", "The link is not valid any more.");
const NO_SUCH_DELETION = refusal("not_found", "No deletion is pending.");

export interface Cancellation {
  readonly subjectType: SubjectType;
}

/**
 * POST /v1/auth/deletion/cancel (docs/contract.md, section 30.2): cancels the deletion of the user or organization of a
 * mailed link, once. Needs no session: no sign-in works while the deletion is pending.
 */
export async function cancelDeletionByLink(
  deps: SessionDeps,
  { token, client }: { readonly token: string; readonly client: RequestContext },
): Promise<Result<Cancellation, Refusal<"authentication_required" | "invalid_input">>> {
  if (!isOpaqueToken(token)) return err(invalidInput("token", "format", "not a token of this service"));
  const at = new Date(deps.clock.now());
  const cancelled = await cancel(deps, client, at, (sql) => findByLink(sql, hashToken(token), at, { lock: true }));
  return cancelled ? ok({ subjectType: cancelled.subjectType }) : err(DEAD_LINK);
}

/** The user or organization of a link that still cancels, for the page; consumes nothing. */
export async function readDeletionLink(
  { database, clock }: Pick<SessionDeps, "database" | "clock">,
  token: string,
): Promise<SubjectType | undefined> {
  if (!isOpaqueToken(token)) return undefined;
  const at = new Date(clock.now());
  const found = await database.run("deletion.find_by_token", (sql) =>
    findByLink(sql, hashToken(token), at, { lock: false }),
  );
  return found?.deletion.subjectType;
}

interface FoundDeletion {
  readonly deletion: Deletion;
  readonly actor: Pick<Actor, "userId" | "organizationId">;
  /** The mailbox of the link, for the record. */
  readonly mailbox?: LinkHolder["mailbox"];
}

/**
 * The deletion of a mailed link, with the holder as the actor. A link to an owner ends with the ownership or the
 * account: a former owner decides nothing about the organization.
 */
async function findByLink(
  sql: Sql,
  tokenHash: Buffer,
  at: Date,
  { lock }: { readonly lock: boolean },
): Promise<FoundDeletion | undefined> {
  const link = await findDeletionByToken(sql, tokenHash, at);
  if (!link) return undefined;
  const { deletion, holder } = link;
  const { subjectType, subjectId, requestedBy } = deletion;
  // A replica of 1.0.1 mailed one token to all owners: the link acts for the user who requested the deletion.
  const userId = holder?.userId ?? (subjectType === "user" ? subjectId : (requestedBy ?? subjectId));
  const isOrganization = subjectType === "organization";
  if (isOrganization && holder) {
    if (lock) await lockMembership(sql, subjectId, holder.userId);
    if (!(await isActiveOwner(sql, subjectId, holder.userId))) return undefined;
  }
  const actor = { userId, organizationId: isOrganization ? subjectId : null };
  return holder ? { deletion, actor, mailbox: holder.mailbox } : { deletion, actor };
}

export interface AdministratorCancellation {
  /** An Admin or higher. */
  readonly caller: PlatformCaller;
  readonly subjectType: SubjectType;
  readonly subjectId: string;
  readonly client: RequestContext;
}

/** DELETE /v1/admin/users/:id/deletion and DELETE /v1/orgs/:org_id/deletion (docs/contract.md, sections 30.2, 30.4). */
export async function cancelDeletionByAdministrator(
  deps: SessionDeps,
  { caller, subjectType, subjectId, client }: AdministratorCancellation,
): Promise<Result<void, Refusal<"forbidden" | "not_found">>> {
  const at = new Date(deps.clock.now());
  const userIds = subjectType === "user" ? [subjectId] : [];
  const unprotected = await deps.database.run("user.find_protected", (sql) => refuseProtected(sql, caller, userIds));
  if (!unprotected.ok) return unprotected;
  const cancelled = await cancel(deps, client, at, async (sql) => {
    const deletion = await findPendingDeletion(sql, subjectType, subjectId);
    // The organization of a leaving user returns with the user.
    return deletion?.parentId === null ? { deletion, actor: caller.actor } : undefined;
  });
  return cancelled ? ok(undefined) : err(NO_SUCH_DELETION);
}

async function cancel(
  deps: SessionDeps,
  client: RequestContext,
  at: Date,
  find: (sql: Sql) => Promise<FoundDeletion | undefined>,
): Promise<Deletion | undefined> {
  const outcome = await deps.database.transaction("deletion.cancel", async (sql) => {
    const found = await find(sql);
    const deletion = found && (await lockCancellableDeletion(sql, found.deletion.id, at));
    if (!deletion) return undefined;
    const dependent = await listDependentDeletions(sql, deletion.id);
    const events: SessionEvent[] = [];
    for (const each of [deletion, ...dependent]) {
      events.push(...(await reopen(deps, sql, each, at)));
      await recordCancellation(deps, sql, each, found, client, at);
    }
    await deleteDeletion(sql, deletion.id);
    return { deletion, events };
  });
  if (outcome) await announceSuspensionChange(deps, outcome.events);
  return outcome?.deletion;
}

async function reopen(
  deps: SessionDeps,
  sql: Sql,
  { subjectType, subjectId, wasClosed }: Deletion,
  at: Date,
): Promise<readonly SessionEvent[]> {
  if (subjectType === "user") {
    await reopenUser(sql, subjectId, wasClosed, at);
    return [];
  }
  await reopenOrganization(sql, subjectId, wasClosed, at);
  return await logSuspensionChange(deps, sql, subjectId, at);
}

async function recordCancellation(
  deps: SessionDeps,
  sql: Sql,
  { id, subjectType, subjectId }: Deletion,
  { actor, mailbox }: FoundDeletion,
  client: RequestContext,
  at: Date,
): Promise<void> {
  const organizationId = subjectType === "organization" ? subjectId : null;
  const entry = userAuditEvent(deps, { ...actor, organizationId }, client, {
    action: `${subjectType}.deletion_cancelled`,
    at,
    resource: { type: subjectType, id: subjectId },
    metadata: { deletion_id: id, ...(mailbox && { mailbox }) },
  });
  await recordAudit(sql, entry);
}
