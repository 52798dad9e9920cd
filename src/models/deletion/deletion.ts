/** Requested deletions, their tombstones and the links that cancel: rows of `deletions` and `deletion_tokens`. */

import type { deletions, deletionTokens } from "../../../db/schema/deletions.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { PageBounds } from "../../database/listing.ts";
import { deleteRowsBefore } from "../../database/retention.ts";
import type { RowOf } from "../../database/row.ts";
import { ERASURE_SETTLE_MS } from "../../limits/deletion-limits.ts";

type DeletionRow = RowOf<typeof deletions>;
type TokenRow = RowOf<typeof deletionTokens>;

export type SubjectType = DeletionRow["subjectType"];

export interface Deletion
  extends Pick<
    DeletionRow,
    "id" | "subjectType" | "subjectId" | "parentId" | "requestedBy" | "reason" | "requestedAt" | "dueAt" | "erasedAt"
  > {
  /** Whether the account or organization was closed before: a cancellation then opens nothing. */
  readonly wasClosed: boolean;
}

export interface NewDeletion extends Omit<Deletion, "erasedAt"> {
  readonly noticeId: string | null;
}

function columns(sql: Sql): Fragment {
  return sql`
    d.id, d.subject_type as "subjectType", d.subject_id as "subjectId", d.parent_id as "parentId",
    d.requested_by as "requestedBy", d.reason, d.closed_otherwise as "wasClosed",
    d.requested_at as "requestedAt", d.due_at as "dueAt", d.erased_at as "erasedAt"`;
}

/** Inserts a deletion, or replaces the tombstone of a subject that a restored backup has brought back. */
export function insertDeletion(sql: Sql, deletion: NewDeletion): Fragment {
  return sql`
    insert into deletions (id, subject_type, subject_id, parent_id, requested_by, reason, notice_id, closed_otherwise,
                           requested_at, due_at)
    values (${deletion.id}, ${deletion.subjectType}, ${deletion.subjectId}, ${deletion.parentId},
            ${deletion.requestedBy}, ${deletion.reason}, ${deletion.noticeId}, ${deletion.wasClosed},
            ${deletion.requestedAt}, ${deletion.dueAt})
    on conflict (subject_type, subject_id) do update
      set id = excluded.id, parent_id = excluded.parent_id, requested_by = excluded.requested_by,
          reason = excluded.reason, token_hash = null, notice_id = excluded.notice_id,
          closed_otherwise = excluded.closed_otherwise, requested_at = excluded.requested_at,
          due_at = excluded.due_at, erased_at = null
      where deletions.erased_at is not null`;
}

/** The pending deletion of a user or organization. */
export async function findPendingDeletion(
  sql: Sql,
  subjectType: SubjectType,
  subjectId: string,
): Promise<Deletion | undefined> {
  const [row] = await sql<Deletion[]>`
    select ${columns(sql)} from deletions d
    where d.subject_type = ${subjectType} and d.subject_id = ${subjectId} and d.erased_at is null`;
  return row;
}

/** The holder of a link that cancels. */
export type LinkHolder = Pick<TokenRow, "userId" | "mailbox">;

/** Inserts a link that cancels a deletion, for one mailbox. */
export async function insertDeletionToken(
  sql: Sql,
  { tokenHash, deletionId, userId, mailbox }: RowOf<typeof deletionTokens>,
): Promise<void> {
  await sql`
    insert into deletion_tokens (token_hash, deletion_id, user_id, mailbox)
    values (${tokenHash}, ${deletionId}, ${userId}, ${mailbox})`;
}

/** A deletion with the holder of the link; without a holder if a replica of 1.0.1 mailed the link. */
export interface DeletionLink {
  readonly deletion: Deletion;
  readonly holder: LinkHolder | undefined;
}

