/**
 * Several processes on one port: the kernel shares connections out among listeners that ask for it (SO_REUSEPORT), so that the threads
 * which answer requests are as many. Each is a replica of its own and shares nothing but the port.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { systemClock } from "../base/clock.ts";
import { RESTART_PAUSE_MIN_MS } from "../base/limits.ts";
import { startLoop } from "../base/loop.ts";

/** A process that lived this long did not die of its start: the next pause is short again. */
const SETTLED_MS = 60_000;

export interface Supervision {
  readonly count: number;
  /** What each of them runs. */
  readonly command: readonly [program: string, ...words: string[]];
  /** One of them ended, and is started anew after a pause that grows while they do not live long. */
  readonly onExit: (code: number | null) => void;
}

export interface Supervisor {
  /** SIGTERM to each; resolves once all have drained, with false if one of them did not end well. */
  stop(): Promise<boolean>;
}

/** Starts the processes, and one anew for each that ends. They end by themselves should this process die. */
export function superviseProcesses({ count, command: [program, ...words], onExit }: Supervision): Supervisor {
  const running = new Set<ChildProcess>();
  let stopping = false;
  let endedWell = true;

  async function live(): Promise<void> {
    const startedAt = systemClock.monotonic();
    // The channel is for noticing that this process is gone.
    const child = spawn(program, words, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    running.add(child);
    const code = await new Promise<number | null>((ended) => child.once("exit", ended));
    running.delete(child);
    if (stopping) {
      endedWell &&= code === 0;
      return;
    }
    onExit(code);
    if (systemClock.monotonic() - startedAt < SETTLED_MS) throw new Error("a process did not live long");
  }

  const loops = Array.from({ length: count }, () =>
    startLoop({ pauseMs: RESTART_PAUSE_MIN_MS, round: live, onFailure: () => undefined }),
  );
  return {
    async stop() {
      stopping = true;
      const stopped = loops.map((loop) => loop.stop());
      for (const child of running) child.kill("SIGTERM");
      await Promise.all(stopped);
      return endedWell;
    },
  };
}
