/** The dependencies of the sequencer, the memory between rounds, and the reader's view of the memory. */
import type { Checkpoint } from "../../../clients/js/src/audit/note.ts";
import type { Clock } from "../../base/clock.ts";
import type { Random } from "../../base/random.ts";
import type { SealingKey } from "../../base/seal.ts";
import type { Database } from "../../database/database.ts";
import type { CheckpointKey } from "../../models/transparency-log/checkpoint-key.ts";
import type { PublishedLog } from "../../models/transparency-log/published-log.ts";
import type { CheckpointFolder } from "../../providers/checkpoints/checkpoint-folder.ts";
import type { Cosigners } from "../../providers/checkpoints/cosigners.ts";
import type { Witness } from "../../providers/checkpoints/witness.ts";
import type { Logger } from "../../telemetry/log.ts";

/** The log as known to a replica. */
export interface AuditLogReader {
  /** The newest published checkpoint known here; undefined before the first. */
  published(): PublishedLog | undefined;
  /** The newest checkpoint with enough cosignatures: at least the quorum, and at least 1. */
  cosigned(): PublishedLog | undefined;
  /** Signs a statement about the log; undefined before the first round. */
  signStatement(origin: string, text: string): string | undefined;
  /** Seconds for which leaves have waited for the next cosignature; undefined without witnesses. */
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
  /** Cosignatures required for the publication of a checkpoint; 0: cosignatures are added to a published checkpoint. */
  readonly quorum: number;
  readonly folder: CheckpointFolder | undefined;
}

/** The memory of a replica between rounds. */
export interface SequencerMemory {
  readonly holder: string;
  key?: CheckpointKey;
  /** Monotonic milliseconds. */
  leasedUntil: number;
  /** The greatest log seen by this replica; the database must extend this log. */
  seen?: Checkpoint;
  published?: PublishedLog;
  /** The newest log with enough cosignatures: at least the quorum, and at least 1. */
  cosigned?: PublishedLog;
  /** The time since when leaves have waited for the next cosignature (monotonic milliseconds). */
  waitingSince?: number | undefined;
  cosigners?: Cosigners;
  /** The note last written to the folder by this replica, or found in the folder. */
  kept?: string;
  /** The log, already reported, whose checkpoint another deployment has signed. */
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
