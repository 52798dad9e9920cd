import {
  consistencyNodes,
  coveringNodes,
  inclusionNodes,
  jointHash,
  type Node,
} from "../../../clients/js/src/audit/merkle.ts";
import type { Sql } from "../../database/database.ts";
import { json } from "../../database/json.ts";
import { EMPTY_ROOT, hashIn, rootOfNodes, sha256, TILE_LEVELS, type Tile, tilePartOf } from "./tiles.ts";

/** A place in the trail: transaction id, in decimal, then row id. */
export interface TrailPosition {
  readonly transactionId: string;
  readonly rowId: number;
}

/** The transparency log in one snapshot of the database (docs/decisions/0018). */
export interface Log {
  readonly origin: string;
  readonly size: number;
  readonly root: Uint8Array;
  /** Position of the last leaf. */
  readonly last: TrailPosition;
  /** Rows up to this id came with a dump of a different database, and are leaves. 0: there are no such rows. */
  readonly restoredRowId: number;
  /** The published signed note; null before the first note. */
  readonly checkpoint: string | null;
  /** The newest note with enough cosignatures; null before the first note. */
  readonly cosignedCheckpoint: string | null;
  /** Size and time of the checkpoint that was last sent to webhooks; null before the first checkpoint. */
  readonly announcedSize: number | null;
  readonly announcedAt: Date | null;
  /** Every transaction below this id has ended, in decimal. */
  readonly horizon: string;
  /** The tiles that are not full. */
  readonly edge: readonly Tile[];
}

interface LogRow extends Omit<Log, "edge" | "last"> {
  readonly lastTransactionId: string;
  readonly lastRowId: number;
  readonly level: number | null;
  readonly index: number;
  readonly hashes: Buffer;
  readonly rowIds: number[] | null;
}

/** Undefined before `createLog`. One statement, hence one snapshot. */
export async function readLog(sql: Sql): Promise<Log | undefined> {
  const rows = await sql<LogRow[]>`
    select l.origin, l.size::float8 as size, l.root_hash as root, l.last_transaction_id::text as "lastTransactionId",
           l.last_row_id::float8 as "lastRowId", l.restored_row_id::float8 as "restoredRowId", l.checkpoint,
           l.cosigned_checkpoint as "cosignedCheckpoint",
           l.announced_size::float8 as "announcedSize", l.announced_at as "announcedAt",
           pg_snapshot_xmin(pg_current_snapshot())::text as horizon,
           t.level, t.index::float8 as index, t.hashes, t.row_ids::float8[] as "rowIds"
    from transparency_log l
    left join lateral (
      select t.* from generate_series(0, ${TILE_LEVELS - 1}) as height
      join transparency_tiles t on t.level = height and t.index = l.size >> (8 * (height + 1))
      where (l.size >> (8 * height)) & 255 <> 0
    ) t on true`;
  const [first] = rows;
  if (!first) return undefined;
  const { lastTransactionId, lastRowId, level: _, index: __, hashes: ___, rowIds: ____, ...log } = first;
  const edge = rows.flatMap(({ level, index, hashes, rowIds }) =>
    level === null ? [] : { level, index, hashes, rowIds: rowIds ?? [] },
  );
  return { ...log, last: { transactionId: lastTransactionId, rowId: lastRowId }, edge };
}

/** Creates the log without leaves, unless a log exists. */
export async function createLog(sql: Sql, origin: string): Promise<void> {
  await sql`
    insert into transparency_log (origin, size, root_hash, last_transaction_id, last_row_id, restored_row_id)
    values (${origin}, 0, ${Buffer.from(EMPTY_ROOT)}, '0', 0, 0)
    on conflict do nothing`;
}

export interface Growth {
  readonly tiles: readonly Tile[];
  readonly size: number;
  readonly root: Uint8Array;
  readonly last: TrailPosition;
}

/**
 * Appends to the log if name, size and root are unchanged since the log was read (compare-and-set): of two sequencers
 * one appends and the second has no effect. Returns whether the append succeeded.
 */
