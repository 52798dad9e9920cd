/** What the sequencer is given, what it remembers between rounds, and what others read of that. */
import type { Checkpoint } from "../../../clients/js/src/audit/note.ts";
import type { Clock } from "../../base/clock.ts";
import type { Random } from "../../base/random.ts";
import type { SealingKey } from "../../base/seal.ts";
import type { Database } from "../../database/database.ts";
import type { CheckpointKey } from "../../models/transparency-log/checkpoint-key.ts";
import type { PublishedLog } from "../../models/transparency-log/published-log.ts";
import type { Cosigners } from "../../providers/checkpoints/cosigners.ts";
import type { CheckpointFolder } from "../../providers/checkpoints/folder.ts";
import type { Witness } from "../../providers/checkpoints/witness.ts";
import type { Logger } from "../../telemetry/log.ts";

/** What a replica knows of the log. */
export interface AuditLogReader {
  /** The newest published checkpoint that is known here; undefined before the first one. */
  published(): PublishedLog | undefined;
  /** The newest one with cosignatures, as many as the quorum and one at least. */
  cosigned(): PublishedLog | undefined;
  /** Signs a statement about the log; undefined before the first round. */
  signStatement(origin: string, text: string): string | undefined;
  /** For how many seconds leaves have waited for cosignatures without one coming; undefined without witnesses. */
  cosignatureWait(): number | undefined;
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
  /** Cosignatures without which no checkpoint is published; 0: cosignatures are added to what is published. */
  readonly quorum: number;
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
  /** The newest with cosignatures, as many as the quorum and one at least. */
  cosigned?: PublishedLog;
  /** Since when leaves have waited for cosignatures without one coming (monotonic milliseconds). */
  waitingSince?: number | undefined;
  cosigners?: Cosigners;
  /** The note that this replica last wrote into its folder, or found there. */
  kept?: string;
  /** The log whose checkpoint another deployment has signed, which was reported. */
  foreign?: string;
}

export function emptyMemory({ random }: Pick<SequencerDeps, "random">): SequencerMemory {
  return { holder: random.uuid(), leasedUntil: Number.NEGATIVE_INFINITY };
}

export function auditLogOf({ witnesses, clock }: SequencerDeps, memory: SequencerMemory): AuditLogReader {
  return {
    published: () => memory.published,
    cosigned: () => memory.cosigned,
    signStatement: (origin, text) => memory.key?.signStatement(origin, text),
    cosignatureWait() {
      if (witnesses.length === 0) return undefined;
      return memory.waitingSince === undefined ? 0 : (clock.monotonic() - memory.waitingSince) / 1000;
    },
  };
}
