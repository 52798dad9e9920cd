/** The end of a requested activation with its set-up link (docs/contract.md, section 29.52). */
import type { Sql } from "../../../database/database.ts";
import type { StoreDeps } from "../../../deps.ts";
import { findLinkOfConnection } from "../../../models/setup-link/setup-link.ts";
import type { SsoConnection } from "../../../models/sso-connection/sso-connection.ts";
import { findCreator } from "../../steps/authorization/authorize-setup-link.ts";

/**
 * The connection without a request whose set-up link was revoked or has expired, or whose creator has lost a permission
 * of the link. A completion is the regular end of a set-up and keeps the request. Inside a transaction.
 */
export async function withoutEndedRequest(sql: Sql, connection: SsoConnection, at: Date): Promise<SsoConnection> {
  if (connection.activationRequestedAt === null) return connection;
  const link = await findLinkOfConnection(sql, connection.id, at);
  const isWaiting =
    link?.status === "completed" || (link?.status === "begun" && (await findCreator(sql, link)) !== undefined);
  return isWaiting ? connection : { ...connection, activationRequestedAt: null };
}

/** As `withoutEndedRequest`, for the page of a connection. */
export async function readWithoutEndedRequest(
  { database, clock }: StoreDeps,
  connection: SsoConnection,
): Promise<SsoConnection> {
  if (connection.activationRequestedAt === null) return connection;
  const at = new Date(clock.now());
  return await database.transaction("sso_connection.find_request", (sql) => withoutEndedRequest(sql, connection, at));
}
