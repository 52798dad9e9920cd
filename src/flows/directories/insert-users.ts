/** The statement that inserts the users of a batch with their audit records. */
import type { Fragment, Sql } from "../../database/database.ts";
import { type Cte, cte, withParts } from "../../database/statement.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { changeUserCount } from "../../models/directory/directory.ts";
import {
  freshUsers,
  insertFreshMembers,
  insertFreshRecords,
  type NewDirectoryUser,
} from "../../models/directory/new-users.ts";
import { insertControlledUserFrom } from "../../models/user/user.ts";
import type { AuditAction } from "../../vocabulary/audit-action.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import type { DirectoryWrite } from "./directory-write.ts";

/** Inserts users of one key in one statement. `traceparent`: of a request that is alone in the batch. */
export async function insertUsers(
  write: DirectoryWrite,
  users: readonly NewDirectoryUser[],
  traceparent: string | undefined,
): Promise<void> {
  const { sql, directory, caller, at } = write;
  const { organizationId } = caller;
  const { id: directoryId, defaultRole: role } = directory;
  const fresh = cte(sql, "fresh");
  const account = {
    id: sql`${fresh}.user_id`,
    email: sql`${fresh}.email`,
    displayName: sql`${fresh}.display_name`,
    locale: sql`${fresh}.locale`,
  };
  const managed = { passwordHash: null, organizationId, managedBy: organizationId, at };
  await sql`
    ${withParts(sql, {
      fresh: freshUsers(sql, users),
      accounts: insertControlledUserFrom(sql, { ...account, ...managed }, sql`from ${fresh}`),
      members: insertFreshMembers(sql, { organizationId, role, at }, fresh),
      records: insertFreshRecords(sql, directoryId, at, fresh),
      counted: changeUserCount(sql, directoryId, users.length),
      audit: insertFreshAudit(write, fresh, role, traceparent),
    })}
    select 1`;
}

/** CTE fragment: the audit records of each user, with the request of the user. One insertion for the three actions. */
function insertFreshAudit(
  { deps, sql, caller, at }: DirectoryWrite,
  fresh: Cte,
  role: string,
  traceparent: string | undefined,
): Fragment {
  const entry = userAuditEvent(deps, caller.actor, caller.client, { action: "directory_user.created", at });
  const client = {
    ipAddress: sql`${fresh}.ip_address`,
    userAgent: sql`${fresh}.user_agent`,
    requestId: sql`${fresh}.request_id`,
    traceparent,
  };
  const row = {
    eventId: sql`event.id`,
    resourceId: sql`event.resource_id`,
    kindOfRow: { action: sql`event.action`, resourceType: sql`event.resource_type` },
    metadataOfRow: sql`event.metadata`,
    client,
  };
  const rows = sql`
    from ${fresh} cross join lateral (${eventsOf(sql, fresh, role)})
      event (id, action, resource_type, resource_id, metadata)`;
  return insertAudit(sql, { ...entry, ...row }, rows);
}

/** The events of a user, in the order in which a creation alone records the events. */
function eventsOf(sql: Sql, fresh: Cte, role: string): Fragment {
  const actions = {
    record: "directory_user.created",
    account: "auth.register",
    member: "member.provisioned",
  } satisfies Readonly<Record<string, AuditAction>>;
  return sql`
    values (${fresh}.record_event, ${actions.record}::text, 'directory_user', ${fresh}.record_id, '{}'::jsonb),
           (${fresh}.account_event, ${actions.account}::text, 'user', ${fresh}.user_id,
            jsonb_build_object('method', 'directory')),
           (${fresh}.member_event, ${actions.member}::text, 'user', ${fresh}.user_id,
            jsonb_build_object('role', ${role}::text, 'source', 'directory'))`;
}
