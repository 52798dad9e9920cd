/** Verifies that an audit record is a leaf of the log, from the document of `GET /v1/audit-logs/:event_id/proof`. */
import { canonicalize, type Json, parseJson } from "./jcs.ts";
import { leafHash, verifyInclusion } from "./merkle.ts";
import { type Checkpoint, fromBase64, readVerifierKey } from "./note.ts";
import { ProofError } from "./proof-error.ts";
import { keysOfProof, verifySigned } from "./signed-checkpoint.ts";

export interface RecordEvidence {
  /** The document, as downloaded. */
  readonly proof: string;
  /** As of `verifyExport`. */
  readonly keys: readonly string[];
  /** The expected record of the document. Default: any record. */
  readonly eventId?: string;
}

export type RecordVerdict =
  | {
      readonly ok: true;
      readonly record: Readonly<Record<string, Json>>;
      /** From 0. */
      readonly leaf: number;
      readonly checkpoint: Checkpoint;
      /** `<name>+<hash>` of the keys that signed the checkpoint. */
      readonly signedBy: readonly string[];
    }
  | { readonly ok: false; readonly problem: string };

const FORMAT = "audit-record/1";
const DOCUMENT_MAX_CHARACTERS = 1024 * 1024;

/** Does not throw for invalid evidence. */
export async function verifyRecord({ proof, keys, eventId }: RecordEvidence): Promise<RecordVerdict> {
  try {
    const { record, leaf, checkpoint: note, hashes } = readDocument(proof);
    const { checkpoint, signedBy } = await verifySigned(
      note,
      keysOfProof(keys.map(readVerifierKey)),
      "the checkpoint of the proof",
    );
    if (eventId !== undefined && record.event_id !== eventId)
      throw new ProofError(null, "the proof is of another record");
    const hash = leafHash(new TextEncoder().encode(canonicalize(JSON.stringify(record))));
    if (!verifyInclusion({ index: leaf, hash }, checkpoint, hashes))
      throw new ProofError(null, `the record is not leaf ${leaf} of the log, or was changed`);
    return { ok: true, record, leaf, checkpoint, signedBy };
  } catch (error) {
    if (error instanceof ProofError) return { ok: false, problem: error.message };
    if (error instanceof SyntaxError) return { ok: false, problem: `the proof: ${error.message}` };
    throw error;
  }
}

function readDocument(text: string) {
  if (text.length > DOCUMENT_MAX_CHARACTERS) throw new SyntaxError("the document is too long");
  const document = objectOf(parseJson(text));
  if (document.format !== FORMAT) throw new SyntaxError("not the proof of an audit record");
  const { checkpoint, leaf, hashes } = document;
  if (typeof checkpoint !== "string") throw new SyntaxError("it has no checkpoint");
  if (typeof leaf !== "number") throw new SyntaxError("it has no leaf");
  if (!Array.isArray(hashes)) throw new SyntaxError("it has no hashes");
  return { record: objectOf(document.record), checkpoint, leaf, hashes: hashes.map(hashOf) };
}

function objectOf(value: Json | undefined): Readonly<Record<string, Json>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new SyntaxError("not an object");
  return value as Readonly<Record<string, Json>>;
}

function hashOf(value: unknown): Uint8Array {
  const hash = typeof value === "string" ? fromBase64(value) : undefined;
  if (!hash) throw new SyntaxError("not a hash");
  return hash;
}
