/** Checkpoints and the required signatures. */
import {
  type Checkpoint,
  isSignedBy,
  keyId,
  readCheckpoint,
  readNote,
  type SignedNote,
  signaturesOf,
  type VerifierKey,
} from "./note.ts";
import { ProofError } from "./proof-error.ts";

/** The keys that must have signed the checkpoint of the proof. */
export function keysOfProof(keys: readonly VerifierKey[]): VerifierKey[] {
  const ofLog = keys.filter(({ kind }) => kind === "log");
  return keys.filter((key) => key.kind !== "log" || key === ofLog.at(-1));
}

export interface SignedCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly signedBy: readonly string[];
}

/** Throws a ProofError where a key has not signed the note, and for a checkpoint of a log without a given key. */
export async function verifySigned(
  note: string,
  keys: readonly VerifierKey[],
  what: string,
): Promise<SignedCheckpoint> {
  if (keys.length === 0) throw new ProofError(null, "there is no verifier key");
  const signed = readNote(note);
  const verified = await Promise.all(keys.map((key) => isSignedBy(signed, key)));
  const signers = keys.filter((_, index) => verified[index]);
  const lacking = lackingKey(signed, keys, signers);
  if (lacking) throw new ProofError(null, `${what} is not signed by ${lacking.name}`);
  const checkpoint = readCheckpoint(signed.text);
  // A witness follows many logs, and the key of a log can sign a checkpoint of another log: only the name binds a key
  // to a log.
  if (!signers.some(({ kind, name }) => kind === "log" && name === checkpoint.origin))
    throw new ProofError(null, `${what} is of the log ${checkpoint.origin}, of which it has no signature`);
  return { checkpoint, signedBy: signers.map(keyId) };
}

/** A key whose signature is missing or invalid: of a witness, or of the log if no other key of the log has signed. */
function lackingKey(
  note: SignedNote,
  keys: readonly VerifierKey[],
  signers: readonly VerifierKey[],
): VerifierKey | undefined {
  const isSignedByLog = signers.some(({ kind }) => kind === "log");
  const lacking = keys.filter((key) => !signers.includes(key));
  return lacking.find((key) => key.kind === "cosignature" || !isSignedByLog || signaturesOf(note, key).length > 0);
}
