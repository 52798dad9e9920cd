import { existsSync, writeFileSync } from "node:fs";

/**
 * Dies unless the file is there, and leaves it there: the first worker falls, the second answers. Without a file all
 * fall.
 */
export interface FatalJob {
  readonly dieUnless: string | undefined;
  /** Waits for this long first, as for a database. */
  readonly afterMs?: number;
}

export default async function runFatalJob({ dieUnless, afterMs = 0 }: FatalJob): Promise<{ ok: true }> {
  if (afterMs > 0) await new Promise((resolve) => setTimeout(resolve, afterMs));
  if (dieUnless && existsSync(dieUnless)) return { ok: true };
  if (dieUnless) writeFileSync(dieUnless, "");
  process.exit(1);
}
