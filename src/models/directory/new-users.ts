/** Users that a directory creates together: each a record, an account and a membership of the verified domain. */
import { nameKey } from "../../base/display-name.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import { type Cte, cte, withParts } from "../../database/statement.ts";
import { type AuditEntry, insertAudit } from "../audit/audit.ts";
import { insertControlledUserFrom } from "../user/user.ts";
import { changeUserCount, type DirectoryRole } from "./directory.ts";
import { externalIdOf } from "./directory-user.ts";
import { emailKeys, type UserDocument } from "./protocol/user-document.ts";

/** A user of the verified domain, and the audit record of each inserted row. */
export interface NewDirectoryUser {
  readonly recordId: string;
  readonly userId: string;
  readonly document: UserDocument;
  readonly email: string;
  readonly displayName: string | null;
  readonly locale: string | null;
  readonly recordEntry: AuditEntry;
  readonly accountEntry: AuditEntry;
  readonly memberEntry: AuditEntry;
}

interface Target {
  readonly directoryId: string;
  readonly organizationId: string;
  readonly role: DirectoryRole;
  readonly at: Date;
}

/**
 * The addresses of the given users whose creation is more than an insertion: another record has the name, or the
 * address has an account, a reservation or an open invitation.
 */
export async function listKnownAddresses(
  sql: Sql,
  { directoryId, organizationId, at }: Omit<Target, "role">,
  users: readonly { readonly document: UserDocument; readonly email: string }[],
): Promise<Set<string>> {
  const names = users.map(({ document }) => nameKey(document.userName));
  const emails = users.map(({ email }) => email);
  const rows = await sql<{ email: string }[]>`
    select w.email from unnest(${names}::text[], ${emails}::text[]) w (name, email)
    where exists (select 1 from directory_users r where r.directory_id = ${directoryId} and r.user_name_key = w.name)
      or exists (select 1 from user_emails e where e.email = w.email and (e."primary" or e.verified_at is not null))
      or exists (select 1 from email_reservations v where v.email = w.email and v.expires_at > ${at})
      or exists (
        select 1 from invitations i where i.organization_id = ${organizationId} and i.email = w.email
          and i.accepted_at is null and i.revoked_at is null
      )`;
  return new Set(rows.map(({ email }) => email));
}

/** Inserts the users with their audit records in one statement. The directory is locked. */
export async function insertNewUsers(sql: Sql, target: Target, users: readonly NewDirectoryUser[]): Promise<void> {
  const { directoryId, organizationId, role, at } = target;
  const fresh = cte(sql, "fresh");
  const from = sql`from ${fresh}`;
  const account = {
    id: sql`${fresh}.user_id`,
    email: sql`${fresh}.email`,
    displayName: sql`${fresh}.display_name`,
    locale: sql`${fresh}.locale`,
  };
  const managed = { passwordHash: null, organizationId, managedBy: organizationId, at };
  const audit = (kind: "account" | "member" | "record") => insertAuditOfRows(sql, fresh, users, kind);
  await sql`
    ${withParts(sql, {
      fresh: freshRows(sql, users),
      accounts: insertControlledUserFrom(sql, { ...account, ...managed }, from),
      members: sql`
        insert into members (organization_id, user_id, role, joined_at)
        select ${organizationId}::uuid, ${fresh}.user_id, ${role}, ${at}::timestamptz ${from}`,
      records: insertRecords(sql, directoryId, at, fresh),
      counted: changeUserCount(sql, directoryId, users.length),
      record_audit: audit("record"),
      account_audit: audit("account"),
      member_audit: audit("member"),
    })}
    select 1`;
}

/** CTE fragment: a row for each user. */
function freshRows(sql: Sql, users: readonly NewDirectoryUser[]): Fragment {
  const rows = users.map(({ recordId, userId, document, email, displayName, locale, ...entries }) => ({
    record_id: recordId,
    user_id: userId,
    user_name: document.userName,
    user_name_key: nameKey(document.userName),
    external_id: externalIdOf(document),
    document,
    email_keys: emailKeys(document),
    email,
    display_name: displayName,
    locale,
    record_event: entries.recordEntry.eventId,
    account_event: entries.accountEntry.eventId,
    member_event: entries.memberEntry.eventId,
    ip_address: entries.recordEntry.client.ipAddress,
    user_agent: entries.recordEntry.client.userAgent,
    request_id: entries.recordEntry.client.requestId,
  }));
  return sql`
    select * from jsonb_to_recordset(${sql.json(rows as never)}::jsonb) as f (
      record_id uuid, user_id uuid, user_name text, user_name_key text, external_id text, document jsonb,
      email_keys text[], email text, display_name text, locale text, record_event uuid, account_event uuid,
      member_event uuid, ip_address text, user_agent text, request_id text
    )`;
}

/** CTE fragment: the records, linked to their accounts. */
function insertRecords(sql: Sql, directoryId: string, at: Date, fresh: Cte): Fragment {
  return sql`
    insert into directory_users (id, directory_id, user_name, user_name_key, external_id, active, document, email_keys,
                                 user_id, link, version, created_at, updated_at)
    select ${fresh}.record_id, ${directoryId}::uuid, ${fresh}.user_name, ${fresh}.user_name_key, ${fresh}.external_id,
           true, ${fresh}.document, ${fresh}.email_keys, ${fresh}.user_id, 'domain', 1, ${at}::timestamptz,
           ${at}::timestamptz
    from ${fresh}`;
}

/** CTE fragment: the audit records of one kind, each with the request of its user. */
function insertAuditOfRows(
  sql: Sql,
  fresh: Cte,
  [first]: readonly NewDirectoryUser[],
  kind: "account" | "member" | "record",
): Fragment {
  if (!first) throw new Error("no user to insert");
  const entry = first[`${kind}Entry`];
  const resource = kind === "record" ? sql`${fresh}.record_id` : sql`${fresh}.user_id`;
  const client = {
    ipAddress: sql`${fresh}.ip_address`,
    userAgent: sql`${fresh}.user_agent`,
    requestId: sql`${fresh}.request_id`,
    traceparent: entry.client.traceparent,
  };
  const eventId = sql`${fresh}.${sql(`${kind}_event`)}`;
  return insertAudit(sql, { ...entry, eventId, resourceId: resource, client }, sql`from ${fresh}`);
}
