import { inertName } from "../../../base/display-name.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import type { Sql } from "../../../database/database.ts";
import type { EmailDeps } from "../../../deps.ts";
import { recordAudit } from "../../../models/audit/audit.ts";
import { insertEmail } from "../../../models/email/email.ts";
import type { HeldConnection } from "../../../models/sso-connection/held-connection.ts";
import { insertSsoIdentity, type SsoIdentity, takeOverIdentity } from "../../../models/sso-identity/sso-identity.ts";
import { findRecipient } from "../../../models/user/user.ts";
import { userAuditEvent } from "../../steps/audit/audit-event.ts";
import { composeEmail, noticeDetails } from "../../steps/email/compose-email.ts";

export interface SubjectLink {
  readonly connection: Pick<HeldConnection, "id" | "organizationId" | "organization">;
  readonly subject: string;
  readonly userId: string;
  readonly linkedBy: SsoIdentity["linkedBy"];
  readonly client: RequestContext;
  readonly at: Date;
}

/** Links a subject to a user, inside a transaction. Returns the id of the identity. */
export async function linkSubject(
  deps: EmailDeps,
  sql: Sql,
  { connection, subject, userId, linkedBy, client, at }: SubjectLink,
): Promise<string> {
  const id = deps.random.uuid();
  await insertSsoIdentity(sql, { id, connectionId: connection.id, subject, userId, linkedBy, at });
  await recordLink(deps, sql, { connection, userId, linkedBy, client, at });
  return id;
}

/** Makes a link by a domain or a directory the user's own link, inside a transaction. Returns the id. */
export async function takeOverLink(deps: EmailDeps, sql: Sql, id: string, link: SubjectLink): Promise<string> {
  await takeOverIdentity(sql, id);
  await recordLink(deps, sql, link);
  return id;
}

async function recordLink(
  deps: EmailDeps,
  sql: Sql,
  { connection, userId, linkedBy, client, at }: Omit<SubjectLink, "subject">,
): Promise<void> {
  const { id: connectionId, organizationId } = connection;
  const metadata = { connection_id: connectionId, linked_by: linkedBy };
  const event = { action: "auth.sso.linked", at, metadata } as const;
  await recordAudit(sql, userAuditEvent(deps, { userId, organizationId }, client, event));
}

/** Informs an existing user about the new sign-in method. */
export async function notifyLinked(
  deps: EmailDeps,
  sql: Sql,
  { connection: { organizationId, organization }, userId, client, at }: Omit<SubjectLink, "linkedBy" | "subject">,
): Promise<void> {
  const to = await findRecipient(sql, userId);
  if (!to) return;
  const values = { ...noticeDetails(client, at), organization_name: inertName(organization.name) };
  const mail = { kind: "sso_linked", values } as const;
  await insertEmail(sql, composeEmail(deps, { to, mail, tenants: { organizationId }, client, at }));
}
