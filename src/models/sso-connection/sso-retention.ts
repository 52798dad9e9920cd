/** Deletion of rows of single sign-on past their retention. */
import { deleteRowsBefore, deleteSurplusRows, type RetentionStatement } from "../../database/retention.ts";
import { SSO_ATTEMPTS_MAX } from "../../limits/sso-limits.ts";

/** Tables whose rows end at `expires_at`. */
type ExpiringTable = "sso_consumed" | "sso_outcomes" | "sso_requests" | "sso_tests";

export function deleteExpiredOf(table: ExpiringTable): RetentionStatement {
  return deleteRowsBefore(table, "expires_at");
}

export const deleteOldAttempts = deleteRowsBefore("sso_attempts", "at");

export const deleteSurplusAttempts = deleteSurplusRows({
  table: "sso_attempts",
  parent: "sso_connections",
  reference: "connection_id",
  max: SSO_ATTEMPTS_MAX,
});
