import { type FileHandle, open, rename } from "node:fs/promises";
import { defineCommand } from "citty";
import { listDeletionLog, parseDeletionLine, replayDeletions } from "../flows/deletions/replay.ts";
import type { Foundation } from "../foundation.ts";
import type { ErasedSubject } from "../models/deletion/deletion.ts";
import { withFoundation } from "./configured.ts";
import { readBatches } from "./import-file.ts";

export const exportDeletionsCommand = defineCommand({
  meta: { name: "export", description: "Write the deletion log: ids of erased users and organizations, JSON lines" },
  args: { file: { type: "positional", required: true, description: "The file to write" } },
  async run({ args }) {
    const count = await withFoundation((foundation) => writeLog(foundation, args.file));
    console.log(`${args.file}: ${count} erased users and organizations.`);
  },
});

export const replayDeletionsCommand = defineCommand({
  meta: {
    name: "replay",
    description: "After the restore of a backup: erase the users and organizations of a deletion log again",
  },
  args: { file: { type: "positional", required: true, description: "The file of deletions export" } },
  async run({ args }) {
    const file = await open(args.file, "r");
    try {
      process.exitCode = await withFoundation((foundation) => replayFile(foundation, file, args.file));
    } finally {
      await file.close();
    }
  },
});

/** Writes beside the file and renames, so that an interrupted export never replaces a complete log. */
async function writeLog(foundation: Foundation, path: string): Promise<number> {
  const partial = `${path}.partial`;
  const file = await open(partial, "w", 0o600);
  let count = 0;
  try {
    for await (const lines of listDeletionLog(foundation)) {
      await file.writeFile(`${lines.join("\n")}\n`);
      count += lines.length;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(partial, path);
  return count;
}

/** Returns the exit code. Every line is validated before the first erasure: a damaged log changes nothing. */
async function replayFile(foundation: Foundation, file: FileHandle, path: string): Promise<number> {
  let count = 0;
  for await (const subjects of readSubjects(file)) {
    const invalid = subjects.indexOf(undefined);
    if (invalid >= 0) {
      console.error(`${path}: line ${count + invalid + 1} is no line of a deletion log; nothing was erased.`);
      return 1;
    }
    count += subjects.length;
  }
  let failed = 0;
  for await (const subjects of readSubjects(file)) {
    const valid = subjects.filter((subject) => subject !== undefined);
    failed += await replayDeletions({ ...foundation, removePicture: undefined }, valid);
  }
  if (failed > 0) {
    console.error(`${path}: ${failed} of ${count} could not be erased. Run the command again.`);
    return 1;
  }
  console.log(`${path}: ${count} users and organizations are erased.`);
  return 0;
}

/** The subjects of a log in batches, `undefined` for an invalid line. */
async function* readSubjects(file: FileHandle): AsyncGenerator<(ErasedSubject | undefined)[]> {
  const { size } = await file.stat();
  for await (const { lines } of readBatches(file, size, 0)) {
    yield lines.map((line) => (line === undefined ? undefined : parseDeletionLine(line.toString())));
  }
}
