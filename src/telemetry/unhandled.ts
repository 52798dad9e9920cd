import type { Logger } from "./log.ts";

/**
 * An unhandled error ends the process with code 1, because the state of the process is unknown. The error is a single
 * line of the log, without secrets; the runtime would print the message and the surrounding source, on several lines. A
 * thrown value that is not an Error is logged by type only: the value could be a secret.
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
