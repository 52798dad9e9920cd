import { inertName } from "../../base/display-name.ts";
import type { Sql } from "../../database/database.ts";
import { SCIM_PATH_LOGGED_MAX_CHARACTERS } from "../../limits/directory-limits.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import type { ScimProblem } from "../../models/directory/protocol/scim-problem.ts";
import { insertRefusedRequest } from "../../models/directory/refused-request.ts";
import { noticeTime } from "../../models/email/email.ts";
import { findOrganization } from "../../models/organization/organization.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { mailOwners } from "../steps/email/mail-owners.ts";
import type { DirectoryCaller, DirectoryDeps } from "./directory-caller.ts";
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
  if (ORDINARY.has(problem.status)) return;
  const { directory, client } = caller;
  const at = new Date(deps.clock.now());
  const { status, scimType = null, detail } = problem;
  const logged = path.slice(0, SCIM_PATH_LOGGED_MAX_CHARACTERS).replace(/[^\x20-\x7e]/g, "");
  const requestId = client.requestId ?? "";
  const row = { id: deps.random.uuid(), at, method, path: logged, status, scimType, detail, requestId };
  await deps.database.transaction("directory_request.insert", async (sql) => {
    const inserted = insertRefusedRequest(sql, directory.id, row);
    if (!changesUser(request)) {
      await inserted;
      return;
    }
    const { resourceId } = request;
    const resource = { type: "directory_user", id: resourceId } as const;
    const metadata = { method, status, ...(scimType === null ? {} : { scim_type: scimType }) };
    const event = { action: "directory_user.refused", outcome: "failure", at, resource, metadata } as const;
    const entry = { ...userAuditEvent(deps, caller.actor, client, event), resourceId };
    await sql`with refused as (${inserted}) ${insertAudit(sql, entry, sql`from refused`)}`;
    if (problem.protectsUser) await reportProtectedUser(deps, sql, caller, at);
  });
  if (problem.protectsUser) deps.outbox.wake();
}

function changesUser({ method, path, problem }: RefusedScimRequest): boolean {
  return method !== "GET" && /^\/Users(?:\/[^.]|\/?$)/.test(path) && OF_CONTENT.has(problem.status);
}

/** The directory is at odds with the organization: no owner, or no emergency access, would remain. */
async function reportProtectedUser(
  deps: DirectoryDeps,
  sql: Sql,
  { organizationId, client }: DirectoryCaller,
  at: Date,
): Promise<void> {
  const organization = await findOrganization(sql, organizationId);
  const values = {
    organization_name: inertName(organization?.name ?? ""),
    time: noticeTime(at),
    link: directoryLink(deps),
  };
  await mailOwners(deps, sql, organizationId, { kind: "directory_refused", values }, { client, at });
}
