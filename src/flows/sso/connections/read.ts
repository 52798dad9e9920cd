import { changedMeanwhile, type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { type Listing, type Page, pageBounds } from "../../../database/listing.ts";
import type { Deps, StoreDeps } from "../../../deps.ts";
import { SSO_ATTEMPT_LIFETIME_MS } from "../../../limits/sso-limits.ts";
import { listAttempts, type SsoAttempt } from "../../../models/sso-connection/attempt.ts";
import { listServiceKeys, type ServiceKey } from "../../../models/sso-connection/service-key.ts";
import { findConnection, listConnections, type SsoConnection } from "../../../models/sso-connection/sso-connection.ts";
import type { OrganizationCaller } from "../../steps/authorization/authorize-member.ts";

export const NO_SUCH_CONNECTION = refusal("not_found", "There is no such connection.");
/** The problem of a form or request with another version of the connection than the stored version. */
export const CHANGED_SINCE = changedMeanwhile("The connection has changed meanwhile.");

/** A connection as administrators of the organization read the connection. */
export interface ConnectionView {
  readonly connection: SsoConnection;
  readonly serviceKeys: readonly ServiceKey[];
}

export interface ConnectionReference {
  readonly caller: OrganizationCaller;
  readonly connectionId: string;
}

/** GET /v1/orgs/:org_id/sso/connections (docs/contract.md, section 29.6). */
export async function listOrganizationConnections(
  deps: Pick<Deps, "reads">,
  { caller, page }: { readonly caller: OrganizationCaller; readonly page: Page },
): Promise<Result<Listing<ConnectionView>, never>> {
  const found = await deps.reads.run("sso_connection.list", caller.reader, (sql) =>
    listConnections(sql, caller.organizationId, pageBounds(page)),
  );
  const ids = found.items.map(({ id }) => id);
  const keys = await deps.reads.run("sso_service_key.list", caller.reader, (sql) => listServiceKeys(sql, ids));
  const items = found.items.map((connection) => viewOf(connection, keys));
  return ok({ ...page, total: found.total, items });
}

/** GET /v1/orgs/:org_id/sso/connections/:id (docs/contract.md, section 29.6). */
export async function readConnection(
  deps: Pick<Deps, "database">,
  { caller, connectionId }: ConnectionReference,
): Promise<Result<ConnectionView, Refusal<"not_found">>> {
  const connection = await deps.database.run("sso_connection.find", (sql) =>
    findConnection(sql, caller.organizationId, connectionId),
  );
  return connection ? ok(await withServiceKeys(deps, connection)) : err(NO_SUCH_CONNECTION);
}

export async function withServiceKeys(
  { database }: Pick<Deps, "database">,
  connection: SsoConnection,
): Promise<ConnectionView> {
  const keys = await database.run("sso_service_key.list", (sql) => listServiceKeys(sql, [connection.id]));
  return viewOf(connection, keys);
}

function viewOf(connection: SsoConnection, keys: readonly ServiceKey[]): ConnectionView {
  return { connection, serviceKeys: keys.filter(({ connectionId }) => connectionId === connection.id) };
}

/** GET …/:id/attempts (docs/contract.md, section 29.8). */
export async function listConnectionAttempts(
  deps: StoreDeps & Pick<Deps, "reads">,
  { page, ...input }: ConnectionReference & { readonly page: Page },
): Promise<Result<Listing<SsoAttempt>, Refusal<"not_found">>> {
  const found = await readConnection(deps, input);
  if (!found.ok) return found;
  const since = new Date(deps.clock.now() - SSO_ATTEMPT_LIFETIME_MS);
  const attempts = await deps.reads.run("sso_attempt.list", input.caller.reader, (sql) =>
    listAttempts(sql, input.connectionId, since, pageBounds(page)),
  );
  return ok({ ...page, ...attempts });
}
