import { type FileHandle, open } from "node:fs/promises";
import { defineCommand } from "citty";
import { Presets, SingleBar } from "cli-progress";
import { type ImportedBatch, importUsers } from "../flows/users/import.ts";
import type { Foundation } from "../foundation.ts";
import { BEGINNING, type Checkpoint, deleteCheckpoint, findCheckpoint } from "../models/user-import/user-import.ts";
import { withFoundation } from "./configured.ts";
import { fingerprintOf, openReport, readBatches } from "./import-file.ts";

export const importUsersCommand = defineCommand({
  meta: {
    name: "import",
    description:
      "Import users of another service: one JSON object per line, with email, password_hash (Argon2, bcrypt, scrypt, " +
      "PBKDF2), display_name, email_verified, locale, disabled, banned_until, organization_slug, role. Continues an " +
      "interrupted import, and corrects users of an earlier file who never signed in.",
  },
  args: {
    file: { type: "positional", required: true, description: "The file, newline-delimited JSON" },
    restart: { type: "boolean", description: "Start again with the first line; users who signed in are unchanged" },
    "dry-run": { type: "boolean", description: "Read the whole file and report, without storing a user" },
  },
  async run({ args }) {
    await withFoundation((foundation) =>
      importFile(foundation, args.file, args.restart ?? false, args["dry-run"] ?? false),
    );
  },
});

async function importFile(foundation: Foundation, path: string, restart: boolean, dryRun: boolean): Promise<void> {
  const file = await open(path, "r");
  try {
    const { fingerprint, size } = await fingerprintOf(file);
    if (dryRun) return await importFrom(foundation, { file, path, fingerprint, size, dryRun }, BEGINNING);
    const found = await foundation.database.run("users.find_checkpoint", (sql) => findCheckpoint(sql, fingerprint));
    if (found?.finishedAt && !restart) {
      console.log(`This file was imported at ${found.finishedAt.toISOString()}; --restart reads it again.`);
      return;
    }
    if (restart) await foundation.database.run("users.forget_checkpoint", (sql) => deleteCheckpoint(sql, fingerprint));
    const from = restart ? undefined : found;
    if (from) console.log(`Continuing after line ${from.line}.`);
    await importFrom(foundation, { file, path, fingerprint, size, dryRun }, from ?? BEGINNING);
  } finally {
    await file.close();
  }
}

interface ImportSource {
  readonly file: FileHandle;
  readonly path: string;
  readonly fingerprint: string;
  readonly size: number;
  readonly dryRun: boolean;
}

async function importFrom(
  foundation: Foundation,
  { file, path, fingerprint, size, dryRun }: ImportSource,
  start: Checkpoint,
): Promise<void> {
  const reportPath = `${path}.refused.ndjson`;
  const reportFile = await openReport(reportPath, start.reportBytes);
  const report = async (text: string, position: number) => (await reportFile.write(text, position)).bytesWritten;
  try {
    const progress = showProgress(size);
    let from = start;
    const totals = newTotals();
    for await (const batch of readBatches(file, size, from.offset)) {
      const imported = await importUsers(foundation, { ...batch, fingerprint, from, report }, dryRun);
      from = imported.checkpoint;
      addTo(totals, imported);
      progress.at(from);
    }
    progress.stop();
    const users = dryRun ? "users would be imported" : "users imported";
    console.log(`${from.imported} ${users}, ${from.refused} lines refused.`);
    for (const line of linesOf(totals)) console.log(line);
    if (from.refused > 0) console.log(`Each refused line with its reason: ${reportPath}`);
  } finally {
    await reportFile.close();
  }
}

/** What the operator must know about the lines of this run. */
interface Totals {
  corrected: number;
  withoutPassword: number;
  disabled: number;
  readonly unknown: Map<string, number>;
  readonly leftOut: Map<string, number>;
}

function newTotals(): Totals {
  return { corrected: 0, withoutPassword: 0, disabled: 0, unknown: new Map(), leftOut: new Map() };
}

function addTo(totals: Totals, batch: ImportedBatch): void {
  totals.corrected += batch.corrected;
  totals.withoutPassword += batch.withoutPassword;
  totals.disabled += batch.disabled;
  for (const kind of ["unknown", "leftOut"] as const)
    for (const [name, count] of batch[kind])
      if (totals[kind].has(name) || totals[kind].size < NAMED_MEMBERS_MAX)
        totals[kind].set(name, (totals[kind].get(name) ?? 0) + count);
}

/** A file of another system has few members; a hostile file must not fill the memory. */
const NAMED_MEMBERS_MAX = 50;

function linesOf({ corrected, withoutPassword, disabled, unknown, leftOut }: Totals): string[] {
  const named = (counts: ReadonlyMap<string, number>) =>
    [...counts].map(([name, count]) => `${JSON.stringify(name)} (${count})`).join(", ");
  return [
    ...(corrected > 0 ? [`${corrected} of them correct users of an earlier file who never signed in.`] : []),
    ...(withoutPassword > 0 ? [`${withoutPassword} of them without a password.`] : []),
    ...(disabled > 0 ? [`${disabled} of them disabled.`] : []),
    ...(unknown.size > 0 ? [`Unknown members, ignored, with the number of lines: ${named(unknown)}.`] : []),
    ...(leftOut.size > 0 ? [`Values that were left out, with the number of lines: ${named(leftOut)}.`] : []),
  ];
}

/** A progress bar on a terminal, else a line per 10 %. */
function showProgress(size: number): { at(done: Checkpoint): void; stop(): void } {
  if (process.stderr.isTTY) {
    const format =
      "{bar} {percentage} % | {imported} imported, {refused} refused | {duration_formatted}, {eta_formatted} left";
    const bar = new SingleBar({ format, stream: process.stderr }, Presets.shades_classic);
    bar.start(size, 0, { imported: 0, refused: 0 });
    return {
      at: ({ offset, imported, refused }) => bar.update(offset, { imported, refused }),
      stop: () => bar.stop(),
    };
  }
  let displayedTenths = 0;
  return {
    at({ offset, imported, refused }) {
      const tenth = Math.floor((offset * 10) / Math.max(1, size));
      if (tenth <= displayedTenths) return;
      displayedTenths = tenth;
      console.error(`${tenth * 10} %: ${imported} imported, ${refused} refused`);
    },
    stop: () => undefined,
  };
}
