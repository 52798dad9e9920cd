import { type FileHandle, open } from "node:fs/promises";
import { defineCommand } from "citty";
import { Presets, SingleBar } from "cli-progress";
import { importUsers } from "../flows/users/import.ts";
import type { Foundation } from "../foundation.ts";
import { BEGINNING, type Checkpoint, deleteCheckpoint, findCheckpoint } from "../models/user-import/user-import.ts";
import { withFoundation } from "./configured.ts";
import { fingerprintOf, openReport, readBatches } from "./import-file.ts";

export const importUsersCommand = defineCommand({
  meta: {
    name: "import",
    description:
      "Import users of another service: one JSON object per line, with email, password_hash (Argon2, bcrypt, scrypt, " +
      "PBKDF2), display_name, email_verified, locale, organization_slug, role. Continues an interrupted import.",
  },
  args: {
    file: { type: "positional", required: true, description: "The file, newline-delimited JSON" },
    restart: { type: "boolean", description: "Start again with the first line; existing users are unchanged" },
  },
  async run({ args }) {
    await withFoundation((foundation) => importFile(foundation, args.file, args.restart ?? false));
  },
});

async function importFile(foundation: Foundation, path: string, restart: boolean): Promise<void> {
  const file = await open(path, "r");
  try {
    const { fingerprint, size } = await fingerprintOf(file);
    const found = await foundation.database.run("users.find_checkpoint", (sql) => findCheckpoint(sql, fingerprint));
    if (found?.finishedAt && !restart) {
      console.log(`This file was imported at ${found.finishedAt.toISOString()}; --restart reads it again.`);
      return;
    }
    if (restart) await foundation.database.run("users.forget_checkpoint", (sql) => deleteCheckpoint(sql, fingerprint));
    const from = restart ? undefined : found;
    if (from) console.log(`Continuing after line ${from.line}.`);
    await importFrom(foundation, { file, path, fingerprint, size }, from ?? BEGINNING);
  } finally {
    await file.close();
  }
}

interface ImportSource {
  readonly file: FileHandle;
  readonly path: string;
  readonly fingerprint: string;
  readonly size: number;
}

async function importFrom(
  foundation: Foundation,
  { file, path, fingerprint, size }: ImportSource,
  start: Checkpoint,
): Promise<void> {
  const reportPath = `${path}.refused.ndjson`;
  const reportFile = await openReport(reportPath, start.reportBytes);
  const report = async (text: string, position: number) => (await reportFile.write(text, position)).bytesWritten;
  try {
    const progress = showProgress(size);
    let from = start;
    for await (const batch of readBatches(file, size, from.offset)) {
      from = await importUsers(foundation, { ...batch, fingerprint, from, report });
      progress.at(from);
    }
    progress.stop();
    console.log(`${from.imported} users imported, ${from.refused} lines refused.`);
    if (from.refused > 0) console.log(`Each refused line with its reason: ${reportPath}`);
  } finally {
    await reportFile.close();
  }
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
