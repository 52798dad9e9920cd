import { existsSync, writeFileSync } from "node:fs";

/**
 * Dies unless the file is there, and leaves it there: the first worker falls, the second answers. Without a file all
 * fall.
 */
export interface FatalJob {
  readonly dieUnless: string | undefined;
}

export default function runFatalJob({ dieUnless }: FatalJob): { ok: true } {
  if (dieUnless && existsSync(dieUnless)) return { ok: true };
  if (dieUnless) writeFileSync(dieUnless, "");
  process.exit(1);
}
