import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { IMPORT_BATCH_LINES, IMPORT_LINE_MAX_BYTES } from "../base/limits.ts";

const CHUNK_BYTES = 1024 * 1024;
const NEWLINE = 10;

/** Names a file by its content without reading all of it: size, beginning and end. */
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
  /** `undefined` for a line that is too long to be kept. Empty lines are left out. */
  readonly lines: readonly (string | undefined)[];
  /** Bytes of the file up to the end of the last line. */
  readonly endOffset: number;
  readonly last: boolean;
}

/** Reads lines in batches, from `offset` on, in memory that does not grow with the file or with a line. */
export async function* readBatches(file: FileHandle, size: number, offset: number): AsyncGenerator<LineBatch> {
  let lines: (string | undefined)[] = [];
  let endOffset = offset;
  for await (const line of readLines(file, offset)) {
    endOffset = line.end;
    if (line.bytes === undefined || line.bytes.length > 0) lines.push(line.bytes?.toString("utf8"));
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

/** The report of refused lines beside the file, written at the positions that checkpoints remember. */
export async function openReport(path: string, keepBytes: number): Promise<FileHandle> {
  const report = await open(path, keepBytes === 0 ? "w" : "r+");
  await report.truncate(keepBytes);
  return report;
}
