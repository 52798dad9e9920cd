import { open } from "node:fs/promises";
import { defineCommand } from "citty";
import { Presets, SingleBar } from "cli-progress";
import { importUsers } from "../flows/users/import.ts";
import type { Foundation } from "../foundation.ts";
import { BEGINNING, type Checkpoint, findCheckpoint, deleteCheckpoint } from "../models/user-import/user-import.ts";
import { withFoundation } from "./configured.ts";
import { fingerprintOf, openReport, readBatches } from "./import-file.ts";

export const importUsersCommand = defineCommand({
  meta: {
    name: "import",
    description:
      "Take users over from another service: one JSON object a line, with email, password_hash (Argon2, bcrypt, scrypt, PBKDF2), " +
      "display_name, email_verified, locale, organization_slug, role. Goes on where it was cut off.",
  },
  args: {
    file: { type: "positional", required: true, description: "The file, newline-delimited JSON" },
    restart: { type: "boolean", description: "Begin again with the first line; users that are there stay as they are" },
  },
  async run({ args }) {
    await withFoundation((foundation) => importFile(foundation, args.file, args.restart ?? false));
  },
});

async function importFile(foundation: Foundation, path: string, restart: boolean): Promise<void> {
  const file = await open(path, "r");
  try {
    const { fingerprint, size } = await fingerprintOf(file);
    const known = await foundation.database.run("users.find_checkpoint", (sql) => findCheckpoint(sql, fingerprint));
    if (known?.finishedAt && !restart) {
      console.log(`This file was imported at ${known.finishedAt.toISOString()}; --restart reads it again.`);
      return;
    }
    const resumed = known !== undefined && !restart;
    if (resumed) console.log(`Going on after line ${known.line}.`);
    if (restart) await foundation.database.run("users.forget_checkpoint", (sql) => deleteCheckpoint(sql, fingerprint));
    const reportPath = `${path}.refused.ndjson`;
    const report = await openReport(reportPath, resumed ? known.reportBytes : 0);
    try {
      const progress = showProgress(size);
      let done: Checkpoint = resumed ? known : BEGINNING;
      for await (const batch of readBatches(file, size, done.offset)) {
        done = await importUsers(foundation, {
          ...batch,
          fingerprint,
          from: done,
          report: async (text, position) => (await report.write(text, position)).bytesWritten,
        });
        progress.at(done);
      }
      progress.stop();
      console.log(`${done.imported} users imported, ${done.refused} lines refused.`);
      if (done.refused > 0) console.log(`Each refused line with its reason: ${reportPath}`);
    } finally {
      await report.close();
    }
  } finally {
    await file.close();
  }
}

/** A bar on a terminal, a line for each tenth elsewhere. */
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
  let shown = 0;
  return {
    at({ offset, imported, refused }) {
      const tenth = Math.floor((offset * 10) / Math.max(1, size));
      if (tenth <= shown) return;
      shown = tenth;
      console.error(`${tenth * 10} %: ${imported} imported, ${refused} refused`);
    },
    stop: () => undefined,
  };
}
