import { format } from "node:util";
import type { Logger } from "./log.ts";
import { endAtUnhandledErrors } from "./unhandled.ts";

/**
 * Sends messages of the process to the log: unhandled errors, which end the process, warnings of the runtime, and lines
 * that libraries such as the Redis driver print. A line of text beside JSON lines breaks collectors of logs.
 */
export function logProcess(log: Logger): void {
  console.warn = (...values) => log.warn({ source: "console" }, format(...values));
  console.error = (...values) => log.error({ source: "console" }, format(...values));
  process.on("warning", (warning) => log.warn({ source: "runtime", err: warning }, "warning of the runtime"));
  endAtUnhandledErrors(log);
}
