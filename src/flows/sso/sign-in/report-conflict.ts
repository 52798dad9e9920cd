import { inertName } from "../../../base/display-name.ts";
import type { Sql } from "../../../database/database.ts";
import { SSO_CONFLICT_NOTICE_PAUSE_MS } from "../../../limits/sso-sign-in-limits.ts";
import { noticeTime } from "../../../models/email/email.ts";
import { hasAttemptSince } from "../../../models/sso-connection/attempt.ts";
import { mailOwners } from "../../steps/email/mail-owners.ts";
import { singleSignOnPageUrl } from "../../steps/email/single-sign-on-page-url.ts";
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
  const values = {
    address: inertName(asserted.email ?? ""),
    connection: inertName(connection.name),
    time: noticeTime(at),
    link: singleSignOnPageUrl(deps.config.urls.publicBaseUrl),
  };
  const mail = { kind: "sso_identity_conflict", values } as const;
  await mailOwners(deps, sql, connection.organizationId, mail, { client, at });
}
