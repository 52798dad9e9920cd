import { parseCanonical } from "./jcs.ts";
import { type ByteSource, LineReader } from "./line-reader.ts";
import { leafHash } from "./merkle.ts";
import type { Sha256 } from "./sha256.ts";
import { isTime } from "./time.ts";

/** A record of an export. */
export interface ExportLine {
  /** From 1. */
  readonly number: number;
  readonly id: number;
  readonly timestamp: string;
  /** Undefined where the record has no id, or an id that is too long. */
  readonly organizationId: string | undefined;
  /** The hash of the leaf. */
  readonly hash: Uint8Array;
}

const encoder = new TextEncoder();

/** Reads the lines of an export up to the trailer, with a current line. Problems of a line are reported. */
export class ExportLines {
  readonly #reader: LineReader;
  readonly #hash: Sha256;
  readonly #report: (line: number, problem: string) => void;
  #peeked: ExportLine | undefined;
  #read = 0;
  #lastId = Number.NEGATIVE_INFINITY;
  #ended = false;

  constructor(source: ByteSource, hash: Sha256, report: (line: number, problem: string) => void) {
    this.#reader = new LineReader(source);
    this.#hash = hash;
    this.#report = report;
  }

  /** The number of the next line. */
  get number(): number {
    return this.#peeked?.number ?? this.#read + 1;
  }

  /** The next record, or undefined at the trailer; a promise while bytes must be read. */
  peek(): ExportLine | undefined | Promise<void> {
    while (!this.#peeked && !this.#ended) {
      const line = this.#next();
      if (line instanceof Promise) return line.then((read) => this.#keep(read));
      this.#keep(line);
    }
    return this.#peeked;
  }

  take(): void {
    this.#peeked = undefined;
  }

  /** Reads to the end. Returns the first unread record, and the number of all records. */
  async readRest(): Promise<{ readonly first: ExportLine | undefined; readonly count: number }> {
    let first: ExportLine | undefined;
    for (;;) {
      const line = this.peek();
      if (line instanceof Promise) await line;
      else if (line) {
        first ??= line;
        this.take();
      } else break;
    }
    if ((await this.#next()) !== undefined) this.#report(this.#read + 2, "a line stands after the trailer");
    return { first, count: this.#read };
  }

  #next(): string | undefined | Promise<string | undefined> {
    try {
      const line = this.#reader.next();
      return line instanceof Promise ? line.catch((error) => this.#unreadable(error)) : line;
    } catch (error) {
      return this.#unreadable(error);
    }
  }

  #unreadable(error: unknown): undefined {
    if (!(error instanceof SyntaxError)) throw error;
    this.#report(this.#read + 1, error.message);
    return undefined;
  }

  #keep(text: string | undefined): void {
    if (text === undefined || text.startsWith('{"_signature"')) {
      this.#ended = true;
      this.#verifyEnd(text);
      return;
    }
    this.#read += 1;
    const line = readRecord(text, this.#read, this.#hash);
    if (typeof line === "string") this.#report(this.#read, line);
    else if (line.id <= this.#lastId) this.#report(this.#read, `id ${line.id} stands after id ${this.#lastId}`);
    else {
      this.#peeked = line;
      this.#lastId = line.id;
    }
  }

  /** The trailer counts the lines; only a holder of the HMAC key can verify the signature of the trailer. */
  #verifyEnd(trailer: string | undefined): void {
    const number = this.#read + 1;
    const count = /"_count":(\d+)\}$/.exec(trailer ?? "")?.[1];
    if (trailer === undefined) this.#report(number, "the trailer is missing: the export is truncated");
    else if (Number(count) !== this.#read)
      this.#report(number, `the trailer counts ${count} lines, there are ${this.#read}`);
  }
}

/** Returns the problem of a line that is not a record. */
function readRecord(text: string, number: number, hash: Sha256): ExportLine | string {
  try {
    const { value, canonical } = parseCanonical(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return "not a record: not an object";
    const { id, timestamp, organization_id } = value as Readonly<Record<string, unknown>>;
    if (typeof id !== "number" || !Number.isSafeInteger(id)) return "not a record: it has no id";
    if (!isTime(timestamp)) return "not a record: it has no timestamp";
    const organizationId = organizationIdOf(organization_id);
    return { number, id, timestamp, organizationId, hash: leafHash(encoder.encode(canonical), hash) };
  } catch (error) {
    return `not a record: ${error instanceof Error ? error.message : error}`;
  }
}

function organizationIdOf(value: unknown): string | undefined {
  return typeof value === "string" && value.length <= 36 ? value : undefined;
}
