import type { Sql } from "../../base/database.ts";
import type { ImportedUser } from "./import-line.ts";

/** How far an import has come. */
export interface Checkpoint {
  /** Bytes of the file that are done. */
  readonly offset: number;
  readonly line: number;
  readonly imported: number;
  readonly refused: number;
  /** Bytes of the report of refused lines that belong to them. */
  readonly reportBytes: number;
}

export const BEGINNING: Checkpoint = { offset: 0, line: 0, imported: 0, refused: 0, reportBytes: 0 };

/** The checkpoint of a file, and when it was finished; `undefined` for a file that nobody has begun. */
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
 * Moves a checkpoint on, in the transaction of the batch. False when it is not where it was: another import of the same file
 * is running.
 */
export async function moveCheckpoint(
  sql: Sql,
  fingerprint: string,
  from: Checkpoint,
  to: Checkpoint,
  finished: boolean,
  at: Date,
): Promise<boolean> {
  const finishedAt = finished ? at : null;
  const rows = await sql`
    insert into user_imports (fingerprint, "offset", line, imported, refused, report_bytes, started_at, updated_at, finished_at)
    values (${fingerprint}, ${to.offset}, ${to.line}, ${to.imported}, ${to.refused}, ${to.reportBytes}, ${at}, ${at},
            ${finishedAt})
    on conflict (fingerprint) do update
      set "offset" = excluded.offset, line = excluded.line, imported = excluded.imported, refused = excluded.refused,
          report_bytes = excluded.report_bytes, updated_at = excluded.updated_at, finished_at = excluded.finished_at
      where user_imports.offset = ${from.offset}
    returning 1`;
  return rows.length > 0;
}

/** Makes an import begin again. */
export async function forgetCheckpoint(sql: Sql, fingerprint: string): Promise<void> {
  await sql`delete from user_imports where fingerprint = ${fingerprint}`;
}

/** The ids of organizations by their slugs. */
export async function organizationsBySlug(sql: Sql, slugs: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await sql<{ slug: string; id: string }[]>`
    select slug, id from organizations where slug = any(${[...slugs]}::text[])`;
  return new Map(rows.map(({ slug, id }) => [slug, id]));
}

/** A user with the ids it gets, and the organization that is made for it, if one is. */
export interface NewImportedUser extends ImportedUser {
  readonly userId: string;
  readonly organizationId: string;
  readonly ownOrganization: { readonly name: string; readonly slug: string } | null;
}

/**
 * Inserts users with their memberships in one statement. The operator vouches for an address that the import calls
 * verified, which counts as a controlling proof. Returns the ids of those whose address was not taken.
 */
export async function insertImportedUsers(
  sql: Sql,
  users: readonly NewImportedUser[],
  tier: string,
  at: Date,
): Promise<ReadonlySet<string>> {
  const rows = users.map((user) => ({
    user_id: user.userId,
    email: user.email,
    verified: user.emailVerified,
    password_hash: user.passwordHash,
    display_name: user.displayName,
    locale: user.locale,
    organization_id: user.organizationId,
    own_name: user.ownOrganization?.name ?? null,
    own_slug: user.ownOrganization?.slug ?? null,
    role: user.role,
  }));
  const fresh = await sql<{ id: string }[]>`
    with input as (
      select * from jsonb_to_recordset(${sql.json(rows)}::jsonb) as i (
        user_id uuid, email text, verified boolean, password_hash text, display_name text, locale text,
        organization_id uuid, own_name text, own_slug text, role text
      )
    ),
    fresh as (
      insert into users (id, email, email_verified_at, controlled_at, password_hash, display_name, locale,
                         last_organization_id, created_at, updated_at)
      select user_id, email, case when verified then ${at}::timestamptz end,
             case when verified then ${at}::timestamptz end, password_hash, display_name, locale, organization_id,
             ${at}::timestamptz, ${at}::timestamptz
      from input
      on conflict (email) do nothing
      returning id
    ),
    homes as (
      insert into organizations (id, name, slug, tier, created_at, updated_at)
      select i.organization_id, i.own_name, i.own_slug, ${tier}, ${at}::timestamptz, ${at}::timestamptz
      from input i join fresh f on f.id = i.user_id where i.own_slug is not null
    ),
    memberships as (
      insert into members (organization_id, user_id, role, joined_at)
      select i.organization_id, i.user_id, i.role, ${at}::timestamptz from input i join fresh f on f.id = i.user_id
    )
    select id from fresh`;
  return new Set(fresh.map(({ id }) => id));
}
