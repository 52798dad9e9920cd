/** The notice of a wider template to the organizations that use the template (docs/contract.md, section 32.8). */
import { inertName } from "../../base/display-name.ts";
import type { RequestContext } from "../../base/request-context.ts";
import type { Sql } from "../../database/database.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import { noticeTime } from "../../models/email/email.ts";
import { findOrganizationNames } from "../../models/organization/organization.ts";
import type { OrganizationRole } from "../../models/organization-role/organization-role.ts";
import { listOrganizationsWithUse } from "../../models/organization-role/role-use.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import type { PlatformCaller } from "../steps/authorization/authorize-platform-role.ts";
import type { ComposeDeps } from "../steps/email/compose-email.ts";
import { mailOwners } from "../steps/email/mail-owners.ts";

interface Widening {
  /** The administrator who widens the template. */
  readonly caller: PlatformCaller;
  readonly client: RequestContext;
  readonly before: OrganizationRole;
  readonly after: OrganizationRole;
  readonly at: Date;
}

/**
 * Records the added permissions in each organization that uses the template, and queues an email to its owners, in the
 * transaction of the change. Without an added permission nothing happens.
 */
export async function reportWidenedTemplate(deps: ComposeDeps, sql: Sql, widening: Widening): Promise<void> {
  const { caller, client, before, after, at } = widening;
  const added = after.permissions.filter((permission) => !before.permissions.includes(permission));
  if (added.length === 0) return;
  const organizationIds = await listOrganizationsWithUse(sql, after.id, at);
  const names = await findOrganizationNames(sql, organizationIds);
  const link = `${deps.config.urls.publicBaseUrl}/team/roles/${after.id}`;
  const values = { role_name: inertName(after.name), added: added.join(", "), time: noticeTime(at), link };
  for (const organizationId of organizationIds) {
    const actor = { ...caller.actor, organizationId };
    const metadata = { key: after.key, added: added.join(" ") };
    const resource = { type: "role", id: after.id } as const;
    const event = { action: "role.template_widened", at, resource, metadata } as const;
    await recordAudit(sql, userAuditEvent(deps, actor, client, event));
    const organization_name = inertName(names.get(organizationId) ?? "");
    const mail = { kind: "role_template_widened", values: { ...values, organization_name } } as const;
    await mailOwners(deps, sql, organizationId, mail, { client, at });
  }
}
