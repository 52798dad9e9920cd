/**
 * Verifies an export against its proof: that each line is a leaf of the log, unchanged and in its place, and that no
 * leaf of the period lacks its line. Both are read once, side by side.
 */

import { type ByteSource, LineReader } from "./line-reader.ts";
import {
  type Checkpoint,
  isSignedBy,
  keyId,
  readCheckpoint,
  readNote,
  readVerifierKey,
  type SignedNote,
  signaturesOf,
  type VerifierKey,
} from "./note.ts";
import { type ProofHeader, readProofEntry, readProofHeader } from "./proof.ts";
import { RangeCheck, Wrong } from "./range-check.ts";
import type { Sha256 } from "./sha256.ts";

export interface ExportEvidence {
  /** The export, as it was downloaded. */
  readonly lines: ByteSource;
  /** Its proof. */
  readonly proof: ByteSource;
  /**
   * Verifier keys of the log and of witnesses, at least one; those of the log oldest first: it has another key after
   * the root secret of the service was replaced. Each witness and the last key of the log must have signed the
   * checkpoint of the proof, so that an old key which leaked vouches for nothing new; `kept` may be signed by any.
   */
  readonly keys: readonly string[];
  /** A checkpoint that the auditor kept earlier: the log must extend it, and an export without `to` cover it. */
  readonly kept?: string;
  /** `X-Service-Audit-Tree-Size` of the export; default: what the proof says. */
  readonly treeSize?: number;
  /**
   * RFC 3339: records of before may be missing, because the auditor knows that retention drops them. Default: each
   * leaf must have its record. What the proof says about retention is not signed and decides nothing.
   */
  readonly retainedFrom?: string;
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
      /** Leaves without a record, before `retainedFrom` as far as the records around them show. */
      readonly dropped: number;
      /** As given; null: no leaf may lack its record. */
      readonly retainedFrom: string | null;
      /** The date of the first line; null for an export without lines. */
      readonly firstTimestamp: string | null;
      /** The number of leaves when the export was made. */
      readonly treeSize: number;
      /** Leaves of the checkpoint that came after the export was made; none of them is in it. */
      readonly later: number;
      readonly period: { readonly from: string | null; readonly to: string | null };
      readonly checkpoint: Checkpoint;
      /** `<name>+<hash>` of each key that signed the checkpoint, and the one that was kept. */
      readonly signedBy: readonly string[];
      readonly keptSignedBy: readonly string[];
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
  const keys = evidence.keys.map(readVerifierKey);
  const signed = await verifySigned(header.checkpoint, keysOfProof(keys), "the checkpoint of the proof");
  const { checkpoint, signedBy } = signed;
  const kept = evidence.kept === undefined ? undefined : await verifyKept(evidence.kept, keys, checkpoint);
  validateRange(header, checkpoint, evidence.treeSize);
  const check = new RangeCheck(header, evidence, kept?.checkpoint);
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
  const findings = await check.end(checkpoint);
  const { lines, firstLeaf, lastLeaf, leftOut, treeSize, from, to } = header;
  return {
    ok: true,
    ...{ lines, firstLeaf, lastLeaf, leftOut, ...findings, retainedFrom: evidence.retainedFrom ?? null },
    ...{ treeSize, later: checkpoint.size - treeSize, period: { from, to }, checkpoint, signedBy },
    keptSignedBy: kept?.signedBy ?? [],
  };
}

/** Those that must have signed the checkpoint of the proof. */
function keysOfProof(keys: readonly VerifierKey[]): VerifierKey[] {
  const ofLog = keys.filter(({ kind }) => kind === "log");
  return keys.filter((key) => key.kind !== "log" || key === ofLog.at(-1));
}

interface Signed {
  readonly checkpoint: Checkpoint;
  readonly signedBy: readonly string[];
}

async function verifySigned(note: string, keys: readonly VerifierKey[], what: string): Promise<Signed> {
  if (keys.length === 0) throw new Wrong(null, "there is no verifier key");
  const signed = readNote(note);
  const verified = await Promise.all(keys.map((key) => isSignedBy(signed, key)));
  const signers = keys.filter((_, index) => verified[index]);
  const lacking = lackingKey(signed, keys, signers);
  if (lacking) throw new Wrong(null, `${what} is not signed by ${lacking.name}`);
  const checkpoint = readCheckpoint(signed.text);
  // A witness follows many logs, and the key of one log can sign a checkpoint of another: only the name binds them.
  if (!signers.some(({ kind, name }) => kind === "log" && name === checkpoint.origin))
    throw new Wrong(null, `${what} is of the log ${checkpoint.origin}, of which it has no signature`);
  return { checkpoint, signedBy: signers.map(keyId) };
}

/** A key whose signature is missing or invalid: of a witness, or of the log where no other key of it has signed. */
function lackingKey(
  note: SignedNote,
  keys: readonly VerifierKey[],
  signers: readonly VerifierKey[],
): VerifierKey | undefined {
  const isSignedByLog = signers.some(({ kind }) => kind === "log");
  const lacking = keys.filter((key) => !signers.includes(key));
  return lacking.find((key) => key.kind === "cosignature" || !isSignedByLog || signaturesOf(note, key).length > 0);
}

async function verifyKept(note: string, keys: readonly VerifierKey[], checkpoint: Checkpoint): Promise<Signed> {
  const { origin } = readCheckpoint(readNote(note).text);
  if (origin !== checkpoint.origin) {
    throw new Wrong(null, `the checkpoint that was kept is of the log ${origin}, the proof of ${checkpoint.origin}`);
  }
  // Witnesses may have been added since.
  const ofLog = keys.filter(({ kind }) => kind === "log");
  const kept = await verifySigned(note, ofLog, "the checkpoint that was kept");
  const { size } = kept.checkpoint;
  if (size > checkpoint.size) {
    throw new Wrong(null, `the log has ${checkpoint.size} leaves, the checkpoint that was kept ${size}`);
  }
  return kept;
}

function validateRange(header: ProofHeader, { size }: Checkpoint, expectedSize = header.treeSize): void {
  const { firstLeaf, lastLeaf, lines, leftOut, treeSize } = header;
  if (treeSize !== expectedSize) {
    throw new Wrong(null, `a proof for tree_size=${expectedSize} is needed, this one is for ${treeSize}`);
  }
  if (treeSize > size || lastLeaf >= treeSize || lastLeaf < firstLeaf - 1)
    throw new Wrong(null, "the proof has an impossible range of leaves");
  if (lastLeaf - firstLeaf + 1 !== lines + leftOut) throw new Wrong(null, "the proof does not count its leaves");
}