/** The deletion of a mailed link that still cancels, without its organizations. */
export async function findDeletionByToken(sql: Sql, tokenHash: Buffer, at: Date): Promise<DeletionLink | undefined> {
  const [row] = await sql<(Deletion & { holderId: string | null; mailbox: LinkHolder["mailbox"] | null })[]>`
    select ${columns(sql)}, t.user_id as "holderId", t.mailbox
    from deletions d left join deletion_tokens t on t.deletion_id = d.id and t.token_hash = ${tokenHash}
    where d.id = coalesce(
        (select deletion_id from deletion_tokens where token_hash = ${tokenHash}),
        (select id from deletions where token_hash = ${tokenHash}))
      and d.erased_at is null and d.due_at > greatest(${at}::timestamptz, now())`;
  if (!row) return undefined;
  const { holderId, mailbox, ...deletion } = row;
  return { deletion, holder: holderId && mailbox ? { userId: holderId, mailbox } : undefined };
}

/**
 * Locks a deletion for a cancellation; undefined if the deletion was cancelled meanwhile, or is due: the erasure of a
 * due deletion may have begun. The later of two clocks decides, and for the erasure the earlier of two clocks.
 */
export async function lockCancellableDeletion(sql: Sql, id: string, at: Date): Promise<Deletion | undefined> {
  const [row] = await sql<Deletion[]>`
    select ${columns(sql)} from deletions d
    where d.id = ${id} and d.erased_at is null and d.due_at > greatest(${at}::timestamptz, now()) for update`;
  return row;
}

/** The deletions of organizations that depend on the deletion of a user, which the caller has locked or found due. */
export async function listDependentDeletions(sql: Sql, parentId: string): Promise<Deletion[]> {
  return await sql<Deletion[]>`
    select ${columns(sql)} from deletions d where d.parent_id = ${parentId} and d.erased_at is null
    order by d.id`;
}

/**
 * Makes the pending deletion of an organization depend on the deletion of the only member: an organization whose owner
 * leaves returns with the owner alone, so the separate links end.
 */
export async function attachToParent(
  sql: Sql,
  organizationId: string,
  { id, dueAt }: Pick<Deletion, "id" | "dueAt">,
): Promise<void> {
  await sql`
    with attached as (
      update deletions set parent_id = ${id}, due_at = ${dueAt}, token_hash = null
      where subject_type = 'organization' and subject_id = ${organizationId} and erased_at is null
      returning id
    )
    delete from deletion_tokens where deletion_id in (select id from attached)`;
}

/** Deletes a locked deletion, with the dependent deletions. */
export async function deleteDeletion(sql: Sql, id: string): Promise<void> {
  await sql`delete from deletions where id = ${id}`;
}

/**
 * The due deletions that depend on no other deletion, the oldest first. A deletion with an awaited notice is due once
 * the outbox has delivered or dropped the notice. `ERASURE_SETTLE_MS` after the request every request that began before
 * has ended, and the decisions about requests are stored: no row follows the erasure.
 */
export async function listDueDeletions(sql: Sql, at: Date, limit: number): Promise<Deletion[]> {
  return await sql<Deletion[]>`
    select ${columns(sql)} from deletions d
    where d.erased_at is null and d.due_at <= least(${at}::timestamptz, now()) and d.parent_id is null
      and d.requested_at <= least(${at}::timestamptz, now()) - make_interval(secs => ${ERASURE_SETTLE_MS / 1000})
      and not exists (select 1 from outbox o where o.id = d.notice_id)
    order by d.due_at limit ${limit}`;
}

/**
 * Locks a due deletion for the erasure; undefined if the deletion was cancelled or carried out, or if another replica
 * carries the deletion out now.
 */
export async function claimDueDeletion(sql: Sql, id: string, at: Date): Promise<Deletion | undefined> {
  const [row] = await sql<Deletion[]>`
    select ${columns(sql)} from deletions d
    where d.id = ${id} and d.erased_at is null and d.due_at <= least(${at}::timestamptz, now())
    for update skip locked`;
  return row;
}

/** Leaves the tombstone: ids and times. */
export async function markErased(sql: Sql, id: string, at: Date): Promise<void> {
  await sql`
    with links as (delete from deletion_tokens where deletion_id = ${id})
    update deletions set erased_at = ${at}, reason = null, token_hash = null, notice_id = null where id = ${id}`;
}

