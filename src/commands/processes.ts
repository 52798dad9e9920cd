/**
 * Several processes on one port: the kernel shares connections out among listeners that ask for it (SO_REUSEPORT), so that the threads
 * which answer requests are as many. Each is a replica of its own and shares nothing but the port.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { systemClock } from "../base/clock.ts";
import { RESTART_PAUSE_MAX_MS, RESTART_PAUSE_MIN_MS } from "../base/limits.ts";

/** A process that lived this long did not die of its start: the next pause is short again. */
const SETTLED_MS = 60_000;

export interface Supervision {
  readonly count: number;
  /** What each of them runs. */
  readonly command: readonly [program: string, ...words: string[]];
  readonly onExit: (code: number | null, pauseMs: number) => void;
}

export interface Supervisor {
  /** SIGTERM to each; resolves once all have drained, with false if one of them did not end well. */
  stop(): Promise<boolean>;
}

/** Starts the processes, and one anew after a growing pause for each that ends. They end by themselves should this process die. */
export function superviseProcesses({ count, command: [program, ...words], onExit }: Supervision): Supervisor {
  const running = new Set<ChildProcess>();
  let stopping = false;

  function start(lastPauseMs: number): void {
    if (stopping) return;
    // The channel is for noticing that this process is gone.
    const child = spawn(program, words, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    const startedAt = systemClock.monotonic();
    running.add(child);
    child.once("exit", (code) => {
      running.delete(child);
      if (stopping) return;
      const settled = systemClock.monotonic() - startedAt > SETTLED_MS;
      const pauseMs = settled ? RESTART_PAUSE_MIN_MS : Math.min(2 * lastPauseMs, RESTART_PAUSE_MAX_MS);
      onExit(code, pauseMs);
      setTimeout(() => start(pauseMs), pauseMs);
    });
  }

  for (let each = 0; each < count; each += 1) start(RESTART_PAUSE_MIN_MS);
  return {
    async stop() {
      stopping = true;
      const last = [...running].map(
        (child) => new Promise<boolean>((done) => child.once("exit", (code) => done(code === 0))),
      );
      for (const child of running) child.kill("SIGTERM");
      return (await Promise.all(last)).every(Boolean);
    },
  };
}
