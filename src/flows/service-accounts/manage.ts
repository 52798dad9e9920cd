import { NAME_RULE, normalizeName } from "../../base/display-name.ts";
import { invalidInput } from "../../base/invalid-input.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import { type Listing, type Page, pageBounds } from "../../database/listing.ts";
import { cte, lockName } from "../../database/statement.ts";
import type { Deps, SessionDeps, StoreDeps } from "../../deps.ts";
import { SERVICE_ACCOUNTS_MAX } from "../../limits/machine-limits.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { liveKeysOf } from "../../models/service-account/api-key.ts";
import {
  deleteServiceAccount,
  findServiceAccount,
  insertServiceAccount,
  listServiceAccounts,
  type ServiceAccount,
} from "../../models/service-account/service-account.ts";
import { trustsOf } from "../../models/service-account/trust.ts";
import { type EventRow, eventColumns, logRevocations, toEvent } from "../../models/session/revocation.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import type {
  ServiceAccountAdmin,
  ServiceAccountAuthor,
  ServiceAccountReader,
} from "../steps/authorization/authorize-service-accounts.ts";
import { endCreatedBy } from "../steps/sessions/end-created-keys.ts";
import { keyRevocation } from "../steps/sessions/read-ended.ts";

const TOO_MANY = refusal("conflict", `There are ${SERVICE_ACCOUNTS_MAX} service accounts already.`);
const NO_SUCH_ACCOUNT = refusal("not_found", "There is no such service account.");

export interface CreateAccountInput {
  readonly caller: ServiceAccountAuthor;
  readonly name: string;
  readonly client: RequestContext;
}

/** POST …/service-accounts (docs/contract.md, section 25.2). */
export async function createServiceAccount(
  deps: StoreDeps,
  { caller, name: given, client }: CreateAccountInput,
): Promise<Result<ServiceAccount, Refusal<"conflict" | "invalid_input">>> {
  const name = normalizeName(given);
  if (name === undefined) return err(invalidInput("name", "format", NAME_RULE));
  return await deps.database.transaction("service_account.create", async (sql) => {
    await lockAccounts(sql, caller.organizationId);
    return await insertAccount(deps, sql, { caller, name, client });
  });
}

/** Creations of accounts run in sequence. */
export async function lockAccounts(sql: Sql, organizationId: string | null): Promise<void> {
  await lockName(sql, `service accounts of ${organizationId}`);
}

/** Inserts an account with a normalized name, in the transaction that holds `lockAccounts`. */
export async function insertAccount(
  deps: Pick<StoreDeps, "clock" | "random">,
  sql: Sql,
  { caller, name, client }: CreateAccountInput,
): Promise<Result<ServiceAccount, Refusal<"conflict">>> {
  const account: ServiceAccount = {
    id: deps.random.uuid(),
    organizationId: caller.organizationId,
    name,
    createdBy: caller.responsibleId,
    createdAt: new Date(deps.clock.now()),
  };
  const entry = userAuditEvent(deps, caller.actor, client, {
    action: "service_account.created",
    at: account.createdAt,
    resource: { type: "service_account", id: account.id },
    metadata: { name },
  });
  const rows = await sql`
    with created as (${insertServiceAccount(sql, account, SERVICE_ACCOUNTS_MAX)}),
    audit as (${insertAudit(sql, entry, sql`from created`)})
    select 1 from created`;
  return rows.length > 0 ? ok(account) : err(TOO_MANY);
}

/** GET …/service-accounts (docs/contract.md, section 25.2). */
export async function listAccounts(
  deps: Pick<Deps, "reads">,
  { caller, page }: { readonly caller: ServiceAccountReader; readonly page: Page },
): Promise<Result<Listing<ServiceAccount>, never>> {
  const found = await deps.reads.run("service_account.list", caller.reader, (sql) =>
    listServiceAccounts(sql, caller.organizationId, pageBounds(page)),
  );
  return ok({ ...page, ...found });
}

export interface AccountInput {
  readonly caller: ServiceAccountAdmin;
  readonly accountId: string;
  readonly client: RequestContext;
}

/** The account, if the caller may see the account. */
export async function findManagedAccount(
  deps: Pick<Deps, "database">,
  caller: Pick<ServiceAccountReader, "organizationId">,
  accountId: string,
): Promise<Result<ServiceAccount, Refusal<"not_found">>> {
  const account = await deps.database.run("service_account.find", (sql) =>
    findServiceAccount(sql, accountId, caller.organizationId),
  );
  return account ? ok(account) : err(NO_SUCH_ACCOUNT);
}

/**
 * DELETE …/service-accounts/:id (docs/contract.md, section 25.2): the account's keys are refused on every replica
 * within a second (G55).
 */
export async function removeServiceAccount(
  deps: SessionDeps,
  { caller, accountId, client }: AccountInput,
): Promise<Result<void, Refusal<"not_found">>> {
  const found = await findManagedAccount(deps, caller, accountId);
  if (!found.ok) return found;
  const at = new Date(deps.clock.now());
  const entry = userAuditEvent(deps, caller.actor, client, {
    action: "service_account.deleted",
    at,
    resource: { type: "service_account", id: accountId },
    metadata: { name: found.value.name },
  });
  const revocation = keyRevocation(deps, at);
  const events = await deps.database.transaction("service_account.delete", async (sql) => {
    // Locked first: a creation by a key of the account either waits and is refused, or is found below.
    const keys = await sql<{ id: string }[]>`${liveKeysOf(sql, accountId, at)} for update`;
    const trusts = await sql<{ id: string }[]>`${trustsOf(sql, accountId)} for update`;
    const rows = await sql<EventRow[]>`
      with keys as (${liveKeysOf(sql, accountId, at)} union all ${trustsOf(sql, accountId)}),
      events as (${logRevocations(sql, cte(sql, "keys"), revocation)}),
      deleted as (${deleteServiceAccount(sql, accountId)}),
      audit as (${insertAudit(sql, entry, sql`from deleted`)})
      select ${eventColumns(sql)} from events e`;
    const ids = [...keys, ...trusts].map(({ id }) => id);
    const created = await endCreatedBy(deps, sql, ids, { ...caller, client, at });
    return [...rows.map(toEvent), ...created.events];
  });
  await deps.revocations.announce(events);
  return ok(undefined);
}