/** A deletion with the name of its subject; null after the erasure. */
export interface NamedDeletion extends Deletion {
  readonly subjectName: string | null;
  /** The address of a user. */
  readonly subjectEmail: string | null;
}

/** Pending deletions and tombstones for the console, pending deletions first. */
export async function listDeletions(
  sql: Sql,
  subjectType: SubjectType | undefined,
  page: PageBounds,
): Promise<{ items: NamedDeletion[]; total: number }> {
  const matches = sql`(${subjectType ?? null}::text is null or d.subject_type = ${subjectType ?? null})`;
  const [counted, items] = await Promise.all([
    sql<{ total: number }[]>`select count(*)::int as total from deletions d where ${matches}`,
    sql<NamedDeletion[]>`
      select ${columns(sql)}, coalesce(o.name, u.display_name) as "subjectName", u.email as "subjectEmail"
      from deletions d
        left join users u on d.subject_type = 'user' and u.id = d.subject_id
        left join organizations o on d.subject_type = 'organization' and o.id = d.subject_id
      where ${matches}
      order by d.erased_at desc nulls first, d.due_at, d.id limit ${page.limit} offset ${page.offset}`,
  ]);
  return { items, total: counted[0]?.total ?? 0 };
}

/** An erased user or organization, as named in the deletion log of backups. */
export type ErasedSubject = Pick<Deletion, "subjectType" | "subjectId">;

/** A batch of tombstones in the order of ids, for the deletion log of backups. */
export async function listTombstonesAfter(
  sql: Sql,
  after: string,
  limit: number,
): Promise<Pick<Deletion, "id" | "subjectType" | "subjectId">[]> {
  return await sql<Pick<Deletion, "id" | "subjectType" | "subjectId">[]>`
    select d.id, d.subject_type as "subjectType", d.subject_id as "subjectId" from deletions d
    where d.id > ${after} and d.erased_at is not null order by d.id limit ${limit}`;
}

/**
 * Makes the deletions of a log due at once, and returns the deletions left to carry out. A tombstone of an absent
 * subject stays; an absent subject without a tombstone receives a tombstone, so that the next log is complete. The
 * earlier of two clocks is the due time, because `claimDueDeletion` compares with the earlier clock.
 */
export async function insertReplayedDeletions(
  sql: Sql,
  ids: readonly string[],
  subjects: readonly ErasedSubject[],
  at: Date,
): Promise<Deletion[]> {
  return await sql<Deletion[]>`
    insert into deletions as d (id, subject_type, subject_id, closed_otherwise, requested_at, due_at)
    select distinct on (listed.type, listed.subject_id)
      listed.id, listed.type, listed.subject_id, true,
      least(${at}::timestamptz, now()), least(${at}::timestamptz, now())
    from unnest(${[...ids]}::uuid[], ${subjects.map(({ subjectType }) => subjectType)}::text[],
                ${subjects.map(({ subjectId }) => subjectId)}::uuid[]) as listed (id, type, subject_id)
    on conflict (subject_type, subject_id) do update
      set due_at = excluded.due_at, token_hash = null, notice_id = null, erased_at = null
      where d.erased_at is null
        or (d.subject_type = 'user' and exists (select 1 from users u where u.id = d.subject_id))
        or (d.subject_type = 'organization' and exists (select 1 from organizations o where o.id = d.subject_id))
    returning ${columns(sql)}`;
}

/** Deletes at most `batch` tombstones from before `before`; returns how many. */
export const deleteTombstones = deleteRowsBefore("deletions", "erased_at");

/** Keeps the decision of an administrator about a user until the cancellation of the pending deletion. */
export async function recordClosedOtherwise(sql: Sql, subjectType: SubjectType, subjectId: string, closed: boolean) {
  await sql`
    update deletions set closed_otherwise = ${closed}
    where subject_type = ${subjectType} and subject_id = ${subjectId} and erased_at is null`;
}
