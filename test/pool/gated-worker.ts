import { existsSync } from "node:fs";

/** The job occupies its worker until the file exists; without a file name the job ends at once. */
export interface GatedJob {
  readonly until?: string;
}

export default async function runGatedJob({ until }: GatedJob): Promise<{ ok: true }> {
  while (until && !existsSync(until)) await new Promise((resolve) => setTimeout(resolve, 5));
  return { ok: true };
}
