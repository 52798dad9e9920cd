import { type ExportLine, ExportLines } from "./export-lines.ts";
import { canonicalize } from "./jcs.ts";
import type { ByteSource } from "./line-reader.ts";
import { coveringNodes, GrowingTree, leafHash, type Node, sameBytes } from "./merkle.ts";
import type { Checkpoint } from "./note.ts";
import { type ProofEntry, type ProofHeader, type ProofSubtree, statementOf } from "./proof.ts";
import { ProofError } from "./proof-error.ts";
import { type Sha256, sha256 } from "./sha256.ts";
import { isTime } from "./time.ts";

/** How much earlier than an earlier leaf a record may be dated: clocks of replicas, transactions under way. */
const CLOCK_TOLERANCE_MS = 10 * 60 * 1000;
/** Lines that wait for a leaf. Records of concurrent transactions differ in order by hundreds. */
const WAITING_LINES_MAX = 65_536;

export interface RangeEvidence {
  readonly lines: ByteSource;
  readonly retainedFrom?: string;
  readonly clockToleranceMs?: number;
  readonly sha256?: Sha256;
}

/** The findings of the comparison if the evidence is valid. */
export interface RangeFindings {
  /** Leaves without a record. */
  readonly dropped: number;
  /** The date of the first line; null for an export without lines. */
  readonly firstTimestamp: string | null;
}

/** Compares leaves with lines, in the order of the leaves, and computes the root on the way. */
export class RangeCheck {
  readonly #header: ProofHeader;
  readonly #kept: Checkpoint | undefined;
  readonly #hash: Sha256;
  readonly #toleranceMs: number;
  /** Records before this time may be missing; undefined: no record may be missing. */
  readonly #retainedFrom: number | undefined;
  readonly #tree: GrowingTree;
  /** The leaves of the organization alone. */
  readonly #own: GrowingTree;
  readonly #counts = { other: 0, nobody: 0 };
  readonly #lines: ExportLines;
  /** Lines whose leaf comes later, by id. */
  readonly #waiting = new Map<number, ExportLine>();
  #first: ProofError | undefined;
  #latest = { time: Number.NEGATIVE_INFINITY, timestamp: "" };
  #leftOut = 0;
  #dropped: number;
  #firstTimestamp: string | null = null;
  #keptReached = false;

  constructor(header: ProofHeader, evidence: RangeEvidence, kept: Checkpoint | undefined) {
    this.#header = header;
    this.#kept = kept;
    this.#hash = evidence.sha256 ?? sha256;
    this.#toleranceMs = evidence.clockToleranceMs ?? CLOCK_TOLERANCE_MS;
    this.#retainedFrom = readRetainedFrom(evidence.retainedFrom);
    this.#tree = new GrowingTree(this.#hash);
    this.#own = new GrowingTree(this.#hash);
    this.#lines = new ExportLines(evidence.lines, this.#hash, (line, problem) => this.#report(line, problem));
    this.#dropped = header.from === null ? header.firstLeaf : 0;
    if (this.#dropped > 0 && this.#retainedFrom === undefined) {
      const leaves = `the records of leaves 0 to ${header.firstLeaf - 1} are missing before this line`;
      this.#report(1, leaves + this.#retentionClaim());
    }
    this.#compareKept();
  }

