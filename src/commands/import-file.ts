import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { IMPORT_BATCH_LINES, IMPORT_LINE_MAX_BYTES } from "../limits/account-limits.ts";

const CHUNK_BYTES = 1024 * 1024;
const NEWLINE = 10;

/** Identifies a file by size, first MiB and last MiB, without reading the whole file. */
export async function fingerprintOf(
  file: FileHandle,
): Promise<{ readonly fingerprint: string; readonly size: number }> {
  const { size } = await file.stat();
  const hash = createHash("sha256").update(String(size));
  for (const position of [0, Math.max(0, size - CHUNK_BYTES)]) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, position);
    hash.update(buffer.subarray(0, bytesRead));
  }
  return { fingerprint: hash.digest("hex"), size };
}

export interface LineBatch {
  /** `undefined` for a line beyond `IMPORT_LINE_MAX_BYTES`. */
  readonly lines: readonly (Buffer | undefined)[];
  /** End of the last line, as a byte offset in the file. */
  readonly endOffset: number;
  readonly last: boolean;
}

/** Reads lines in batches from `offset`. Memory is bounded for every length of the file and of a line. */
export async function* readBatches(file: FileHandle, size: number, offset: number): AsyncGenerator<LineBatch> {
  let lines: (Buffer | undefined)[] = [];
  let endOffset = offset;
  for await (const line of readLines(file, offset)) {
    endOffset = line.end;
    lines.push(line.bytes);
    if (lines.length < IMPORT_BATCH_LINES || line.end >= size) continue;
    yield { lines, endOffset, last: false };
    lines = [];
  }
  yield { lines, endOffset, last: true };
}

interface Line {
  readonly bytes: Buffer | undefined;
  readonly end: number;
}

async function* readLines(file: FileHandle, offset: number): AsyncGenerator<Line> {
  let rest: Buffer = Buffer.alloc(0);
  let tooLong = false;
  let position = offset;
  for (;;) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, position);
    if (bytesRead === 0) break;
    const chunk = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
    const chunkStart = position - rest.length;
    position += bytesRead;
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const bytes = tooLong || end - start > IMPORT_LINE_MAX_BYTES ? undefined : chunk.subarray(start, end);
      yield { bytes, end: chunkStart + end + 1 };
      tooLong = false;
      start = end + 1;
    }
    tooLong ||= chunk.length - start > IMPORT_LINE_MAX_BYTES;
    rest = tooLong ? Buffer.alloc(0) : Buffer.from(chunk.subarray(start));
  }
  if (rest.length > 0 || tooLong) yield { bytes: tooLong ? undefined : rest, end: position };
}

/** Opens the report of refused lines and truncates the report to the position of the checkpoint. */
export async function openReport(path: string, keepBytes: number): Promise<FileHandle> {
  const report = await open(path, keepBytes === 0 ? "w" : "r+");
  await report.truncate(keepBytes);
  return report;
}
