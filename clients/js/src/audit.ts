/**
 * Verifies the audit trail of the identity service without trust in the service: exports against proofs, checkpoints,
 * cosignatures, inclusion and consistency. The code depends only on features of browsers, Node.js, Bun and Deno.
 */
export { canonicalize } from "./audit/jcs.ts";
export type { ByteSource } from "./audit/line-reader.ts";
export {
  coveringNodes,
  GrowingTree,
  leafHash,
  nodeHash,
  verifyConsistency,
  verifyInclusion,
} from "./audit/merkle.ts";
export {
  type Checkpoint,
  isSignedBy,
  readCheckpoint,
  readNote,
  readVerifierKey,
  type SignedNote,
  type VerifierKey,
} from "./audit/note.ts";
export { type ExportEvidence, type ExportVerdict, verifyExport } from "./audit/verify-export.ts";
export { type RecordEvidence, type RecordVerdict, verifyRecord } from "./audit/verify-record.ts";
