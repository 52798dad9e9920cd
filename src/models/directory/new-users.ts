import type { DirectoryRole } from "../../vocabulary/directory-settings.ts";

/** Users that a directory creates together: each a record, an account and a membership of the verified domain. */

import { nameKey } from "../../base/display-name.ts";
import type { RequestContext } from "../../base/request-context.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import { json } from "../../database/json.ts";
import type { Cte } from "../../database/statement.ts";
import { type DirectoryUser, externalIdOf } from "./directory-user.ts";
import type { ScimResult } from "./protocol/scim-problem.ts";
import { emailKeys, type UserDocument } from "./protocol/user-document.ts";

/** The creation of an active user of a verified domain, which waits for the turn of its directory. */
export interface WaitingCreation {
  readonly client: RequestContext;
  readonly document: UserDocument;
  readonly email: string;
  /** False for a sampled request, which runs alone: the trace of a batch would be the trace of one request. */
  readonly isShared: boolean;
}

/** The result of a creation in a batch. Undefined: the creation is not ordinary and runs alone. */
export type CreationOutcome = ScimResult<DirectoryUser> | undefined;

/** A user of the verified domain, with the ids of the audit records and the origin of the request. */
export interface NewDirectoryUser {
  readonly recordId: string;
  readonly userId: string;
  readonly document: UserDocument;
  readonly email: string;
  readonly displayName: string | null;
  readonly locale: string | null;
  /** By the column of the row. */
  readonly events: Readonly<Record<EventColumn, string>>;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
  readonly requestId: string | null;
}

type EventColumn = "account_event" | "member_event" | "record_event";

/**
 * The addresses of the given users whose creation is more than an insertion: another record has the name, or the
 * address has an account, a reservation, an open invitation or a removal.
 */
export async function listKnownAddresses(
  sql: Sql,
  {
    directoryId,
    organizationId,
    at,
  }: { readonly directoryId: string; readonly organizationId: string; readonly at: Date },
  users: readonly (Pick<NewDirectoryUser, "document" | "email"> & { readonly addressHash: string })[],
): Promise<Set<string>> {
  const names = users.map(({ document }) => nameKey(document.userName));
  const emails = users.map(({ email }) => email);
  const hashes = users.map(({ addressHash }) => addressHash);
  const rows = await sql<{ email: string }[]>`
    select w.email from unnest(${names}::text[], ${emails}::text[], ${hashes}::text[]) w (name, email, hash)
    where exists (select 1 from directory_users r where r.directory_id = ${directoryId} and r.user_name_key = w.name)
      or exists (select 1 from user_emails e where e.email = w.email and (e."primary" or e.verified_at is not null))
      or exists (select 1 from email_reservations v where v.email = w.email and v.expires_at > ${at})
      or exists (
        select 1 from invitations i where i.organization_id = ${organizationId} and i.email = w.email
          and i.accepted_at is null and i.revoked_at is null
      )
      or exists (
        select 1 from member_removals m
        where m.organization_id = ${organizationId} and m.address_hashes @> array[w.hash]
      )`;
  return new Set(rows.map(({ email }) => email));
}

/** CTE fragment: a row for each user, which the further fragments read. */
export function freshUsers(sql: Sql, users: readonly NewDirectoryUser[]): Fragment {
  const rows = users.map(({ recordId, userId, document, email, displayName, locale, events, ...request }) => ({
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
    ...events,
    ip_address: request.ipAddress,
    user_agent: request.userAgent,
    request_id: request.requestId,
  }));
  return sql`
    select * from jsonb_to_recordset(${json(sql, rows)}::jsonb) as f (
      record_id uuid, user_id uuid, user_name text, user_name_key text, external_id text, document jsonb,
      email_keys text[], email text, display_name text, locale text, record_event uuid, account_event uuid,
      member_event uuid, ip_address text, user_agent text, request_id text
    )`;
}

/** CTE fragment: the records of `fresh`, linked to the accounts. */
export function insertFreshRecords(sql: Sql, directoryId: string, at: Date, fresh: Cte): Fragment {
  return sql`
    insert into directory_users (id, directory_id, user_name, user_name_key, external_id, active, document, email_keys,
                                 user_id, link, version, created_at, updated_at)
    select ${fresh}.record_id, ${directoryId}::uuid, ${fresh}.user_name, ${fresh}.user_name_key, ${fresh}.external_id,
           true, ${fresh}.document, ${fresh}.email_keys, ${fresh}.user_id, 'domain', 1, ${at}::timestamptz,
           ${at}::timestamptz
    from ${fresh}`;
}

/** CTE fragment: the memberships of `fresh`. */
export function insertFreshMembers(
  sql: Sql,
  { organizationId, role, at }: { readonly organizationId: string; readonly role: DirectoryRole; readonly at: Date },
  fresh: Cte,
): Fragment {
  return sql`
    insert into members (organization_id, user_id, role, joined_at)
    select ${organizationId}::uuid, ${fresh}.user_id, ${role}, ${at}::timestamptz from ${fresh}`;
}
