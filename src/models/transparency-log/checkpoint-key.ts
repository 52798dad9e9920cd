import { createPublicKey, type KeyObject, sign } from "node:crypto";
import {
  type Checkpoint,
  isSignedBy,
  readCheckpoint,
  readNote,
  readVerifierKey,
  signatureLine,
  writeCheckpoint,
  writeVerifierKey,
} from "../../../clients/js/src/audit/note.ts";
import { ed25519FromSeed } from "../../base/ed25519.ts";
import type { Random } from "../../base/random.ts";
import { open, type SealingKey, seal } from "../../base/seal.ts";
import type { Database, Sql } from "../../database/database.ts";
import type { Log } from "./transparency-log.ts";

/** Signs checkpoints. */
export interface CheckpointKey {
  /** `<name>+<hash>+<key>` of a log (c2sp.org/signed-note). */
  verifierKey(origin: string): string;
  /** The signed note of the log. */
  sign(log: Pick<Log, "origin" | "size" | "root">): string;
  /** The note of a text that is no checkpoint of the log, under the name of the log. */
  signStatement(origin: string, text: string): string;
  /** The checkpoint of a note; undefined for a note that this deployment has not signed. */
  open(note: string): Promise<Checkpoint | undefined>;
}

const SEED_BYTES = 32;

interface KeyRow {
  readonly publicKey: Buffer;
  readonly sealedPrivateKey: Buffer;
}

/**
 * The key of this deployment, created on first use; of replicas that start concurrently, one creates the key. Throws if
 * the row does not open, or if the public half belongs to a different key: then no checkpoint is signed.
 */
export async function ensureCheckpointKey(
  deps: { readonly database: Database; readonly random: Random; readonly sealing: SealingKey },
  at: Date,
): Promise<CheckpointKey> {
  const { database, sealing, random } = deps;
  const present = await database.run("transparency_key.find", (sql) => findKey(sql, sealing.id));
  if (present) return openKey(sealing, present);
  const seed = random.bytes(SEED_BYTES);
  const made = {
    publicKey: publicHalf(ed25519FromSeed(seed)),
    sealedPrivateKey: seal(sealing, random, identity(sealing), seed),
  };
  await database.run("transparency_key.insert", (sql) => insertKey(sql, sealing.id, made, at));
  const stored = await database.run("transparency_key.find", (sql) => findKey(sql, sealing.id));
  return openKey(sealing, stored ?? made);
}

async function findKey(sql: Sql, ring: string): Promise<KeyRow | undefined> {
  const [row] = await sql<KeyRow[]>`
    select public_key as "publicKey", sealed_private_key as "sealedPrivateKey" from transparency_keys
    where ring = ${ring}`;
  return row;
}

async function insertKey(sql: Sql, ring: string, { publicKey, sealedPrivateKey }: KeyRow, at: Date): Promise<void> {
  await sql`
    insert into transparency_keys (ring, public_key, sealed_private_key, created_at)
    values (${ring}, ${publicKey}, ${sealedPrivateKey}, ${at}) on conflict do nothing`;
}

/** Associated data of the sealed key: a row copied to another ring does not open (G22). */
function identity({ id }: SealingKey): string {
  return `transparency-key/${id}`;
}

function openKey(sealing: SealingKey, { publicKey, sealedPrivateKey }: KeyRow): CheckpointKey {
  const seed = open(sealing, identity(sealing), sealedPrivateKey);
  const privateKey = seed && ed25519FromSeed(seed);
  if (!privateKey || !publicHalf(privateKey).equals(publicKey)) {
    throw new Error("the key of the transparency log does not open, or its public half does not match");
  }
  const verifierKey = (origin: string) => writeVerifierKey(origin, publicKey);
  const signNote = (origin: string, text: string) =>
    `${text}\n${signatureLine(verifierKey(origin), sign(null, Buffer.from(text), privateKey))}`;
  return {
    verifierKey,
    sign: (log) => signNote(log.origin, writeCheckpoint(log)),
    signStatement: signNote,
    async open(note) {
      try {
        const signed = readNote(note);
        const checkpoint = readCheckpoint(signed.text);
        return (await isSignedBy(signed, readVerifierKey(verifierKey(checkpoint.origin)))) ? checkpoint : undefined;
      } catch {
        return undefined;
      }
    },
  };
}

/** The last 32 bytes of the encoded public key are the key (RFC 8410, section 4). */
function publicHalf(privateKey: KeyObject): Buffer {
  return createPublicKey(privateKey).export({ format: "der", type: "spki" }).subarray(-32);
}
