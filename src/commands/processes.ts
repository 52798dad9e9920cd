/**
 * Several processes on one port: the kernel distributes connections among listeners with SO_REUSEPORT, so the requests
 * use one thread per process. A process is a replica and shares only the port and the response of /metrics.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { systemClock } from "../base/clock.ts";
import { startLoop } from "../base/loop.ts";
import { RESTART_PAUSE_MIN_MS } from "../limits/process-limits.ts";
import { metricsCollector } from "./process-metrics.ts";

/** A process with this uptime started correctly: the next pause is short again. */
const STABLE_MS = 60_000;

export interface Supervision {
  readonly count: number;
  /** The command of a process. */
  readonly command: readonly [program: string, ...args: string[]];
  /**
   * A process ended, or could not be started. The restart follows after a pause, which grows while processes end early.
   */
  readonly onExit: (code: number | null) => void;
}

export interface Supervisor {
  /** Sends SIGTERM to all processes; resolves once all have drained, with false if one exited with an error. */
  stop(): Promise<boolean>;
}

/** Starts the processes and restarts every ended process. The processes end by themselves if this process dies. */
export function superviseProcesses({ count, command: [program, ...args], onExit }: Supervision): Supervisor {
  const running = new Set<ChildProcess>();
  const metrics = metricsCollector(count);
  let stopping = false;
  let cleanExits = true;

  async function runChild(number: number): Promise<void> {
    const startedAt = systemClock.monotonic();
    // The child drains when this IPC channel closes, which includes the death of this process.
    const child = spawn(program, args, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    running.add(child);
    metrics.follow(number, child);
    const code = await new Promise<number | null>((ended) => {
      child.once("exit", ended);
      // The process could not be started: the machine has insufficient memory, or an upgrade is replacing the program.
      child.once("error", () => ended(null));
    });
    running.delete(child);
    if (stopping) {
      cleanExits &&= code === 0;
      return;
    }
    onExit(code);
    if (systemClock.monotonic() - startedAt < STABLE_MS) throw new Error("a process ended early");
  }

  const loops = Array.from({ length: count }, (_, index) =>
    startLoop({
      pauseMs: RESTART_PAUSE_MIN_MS,
      round: () => runChild(index + 1),
      onFailure: () => undefined,
    }),
  );
  return {
    async stop() {
      stopping = true;
      const stopped = loops.map((loop) => loop.stop());
      for (const child of running) terminate(child);
      await Promise.all(stopped);
      return cleanExits;
    },
  };
}

/** Does not use `child.kill`: Deno 2.9 then reports the signal as the cause of the end, for every exit code. */
function terminate({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(pid, "SIGTERM");
  } catch {
    // The process has ended already.
  }
}
