/**
 * Owns: the growth of the transparency log (docs/decisions/0018), and the part of the log seen by this replica. Each
 * second one replica, by a lease, appends the rows of the trail whose transactions have ended, signs a checkpoint and
 * requests cosignatures; all further replicas read the published log. At most once a minute, the newest checkpoint is
 * sent to webhooks of the platform with a subscription.
 * Started by: a timer.
 * Bound: `SEQUENCER_READS_MAX` statements of `SEQUENCER_READ` rows a round. One round at a time.
 * A crash loses: the memory of published logs. The rows, the tiles and the checkpoint are in PostgreSQL, and an append
 * is one statement, which succeeds only on the log from which the append was computed, so two sequencers never fork the
 * log.
 */

import { sameBytes } from "../../clients/js/src/audit/merkle.ts";
import { type Loop, startLoop } from "../base/loop.ts";
import { loopTurns } from "../base/loop-turns.ts";
import { SEQUENCER_LEASE_MS, SEQUENCER_PAUSE_MS, SEQUENCER_READS_MAX } from "../limits/audit-limits.ts";
import { inBatches, type NextRows, nextTrailRows } from "../models/audit/trail.ts";
import { acquireLease } from "../models/lease/lease.ts";
import { type CheckpointKey, ensureCheckpointKey } from "../models/transparency-log/checkpoint-key.ts";
import { beginOf, nameAfter } from "../models/transparency-log/log-name.ts";
import { growTiles } from "../models/transparency-log/tiles.ts";
import {
  createLog,
  followRestoredTrail,
  growLog,
  type Log,
  readLog,
  renameLog,
  rootOfFirst,
} from "../models/transparency-log/transparency-log.ts";
import { hashRows } from "./audit-log-sequencer/hash-rows.ts";
import {
  type AuditLogReader,
  auditLogOf,
  emptyMemory,
  type SequencerDeps,
  type SequencerMemory,
} from "./audit-log-sequencer/memory.ts";
import { adopt, announce, cosignBeside, keep, publish, watchCosignatures } from "./audit-log-sequencer/publish.ts";

export type { PublishedLog } from "../models/transparency-log/published-log.ts";
export { emptyMemory as nothingSeen, type SequencerDeps, type SequencerMemory };

export interface AuditLogSequencer extends AuditLogReader {
  start(): void;
  stop(): Promise<void>;
}

export function auditLogSequencer(deps: SequencerDeps): AuditLogSequencer {
  const memory = emptyMemory(deps);
  let loop: Loop | undefined;
  return {
    start() {
      loop = startLoop({
        pauseMs: SEQUENCER_PAUSE_MS,
        async round() {
          if (await sequence(deps, memory)) loop?.wake();
        },
        onFailure: (error) =>
          deps.log.warn({ err: error }, "audit log sequencer: a round failed; the next one continues"),
      });
    },
    async stop() {
      await loop?.stop();
      await memory.cosigners?.settled();
    },
    ...auditLogOf(deps, memory),
  };
}

/**
 * One round. Returns whether the round ended at its bound, in which case more rows may wait. Exported for the tests.
 */
export async function sequence(deps: SequencerDeps, memory: SequencerMemory): Promise<boolean> {
  memory.key ??= await firstRound(deps, memory);
  const sequencing = await holdsLease(deps, memory);
  const found = await openLog(deps, sequencing);
  if (!found) return false;
  const log = (await extendsSeen(deps, memory, found)) ? found : await renamed(deps, memory, found, sequencing);
  if (!log) return false;
  see(memory, log);
  const { grown, full } = sequencing ? await append(deps, memory, log) : { grown: log, full: false };
  if (sequencing) {
    await publish(deps, memory, memory.key, grown);
    cosignBeside(deps, memory, memory.key, grown);
    await announce(deps, memory, log);
  } else await adopt(deps, memory, memory.key, log);
  watchCosignatures(deps, memory, grown);
  await keep(deps, memory, memory.key);
  return full;
}

/** Opens the key, and remembers the checkpoint in the folder: restoring the database does not restore the folder. */
async function firstRound(deps: SequencerDeps, memory: SequencerMemory): Promise<CheckpointKey> {
  const key = await ensureCheckpointKey(deps, new Date(deps.clock.now()));
  const note = deps.folder?.newest();
  const kept = note === undefined ? undefined : await key.open(note);
  if (kept) memory.seen = kept;
  return key;
}

