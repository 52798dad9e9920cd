/**
 * Verifies an export against a proof: every line is an unchanged leaf of the log in the right place, and no leaf of the
 * period lacks a line. Export and proof are read once, side by side.
 */

import { type ByteSource, LineReader } from "./line-reader.ts";
import { type Checkpoint, isSignedBy, readCheckpoint, readNote, readVerifierKey, type VerifierKey } from "./note.ts";
import { type ProofHeader, readOrganizationEntry, readProofEntry, readProofHeader } from "./proof.ts";
import { ProofError } from "./proof-error.ts";
import { RangeCheck } from "./range-check.ts";
import type { Sha256 } from "./sha256.ts";
import { keysOfProof, type SignedCheckpoint, verifySigned } from "./signed-checkpoint.ts";

export interface ExportEvidence {
  /** The export, as downloaded. */
  readonly lines: ByteSource;
  /** The proof of the export. */
  readonly proof: ByteSource;
  /**
   * Verifier keys of the log and of witnesses, at least one key; keys of the log oldest first: the log has a new key
   * after a replacement of the root secret of the service. Every witness and the last key of the log must have signed
   * the checkpoint of the proof, so that a leaked old key cannot vouch for new records; any key may have signed `kept`.
   */
  readonly keys: readonly string[];
  /**
   * A checkpoint that the auditor kept earlier: the log must extend the checkpoint, and an export without `to` must
   * cover the checkpoint.
   */
  readonly kept?: string;
  /** `X-Service-Audit-Tree-Size` of the export; default: the size in the proof. */
  readonly treeSize?: number;
  /**
   * RFC 3339: earlier records may be missing, because the auditor knows that retention drops old records. Default:
   * every leaf must have a record. The statement of the proof about retention is not signed and has no effect.
   */
  readonly retainedFrom?: string;
  /** The expected organization of the export. Default: the organization of the proof, or the whole trail. */
  readonly organizationId?: string;
  /** Default: ten minutes. */
  readonly clockToleranceMs?: number;
  /** A SHA-256 that is faster than the built-in implementation. */
  readonly sha256?: Sha256;
}

/** The verified evidence, or the first wrong line; `line` is null where the proof is wrong, not the export. */
export type ExportVerdict =
  | {
      readonly ok: true;
      readonly lines: number;
      readonly firstLeaf: number;
      readonly lastLeaf: number;
      /** Leaves between first and last whose records lie outside the period. */
      readonly leftOut: number;
      /** The organization of the records; null: the whole trail. */
      readonly organizationId: string | null;
      /** Leaves of other organizations; the proof has only the hashes. */
      readonly other: number;
      /** Leaves without a record, earlier than `retainedFrom` as far as the neighbouring records show. */
      readonly dropped: number;
      /** The value of the options; null: no leaf may lack a record. */
      readonly retainedFrom: string | null;
      /** The date of the first line; null for an export without lines. */
      readonly firstTimestamp: string | null;
      /** The number of leaves when the export was made. */
      readonly treeSize: number;
      /** Leaves of the checkpoint that are later than the export and therefore not in the export. */
      readonly later: number;
      readonly period: { readonly from: string | null; readonly to: string | null };
      readonly checkpoint: Checkpoint;
      /** `<name>+<hash>` of the keys that signed the checkpoint, and of the keys that signed the kept checkpoint. */
      readonly signedBy: readonly string[];
      readonly keptSignedBy: readonly string[];
    }
  | { readonly ok: false; readonly line: number | null; readonly problem: string };

