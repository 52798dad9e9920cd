import { inertName } from "../../base/display-name.ts";
import type { Sql } from "../../database/database.ts";
import { DOMAIN_MAIL_RECIPIENTS_MAX } from "../../limits/sso-limits.ts";
import { insertEmail, noticeTime } from "../../models/email/email.ts";
import { listResponsibleUsers } from "../../models/user/user.ts";
import { composeEmail } from "../steps/email/compose-email.ts";
import type { SsoDeps } from "./connection.ts";
import type { ProvisioningInput } from "./provisioning-input.ts";

/**
 * Reports a second subject with the address of a member to the owners: at an identity provider where users edit their
 * own address, a second user must not become the first.
 */
export async function reportConflict(
  deps: SsoDeps,
  sql: Sql,
  { connection, asserted, client, at }: ProvisioningInput,
): Promise<void> {
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
