import { inertName } from "../../base/display-name.ts";
import type { Sql } from "../../database/database.ts";
import { DOMAIN_MAIL_RECIPIENTS_MAX } from "../../limits/sso-limits.ts";
import { SSO_CONFLICT_NOTICE_PAUSE_MS } from "../../limits/sso-sign-in-limits.ts";
import { insertEmail, noticeTime } from "../../models/email/email.ts";
import { hasAttemptSince } from "../../models/sso-connection/attempt.ts";
import { listResponsibleUsers } from "../../models/user/user.ts";
import { composeEmail } from "../steps/email/compose-email.ts";
import type { SsoDeps } from "./connection.ts";
import type { ProvisioningInput } from "./provisioning-input.ts";

/**
 * Reports a second subject with the address of a member to the owners: at an identity provider where users edit their
 * own address, a second user must not become the first. One mail a day for a member: repetition is free of effort.
 */
export async function reportConflict(
  deps: SsoDeps,
  sql: Sql,
  { connection, asserted, client, at }: ProvisioningInput,
  userId: string | null,
): Promise<void> {
  const conflict = { connectionId: connection.id, userId, reason: "identity_conflict" } as const;
  if (await hasAttemptSince(sql, conflict, new Date(at.getTime() - SSO_CONFLICT_NOTICE_PAUSE_MS))) return;
  const owners = await listResponsibleUsers(sql, connection.organizationId, DOMAIN_MAIL_RECIPIENTS_MAX);
  const values = {
    address: inertName(asserted.email ?? ""),
    connection: inertName(connection.name),
    time: noticeTime(at),
    link: `${deps.config.urls.publicBaseUrl}/team/single-sign-on`,
  };
  const mail = { kind: "sso_identity_conflict", values } as const;
  const tenants = { organizationId: connection.organizationId };
  for (const to of owners) {
    await insertEmail(sql, composeEmail(deps, { to, mail, tenants, client, at }));
  }
}
