import { cosignersOf } from "../../../clients/js/src/audit/note.ts";
import type { Logger } from "../../telemetry/log.ts";
import type { ConsistentCheckpoint, Witness } from "./witness.ts";

/**
 * Collects cosignatures concurrently with the rounds of the sequencer: no witness delays a checkpoint or another
 * witness.
 */
export interface Cosigners {
  /**
   * Asks each idle witness whose cosignature is not in `known`, a note of the checkpoint; asks no witness while fewer
   * than the quorum are idle, so enough witnesses are asked about one checkpoint. Returns at once; calls `onCosigned`
   * after each cosignature with the note and all cosignatures so far.
   */
  ask(checkpoint: ConsistentCheckpoint, known: string, onCosigned: OnCosigned): void;
  /** Waits for all pending responses. */
  settled(): Promise<void>;
}

type OnCosigned = (note: string, cosignatures: number) => Promise<void>;

export interface CosignersDeps {
  readonly witnesses: readonly Witness[];
  readonly quorum: number;
  readonly log: Logger;
}

export function cosigners({ witnesses, quorum, log }: CosignersDeps): Cosigners {
  const asked = new Map<Witness, Promise<void>>();
  const failing = new Set<Witness>();

  /** Logs the first failure of a witness, and the first cosignature after a failure. */
  async function askOne(witness: Witness, checkpoint: ConsistentCheckpoint): Promise<string | undefined> {
    const { name } = witness;
    try {
      const line = await witness.cosign(checkpoint);
      if (failing.delete(witness)) log.info({ witness: name }, "a witness cosigns again");
      return line;
    } catch (error) {
      if (!failing.has(witness)) log.warn({ err: error, witness: name }, "a witness does not cosign checkpoints");
      failing.add(witness);
      return undefined;
    }
  }

  return {
    ask(checkpoint, known, onCosigned) {
      const present = cosignersOf(known);
      const free = witnesses.filter((witness) => !asked.has(witness));
      if (free.length + present.length < quorum) return;
      const lines = new Map<Witness, string>();
      const collect = async (witness: Witness): Promise<void> => {
        const line = await askOne(witness, checkpoint);
        if (line === undefined) return;
        lines.set(witness, line);
        const ordered = witnesses.flatMap((each) => lines.get(each) ?? []);
        await onCosigned(known + ordered.join(""), present.length + lines.size);
      };
      for (const witness of free.filter(({ name }) => !present.includes(name))) {
        const done = collect(witness)
          .catch((error) => log.warn({ err: error }, "a cosigned checkpoint was not published"))
          .finally(() => asked.delete(witness));
        asked.set(witness, done);
      }
    },
    async settled() {
      await Promise.all(asked.values());
    },
  };
}