export async function growLog(sql: Sql, read: Log, { tiles, size, root, last }: Growth): Promise<boolean> {
  const written = tiles.map(({ level, index, hashes, rowIds }) => ({
    level,
    index,
    hashes: Buffer.from(hashes).toString("base64"),
    row_ids: level === 0 ? rowIds : null,
  }));
  const rows = await sql`
    with grown as (
      update transparency_log
      set size = ${size}, root_hash = ${Buffer.from(root)}, last_transaction_id = ${last.transactionId}::text::xid8,
          last_row_id = ${last.rowId}
      where origin = ${read.origin} and size = ${read.size} and root_hash = ${Buffer.from(read.root)}
        and last_transaction_id = ${read.last.transactionId}::text::xid8 and last_row_id = ${read.last.rowId}
      returning 1
    ),
    written as (
      insert into transparency_tiles (level, index, hashes, row_ids, min_row_id, max_row_id)
      select t.level, t.index, decode(t.hashes, 'base64'), t.row_ids,
             (select min(id) from unnest(t.row_ids) id), (select max(id) from unnest(t.row_ids) id)
      from jsonb_to_recordset(${json(sql, written)})
             as t(level int2, index int8, hashes text, row_ids int8[]),
           grown
      on conflict (level, index) do update
      set hashes = excluded.hashes, row_ids = excluded.row_ids, min_row_id = excluded.min_row_id,
          max_row_id = excluded.max_row_id
    )
    select 1 from grown`;
  return rows.length > 0;
}

/**
 * Follows a trail that a dump brought from a different database: the transaction ids are behind. All restored rows are
 * leaves; the rows of this database are the rows with a greater id.
 */
export async function followRestoredTrail(sql: Sql, read: Log): Promise<void> {
  await sql`
    update transparency_log
    set last_transaction_id = '1', last_row_id = 0,
        restored_row_id = (select coalesce(max(max_row_id), 0) from transparency_tiles where level = 0)
    where origin = ${read.origin} and size = ${read.size} and root_hash = ${Buffer.from(read.root)}
      and last_transaction_id = ${read.last.transactionId}::text::xid8`;
}

/** Continues under a new name, with the present leaves, after the log has lost published leaves. */
export async function renameLog(sql: Sql, read: Log, origin: string): Promise<void> {
  await sql`
    update transparency_log
    set origin = ${origin}, checkpoint = null, checkpoint_size = null, announced_size = null,
        cosigned_checkpoint = null, cosigned_size = null
    where origin = ${read.origin} and size = ${read.size} and root_hash = ${Buffer.from(read.root)}`;
}

/** Publishes a signed note of the log as it was read. Returns false if the log has grown or changed its name. */
export async function publishCheckpoint(sql: Sql, read: Log, note: string): Promise<boolean> {
  const rows = await sql`
    update transparency_log set checkpoint = ${note}, checkpoint_size = ${read.size}
    where origin = ${read.origin} and size = ${read.size} and root_hash = ${Buffer.from(read.root)}
    returning 1`;
  return rows.length > 0;
}

/**
 * Publishes a cosigned note of the present or an earlier log, unless a later note is published, or a note of equal size
 * with more cosignatures. Returns false then, and for a log that has lost leaves of the note or has a new name.
 */
export async function publishCosigned(sql: Sql, { origin, size }: Pick<Log, "origin" | "size">, note: string) {
  const rows = await sql`
    update transparency_log
    set cosigned_checkpoint = ${note}, cosigned_size = ${size},
        checkpoint = case when checkpoint_size > ${size} then checkpoint else ${note} end,
        checkpoint_size = greatest(checkpoint_size, ${size})
    where origin = ${origin} and size >= ${size}
      and (cosigned_size is null or cosigned_size < ${size}
           or cosigned_size = ${size} and length(cosigned_checkpoint) < length(${note}::text))
    returning 1`;
  return rows.length > 0;
}

/**
 * Writes the delivery of the published checkpoint to each webhook of the platform that names the event type, unless
 * this checkpoint was announced before, or a further checkpoint since `notSince`: compare-and-set, so that two replicas
 * send the checkpoint once. No audit record is inserted: a record would become a leaf and lead to the next checkpoint.
 */
export async function announceCheckpoint(
  sql: Sql,
  { note, eventId, eventType, at, notSince, expiresAt }: Announcement,
): Promise<void> {
  await sql`
    with announced as (
      update transparency_log set announced_size = checkpoint_size, announced_at = ${at}
      where checkpoint = ${note} and announced_size is distinct from checkpoint_size
        and (announced_at is null or announced_at <= ${notSince})
      returning origin, checkpoint, checkpoint_size
    )
    insert into webhook_deliveries
      (webhook_id, event_id, lane, subject, event_type, payload, status, next_attempt_at, expires_at, created_at)
    select w.id, ${eventId}::uuid, 'checkpoint', ${eventType}, ${eventType},
           json_build_object('type', ${eventType}::text, 'timestamp', ${at.toISOString()}::text, 'data',
             json_build_object('origin', a.origin, 'tree_size', a.checkpoint_size, 'checkpoint', a.checkpoint))::text,
           'pending', ${at}, ${expiresAt}, ${at}
    from announced a
    join webhooks w on w.enabled and w.organization_id is null and ${eventType} = any(w.event_types)`;
}

