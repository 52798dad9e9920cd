/**
 * Owns: the growth of the transparency log (docs/decisions/0018), and what this replica has seen of it. Each second one
 * replica, by a lease, appends the rows of the trail whose transactions have ended, signs a checkpoint and has it
 * cosigned; the others read what it has published.
 * Once a minute at most, the newest checkpoint goes to webhooks of the platform that ask for it.
 * Started by: a timer.
 * Bound: `SEQUENCER_READS_MAX` statements of `SEQUENCER_READ` rows a round. One round at a time.
 * A crash loses: the memory of what was published. The rows, the tiles and the checkpoint are in PostgreSQL, and an
 * append is one statement that succeeds only on the log that it was computed from, so two sequencers never fork it.
 */

import { sameBytes } from "../../clients/js/src/audit/merkle.ts";
import type { Checkpoint } from "../../clients/js/src/audit/note.ts";
import {
  CHECKPOINT_ANNOUNCE_MS,
  SEQUENCER_LEASE_MS,
  SEQUENCER_PAUSE_MS,
  SEQUENCER_READS_MAX,
} from "../base/audit-limits.ts";
import type { Clock } from "../base/clock.ts";
import type { Database } from "../base/database.ts";
import type { Logger } from "../base/log.ts";
import { type Loop, startLoop } from "../base/loop.ts";
import { WEBHOOK_DELIVERY_LIFETIME_MS } from "../base/machine-limits.ts";
import type { Random } from "../base/random.ts";
import type { SealingKey } from "../base/seal.ts";
import { inBatches, type NextRows, nextTrailRows } from "../models/audit/trail.ts";
import { acquireLease } from "../models/lease/lease.ts";
import { type CheckpointKey, ensureCheckpointKey } from "../models/transparency-log/checkpoint-key.ts";
import {
  announceCheckpoint,
  consistencyProof,
  createLog,
  followRestoredTrail,
  growLog,
  type Log,
  publishCheckpoint,
  readLog,
  renameLog,
  rootOfFirst,
} from "../models/transparency-log/log.ts";
import { beginOf, isLater, nameAfter } from "../models/transparency-log/log-name.ts";
import { growTiles, leafOf } from "../models/transparency-log/tiles.ts";
import { CHECKPOINT_PUBLISHED } from "../models/webhook/webhook.ts";
import type { CheckpointFolder } from "../providers/checkpoints/folder.ts";
import { cosign, reportFailures, type Witness } from "../providers/checkpoints/witness.ts";

export interface AuditLogSequencer {
  start(): void;
  stop(): Promise<void>;
  /** The newest checkpoint that is known here; undefined before the first one. */
  published(): PublishedLog | undefined;
}

export interface PublishedLog {
  /** The signed note. */
  readonly note: string;
  readonly checkpoint: Checkpoint;
  /** Verifies the note (c2sp.org/signed-note). */
  readonly verifierKey: string;
}

export interface SequencerDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly sealing: SealingKey;
  /** How names of logs begin: host and path of the API. */
  readonly namePrefix: string;
  readonly witnesses: readonly Witness[];
  readonly folder: CheckpointFolder | undefined;
}

/** What a replica remembers between rounds. */
export interface SequencerMemory {
  readonly holder: string;
  key?: CheckpointKey;
  /** Monotonic milliseconds. */
  leasedUntil: number;
  /** The greatest log that it has seen; the database must extend it. */
  seen?: Checkpoint;
  published?: PublishedLog;
  /** Witnesses that did not cosign the published checkpoint. */
  lacking: readonly string[];
  /** The note that this replica last wrote into its folder, or found there. */
  kept?: string;
  /** The log whose checkpoint another deployment has signed, which was reported. */
  foreign?: string;
}

export function auditLogSequencer(deps: SequencerDeps): AuditLogSequencer {
  const memory = nothingSeen(deps);
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
    },
    published: () => memory.published,
  };
}

export function nothingSeen({ random }: Pick<SequencerDeps, "random">): SequencerMemory {
  return { holder: random.uuid(), leasedUntil: Number.NEGATIVE_INFINITY, lacking: [] };
}

/** One round. Returns whether it ended at its bound, and more may wait. Exported for the tests. */
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
    await announce(deps, memory, log);
  } else await adopt(deps, memory, memory.key, log);
  await keep(deps, memory, memory.key);
  return full;
}

/** Opens the key, and remembers the checkpoint in the folder, which a restored database does not take back. */
async function firstRound(deps: SequencerDeps, memory: SequencerMemory): Promise<CheckpointKey> {
  const key = await ensureCheckpointKey(deps, new Date(deps.clock.now()));
  const note = deps.folder?.newest();
  const kept = note === undefined ? undefined : await key.open(note);
  if (kept) memory.seen = kept;
  return key;
}