  /**
   * Subtrees outside the range. A subtree ends at the size of the kept checkpoint if the size lies within the subtrees.
   */
  appendSubtrees(hashes: readonly Uint8Array[], begin: number, end: number): void {
    const nodes = subtreesBetween(begin, end, this.#header.keptSize);
    if (nodes.length !== hashes.length) throw new ProofError(null, "the proof has not the subtrees that it needs");
    nodes.forEach(({ level }, index) => {
      this.#tree.append(hashes[index] ?? new Uint8Array(), level);
      this.#compareKept();
    });
  }

  /** Leaves of the range that do not belong to the organization. */
  subtree({ leaf, level, hash, of }: ProofSubtree): void {
    const count = 2 ** level;
    this.#tree.append(hash, level);
    this.#compareKept();
    this.#counts[of] += count;
    if (of === "other" || this.#wasDropped(count)) return;
    const leaves =
      count === 1 ? `the record of leaf ${leaf} is` : `the records of leaves ${leaf} to ${leaf + count - 1} are`;
    this.#report(this.#lines.number, `${leaves} missing or changed, and may be of this organization`);
  }

  /** The statement about the leaves of the organization that the key of the log must have signed. */
  statement(origin: string): string {
    return statementOf(origin, this.#header, this.#own.root());
  }

  /** A leaf of the range. Returns a promise only if the check must wait for a line. */
  entry(entry: ProofEntry): Promise<void> | undefined {
    this.#tree.append(entry.hash);
    this.#own.append(entry.hash);
    this.#compareKept();
    if (entry.leftOut !== undefined) {
      this.#leftOut += 1;
      this.#reportAny(this.#lines.number, this.#problemWithout(entry, entry.leftOut));
      return undefined;
    }
    const waiting = this.#waiting.get(entry.id);
    if (!waiting) return this.#readUpTo(entry);
    this.#waiting.delete(entry.id);
    this.#reportAny(waiting.number, this.#problemOf(entry, waiting));
    return undefined;
  }

  /** Reads lines up to the id of an entry; a line with a lower id waits for the matching leaf. */
  #readUpTo(entry: ProofEntry): Promise<void> | undefined {
    for (;;) {
      const line = this.#lines.peek();
      if (line instanceof Promise) return line.then(() => this.#readUpTo(entry));
      if (!line || line.id > entry.id) {
        this.#report(this.#lines.number, missing(entry));
        return undefined;
      }
      this.#lines.take();
      if (line.id === entry.id) {
        this.#reportAny(line.number, this.#problemOf(entry, line));
        return undefined;
      }
      this.#letWait(line);
    }
  }

  #letWait(line: ExportLine): void {
    if (this.#waiting.size >= WAITING_LINES_MAX) {
      const [first = line] = this.#waiting.values();
      throw this.#first ?? new ProofError(first.number, "this line is no leaf near its place in the log");
    }
    this.#waiting.set(line.id, line);
  }

  #isOwn(organizationId: unknown): boolean {
    const { organization } = this.#header;
    return organization === undefined || organization.organizationId === organizationId;
  }

  #problemOf(entry: ProofEntry, { number, hash, timestamp, organizationId }: ExportLine): string | undefined {
    if (!sameBytes(entry.hash, hash)) return changed(entry);
    if (number === 1) this.#firstTimestamp = timestamp;
    if (!this.#isOwn(organizationId)) return "this line is of another organization";
    if (!isWithin(timestamp, this.#header)) return "this line is not of the period";
    return this.#dateProblem(entry, timestamp);
  }

  /** A leaf without a line, valid only if the record lies outside the period. */
  #problemWithout(entry: ProofEntry, record: Readonly<Record<string, unknown>> | null): string | undefined {
    if (record === null) return this.#wasDropped() ? undefined : missing(entry) + this.#retentionClaim();
    const canonical = new TextEncoder().encode(canonicalize(JSON.stringify(record)));
    const unchanged = record.id === entry.id && sameBytes(leafHash(canonical, this.#hash), entry.hash);
    if (!unchanged) return `${changed(entry)}; it has no line here`;
    if (!this.#isOwn(record.organization_id)) return `the record of leaf ${entry.leaf} is of another organization`;
    const { timestamp } = record;
    if (!isTime(timestamp)) return `${changed(entry)}; it has no timestamp`;
    return isWithin(timestamp, this.#header) ? missing(entry) : this.#dateProblem(entry, timestamp);
  }

  /**
   * A leaf without a record: removed by retention, unless an earlier record is much younger than the retention limit.
   * The auditor must state the retention limit: the proof is not signed.
   */
  #wasDropped(count = 1): boolean {
    if (this.#retainedFrom === undefined || this.#latest.time >= this.#retainedFrom + this.#toleranceMs) return false;
    this.#dropped += count;
    return true;
  }

  #retentionClaim(): string {
    const { retainedFrom } = this.#header;
    if (retainedFrom === null || this.#retainedFrom !== undefined) return "";
    return `; the proof says that retention drops records of before ${new Date(retainedFrom).toISOString()}`;
  }

  /** Leaves are in the order in which the transactions began to write, so times grow except for clock differences. */
  #dateProblem({ id, leaf }: ProofEntry, timestamp: string): string | undefined {
    const time = Date.parse(timestamp);
    if (time < this.#latest.time - this.#toleranceMs) {
      const latest = this.#latest.timestamp;
      return `the record with id ${id} is dated ${timestamp}, but leaf ${leaf} was added after one of ${latest}`;
    }
    if (time > this.#latest.time) this.#latest = { time, timestamp };
    return undefined;
  }

  /** Throws the first wrong line, else any other problem. */
  async end(checkpoint: Checkpoint): Promise<RangeFindings> {
    if (!sameBytes(this.#tree.root(), checkpoint.root))
      throw new ProofError(null, "the proof is not of its checkpoint");
    const { to, treeSize, lastLeaf, keptSize } = this.#header;
    // An export of the trail up to the end has at least the leaves that the auditor knows.
    const end = Math.max(treeSize, this.#kept?.size ?? 0);
    if (this.#kept && !this.#keptReached) {
      throw new ProofError(null, `a proof for kept_size=${this.#kept.size} is needed, this one is for ${keptSize}`);
    }
    const rest = await this.#lines.readRest();
    for (const line of rest.first ? [rest.first, ...this.#waiting.values()] : this.#waiting.values()) {
      this.#report(line.number, `the record with id ${line.id} is no leaf of the log`);
    }
    if (to === null && lastLeaf !== end - 1) {
      const leaves = `${lastLeaf + 1} to ${end - 1}`;
      this.#report(rest.count + 1, `the records of leaves ${leaves} are missing after the last line`);
    }
    if (this.#first) throw this.#first;
    if (rest.count !== this.#header.lines || this.#leftOut !== this.#header.leftOut) {
      throw new ProofError(null, `the proof counts ${this.#header.lines} lines, the export has ${rest.count}`);
    }
    const { other = 0, nobody = 0 } = this.#header.organization ?? {};
    if (this.#counts.other !== other || this.#counts.nobody !== nobody)
      throw new ProofError(null, "the proof does not count the leaves of others");
    return { dropped: this.#dropped, firstTimestamp: this.#firstTimestamp };
  }

  #compareKept(): void {
    if (this.#kept?.size !== this.#tree.size || this.#keptReached) return;
    this.#keptReached = true;
    if (sameBytes(this.#tree.root(), this.#kept.root)) return;
    throw new ProofError(
      null,
      `the log does not extend the checkpoint that was kept: one of its first ${this.#kept.size} leaves is another`,
    );
  }

  #reportAny(line: number, problem: string | undefined): void {
    if (problem !== undefined) this.#report(line, problem);
  }

  #report(line: number, problem: string): void {
    if (line < (this.#first?.line ?? Number.POSITIVE_INFINITY)) this.#first = new ProofError(line, problem);
  }
}

function readRetainedFrom(time: string | undefined): number | undefined {
  const retainedFrom = time === undefined ? undefined : Date.parse(time);
  if (Number.isNaN(retainedFrom)) throw new ProofError(null, "the beginning of what is retained is not a time");
  return retainedFrom;
}

function missing({ id, leaf }: ProofEntry): string {
  return `the record with id ${id} (leaf ${leaf}) is missing before this line`;
}

function changed({ id, leaf }: ProofEntry): string {
  return `the record with id ${id} is not what leaf ${leaf} was made of`;
}

/** The subtrees from `begin` to `end`; no subtree crosses `border`. */
export function subtreesBetween(begin: number, end: number, border: number | null): Node[] {
  if (border === null || border <= begin || border >= end) return coveringNodes(begin, end);
  return [...coveringNodes(begin, border), ...coveringNodes(border, end)];
}

function isWithin(timestamp: string, { from, to }: Pick<ProofHeader, "from" | "to">): boolean {
  const time = Date.parse(timestamp);
  return (from === null || time >= Date.parse(from)) && (to === null || time <= Date.parse(to));
}
