import type { Logger } from "./log.ts";

/**
 * An error that nothing handled ends the process with code 1: what it left behind is unknown. It is one line of the
 * log, without secrets; the runtime would print its message and the source around it, on several lines. Of a value that
 * is no Error only the type is told: it could be anything.
 */
export function endAtUnhandledErrors(log: Logger): void {
  const end = (error: unknown) => {
    try {
      log.fatal({ err: error }, "ended by an error that nothing handled");
    } finally {
      process.exit(1);
    }
  };
  process.on("uncaughtException", end);
  process.on("unhandledRejection", end);
}
