/**
 * Signed notes, checkpoints and cosignatures (c2sp.org/signed-note, c2sp.org/tlog-checkpoint,
 * c2sp.org/tlog-cosignature).
 */
import { HASH_BYTES } from "./merkle.ts";
import { sha256 } from "./sha256.ts";

/** Types of keys in a verifier key. */
const ED25519 = 1;
const COSIGNATURE = 4;
const KEY_HASH_BYTES = 4;
const TIMESTAMP_BYTES = 8;
const SIGNATURE_BYTES = 64;
/** Witnesses and keys of before a rotation; a note with more is refused. */
const SIGNATURES_MAX = 100;

/** A verifier key, `<name>+<hash>+<key>`: the signatures of this key are trusted. */
export interface VerifierKey {
  readonly name: string;
  /** The first four bytes of SHA-256 of name and key, repeated in signature lines. */
  readonly hash: Uint8Array;
  /** `cosignature`: a witness, which signs with the time. */
  readonly kind: "log" | "cosignature";
  readonly publicKey: Uint8Array;
}

export interface SignedNote {
  /** The signed text, with the newline at the end. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

export interface NoteSignature {
  readonly name: string;
  readonly hash: Uint8Array;
  readonly bytes: Uint8Array;
}

export interface Checkpoint {
  /** The name of the log. */
  readonly origin: string;
  /** The number of leaves. */
  readonly size: number;
  readonly root: Uint8Array;
}

/** The verifier key of an Ed25519 public key of 32 bytes. */
export function writeVerifierKey(name: string, publicKey: Uint8Array): string {
  const typed = concat(new Uint8Array([ED25519]), publicKey);
  return `${name}+${hex(keyHash(name, typed))}+${toBase64(typed)}`;
}

/** Throws a SyntaxError for a text that is not a verifier key of a log or of a witness. */
export function readVerifierKey(text: string): VerifierKey {
  const [, name, hash, encoded] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(text.trim()) ?? [];
  const typed = fromBase64(encoded ?? "");
  const kind = typed?.[0] === ED25519 ? "log" : typed?.[0] === COSIGNATURE ? "cosignature" : undefined;
  if (name === undefined || !typed || !kind || typed.length !== 1 + 32) throw new SyntaxError("not a verifier key");
  const expected = keyHash(name, typed);
  if (hex(expected) !== hash) throw new SyntaxError("the verifier key has another hash");
  return { name, hash: expected, kind, publicKey: typed.slice(1) };
}

/** The line of a signature under a verifier key: 64 bytes, after a time of 8 bytes for a cosignature. */
export function signatureLine(verifierKey: string, signature: Uint8Array): string {
  const { name, hash } = readVerifierKey(verifierKey);
  return `\u2014 ${name} ${toBase64(concat(hash, signature))}\n`;
}

/** Throws a SyntaxError for a text that is not a signed note. */
export function readNote(note: string): SignedNote {
  const split = note.lastIndexOf("\n\n");
  const lines = note.slice(split + 2).split("\n");
  if (split < 0 || lines.pop() !== "" || lines.length > SIGNATURES_MAX) throw new SyntaxError("not a signed note");
  return { text: note.slice(0, split + 1), signatures: lines.map(readSignature) };
}

function readSignature(line: string): NoteSignature {
  const [, name, encoded] = /^\u2014 (\S+) (\S+)$/.exec(line) ?? [];
  const bytes = fromBase64(encoded ?? "");
  if (name === undefined || !bytes || bytes.length <= KEY_HASH_BYTES) throw new SyntaxError("not a signature line");
  return { name, hash: bytes.slice(0, KEY_HASH_BYTES), bytes: bytes.slice(KEY_HASH_BYTES) };
}

/** Reads the text of a note. Throws a SyntaxError for a note that is not a checkpoint. */
export function readCheckpoint(text: string): Checkpoint {
  const [origin = "", size = "", encodedRoot = ""] = text.split("\n");
  const root = fromBase64(encodedRoot);
  if (origin === "" || !isCount(size) || root?.length !== HASH_BYTES) {
    throw new SyntaxError("not a checkpoint");
  }
  return { origin, size: Number(size), root };
}

/** A number of leaves in the canonical decimal form, up to the largest safe integer. */
function isCount(text: string): boolean {
  return /^(?:0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text));
}

/** The signed text of a checkpoint. */
export function writeCheckpoint({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${toBase64(root)}\n`;
}

/**
 * Whether a note has a valid signature of a key. An invalid signature with the name and hash of the key is an error.
 */
export async function isSignedBy(note: SignedNote, key: VerifierKey): Promise<boolean> {
  const own = signaturesOf(note, key);
  const verified = await Promise.all(own.map(({ bytes }) => verifySignature(note.text, bytes, key)));
  return verified.length > 0 && verified.every(Boolean);
}

/** The signatures of a note with the name and hash of a key; no signature is verified. */
export function signaturesOf({ signatures }: SignedNote, key: VerifierKey): readonly NoteSignature[] {
  return signatures.filter(({ name, hash }) => name === key.name && hex(hash) === hex(key.hash));
}

/**
 * Names of the witnesses whose cosignatures are in a note; every cosignature was verified before the service added it.
 */
export function cosignersOf(note: string): readonly string[] {
  const { text, signatures } = readNote(note);
  return [...new Set(signatures.map(({ name }) => name))].filter((name) => !text.startsWith(`${name}\n`));
}

/** `<name>+<hash>`: how a verifier key begins. */
export function keyId({ name, hash }: VerifierKey): string {
  return `${name}+${hex(hash)}`;
}

async function verifySignature(text: string, bytes: Uint8Array, key: VerifierKey): Promise<boolean> {
  const timed = key.kind === "cosignature";
  if (bytes.length !== SIGNATURE_BYTES + (timed ? TIMESTAMP_BYTES : 0)) return false;
  const signature = bytes.slice(timed ? TIMESTAMP_BYTES : 0);
  const message = timed ? cosignedMessage(text, new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0)) : text;
  const publicKey = await crypto.subtle.importKey("raw", copy(key.publicKey), "Ed25519", false, ["verify"]);
  return await crypto.subtle.verify("Ed25519", publicKey, copy(signature), new TextEncoder().encode(message));
}

/** The text that a witness signs: the checkpoint with the time, in seconds since 1970. */
export function cosignedMessage(text: string, seconds: bigint): string {
  return `cosignature/v1\ntime ${seconds}\n${text}`;
}

function keyHash(name: string, typed: Uint8Array): Uint8Array {
  return sha256(concat(new TextEncoder().encode(`${name}\n`), typed)).slice(0, KEY_HASH_BYTES);
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/** Undefined for a text that is not canonical base64. */
export function fromBase64(text: string): Uint8Array | undefined {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    return toBase64(bytes) === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** A copy with a separate buffer, as `crypto.subtle` requires. */
function copy(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