/**
 * The lease is extended when half of its time is over. Without the lease only work is lost: an append is
 * compare-and-set.
 */
async function holdsLease({ database, clock }: SequencerDeps, memory: SequencerMemory): Promise<boolean> {
  const now = clock.monotonic();
  if (memory.leasedUntil - now > SEQUENCER_LEASE_MS / 2) return true;
  const lease = { name: "audit-log-sequencer", holder: memory.holder, ms: SEQUENCER_LEASE_MS };
  const leasedAt = await database.run("lease.take", (sql) => acquireLease(sql, lease));
  memory.leasedUntil = leasedAt ? now + SEQUENCER_LEASE_MS : Number.NEGATIVE_INFINITY;
  return leasedAt !== undefined;
}

async function openLog(deps: SequencerDeps, sequencing: boolean): Promise<Log | undefined> {
  const found = await deps.database.run("transparency_log.read", readLog);
  if (found || !sequencing) return found;
  await deps.database.run("transparency_log.create", (sql) => createLog(sql, nameAfter(deps, [])));
  return await deps.database.run("transparency_log.read", readLog);
}

/**
 * Whether the log in the database has all leaves seen by this replica. After the restore of a backup the log lacks
 * leaves: continuing under the same name would sign a second tree of an already signed size. A later name was given by
 * another replica; an earlier name came back with a backup.
 */
async function extendsSeen({ database }: SequencerDeps, { seen }: SequencerMemory, log: Log): Promise<boolean> {
  if (!seen) return true;
  if (seen.origin !== log.origin) return beginOf(log.origin) > beginOf(seen.origin);
  if (log.size <= seen.size) return log.size === seen.size && sameBytes(log.root, seen.root);
  return sameBytes(await database.run("transparency_tile.list", (sql) => rootOfFirst(sql, seen.size)), seen.root);
}

/** The log under a new name. Undefined without the lease: the holder of the lease finds the missing leaves too. */
async function renamed(
  deps: SequencerDeps,
  memory: SequencerMemory,
  log: Log,
  sequencing: boolean,
): Promise<Log | undefined> {
  const { seen } = memory;
  deps.log.error(
    { log: log.origin, seen: `${seen?.origin} ${seen?.size}`, found: log.size },
    "the transparency log has lost leaves, as by a restored backup: it goes on under a new name",
  );
  if (!sequencing) return undefined;
  const name = nameAfter(deps, [log.origin, ...(seen ? [seen.origin] : [])]);
  await deps.database.run("transparency_log.rename", (sql) => renameLog(sql, log, name));
  const found = await deps.database.run("transparency_log.read", readLog);
  return found?.origin === log.origin ? undefined : found;
}

function see(memory: SequencerMemory, { origin, size, root }: Pick<Log, "origin" | "size" | "root">): void {
  memory.seen = { origin, size, root };
}

/**
 * Appends the new rows of the trail. Returns the resulting log as known to this replica; `full` at the bound of a
 * round.
 */
async function append(deps: SequencerDeps, memory: SequencerMemory, read: Log): Promise<{ grown: Log; full: boolean }> {
  let grown = read;
  for (let reads = 0; reads < SEQUENCER_READS_MAX; reads += 1) {
    const next = await listNext(deps, grown);
    if (!next) return { grown, full: false };
    for (const batch of inBatches(next)) {
      const log = await appendBatch(deps, grown, batch);
      if (!log) return { grown, full: false };
      grown = log;
      see(memory, grown);
    }
  }
  return { grown, full: true };
}

async function listNext({ database }: SequencerDeps, log: Log): Promise<NextRows | undefined> {
  const next = await database.run("audit.list_unsequenced", (sql) => nextTrailRows(sql, log));
  if (next !== "restored") return next;
  await database.run("transparency_log.follow_restored", (sql) => followRestoredTrail(sql, log));
  return undefined;
}

/** Undefined when another sequencer has appended. The hashes, the tiles and the statement have steps of their own. */
async function appendBatch({ database }: SequencerDeps, log: Log, { rows, last }: NextRows): Promise<Log | undefined> {
  const steps = loopTurns();
  const leaves = await hashRows(rows, steps);
  await steps.next();
  const { changed, edge, root } = growTiles(log, leaves);
  const grown = { ...log, size: log.size + leaves.length, root, last, edge };
  await steps.next();
  const done = await database.run("transparency_log.grow", (sql) => growLog(sql, log, { ...grown, tiles: changed }));
  return done ? grown : undefined;
}
