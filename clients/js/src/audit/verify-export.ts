/**
 * Verifies an export against its proof: that each line is a leaf of the log, unchanged and in its place, and that no
 * leaf of the period lacks its line. Both are read once, side by side.
 */

import { type ByteSource, LineReader } from "./line-reader.ts";
import { type Checkpoint, isSignedBy, readCheckpoint, readNote, readVerifierKey } from "./note.ts";
import { type ProofHeader, readProofEntry, readProofHeader } from "./proof.ts";
import { RangeCheck, Wrong } from "./range-check.ts";
import type { Sha256 } from "./sha256.ts";

export interface ExportEvidence {
  /** The export, as it was downloaded. */
  readonly lines: ByteSource;
  /** Its proof. */
  readonly proof: ByteSource;
  /** Verifier keys of the log and of witnesses; each must have signed the checkpoint. At least one. */
  readonly keys: readonly string[];
  /** A checkpoint that the auditor kept earlier: the log must extend it. */
  readonly kept?: string;
  /** Default: ten minutes. */
  readonly clockToleranceMs?: number;
  /** A faster SHA-256 than the built-in one. */
  readonly sha256?: Sha256;
}

/** What was verified, or the first line that is wrong; `line` is null where the proof is, not the export. */
export type ExportVerdict =
  | {
      readonly ok: true;
      readonly lines: number;
      readonly firstLeaf: number;
      readonly lastLeaf: number;
      /** Leaves between first and last whose records lie outside the period. */
      readonly leftOut: number;
      /** Leaves whose records retention has dropped. */
      readonly dropped: number;
      readonly period: { readonly from: string | null; readonly to: string | null };
      readonly checkpoint: Checkpoint;
    }
  | { readonly ok: false; readonly line: number | null; readonly problem: string };

/** Does not throw for evidence that is wrong in any way; rejects when a source cannot be read. */
export async function verifyExport(evidence: ExportEvidence): Promise<ExportVerdict> {
  try {
    return await verify(evidence);
  } catch (error) {
    if (error instanceof Wrong) return { ok: false, line: error.line, problem: error.message };
    if (error instanceof SyntaxError) return { ok: false, line: null, problem: `the proof: ${error.message}` };
    throw error;
  }
}

async function verify(evidence: ExportEvidence): Promise<ExportVerdict> {
  const proof = new LineReader(evidence.proof);
  const header = readProofHeader((await proof.next()) ?? "");
  const checkpoint = await verifySigned(header.checkpoint, evidence.keys, "the checkpoint of the proof");
  const kept = evidence.kept === undefined ? undefined : await verifyKept(evidence.kept, evidence.keys, checkpoint);
  validateRange(header, checkpoint);
  const check = new RangeCheck(header, evidence, kept);
  check.appendSubtrees(header.left, 0, header.firstLeaf);
  for (let leaf = header.firstLeaf; leaf <= header.lastLeaf; leaf += 1) {
    const line = proof.next();
    const entry = readProofEntry((typeof line === "object" ? await line : line) ?? "");
    if (entry.leaf !== leaf) throw new Wrong(null, `the proof skips leaf ${leaf}`);
    const found = check.entry(entry);
    if (found) await found;
  }
  if ((await proof.next()) !== undefined) throw new Wrong(null, "the proof has more leaves than it says");
  check.appendSubtrees(header.right, header.lastLeaf + 1, checkpoint.size);
  const { dropped } = await check.end(checkpoint);
  const { lines, firstLeaf, lastLeaf, leftOut, from, to } = header;
  return { ok: true, lines, firstLeaf, lastLeaf, leftOut, dropped, period: { from, to }, checkpoint };
}

async function verifySigned(note: string, keys: readonly string[], what: string): Promise<Checkpoint> {
  if (keys.length === 0) throw new Wrong(null, "there is no verifier key");
  const signed = readNote(note);
  for (const key of keys.map(readVerifierKey)) {
    if (!(await isSignedBy(signed, key))) throw new Wrong(null, `${what} is not signed by ${key.name}`);
  }
  return readCheckpoint(signed.text);
}

async function verifyKept(note: string, keys: readonly string[], checkpoint: Checkpoint): Promise<Checkpoint> {
  const { origin } = readCheckpoint(readNote(note).text);
  if (origin !== checkpoint.origin) {
    throw new Wrong(null, `the checkpoint that was kept is of the log ${origin}, the proof of ${checkpoint.origin}`);
  }
  // Witnesses may have been added since.
  const ofLog = keys.filter((key) => readVerifierKey(key).kind === "log");
  const kept = await verifySigned(note, ofLog, "the checkpoint that was kept");
  if (kept.size > checkpoint.size) {
    throw new Wrong(null, `the log has ${checkpoint.size} leaves, the checkpoint that was kept ${kept.size}`);
  }
  return kept;
}

function validateRange(header: ProofHeader, { size }: Checkpoint): void {
  const { firstLeaf, lastLeaf, lines, leftOut, treeSize } = header;
  if (treeSize > size || lastLeaf >= treeSize || lastLeaf < firstLeaf - 1)
    throw new Wrong(null, "the proof has an impossible range of leaves");
  if (lastLeaf - firstLeaf + 1 !== lines + leftOut) throw new Wrong(null, "the proof does not count its leaves");
}
