import { RESTART_PAUSE_MAX_MS, RESTART_PAUSE_MIN_MS } from "../limits/process-limits.ts";

/** Repeats the work of an actor until it is stopped. */
export interface Loop {
  /** Resolves when the current round has ended; no further round starts. */
  stop(): Promise<void>;
  /**
   * Ends the pause before the next round, but not the pause after a failure. During a round: starts another round
   * afterwards.
   */
  wake(): void;
}

export interface LoopOptions {
  /** Pause between the end of a round and the start of the next; 0 for work that blocks by itself. */
  readonly pauseMs: number;
  /** A long round ends early once `isStopped`: a draining replica waits for the round. */
  readonly round: (isStopped: () => boolean) => Promise<void>;
  /** Called for every failed round; the pause before the next round doubles up to `RESTART_PAUSE_MAX_MS`. */
  readonly onFailure: (error: unknown) => void;
  /** Upper bound of the pause after a failure, for loops that must recover quickly. */
  readonly failurePauseMaxMs?: number;
}

export function startLoop(options: LoopOptions): Loop {
  const pauseMaxMs = options.failurePauseMaxMs ?? RESTART_PAUSE_MAX_MS;
  let stopped = false;
  let wakeRequested = false;
  let pausing: { readonly afterFailure: boolean; readonly end: () => void } | undefined;

  function pause(milliseconds: number, afterFailure: boolean): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        pausing = undefined;
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      pausing = { afterFailure, end };
    });
  }

  async function run(): Promise<void> {
    let failurePauseMs = RESTART_PAUSE_MIN_MS;
    while (!stopped) {
      let pauseMs = options.pauseMs;
      let failed = false;
      wakeRequested = false;
      try {
        await options.round(() => stopped);
        failurePauseMs = RESTART_PAUSE_MIN_MS;
      } catch (error) {
        if (stopped) return;
        options.onFailure(error);
        failed = true;
        pauseMs = Math.max(pauseMs, failurePauseMs);
        failurePauseMs = Math.min(failurePauseMs * 2, pauseMaxMs);
      }
      if (!stopped && pauseMs > 0 && (failed || !wakeRequested)) await pause(pauseMs, failed);
    }
  }

  const running = run();
  return {
    async stop() {
      stopped = true;
      pausing?.end();
      await running;
    },
    wake() {
      if (pausing && !pausing.afterFailure) pausing.end();
      else wakeRequested = true;
    },
  };
}
