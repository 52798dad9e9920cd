import {
  isSignedBy,
  readNote,
  readVerifierKey,
  signatureLine,
  signaturesOf,
  toBase64,
} from "../../../clients/js/src/audit/note.ts";
import { boundedFetch } from "../../base/bounded-fetch.ts";
import { WITNESS_DEADLINE_MS, WITNESS_RESPONSE_MAX_BYTES } from "../../limits/audit-limits.ts";

/** Cosigns checkpoints that extend all checkpoints seen before (c2sp.org/tlog-witness). */
export interface Witness {
  readonly name: string;
  /** Returns the verified line of the cosignature. Throws without a cosignature; the message has the reason. */
  cosign(checkpoint: ConsistentCheckpoint): Promise<string>;
}

export interface ConsistentCheckpoint {
  /** The signed note. */
  readonly note: string;
  readonly origin: string;
  readonly size: number;
  /** The hashes of the consistency proof from a smaller tree (RFC 6962, section 2.1.2). */
  readonly proofFrom: (size: number) => Promise<readonly Uint8Array[]>;
}

/** `verifierKey`: the key of the witness, with the type of cosignatures. `url`: the submission prefix. */
export function witness(verifierKey: string, url: string): Witness {
  const key = readVerifierKey(verifierKey);
  /** The size of each log in the view of the witness. */
  const seen = new Map<string, number>();
  return {
    name: key.name,
    async cosign(checkpoint) {
      const { origin, size } = checkpoint;
      let response = await submit(url, checkpoint, seen.get(origin) ?? 0);
      if (response.status === 409) {
        const known = Number((await response.text()).trim());
        if (!Number.isSafeInteger(known) || known < 0) throw new Error("the witness answers 409 without a size");
        if (known > size) throw new Error(`the witness has seen ${known} leaves of this log, which has ${size} now`);
        response = await submit(url, checkpoint, known);
      }
      if (response.status !== 200) throw new Error(`the witness answers ${response.status}`);
      const line = await verifiedLine(checkpoint.note, await response.text(), verifierKey);
      if (line === undefined) throw new Error("the cosignature is invalid");
      seen.clear();
      seen.set(origin, size);
      return line;
    },
  };
}

async function submit(url: string, { note, proofFrom }: ConsistentCheckpoint, from: number): Promise<Response> {
  const proof = (await proofFrom(from)).map((hash) => `${toBase64(hash)}\n`).join("");
  const body = `old ${from}\n${proof}\n${note}`;
  const bounds = { maxBytes: WITNESS_RESPONSE_MAX_BYTES, deadlineMs: WITNESS_DEADLINE_MS };
  return await boundedFetch(`${url}/add-checkpoint`, { method: "POST", body }, bounds);
}

/**
 * The cosignature in the response of a witness, written as a new line. The response is untrusted: lines in the name of
 * the log or of another witness are possible, or an empty line, which would make signatures part of the signed text.
 * Undefined for a response without a valid cosignature of this note.
 */
async function verifiedLine(note: string, response: string, verifierKey: string): Promise<string | undefined> {
  try {
    const key = readVerifierKey(verifierKey);
    const cosigned = readNote(note + response);
    const [own] = signaturesOf(cosigned, key);
    if (!own || cosigned.text !== readNote(note).text || !(await isSignedBy(cosigned, key))) return undefined;
    return signatureLine(verifierKey, own.bytes);
  } catch {
    return undefined;
  }
}
