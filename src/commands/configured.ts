import { type Config, formatConfigErrors, loadConfig } from "../config/config.ts";
import { type Foundation, openFoundation } from "../foundation.ts";

/** The configuration of this environment. Throws one message with all errors. */
export function configured(): Config {
  const config = loadConfig(process.env);
  if (!config.ok) throw new Error(formatConfigErrors(config.error));
  return config.value;
}

/** Runs the work of a command on an open foundation, and always closes the foundation. */
export async function withFoundation<T>(work: (foundation: Foundation) => Promise<T>): Promise<T> {
  const foundation = await openFoundation(configured(), { logLevel: "warn", attach: true });
  try {
    return await work(foundation);
  } finally {
    await foundation.close();
  }
}
