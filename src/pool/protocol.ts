/** All jobs of worker threads and their results. Plain data: structured clone drops the class and code of an error. */

import type { StoredHash } from "../vocabulary/stored-hash.ts";

export type { StoredHash };

export type HashJob =
  | { readonly kind: "hash"; readonly password: string; readonly cost: HashCost }
  | { readonly kind: "verify"; readonly password: string; readonly hash: StoredHash };

/** Argon2id (RFC 9106). */
export interface HashCost {
  readonly memoryKib: number;
  readonly time: number;
  readonly parallelism: number;
}

export type HashResult =
  | { readonly ok: true; readonly kind: "hash"; readonly hash: string }
  /** `tookMs`: duration of the comparison, without the wait in the queue. */
  | { readonly ok: true; readonly kind: "verify"; readonly matches: boolean; readonly tookMs: number }
  | { readonly ok: false; readonly code: "bad_hash" };

export interface SignJob {
  readonly key: SigningKey;
  /** A JWS signing input, signed with RS256 (RFC 7518, section 3.3). */
  readonly input: string;
  /** The ID token beside the access token of `input`: one job costs half of the messages of two. */
  readonly idToken?: UnsignedIdToken;
}

/** An ID token without `at_hash`, which the access token determines. */
export interface UnsignedIdToken {
  readonly encodedHeader: string;
  /** A JSON object with at least one member. */
  readonly claims: string;
}

export interface SigningKey {
  readonly kid: string;
  readonly privateKeyPem: string;
}

/** The implementations of RS256. */
export type SignerName = "openssl" | "runtime";

/** Given to each sign worker at its start. */
export interface SignWorkerData {
  /** The OpenSSL library to load; null: the runtime signs. */
  readonly libcrypto: string | null;
}

export type SignResult =
  /** `reason`: why the runtime signed in place of OpenSSL. */
  | {
      readonly ok: true;
      readonly signature: string;
      readonly signer: SignerName;
      readonly reason?: string;
      /** The signed ID token of the job. */
      readonly idToken?: string;
    }
  | { readonly ok: false; readonly code: "bad_key" };

export interface ExportJob {
  readonly databaseUrl: string;
  /** A single column with a JSON document per row. */
  readonly query: string;
  /** HMAC key, as UTF-8, of an export; undefined for a proof, which has no trailer. */
  readonly key: string | undefined;
  /** The size of a kept checkpoint, which no subtree crosses; for the proof of one organization's export. */
  readonly organizationBorder?: number | null;
  /** An open file descriptor of this process; the file is overwritten. */
  readonly fd: number;
  readonly deadlineMs: number;
}

/** The range of the proof of one organization's export; `head` of the result, in JSON. */
export interface OrganizationRange {
  readonly first: number;
  /** `first` - 1 if there are no leaves. */
  readonly last: number;
  /** Leaves of the organization, in the period and outside. */
  readonly lines: number;
  readonly leftOut: number;
  /** Leaves of other organizations, and leaves without the record of the hash. */
  readonly other: number;
  readonly nobody: number;
  /** The root of the tree of the organization's leaves only, in base64. */
  readonly root: string;
}

export type ExportResult =
  | {
      readonly ok: true;
      readonly count: number;
      readonly bytes: number;
      /** The signature of an export; empty for a proof. */
      readonly signature: string;
      /** The first line of a proof, absent from the file; empty for an export. */
      readonly head: string;
    }
  | { readonly ok: false; readonly code: "spool_failed" | "database_failed" };

/** The encoded picture: an avatar fills its square, a logo keeps its proportions within the bounds. */
export interface PictureForm {
  readonly width: number;
  readonly height: number;
  readonly fit: "cover" | "inside";
  readonly format: "webp" | "png";
}

/** Formats of accepted pictures in the terms of libvips. AVIF is HEIF with AV1. */
export type PictureFormat = "png" | "jpeg" | "webp" | "gif" | "heif";

/** Input of the process that decodes one picture: bytes on standard input, the picture on standard output. */
export interface PictureJob {
  readonly formats: readonly PictureFormat[];
  readonly form: PictureForm;
  readonly pixelsMax: number;
  readonly avifPixelsMax: number;
  /** Memory for decoding, in addition to the memory of the process itself. */
  readonly memoryBytes: number;
  readonly deadlineMs: number;
  readonly niceIncrement: number;
}

/** Exit code for input without a picture, too large or corrupt (EX_DATAERR of sysexits(3)). */
export const PICTURE_REFUSED = 65;

/** Why a pool has no result: the queue was full, the deadline passed, or all workers of the job died. */
export type PoolRefusal = "queue_full" | "deadline" | "worker_died";
