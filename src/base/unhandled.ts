import type { Logger } from "./log.ts";

/**
 * An error that nothing handled ends the process with code 1: what it left behind is unknown. It is one line of the
 * log, without secrets; the runtime would print its message and the source around it, on several lines.
 */
export function endAtUnhandledErrors(log: Logger): void {
  const end = (error: unknown) => {
    log.fatal({ err: error }, "ended by an error that nothing handled");
    process.exit(1);
  };
  process.on("uncaughtException", end);
  process.on("unhandledRejection", end);
}
