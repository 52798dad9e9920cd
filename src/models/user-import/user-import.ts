import type { userImports } from "../../../db/schema/user-imports.ts";
import type { Sql } from "../../database/database.ts";
import type { RowOf } from "../../database/row.ts";
import type { ImportedUser } from "./import-line.ts";

type UserImportRow = RowOf<typeof userImports>;

/** The progress of an import. */
export interface Checkpoint extends Pick<UserImportRow, "line" | "imported" | "refused"> {
  /** Imported bytes of the file. */
  readonly offset: UserImportRow["offset"];
  /** Bytes of the report of refused lines up to this offset. */
  readonly reportBytes: UserImportRow["reportBytes"];
}

export const BEGINNING: Checkpoint = { offset: 0, line: 0, imported: 0, refused: 0, reportBytes: 0 };

/** The checkpoint of a file, and the time at which the import finished. */
export async function findCheckpoint(
  sql: Sql,
  fingerprint: string,
): Promise<(Checkpoint & { readonly finishedAt: Date | null }) | undefined> {
  const [row] = await sql<(Checkpoint & { finishedAt: Date | null })[]>`
    select "offset"::float8 as offset, line::float8 as line, imported::float8 as imported, refused::float8 as refused,
           report_bytes::float8 as "reportBytes", finished_at as "finishedAt"
    from user_imports where fingerprint = ${fingerprint}`;
  return row;
}

/**
 * Advances a checkpoint in the transaction of the batch. Returns false if a concurrent import of the file advanced the
 * checkpoint.
 */
export async function advanceCheckpoint(
  sql: Sql,
  fingerprint: string,
  from: Checkpoint,
  to: Checkpoint,
  finished: boolean,
  at: Date,
): Promise<boolean> {
  const finishedAt = finished ? at : null;
  const rows = await sql`
    insert into user_imports
      (fingerprint, "offset", line, imported, refused, report_bytes, started_at, updated_at, finished_at)
    values (${fingerprint}, ${to.offset}, ${to.line}, ${to.imported}, ${to.refused}, ${to.reportBytes}, ${at}, ${at},
            ${finishedAt})
    on conflict (fingerprint) do update
      set "offset" = excluded.offset, line = excluded.line, imported = excluded.imported, refused = excluded.refused,
          report_bytes = excluded.report_bytes, updated_at = excluded.updated_at, finished_at = excluded.finished_at
      where user_imports.offset = ${from.offset}
    returning 1`;
  return rows.length > 0;
}

/** Deletes a checkpoint, so that the import starts again. */
export async function deleteCheckpoint(sql: Sql, fingerprint: string): Promise<void> {
  await sql`delete from user_imports where fingerprint = ${fingerprint}`;
}

/** Ids of organizations by slug. */
export async function organizationsBySlug(sql: Sql, slugs: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await sql<{ slug: string; id: string }[]>`
    select slug, id from organizations
    where slug = any(${[...slugs]}::text[]) and kind = 'team'`;
  return new Map(rows.map(({ slug, id }) => [slug, id]));
}

/** A user with ids, and the organization to create for the user, if any. */
export interface NewImportedUser extends ImportedUser {
  readonly userId: string;
  readonly organizationId: string;
  readonly ownOrganization: { readonly name: string; readonly slug: string } | null;
}

/** The values of a line, as columns of the input of a statement. */
function valuesOf(user: NewImportedUser) {
  return {
    user_id: user.userId,
    email: user.email,
    verified: user.emailVerified,
    disabled: user.disabled,
    password_hash: user.passwordHash,
    display_name: user.displayName,
    locale: user.locale,
  };
}

/**
 * Inserts users with their memberships in one statement. An address that the operator's file calls verified counts as
 * controlled. Users whose address is in use are skipped. Returns the ids of the inserted users.
 */