/** The lease is extended when half of it is over. Without it nothing but work is lost: an append is compare-and-set. */
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
 * Whether the log in the database has all leaves that this replica has seen of it. It has not after a backup was
 * restored: going on under the same name would sign another tree of a size that was signed before. A later name is one
 * that another replica has given; an earlier one came back with a backup.
 */
async function extendsSeen({ database }: SequencerDeps, { seen }: SequencerMemory, log: Log): Promise<boolean> {
  if (!seen) return true;
  if (seen.origin !== log.origin) return beginOf(log.origin) > beginOf(seen.origin);
  if (log.size <= seen.size) return log.size === seen.size && sameBytes(log.root, seen.root);
  return sameBytes(await database.run("transparency_tile.list", (sql) => rootOfFirst(sql, seen.size)), seen.root);
}

/** The log under a new name. Undefined without the lease: the one who has it sees the same. */
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

/** Appends what the trail has gained. Returns the log as this replica knows it then; `full` at the bound of a round. */
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

/** Undefined when another sequencer has appended. */
async function appendBatch({ database }: SequencerDeps, log: Log, { rows, last }: NextRows): Promise<Log | undefined> {
  const leaves = rows.map(({ id, record }) => ({ rowId: id, hash: leafOf(record) }));
  const { changed, edge, root } = growTiles(log, leaves);
  const grown = { ...log, size: log.size + leaves.length, root, last, edge };
  const done = await database.run("transparency_log.grow", (sql) => growLog(sql, log, { ...grown, tiles: changed }));
  return done ? grown : undefined;
}

/** Signs a checkpoint of the log, has it cosigned and publishes it, unless the published one is of this log already. */
async function publish(deps: SequencerDeps, memory: SequencerMemory, key: CheckpointKey, log: Log): Promise<void> {
  await adopt(deps, memory, key, log);
  const { published } = memory;
  if (published?.checkpoint.origin === log.origin && published.checkpoint.size === log.size && !memory.lacking.length)
    return;
  const signed = key.sign(log);
  const proofFrom = (size: number) =>
    deps.database.run("transparency_tile.list", (sql) => consistencyProof(sql, size, log.size));
  const { origin, size, root } = log;
  const { note: cosigned, failures } = await cosign(deps.witnesses, { note: signed, origin, size, proofFrom });
  memory.lacking = reportFailures(deps.log, memory.lacking, failures);
  // Whatever the witnesses have answered, every replica and auditor can read what is published.
  const note = (await key.open(cosigned)) ? cosigned : signed;
  if (note === published?.note) return;
  if (!(await deps.database.run("transparency_log.publish", (sql) => publishCheckpoint(sql, log, note)))) return;
  memory.published = { note, checkpoint: { origin, size, root }, verifierKey: key.verifierKey(origin) };
}

/**
 * Writes the published checkpoint into the folder, whichever replica has published it, unless there is a later one:
 * replicas may share the folder. What could not be written is written in the next round.
 */
async function keep({ folder, clock }: SequencerDeps, memory: SequencerMemory, key: CheckpointKey): Promise<void> {
  const { published } = memory;
  if (!folder || !published || published.note === memory.kept) return;
  const note = folder.newest();
  const newest = note === undefined ? undefined : await key.open(note);
  if (note !== published.note && !(newest && isLater(newest, published.checkpoint))) {
    folder.write(published.note, new Date(clock.now()));
  }
  memory.kept = published.note;
}

/** Sends the published checkpoint to webhooks, unless it was sent before, or another one less than a minute ago. */
async function announce(deps: SequencerDeps, { published }: SequencerMemory, read: Log): Promise<void> {
  const now = deps.clock.now();
  const notSince = now - CHECKPOINT_ANNOUNCE_MS;
  if (!published || published.checkpoint.size === read.announcedSize) return;
  if (read.announcedAt && read.announcedAt.getTime() > notSince) return;
  const announcement = {
    note: published.note,
    eventId: deps.random.uuid(),
    eventType: CHECKPOINT_PUBLISHED,
    at: new Date(now),
    notSince: new Date(notSince),
    expiresAt: new Date(now + WEBHOOK_DELIVERY_LIFETIME_MS),
  };
  await deps.database.run("transparency_log.announce", (sql) => announceCheckpoint(sql, announcement));
}

/** Takes over what the log has published, if this deployment signed it. */
async function adopt({ log }: SequencerDeps, memory: SequencerMemory, key: CheckpointKey, read: Log): Promise<void> {
  const { checkpoint: note } = read;
  if (note === null || note === memory.published?.note) return;
  const checkpoint = await key.open(note);
  if (checkpoint?.origin !== read.origin || checkpoint.size > read.size) {
    if (memory.foreign !== read.origin)
      log.warn({ log: read.origin }, "the published checkpoint is not signed by this deployment");
    memory.foreign = read.origin;
    return;
  }
  const { published } = memory;
  if (published?.checkpoint.origin === read.origin && published.checkpoint.size > checkpoint.size) return;
  memory.published = { note, checkpoint, verifierKey: key.verifierKey(read.origin) };
}