export interface Announcement {
  /** The published checkpoint. */
  readonly note: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly at: Date;
  /** The last announcement must be as old. */
  readonly notSince: Date;
  /** Expiry of the deliveries. */
  readonly expiresAt: Date;
}

/**
 * Creation time of the oldest record that the published checkpoint does not cover; undefined if the checkpoint covers
 * all. A leaf beyond the checkpoint comes first, then the first row that is no leaf, by the primary key: a row with a
 * lower id than a leaf is a leaf, except for transactions that were open at the time.
 */
export async function findOldestUncovered(sql: Sql): Promise<Date | undefined> {
  const [row] = await sql<{ timestamp: Date }[]>`
    select a.timestamp from (
      select l.*, t.row_ids[1 + (coalesce(l.checkpoint_size, 0) & 255)] as uncovered_id
      from transparency_log l
      left join transparency_tiles t
        on t.level = 0 and t.index = coalesce(l.checkpoint_size, 0) >> 8 and coalesce(l.checkpoint_size, 0) < l.size
    ) l
    cross join lateral (
      (select timestamp from audit_logs where id = l.uncovered_id)
      union all
      (select timestamp from audit_logs
       where l.uncovered_id is null
         and id > coalesce((select max(max_row_id) from transparency_tiles where level = 0), 0)
       order by id limit 1)
    ) a
    limit 1`;
  return row?.timestamp;
}

export interface WantedTile {
  /** The last part of the log's name, in hexadecimal; undefined: any name. */
  readonly name: string | undefined;
  readonly level: number;
  readonly index: number;
  /** Number of hashes, from the first. */
  readonly width: number;
}

/** The first hashes of a tile, or undefined if the tile has fewer, or the log has a new name. */
export async function findTile(sql: Sql, { name, level, index, width }: WantedTile): Promise<Buffer | undefined> {
  const [row] = await sql<{ hashes: Buffer }[]>`
    select substring(hashes for ${32 * width}) as hashes from transparency_tiles
    where level = ${level} and index = ${index} and octet_length(hashes) >= ${32 * width}
      and (${name ?? null}::text is null
           or exists (select 1 from transparency_log where origin like '%/' || ${name ?? null}::text))`;
  return row?.hashes;
}

/** The hashes of subtrees, which are complete. Throws when a tile lacks one. */
export async function hashesOf(sql: Sql, nodes: readonly Node[]): Promise<Uint8Array[]> {
  const parts = nodes.map(tilePartOf);
  const [levels, indexes] = [parts.map(({ level }) => level), parts.map(({ index }) => index)];
  const rows = await sql<{ level: number; index: number; hashes: Buffer }[]>`
    select t.level, t.index::float8 as index, t.hashes from transparency_tiles t
    join (select distinct * from unnest(${levels}::int2[], ${indexes}::int8[])) as wanted(level, index)
      using (level, index)`;
  const tiles = new Map(rows.map(({ level, index, hashes }) => [`${level}/${index}`, hashes]));
  return parts.map((part) => hashIn(tiles.get(`${part.level}/${part.index}`) ?? Buffer.alloc(0), part));
}

/** The root of the first leaves; the log must have so many leaves. */
export async function rootOfFirst(sql: Sql, size: number): Promise<Uint8Array> {
  return rootOfNodes(size, await hashesOf(sql, coveringNodes(0, size)));
}

/** The consistency proof from `from` to `to` leaves (RFC 6962, section 2.1.2). */
export async function consistencyProof(sql: Sql, from: number, to: number): Promise<readonly Uint8Array[]> {
  return await jointHashesOf(sql, consistencyNodes(from, to));
}

/** The inclusion proof of a leaf in the tree of `size` leaves (RFC 6962, section 2.1.1). */
export async function inclusionProof(sql: Sql, leaf: number, size: number): Promise<readonly Uint8Array[]> {
  return await jointHashesOf(sql, inclusionNodes(leaf, size));
}

async function jointHashesOf(sql: Sql, joint: readonly Node[][]): Promise<readonly Uint8Array[]> {
  const hashes = await hashesOf(sql, joint.flat());
  return joint.map((nodes) => jointHash(hashes.splice(0, nodes.length), sha256));
}

/** The leaf of a row of the trail; undefined for a row without a leaf. */
export async function findLeaf(sql: Sql, rowId: number): Promise<number | undefined> {
  const [row] = await sql<{ leaf: number }[]>`
    select (index * 256 + array_position(row_ids, ${rowId}::bigint) - 1)::float8 as leaf from transparency_tiles
    where level = 0 and max_row_id >= ${rowId} and min_row_id <= ${rowId} and ${rowId}::bigint = any(row_ids)
    order by max_row_id limit 1`;
  return row?.leaf;
}
