/** The start of `migrate` beside the start of PostgreSQL, as in Compose without a health check. */
import { setTimeout as sleep } from "node:timers/promises";
import { DATABASE_START_ATTEMPTS, DATABASE_START_PAUSE_MS } from "../limits/database-limits.ts";
import { unreachable } from "./unreachable.ts";

/** A server that starts: the port is closed, the start closes connections, or the server says so (57P03). */
const STARTING: ReadonlySet<string> = new Set(["ECONNREFUSED", "ECONNRESET", "CONNECTION_CLOSED", "57P03"]);

interface Waiting {
  readonly pauseMs?: number;
  /** Called before the first pause, with the cause. */
  readonly onWaiting: (cause: string) => void;
}

/** Connects, and waits for a server that starts. Throws the cause with the next step; any other failure at once. */
export async function awaitDatabase(connect: () => Promise<unknown>, waiting: Waiting): Promise<void> {
  const { pauseMs = DATABASE_START_PAUSE_MS, onWaiting } = waiting;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await connect();
      return;
    } catch (error) {
      const { detail, remedy } = unreachable("database", "failure", error);
      const isStarting = error instanceof Error && STARTING.has(String((error as Error & { code?: string }).code));
      if (!isStarting || attempt >= DATABASE_START_ATTEMPTS) {
        throw new Error(`PostgreSQL: ${detail}\n  -> ${remedy}`, { cause: error });
      }
      if (attempt === 1) onWaiting(detail);
      await sleep(pauseMs);
    }
  }
}
