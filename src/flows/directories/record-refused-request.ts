import { inertName } from "../../base/display-name.ts";
import type { Sql } from "../../database/database.ts";
import { SCIM_PATH_LOGGED_MAX_CHARACTERS, SCIM_REFUSAL_NOTICE_PAUSE_MS } from "../../limits/directory-limits.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import type { ScimProblem } from "../../models/directory/protocol/scim-problem.ts";
import {
  DEACTIVATION_REFUSED,
  insertRefusedRequest,
  wasDeactivationRefused,
} from "../../models/directory/refused-request.ts";
import { noticeTime } from "../../models/email/email.ts";
import { findOrganization } from "../../models/organization/organization.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { mailOwners } from "../steps/email/mail-owners.ts";
import { type DirectoryCaller, type DirectoryDeps, VERSION_MISMATCH } from "./directory-caller.ts";
import { directoryLink } from "./directory-link.ts";

/** Statuses of an ordinary provisioning cycle: directories look for users that do not exist yet. */
const ORDINARY: ReadonlySet<number> = new Set([404]);
/** Statuses by which a change of a user is refused for its content. */
const OF_CONTENT: ReadonlySet<number> = new Set([400, 409, 413]);

export interface RefusedScimRequest {
  readonly method: string;
  /** Below `/scim/v2`, with a leading slash. */
  readonly path: string;
  /** The id of the addressed resource. */
  readonly resourceId: string | null;
  readonly problem: ScimProblem;
}

/** Records a refused request for administrators; a refused change of a user is also in the audit trail. */
export async function recordRefusedRequest(
  deps: DirectoryDeps,
  caller: DirectoryCaller,
  request: RefusedScimRequest,
): Promise<void> {
  const { method, path, problem } = request;
  if (ORDINARY.has(problem.status) && !problem.unknownPath) return;
  const { directory, client } = caller;
  const at = new Date(deps.clock.now());
  const { status, scimType = null } = problem;
  const requestId = client.requestId ?? "";
  const keepsLeaver = caller.omissions.deactivates && isReported(request);
  const detail = `${keepsLeaver ? DEACTIVATION_REFUSED : ""}${problem.detail}`;
  const row = { id: deps.random.uuid(), at, method, path: loggedPath(path), status, scimType, detail, requestId };
  await deps.database.transaction("directory_request.insert", async (sql) => {
    // A directory repeats a refused request for weeks.
    const since = new Date(at.getTime() - SCIM_REFUSAL_NOTICE_PAUSE_MS);
    const isNew = keepsLeaver && !(await wasDeactivationRefused(sql, directory.id, row, since));
    const inserted = insertRefusedRequest(sql, directory.id, row);
    if (changesUser(request)) {
      const { resourceId } = request;
      const resource = { type: "directory_user", id: resourceId } as const;
      const metadata = { method, status, ...(scimType === null ? {} : { scim_type: scimType }) };
      const event = { action: "directory_user.refused", outcome: "failure", at, resource, metadata } as const;
      const entry = { ...userAuditEvent(deps, caller.actor, client, event), resourceId };
      await sql`with refused as (${inserted}) ${insertAudit(sql, entry, sql`from refused`)}`;
      if (problem.protectsUser) await mailRefusal(deps, sql, caller, "directory_refused", at);
    } else {
      await inserted;
    }
    if (isNew) await mailRefusal(deps, sql, caller, "directory_deactivation_refused", at);
  });
  if (problem.protectsUser || keepsLeaver) deps.outbox.wake();
}

/** Whether a refused deactivation has a mail of its own: the directory does not repeat the request with success. */
function isReported(request: RefusedScimRequest): boolean {
  const { status, protectsUser } = request.problem;
  return (changesUser(request) && !protectsUser) || status === VERSION_MISMATCH.error.status;
}

/** Records what an accepted request named and the service left out. */
export async function recordOmissions(
  deps: DirectoryDeps,
  { directory, client, omissions }: DirectoryCaller,
  { method, path, status }: Pick<RefusedScimRequest, "method" | "path"> & { readonly status: number },
): Promise<void> {
  if (omissions.isEmpty) return;
  const detail = `Accepted, and left out: ${omissions.text}`;
  const [id, at, requestId] = [deps.random.uuid(), new Date(deps.clock.now()), client.requestId ?? ""];
  const row = { id, at, method, path: loggedPath(path), status, scimType: null, detail, requestId };
  await deps.database.run("directory_request.insert", async (sql) => {
    await insertRefusedRequest(sql, directory.id, row);
  });
}

function loggedPath(path: string): string {
  return path.slice(0, SCIM_PATH_LOGGED_MAX_CHARACTERS).replace(/[^\x20-\x7e]/g, "");
}

function changesUser({ method, path, problem }: RefusedScimRequest): boolean {
  return method !== "GET" && /^\/Users(?:\/[^.]|\/?$)/.test(path) && OF_CONTENT.has(problem.status);
}

/**
 * The directory is at odds with the organization: no owner, or no emergency access, would remain; or a leaver stays,
 * because the request has no readable form.
 */
async function mailRefusal(
  deps: DirectoryDeps,
  sql: Sql,
  { organizationId, client }: DirectoryCaller,
  kind: "directory_deactivation_refused" | "directory_refused",
  at: Date,
): Promise<void> {
  const organization = await findOrganization(sql, organizationId);
  const values = {
    organization_name: inertName(organization?.name ?? ""),
    time: noticeTime(at),
    link: directoryLink(deps),
  };
  await mailOwners(deps, sql, organizationId, { kind, values }, { client, at });
}
