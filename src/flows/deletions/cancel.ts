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
  listDependentDeletions,
  lockCancellableDeletion,
  type SubjectType,
} from "../../models/deletion/deletion.ts";
import { reopenOrganization } from "../../models/organization/closing.ts";
import type { SessionEvent } from "../../models/session/revocation.ts";
import { reopenUser } from "../../models/user/closing.ts";
import { type Actor, userAuditEvent } from "../steps/audit/audit-event.ts";
import type { PlatformCaller } from "../steps/authorization/authorize-platform-role.ts";
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
  const cancelled = await cancel(deps, client, at, undefined, (sql) => findDeletionByToken(sql, hashToken(token), at));
  return cancelled ? ok({ subjectType: cancelled.subjectType }) : err(DEAD_LINK);
}

/** The user or organization of a link that still cancels, for the page; consumes nothing. */
export async function readDeletionLink(
  { database, clock }: Pick<SessionDeps, "database" | "clock">,
  token: string,
): Promise<SubjectType | undefined> {
  if (!isOpaqueToken(token)) return undefined;
  const at = new Date(clock.now());
  const found = await database.run("deletion.find_by_token", (sql) => findDeletionByToken(sql, hashToken(token), at));
  return found?.subjectType;
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
): Promise<Result<void, Refusal<"not_found">>> {
  const at = new Date(deps.clock.now());
  const cancelled = await cancel(deps, client, at, caller.actor, async (sql) => {
    const found = await findPendingDeletion(sql, subjectType, subjectId);
    // The organization of a leaving user returns with the user.
    return found?.parentId === null ? found : undefined;
  });
  return cancelled ? ok(undefined) : err(NO_SUCH_DELETION);
}

/** `actor`: undefined for a mailed link, which acts for the user or the owner who requested the deletion. */
async function cancel(
  deps: SessionDeps,
  client: RequestContext,
  at: Date,
  actor: Actor | undefined,
  find: (sql: Sql) => Promise<Deletion | undefined>,
): Promise<Deletion | undefined> {
  const outcome = await deps.database.transaction("deletion.cancel", async (sql) => {
    const found = await find(sql);
    const deletion = found && (await lockCancellableDeletion(sql, found.id, at));
    if (!deletion) return undefined;
    const dependent = await listDependentDeletions(sql, deletion.id);
    const events: SessionEvent[] = [];
    for (const each of [deletion, ...dependent]) {
      events.push(...(await reopen(deps, sql, each, at)));
      await recordCancellation(deps, sql, each, actor, client, at);
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
  { subjectType, subjectId, closedOtherwise }: Deletion,
  at: Date,
): Promise<readonly SessionEvent[]> {
  if (subjectType === "user") {
    await reopenUser(sql, subjectId, closedOtherwise, at);
    return [];
  }
  await reopenOrganization(sql, subjectId, closedOtherwise, at);
  return await logSuspensionChange(deps, sql, subjectId, at);
}

async function recordCancellation(
  deps: SessionDeps,
  sql: Sql,
  { id, subjectType, subjectId, requestedBy }: Deletion,
  actor: Actor | undefined,
  client: RequestContext,
  at: Date,
): Promise<void> {
  const organizationId = subjectType === "organization" ? subjectId : null;
  const acting = actor ?? { userId: subjectType === "user" ? subjectId : (requestedBy ?? subjectId), organizationId };
  const entry = userAuditEvent(deps, { ...acting, organizationId }, client, {
    action: `${subjectType}.deletion_cancelled`,
    at,
    resource: { type: subjectType, id: subjectId },
    metadata: { deletion_id: id },
  });
  await recordAudit(sql, entry);
}
