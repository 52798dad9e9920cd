import { existsSync, writeFileSync } from "node:fs";

/**
 * Exits unless the file exists, and creates the file: the first worker exits, the second worker responds. Without a
 * file name all workers exit.
 */
export interface FatalJob {
  readonly dieUnless: string | undefined;
  /** Milliseconds of waiting before the work, as for a database. */
  readonly afterMs?: number;
}

export default async function runFatalJob({ dieUnless, afterMs = 0 }: FatalJob): Promise<{ ok: true }> {
  if (afterMs > 0) await new Promise((resolve) => setTimeout(resolve, afterMs));
  if (dieUnless && existsSync(dieUnless)) return { ok: true };
  if (dieUnless) writeFileSync(dieUnless, "");
  process.exit(1);
}
