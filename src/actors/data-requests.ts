/**
 * Owns: the erasure of due deletions and the making of requested exports by this replica.
 * Woken by: flows after a request (`wake`), and a poll, which finds due deletions and requests of other replicas.
 * Bound: one export and one erasure at once; a round erases at most `ERASURES_BATCH` deletions.
 * A crash loses: nothing. An erasure is one transaction, and any replica repeats an export after the end of the lease.
 */
import { type Loop, startLoop } from "../base/loop.ts";
import { DATA_REQUEST_POLL_MS } from "../limits/deletion-limits.ts";
import type { Logger } from "../telemetry/log.ts";

export interface DataRequests {
  start(): void;
  stop(): Promise<void>;
  /** Called after a request: begins now instead of at the next poll. */
  wake(): void;
}

export interface DataRequestsDeps {
  readonly log: Logger;
  /** Returns whether more deletions may be due. */
  readonly eraseDue: (isStopped: () => boolean) => Promise<boolean>;
  readonly makeExports: (isStopped: () => boolean) => Promise<void>;
}

export function dataRequests({ log, eraseDue, makeExports }: DataRequestsDeps): DataRequests {
  const loops: Loop[] = [];
  return {
    start() {
      const erasing = startLoop({
        pauseMs: DATA_REQUEST_POLL_MS,
        round: async (isStopped) => {
          if (await eraseDue(isStopped)) erasing.wake();
        },
        onFailure: (error) => log.warn({ err: error }, "erasure: a round failed; the next one continues"),
      });
      const exporting = startLoop({
        pauseMs: DATA_REQUEST_POLL_MS,
        round: makeExports,
        onFailure: (error) => log.warn({ err: error }, "export: a round failed; the next one continues"),
      });
      loops.push(erasing, exporting);
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
    wake() {
      for (const loop of loops) loop.wake();
    },
  };
}
