/** Requests of members for an application that the policy of their organization does not permit yet. */
import type { RequestContext } from "../../base/request-context.ts";
import type { StoreDeps } from "../../deps.ts";
import { APPLICATION_REQUESTS_MAX } from "../../limits/policy-limits.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import {
  type ApplicationStatus,
  findApplicationStatus,
  insertApplicationRequest,
} from "../../models/organization-application/organization-application.ts";
import type { SessionView } from "../../models/session/session.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";

interface ApplicationOfSession {
  readonly session: SessionView;
  readonly clientId: string;
}

/** The request or decision about an application in the organization of the session, if any. */
export async function readApplicationStatus(
  { database }: Pick<StoreDeps, "database">,
  { session: { organizationId }, clientId }: ApplicationOfSession,
): Promise<ApplicationStatus | undefined> {
  return await database.run("organization_application.find", (sql) =>
    findApplicationStatus(sql, { organizationId, clientId }),
  );
}

/**
 * Records the request of a member for the administrators (docs/contract.md, section 23.31). A further request for the
 * application changes nothing. False: too many requests wait for a decision.
 */
export async function requestApplication(
  deps: StoreDeps,
  { session, clientId, client }: ApplicationOfSession & { readonly client: RequestContext },
): Promise<boolean> {
  const { organizationId, userId } = session;
  const at = new Date(deps.clock.now());
  const audit = userAuditEvent(deps, session, client, {
    action: "organization.application_requested",
    at,
    resource: { type: "oauth_client", id: clientId },
  });
  await deps.database.run(
    "organization_application.request",
    (sql) => sql`
      with requested as (
        ${insertApplicationRequest(sql, { organizationId, clientId, userId, at }, APPLICATION_REQUESTS_MAX)}
      )
      ${insertAudit(sql, audit, sql`from requested`)}`,
  );
  return (await readApplicationStatus(deps, { session, clientId })) !== undefined;
}
