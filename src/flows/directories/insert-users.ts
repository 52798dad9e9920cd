/** The statement that inserts the users of a batch with their audit records. */
import type { Fragment } from "../../database/database.ts";
import { type Cte, cte, withParts } from "../../database/statement.ts";
import { type AuditAction, insertAudit } from "../../models/audit/audit.ts";
import { changeUserCount } from "../../models/directory/directory.ts";
import {
  type EventColumn,
  freshUsers,
  insertFreshMembers,
  insertFreshRecords,
  type NewDirectoryUser,
} from "../../models/directory/new-users.ts";
import { insertControlledUserFrom } from "../../models/user/user.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import type { DirectoryWrite } from "./directory-write.ts";

interface FreshEvent {
  readonly column: EventColumn;
  readonly action: AuditAction;
  readonly type: "directory_user" | "user";
  readonly metadata: Readonly<Record<string, string>>;
}

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
  const audit = (event: FreshEvent) => insertFreshAudit(write, fresh, event, traceparent);
  const provisioned = { role, source: "directory" };
  await sql`
    ${withParts(sql, {
      fresh: freshUsers(sql, users),
      accounts: insertControlledUserFrom(sql, { ...account, ...managed }, sql`from ${fresh}`),
      members: insertFreshMembers(sql, { organizationId, role, at }, fresh),
      records: insertFreshRecords(sql, directoryId, at, fresh),
      counted: changeUserCount(sql, directoryId, users.length),
      record_audit: audit({
        column: "record_event",
        action: "directory_user.created",
        type: "directory_user",
        metadata: {},
      }),
      account_audit: audit({
        column: "account_event",
        action: "auth.register",
        type: "user",
        metadata: { method: "directory" },
      }),
      member_audit: audit({
        column: "member_event",
        action: "member.provisioned",
        type: "user",
        metadata: provisioned,
      }),
    })}
    select 1`;
}

/** CTE fragment: an audit record for each user, with the request of the user. */
function insertFreshAudit(
  { deps, sql, caller, at }: DirectoryWrite,
  fresh: Cte,
  { column, action, type, metadata }: FreshEvent,
  traceparent: string | undefined,
): Fragment {
  const entry = userAuditEvent(deps, caller.actor, caller.client, { action, at, metadata });
  const client = {
    ipAddress: sql`${fresh}.ip_address`,
    userAgent: sql`${fresh}.user_agent`,
    requestId: sql`${fresh}.request_id`,
    traceparent,
  };
  const resourceId = type === "user" ? sql`${fresh}.user_id` : sql`${fresh}.record_id`;
  const row = { eventId: sql`${fresh}.${sql(column)}`, resourceType: type, resourceId, client };
  return insertAudit(sql, { ...entry, ...row }, sql`from ${fresh}`);
}
