/** The keys of the service for `private_key_jwt` (docs/contract.md, section 29.8). */
import { invalidInput } from "../../../base/invalid-input.ts";
import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Sql } from "../../../database/database.ts";
import type { Deps } from "../../../deps.ts";
import { recordAudit } from "../../../models/audit/audit.ts";
import {
  deleteServiceKey,
  hasServiceKey,
  insertServiceKey,
  moveServiceKey,
} from "../../../models/sso-connection/service-key.ts";
import {
  findConnection,
  lockConnection,
  type SsoConnection,
  touchConnection,
} from "../../../models/sso-connection/sso-connection.ts";
import { type ConnectionInput, connectionAuditEvent } from "./audit-connection.ts";
import type { SsoConnectionDeps } from "./create.ts";
import { makeServiceKey } from "./make-service-key.ts";
import { type ConnectionView, NO_SUCH_CONNECTION, withServiceKeys } from "./read.ts";

type KeyProblem = Refusal<"conflict" | "not_found">;

const NO_CONFIG_KEY = invalidInput("body", "not_allowed", "keys cannot be stored while SERVICE_CONFIG_KEY is unset");
const HAS_NEXT = refusal("conflict", "The connection has a next key already.");
const NO_NEXT = refusal("conflict", "The connection has no next key.");
const NO_PREVIOUS = refusal("not_found", "The connection has no previous key.");

/** POST …/:id/service-key: makes the next key; the first key of a connection is the current key. */
export async function addServiceKey(
  deps: SsoConnectionDeps,
  input: ConnectionInput,
): Promise<Result<ConnectionView, KeyProblem | Refusal<"invalid_input">>> {
  const sealing = deps.configKeys.current;
  if (!sealing) return err(NO_CONFIG_KEY);
  const problem = await problemOfNextKey(deps, input);
  if (problem) return err(problem);
  const key = await makeServiceKey(deps, sealing, input.connectionId, "next");
  return await changeKeys(deps, input, "added", async (sql) => {
    const [current] = await insertServiceKey(sql, { ...key, status: "current" });
    const [next] = current ? [current] : await insertServiceKey(sql, key);
    return next ? undefined : HAS_NEXT;
  });
}

/** A refused request makes no RSA key. The transaction of the change decides about parallel requests. */
async function problemOfNextKey(deps: SsoConnectionDeps, input: ConnectionInput): Promise<KeyProblem | undefined> {
  const { caller, connectionId } = input;
  return await deps.database.run("sso_service_key.check", async (sql) => {
    if (!(await findConnection(sql, caller.organizationId, connectionId))) return NO_SUCH_CONNECTION;
    return (await hasServiceKey(sql, connectionId, "next")) ? HAS_NEXT : undefined;
  });
}

/** POST …/:id/service-key/promote: the next key signs, the current key is published as the previous key. */
export async function promoteServiceKey(
  deps: SsoConnectionDeps,
  input: ConnectionInput,
): Promise<Result<ConnectionView, KeyProblem>> {
  return await changeKeys(deps, input, "promoted", async (sql) => {
    if (!(await hasServiceKey(sql, input.connectionId, "next"))) return NO_NEXT;
    await deleteServiceKey(sql, input.connectionId, "previous");
    await moveServiceKey(sql, input.connectionId, "current", "previous");
    await moveServiceKey(sql, input.connectionId, "next", "current");
    return undefined;
  });
}

/** DELETE …/:id/service-key/previous: the key is no longer published. */
export async function removePreviousServiceKey(
  deps: SsoConnectionDeps,
  input: ConnectionInput,
): Promise<Result<void, KeyProblem>> {
  const removed = await changeKeys(deps, input, "previous_deleted", async (sql) => {
    const [deleted] = await deleteServiceKey(sql, input.connectionId, "previous");
    return deleted ? undefined : NO_PREVIOUS;
  });
  return removed.ok ? ok(undefined) : removed;
}

/** Changes the keys of a locked connection. `apply` returns a problem before any write. */
async function changeKeys(
  deps: SsoConnectionDeps,
  input: ConnectionInput,
  change: "added" | "previous_deleted" | "promoted",
  apply: (sql: Sql) => Promise<KeyProblem | undefined>,
): Promise<Result<ConnectionView, KeyProblem>> {
  const at = new Date(deps.clock.now());
  const entry = connectionAuditEvent(deps, input, "sso.connection.service_key_changed", at, { change });
  const changed = await deps.database.transaction<Result<SsoConnection, KeyProblem>>(
    "sso_service_key.change",
    async (sql) => {
      const connection = await lockConnection(sql, input.caller.organizationId, input.connectionId);
      if (!connection) return err(NO_SUCH_CONNECTION);
      const problem = await apply(sql);
      if (problem) return err(problem);
      await touchConnection(sql, connection.id, at);
      await recordAudit(sql, entry);
      return ok(connection);
    },
  );
  if (!changed.ok) return changed;
  await deps.ssoDirectory.changed();
  return ok(await withServiceKeys(deps, changed.value));
}

/** GET /v1/auth/sso/:connection_id/jwks: the public keys, from memory. */
export function publishedKeys(
  { ssoDirectory }: Pick<Deps, "ssoDirectory">,
  connectionId: string,
): Result<readonly Readonly<Record<string, string>>[], Refusal<"not_found">> {
  const connection = ssoDirectory.find(connectionId);
  return connection ? ok(connection.serviceKeys.map(({ publicJwk }) => publicJwk)) : err(NO_SUCH_CONNECTION);
}
