import { RESTART_PAUSE_MAX_MS, RESTART_PAUSE_MIN_MS } from "./limits.ts";

/** Work that an actor does again and again until it is stopped. */
export interface Loop {
  /** Resolves once a round under way has ended; no further one begins. */
  stop(): Promise<void>;
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
  let wake: (() => void) | undefined;

  function pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function run(): Promise<void> {
    let failurePauseMs = RESTART_PAUSE_MIN_MS;
    while (!stopped) {
      let pauseMs = options.pauseMs;
      try {
        await options.round();
        failurePauseMs = RESTART_PAUSE_MIN_MS;
      } catch (error) {
        if (stopped) return;
        options.onFailure(error);
        pauseMs = Math.max(pauseMs, failurePauseMs);
        failurePauseMs = Math.min(failurePauseMs * 2, pauseMaxMs);
      }
      if (!stopped && pauseMs > 0) await pause(pauseMs);
    }
  }

  const running = run();
  return {
    async stop() {
      stopped = true;
      wake?.();
      await running;
    },
  };
}
