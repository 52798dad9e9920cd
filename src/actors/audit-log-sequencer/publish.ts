/** Checkpoints: signed, published, cosigned, kept in a folder and announced. */
import { CHECKPOINT_ANNOUNCE_MS } from "../../limits/audit-limits.ts";
import { WEBHOOK_DELIVERY_LIFETIME_MS } from "../../limits/machine-limits.ts";
import type { CheckpointKey } from "../../models/transparency-log/checkpoint-key.ts";
import { isLater } from "../../models/transparency-log/log-name.ts";
import {
  coversLog,
  isBehind,
  openPublished,
  type PublishedLog,
  publishedLog,
} from "../../models/transparency-log/published-log.ts";
import {
  announceCheckpoint,
  consistencyProof,
  type Log,
  publishCheckpoint,
  publishCosigned,
} from "../../models/transparency-log/transparency-log.ts";
import { CHECKPOINT_PUBLISHED } from "../../models/webhook/webhook.ts";
import { keepCheckpoint } from "../../providers/checkpoints/checkpoint-folder.ts";
import { cosigners } from "../../providers/checkpoints/cosigners.ts";
import type { SequencerDeps, SequencerMemory } from "./memory.ts";

/**
 * Signs a checkpoint of the log and publishes the checkpoint, unless this log is published already. With a quorum,
 * publication waits until enough witnesses have cosigned.
 */
export async function publish(
  deps: SequencerDeps,
  memory: SequencerMemory,
  key: CheckpointKey,
  log: Log,
): Promise<void> {
  await adopt(deps, memory, key, log);
  if (deps.quorum > 0 || coversLog(memory.published, log)) return;
  const note = key.sign(log);
  if (!(await deps.database.run("transparency_log.publish", (sql) => publishCheckpoint(sql, log, note)))) return;
  memory.published = publishedLog(key, log, note);
}

/** Requests cosignatures for the newest checkpoint. The round does not wait: a hanging witness delays no checkpoint. */
export function cosignBeside(deps: SequencerDeps, memory: SequencerMemory, key: CheckpointKey, log: Log): void {
  if (deps.witnesses.length === 0) return;
  memory.cosigners ??= cosigners(deps);
  const { origin, size } = log;
  const signed = key.sign(log);
  const known = coversLog(memory.cosigned, log) ? (memory.cosigned?.note ?? signed) : signed;
  const proofFrom = (from: number) =>
    deps.database.run("transparency_tile.list", (sql) => consistencyProof(sql, from, size));
  memory.cosigners.ask({ note: signed, origin, size, proofFrom }, known, async (note, cosignatures) => {
    // Every replica and auditor can read the published note, no matter what text a witness returns.
    if (cosignatures < Math.max(1, deps.quorum) || !(await key.open(note))) return;
    if (!(await deps.database.run("transparency_log.publish", (sql) => publishCosigned(sql, log, note)))) return;
    rememberCosigned(memory, publishedLog(key, log, note));
  });
}

function rememberCosigned(memory: SequencerMemory, cosigned: PublishedLog): void {
  if (memory.cosigned && isLater(memory.cosigned.checkpoint, cosigned.checkpoint)) return;
  memory.cosigned = cosigned;
  memory.waitingSince = undefined;
  const { published } = memory;
  if (!published || !isLater(published.checkpoint, cosigned.checkpoint)) memory.published = cosigned;
}

/**
 * The wait begins with the first leaf beyond the newest cosigned checkpoint, and again with each cosigned checkpoint.
 */
export function watchCosignatures({ clock }: SequencerDeps, memory: SequencerMemory, log: Log): void {
  if (coversLog(memory.cosigned, log)) memory.waitingSince = undefined;
  else memory.waitingSince ??= clock.monotonic();
}

/** Writes the checkpoint of any replica. A failed write is repeated in the next round. */
export async function keep(
  { folder, clock }: SequencerDeps,
  memory: SequencerMemory,
  key: CheckpointKey,
): Promise<void> {
  const { published } = memory;
  if (!folder || !published || published.note === memory.kept) return;
  await keepCheckpoint(folder, published, { open: key.open, isLater }, new Date(clock.now()));
  memory.kept = published.note;
}

/**
 * Sends the published checkpoint to webhooks, unless this checkpoint was sent, or another was sent less than a minute
 * ago.
 */
export async function announce(deps: SequencerDeps, { published }: SequencerMemory, read: Log): Promise<void> {
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

/** Adopts the published log if this deployment signed the checkpoint. */
export async function adopt(
  deps: SequencerDeps,
  memory: SequencerMemory,
  key: CheckpointKey,
  read: Log,
): Promise<void> {
  const { checkpoint, cosignedCheckpoint } = read;
  if (checkpoint !== null && checkpoint !== memory.published?.note) {
    const published = await openOwn(deps, memory, key, read, checkpoint);
    if (published && !isBehind(published, memory.published)) memory.published = published;
  }
  if (cosignedCheckpoint === null || cosignedCheckpoint === memory.cosigned?.note) return;
  const cosigned = await openOwn(deps, memory, key, read, cosignedCheckpoint);
  if (cosigned && !isBehind(cosigned, memory.cosigned)) rememberCosigned(memory, cosigned);
}

/** Undefined for a note of another deployment; the note is reported once. */
async function openOwn(
  { log }: SequencerDeps,
  memory: SequencerMemory,
  key: CheckpointKey,
  read: Log,
  note: string,
): Promise<PublishedLog | undefined> {
  const published = await openPublished(key, read, note);
  if (!published && memory.foreign !== read.origin) {
    log.warn({ log: read.origin }, "the published checkpoint is not signed by this deployment");
    memory.foreign = read.origin;
  }
  return published;
}