/** Does not throw for invalid evidence; rejects when a source cannot be read. */
export async function verifyExport(evidence: ExportEvidence): Promise<ExportVerdict> {
  try {
    return await verify(evidence);
  } catch (error) {
    if (error instanceof ProofError) return { ok: false, line: error.line, problem: error.message };
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
  const readEntry = header.organization ? readOrganizationEntry : readProofEntry;
  for (let leaf = header.firstLeaf; leaf <= header.lastLeaf; ) {
    const line = proof.next();
    const entry = readEntry((typeof line === "object" ? await line : line) ?? "");
    if (entry.leaf !== leaf) throw new ProofError(null, `the proof skips leaf ${leaf}`);
    leaf += "level" in entry ? 2 ** entry.level : 1;
    if (leaf > header.lastLeaf + 1) throw new ProofError(null, "a subtree goes beyond the range");
    const found = "level" in entry ? check.subtree(entry) : check.entry(entry);
    if (found) await found;
  }
  if ((await proof.next()) !== undefined) throw new ProofError(null, "the proof has more leaves than it says");
  check.appendSubtrees(header.right, header.lastLeaf + 1, checkpoint.size);
  const findings = await check.end(checkpoint);
  await verifyOrganization(header, keys, checkpoint.origin, check, evidence.organizationId);
  const { lines, firstLeaf, lastLeaf, leftOut, treeSize, from, to } = header;
  return {
    ok: true,
    ...{ lines, firstLeaf, lastLeaf, leftOut, ...findings, retainedFrom: evidence.retainedFrom ?? null },
    ...{ treeSize, later: checkpoint.size - treeSize, period: { from, to }, checkpoint, signedBy },
    keptSignedBy: kept?.signedBy ?? [],
    organizationId: header.organization?.organizationId ?? null,
    other: header.organization?.other ?? 0,
  };
}

/**
 * The service states, in a signed statement, which leaves belong to the organization: hashes of other leaves prove no
 * membership. A concealed record, together with a proof of the record, shows that the service signed a false statement.
 */
async function verifyOrganization(
  { organization }: ProofHeader,
  keys: readonly VerifierKey[],
  origin: string,
  check: RangeCheck,
  expected: string | undefined,
): Promise<void> {
  if (expected !== undefined && organization?.organizationId !== expected)
    throw new ProofError(null, `the proof is not of the organization ${expected}`);
  if (!organization) return;
  const statement = readNote(organization.statement);
  const logKey = keys.filter(({ kind, name }) => kind === "log" && name === origin).at(-1);
  if (!logKey || !(await isSignedBy(statement, logKey)))
    throw new ProofError(null, "the statement about the organization is not signed by the log");
  if (statement.text !== check.statement(origin))
    throw new ProofError(
      null,
      "the records are not those of which the log has signed that they are the organization's",
    );
}

async function verifyKept(
  note: string,
  keys: readonly VerifierKey[],
  checkpoint: Checkpoint,
): Promise<SignedCheckpoint> {
  const { origin } = readCheckpoint(readNote(note).text);
  if (origin !== checkpoint.origin) {
    throw new ProofError(
      null,
      `the checkpoint that was kept is of the log ${origin}, the proof of ${checkpoint.origin}`,
    );
  }
  // Witnesses may have been added since.
  const ofLog = keys.filter(({ kind }) => kind === "log");
  const kept = await verifySigned(note, ofLog, "the checkpoint that was kept");
  const { size } = kept.checkpoint;
  if (size > checkpoint.size) {
    throw new ProofError(null, `the log has ${checkpoint.size} leaves, the checkpoint that was kept ${size}`);
  }
  return kept;
}

function validateRange(header: ProofHeader, { size }: Checkpoint, expectedSize = header.treeSize): void {
  const { firstLeaf, lastLeaf, lines, leftOut, treeSize } = header;
  const { other = 0, nobody = 0 } = header.organization ?? {};
  if (treeSize !== expectedSize) {
    throw new ProofError(null, `a proof for tree_size=${expectedSize} is needed, this one is for ${treeSize}`);
  }
  if (treeSize > size || lastLeaf >= treeSize || lastLeaf < firstLeaf - 1)
    throw new ProofError(null, "the proof has an impossible range of leaves");
  if (lastLeaf - firstLeaf + 1 !== lines + leftOut + other + nobody)
    throw new ProofError(null, "the proof does not count its leaves");
}
