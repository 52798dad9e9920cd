import type { Logger } from "./log.ts";

/** Work that may outlive the request. A draining replica waits for the work; a crash loses the work. */
export interface Background {
  /** False at the bound. Checked before the existence of work is known, so that the refusal reveals no information. */
  hasRoom(): boolean;
  /** Resolves when the work has ended. Never rejects: a failure is logged, because the request may be over. */
  run(name: string, work: () => Promise<unknown>): Promise<void>;
  /** Resolves when no work is in progress. */
  idle(): Promise<void>;
}

export function background(options: { readonly max: number; readonly log: Logger }): Background {
  const underway = new Set<Promise<void>>();

  async function attempt(name: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      options.log.error({ err: error, operation: name }, "background work failed");
    }
  }

  return {
    hasRoom: () => underway.size < options.max,
    run(name, work) {
      const running = attempt(name, work).finally(() => underway.delete(running));
      underway.add(running);
      return running;
    },
    async idle() {
      while (underway.size > 0) await Promise.all(underway);
    },
  };
}