export async function insertImportedUsers(
  sql: Sql,
  users: readonly NewImportedUser[],
  tier: string,
  at: Date,
): Promise<ReadonlySet<string>> {
  const rows = users.map((user) => ({
    ...valuesOf(user),
    organization_id: user.organizationId,
    own_name: user.ownOrganization?.name ?? null,
    own_slug: user.ownOrganization?.slug ?? null,
    role: user.role,
  }));
  const inserted = await sql<{ id: string }[]>`
    with input as (
      select * from jsonb_to_recordset(${sql.json(rows)}::jsonb) as i (
        user_id uuid, email text, verified boolean, disabled boolean, password_hash text, display_name text,
        locale text, organization_id uuid, own_name text, own_slug text, role text
      )
    ),
    inserted as (
      insert into users (id, email, email_verified_at, controlled_at, password_hash, display_name, locale,
                         disabled_at, last_organization_id, created_at, updated_at)
      select user_id, email, case when verified then ${at}::timestamptz end,
             case when verified then ${at}::timestamptz end, password_hash, display_name, locale,
             case when disabled then ${at}::timestamptz end, organization_id,
             ${at}::timestamptz, ${at}::timestamptz
      from input i
      where not exists (
        select 1 from user_emails e where e.email = i.email and (e."primary" or e.verified_at is not null)
        union all
        select 1 from email_reservations r where r.email = i.email and r.expires_at > ${at}
      )
      on conflict (email) do nothing
      returning id
    ),
    homes as (
      insert into organizations (id, name, slug, tier, created_at, updated_at)
      select i.organization_id, i.own_name, i.own_slug, ${tier}, ${at}::timestamptz, ${at}::timestamptz
      from input i join inserted f on f.id = i.user_id where i.own_slug is not null
    ),
    memberships as (
      insert into members (organization_id, user_id, role, joined_at)
      select i.organization_id, i.user_id, i.role, ${at}::timestamptz from input i join inserted f on f.id = i.user_id
    )
    select id from inserted`;
  return new Set(inserted.map(({ id }) => id));
}

/**
 * Adds the values of lines to stored users of an earlier file whom no one has used: without a sign-in, a session, a
 * passkey and a linked account. A line whose address another line of the file has stored or corrected changes nothing,
 * and neither does an unverified line for a verified account: a former service with two accounts for two spellings of
 * an address must not give one account the password of the other. A separate statement for the few lines that were not
 * inserted: the plan of a statement over all lines is made for the empty table at the beginning of an import. Returns
 * the ids of the lines that changed a user.
 */
export async function correctImportedUsers(
  sql: Sql,
  users: readonly NewImportedUser[],
  fingerprint: string,
  at: Date,
): Promise<ReadonlySet<string>> {
  if (users.length === 0) return new Set();
  const rows = users.map(valuesOf);
  const corrected = await sql<{ id: string }[]>`
    with lines as (
      select *, count(*) over (partition by email) as lines
      from jsonb_to_recordset(${sql.json(rows)}::jsonb) as i (
        user_id uuid, email text, verified boolean, disabled boolean, password_hash text, display_name text, locale text
      )
    ),
    input as (select * from lines where lines = 1),
    begun as (
      select coalesce(
        (select started_at from user_imports where fingerprint = ${fingerprint}), ${at}::timestamptz
      ) as at
    )
    update users u set
      password_hash = coalesce(i.password_hash, u.password_hash),
      display_name = coalesce(i.display_name, u.display_name),
      locale = coalesce(i.locale, u.locale),
      email_verified_at = coalesce(u.email_verified_at, case when i.verified then ${at}::timestamptz end),
      controlled_at = coalesce(u.controlled_at, case when i.verified then ${at}::timestamptz end),
      disabled_at = coalesce(u.disabled_at, case when i.disabled then ${at}::timestamptz end),
      credentials_epoch = u.credentials_epoch + 1, updated_at = ${at}::timestamptz
    from input i, begun
    where u.email = i.email and u.updated_at < begun.at and (i.verified or u.email_verified_at is null)
      and u.last_login_at is null and u.last_password_change is null
      and u.platform_role is null and u.managed_by is null and u.deletion_at is null
      and not exists (select 1 from sessions s where s.user_id = u.id)
      and not exists (select 1 from passkeys p where p.user_id = u.id)
      and not exists (select 1 from user_identities d where d.user_id = u.id)
      and ((i.password_hash is not null and i.password_hash is distinct from u.password_hash)
           or (i.display_name is not null and i.display_name is distinct from u.display_name)
           or (i.locale is not null and i.locale is distinct from u.locale)
           or (i.verified and u.email_verified_at is null) or (i.disabled and u.disabled_at is null))
    returning i.user_id as id`;
  return new Set(corrected.map(({ id }) => id));
}
