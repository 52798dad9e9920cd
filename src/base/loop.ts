import { RESTART_PAUSE_MAX_MS, RESTART_PAUSE_MIN_MS } from "./limits.ts";

/** Work that an actor does again and again until it is stopped. */
export interface Loop {
  /** Resolves once a round under way has ended; no further one begins. */
  stop(): Promise<void>;
  /** Ends the pause before the next round; after a failure the pause is kept. A round under way is followed by another one. */
  wake(): void;
}

export interface LoopOptions {
  /** Pause between the end of one round and the start of the next; 0 for work that waits by itself. */
  readonly pauseMs: number;
  readonly round: () => Promise<void>;
  /** Told of each failed round; the next one starts after a pause that doubles up to `RESTART_PAUSE_MAX_MS`. */
  readonly onFailure: (error: unknown) => void;
  /** Upper bound of that pause, for loops whose recovery must be quick. */
  readonly failurePauseMaxMs?: number;
}

export function startLoop(options: LoopOptions): Loop {
  const pauseMaxMs = options.failurePauseMaxMs ?? RESTART_PAUSE_MAX_MS;
  let stopped = false;
  let awaited = false;
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
      awaited = false;
      try {
        await options.round();
        failurePauseMs = RESTART_PAUSE_MIN_MS;
      } catch (error) {
        if (stopped) return;
        options.onFailure(error);
        failed = true;
        pauseMs = Math.max(pauseMs, failurePauseMs);
        failurePauseMs = Math.min(failurePauseMs * 2, pauseMaxMs);
      }
      if (!stopped && pauseMs > 0 && (failed || !awaited)) await pause(pauseMs, failed);
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
      else awaited = true;
    },
  };
}
