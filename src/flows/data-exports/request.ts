import { type Refusal, rateLimited, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import { type Listing, type Page, pageBounds } from "../../database/listing.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { DATA_EXPORT_INTERVAL_MS } from "../../limits/deletion-limits.ts";
import { STEP_UP_WINDOW_MS } from "../../limits/factor-limits.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import {
  type DataExport,
  findExportSince,
  insertDataExport,
  listDataExports,
} from "../../models/data-export/data-export.ts";
import type { ActingSession } from "../../models/session/acting-session.ts";
import type { SessionView } from "../../models/session/session.ts";
import { lockUser } from "../../models/user/user.ts";
import { type Actor, userAuditEvent } from "../steps/audit/audit-event.ts";
import type { PlatformCaller } from "../steps/authorization/authorize-platform-role.ts";
import { confirmPasswordOrStepUp } from "../steps/authorization/confirm-identity.ts";
import { refuseProtected } from "../steps/authorization/protected-users.ts";
import {
  asActingSession,
  authorizeCredentialChange,
  changeCredentials,
} from "../steps/credentials/change-credentials.ts";

export type ExportDeps = SignInDeps & Pick<Deps, "dataRequests">;

export interface OwnExport {
  readonly caller: SessionView;
  /** The result of `authorizeCredentialChange`. */
  readonly authorized?: ActingSession;
  readonly password: string | undefined;
  readonly client: RequestContext;
}

export type ExportProblem = "authentication_required" | "conflict" | "mfa_required" | "rate_limited";

/**
 * POST /v1/users/me/export (docs/contract.md, section 30.5): requests a copy of the caller's data, once a day. A
 * replica makes the copy outside of the request and sends an email.
 */
export async function requestOwnExport(
  deps: ExportDeps,
  { caller, authorized, password, client }: OwnExport,
): Promise<Result<DataExport, Refusal<ExportProblem>>> {
  const outcome = await changeCredentials<DataExport, "authentication_required" | "mfa_required", ExportProblem>(
    deps,
    caller,
    authorizeCredentialChange,
    async (acting) => {
      const confirmed = isRecentSignIn(deps, acting)
        ? ok(undefined)
        : await confirmPasswordOrStepUp(deps, { caller, acting, password, client });
      if (!confirmed.ok) return confirmed;
      return await asActingSession(deps, "data_export.request", acting, (sql) =>
        persistRequest(deps, sql, acting.userId, caller, client),
      );
    },
    authorized,
  );
  if (outcome.ok) deps.dataRequests.wake();
  return outcome;
}

/** A sign-in within the last five minutes counts like a password within five minutes. */
function isRecentSignIn({ clock }: Pick<Deps, "clock">, { authTime }: ActingSession): boolean {
  return clock.now() - authTime < STEP_UP_WINDOW_MS;
}

/** POST /v1/admin/users/:id/export: the user, and no administrator, receives the link. */
export async function requestExportFor(
  deps: ExportDeps,
  {
    caller,
    userId,
    client,
  }: { readonly caller: PlatformCaller; readonly userId: string; readonly client: RequestContext },
): Promise<Result<DataExport, Refusal<"forbidden" | "not_found" | "rate_limited">>> {
  const outcome = await deps.database.transaction("data_export.request", async (sql) => {
    const [user] = await sql`${lockUser(sql, userId)}`;
    if (!user) return err(refusal("not_found", "There is no such user."));
    const unprotected = await refuseProtected(sql, caller, [userId]);
    if (!unprotected.ok) return unprotected;
    return await persistRequest(deps, sql, userId, caller.actor, client);
  });
  if (outcome.ok) deps.dataRequests.wake();
  return outcome;
}

async function persistRequest(
  deps: ExportDeps,
  sql: Sql,
  userId: string,
  actor: Actor,
  client: RequestContext,
): Promise<Result<DataExport, Refusal<"rate_limited">>> {
  const at = new Date(deps.clock.now());
  const recent = await findExportSince(sql, userId, new Date(at.getTime() - DATA_EXPORT_INTERVAL_MS));
  if (recent) {
    const retryMs = recent.requestedAt.getTime() + DATA_EXPORT_INTERVAL_MS - at.getTime();
    return err(rateLimited("data_exports", retryMs / 1000, "an export was requested within a day"));
  }
  const id = deps.random.uuid();
  const entry = userAuditEvent(deps, actor, client, {
    action: "user.export_requested",
    at,
    resource: { type: "user", id: userId },
    metadata: { export_id: id },
  });
  await sql`
    with requested as (${insertDataExport(sql, { id, userId, at })})
    ${insertAudit(sql, entry, sql``)}`;
  return ok({ id, userId, status: "pending", bytes: null, requestedAt: at, completedAt: null, expiresAt: null });
}

/** GET /v1/users/me/exports. */
export async function listOwnExports(
  { database }: Pick<Deps, "database">,
  { caller, page }: { readonly caller: SessionView; readonly page: Page },
): Promise<Listing<DataExport>> {
  const found = await database.run("data_export.list", (sql) => listDataExports(sql, caller.userId, pageBounds(page)));
  return { ...page, ...found };
}
