import type { Logger } from "./log.ts";

/** Work that may go on after its request was answered. A replica that drains waits for it; a crash loses it. */
export interface Background {
  /** False when as much is under way as may be. Asked before it is known whether there will be anything to do. */
  hasRoom(): boolean;
  /** Resolves with the end of the work, and never rejects: what fails goes to the log, since nobody may wait for it any more. */
  run(name: string, work: () => Promise<unknown>): Promise<void>;
  /** Resolves once nothing is under way. */
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
