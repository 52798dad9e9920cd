import { createHmac } from "node:crypto";
import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import postgres from "postgres";
import { driverOptions } from "../src/base/database-url.ts";
import { collectGarbage } from "../src/base/runtime.ts";
import type { ExportJob, ExportResult } from "../src/pool/protocol.ts";
import { OrganizationProof } from "./organization-proof.ts";

const NEWLINE = 10;
const BATCH_BYTES = 64 * 1024;
/** After 8 MiB of rows: the driver leaves several times as much garbage. */
const BATCHES_OF_COLLECTION = 128;

/**
 * Writes the audit trail into the spool file: a line of JSON per row, then the trailer (docs/contract.md, section
 * 17.4); or the proof of an export (section 17.7). A COPY is a snapshot. The worker signs the stream, so memory use
 * does not depend on the number of rows.
 */
export default async function runExportJob(job: ExportJob): Promise<ExportResult> {
  const sql = postgres(
    driverOptions(job.databaseUrl, {
      max: 1,
      connect_timeout: 5,
      prepare: false,
      fetch_types: false,
      onnotice: () => undefined,
      connection: { application_name: "identity-service export" },
    }),
  );
  try {
    return { ok: true, ...(await copyInto(sql, job)) };
  } catch (error) {
    return { ok: false, code: error instanceof SpoolError ? "spool_failed" : "database_failed" };
  } finally {
    await sql.end({ timeout: 1 });
  }
}

type Copied = Omit<ExportResult & { ok: true }, "ok">;

/** Opens the file anew: threads of Deno do not share descriptors, and the file has no name any more. */
async function copyInto(sql: postgres.Sql, job: ExportJob): Promise<Copied> {
  const fd = inSpool(() => openSync(`/dev/fd/${job.fd}`, "r+"));
  try {
    return await copy(sql, job, fd);
  } finally {
    closeSync(fd);
  }
}

async function copy(sql: postgres.Sql, job: ExportJob, fd: number): Promise<Copied> {
  // The job is retried after its worker died: discard the output of the first attempt.
  inSpool(() => ftruncateSync(fd, 0));
  // The text format doubles backslashes. JSON has no raw control characters, so this CSV never quotes or escapes.
  const statement = `copy (${job.query}) to stdout with (format csv, delimiter e'\\x01', quote e'\\x02')`;
  // Statements of a single message are one transaction, the scope of the time-out: a pooler refuses the time-out as a
  // startup parameter, and shares session settings between clients. `begin` is not possible: after a paused COPY, the
  // driver stops reading.
  const limited = `set local statement_timeout = ${job.deadlineMs}; ${statement}`;
  const rows = await sql.unsafe(limited).readable();
  if (job.organizationBorder !== undefined) return await copyOrganizationProof(rows, fd, job.organizationBorder);
  return job.key === undefined ? await copyProof(rows, fd) : await copyExport(rows, fd, job.key);
}

async function copyExport(rows: Readable, fd: number, key: string) {
  const hmac = createHmac("sha256", key);
  let count = 0;
  let bytes = 0;
  await forEachBatch(rows, (batch) => {
    hmac.update(batch);
    bytes = write(fd, batch, bytes);
    count += linesIn(batch);
  });
  const signature = `sha256=${hmac.digest("hex")}`;
  bytes = write(fd, Buffer.from(`${JSON.stringify({ _signature: signature, _count: count })}\n`), bytes);
  return { count, bytes, signature, head: "" };
}

/** The first line has the data for the header of the proof, which is written last. */
async function copyProof(rows: Readable, fd: number) {
  let head: string | undefined;
  let begin: Buffer = Buffer.alloc(0);
  let count = 0;
  let bytes = 0;
  await forEachBatch(rows, (batch) => {
    let rest = batch;
    if (head === undefined) {
      begin = Buffer.concat([begin, batch]);
      const end = begin.indexOf(NEWLINE);
      if (end === -1) return;
      head = begin.subarray(0, end).toString();
      rest = begin.subarray(end + 1);
    }
    bytes = write(fd, rest, bytes);
    count += linesIn(rest);
  });
  return { count, bytes, signature: "", head: head ?? "" };
}

/** The header of the proof needs data known only at the end. */
async function copyOrganizationProof(rows: Readable, fd: number, border: number | null) {
  const proof = new OrganizationProof(border);
  let rest: Buffer = Buffer.alloc(0);
  let bytes = 0;
  await forEachBatch(rows, (batch) => {
    const text = Buffer.concat([rest, batch]);
    const end = text.lastIndexOf(NEWLINE) + 1;
    const entries = text.subarray(0, end).toString().split("\n").slice(0, -1);
    bytes = write(fd, Buffer.from(entries.map((entry) => proof.entry(entry)).join("")), bytes);
    rest = text.subarray(end);
  });
  bytes = write(fd, Buffer.from(proof.end()), bytes);
  const range = proof.range();
  return { count: range.lines, bytes, signature: "", head: JSON.stringify(range) };
}

/**
 * Calls `take` with the rows, which the driver emits one by one, together: system calls and promises for each row cost
 * more than the rows. The buffer of a batch is used again after the call.
 */
async function forEachBatch(rows: Readable, take: (batch: Buffer) => void): Promise<void> {
  const batch = Buffer.allocUnsafeSlow(BATCH_BYTES);
  let [filled, batches] = [0, 0];
  const takeBatch = () => {
    take(batch.subarray(0, filled));
    filled = 0;
    batches += 1;
    if (batches % BATCHES_OF_COLLECTION === 0) collectGarbage();
  };
  const add = (row: Buffer) => {
    if (filled + row.length > batch.length) takeBatch();
    if (row.length > batch.length) return take(row);
    filled += row.copy(batch, filled);
  };
  rows.on("data", (row: Buffer) => {
    try {
      add(row);
    } catch (error) {
      rows.destroy(error as Error);
    }
  });
  await finished(rows);
  takeBatch();
}

/** Writes a whole chunk at a position and returns the position after the chunk. */
function write(fd: number, chunk: Buffer, position: number): number {
  for (let written = 0; written < chunk.length; ) {
    const left = chunk.length - written;
    written += inSpool(() => writeSync(fd, chunk, written, left, position + written));
  }
  return position + chunk.length;
}

function linesIn(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) lines += 1;
  return lines;
}

/** Runtimes describe failures of the file system differently. */
class SpoolError extends Error {}

function inSpool<T>(operation: () => T): T {
  try {
    return operation();
  } catch (cause) {
    throw new SpoolError("the spool file failed", { cause });
  }
}
