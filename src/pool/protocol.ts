/** Every job that crosses to a worker thread, and its result. Plain data both ways: a thrown class would lose its code. */

import type { StoredHash } from "../base/stored-hash.ts";

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
  /** `tookMs`: the comparison alone, without what the job waited. */
  | { readonly ok: true; readonly kind: "verify"; readonly matches: boolean; readonly tookMs: number }
  | { readonly ok: false; readonly code: "bad_hash" };

export interface SignJob {
  readonly key: SigningKey;
  /** JWS signing inputs, each signed with RS256 (RFC 7518, section 3.3). */
  readonly inputs: readonly string[];
}

export interface SigningKey {
  readonly kid: string;
  readonly privateKeyPem: string;
}

export type SignResult =
  | { readonly ok: true; readonly signatures: readonly string[] }
  | { readonly ok: false; readonly code: "bad_key" };

export interface ExportJob {
  readonly databaseUrl: string;
  /** What is exported: a query of one column, a JSON document a row. */
  readonly query: string;
  /** HMAC key, as UTF-8. */
  readonly key: string;
  /** An open file of this process, which is written from its beginning. */
  readonly fd: number;
  readonly deadlineMs: number;
}

export type ExportResult =
  | { readonly ok: true; readonly count: number; readonly bytes: number; readonly signature: string }
  | { readonly ok: false; readonly code: "spool_failed" | "database_failed" };

/** What the process that decodes one picture is told. Bytes come by standard input, the avatar goes to standard output. */
export interface PictureJob {
  readonly sidePixels: number;
  readonly pixelsMax: number;
  readonly avifPixelsMax: number;
  /** What decoding may take on top of the process itself. */
  readonly memoryBytes: number;
  readonly deadlineMs: number;
  readonly niceIncrement: number;
}

/** Exit code of that process for what is no picture, too large a one, or a broken one (EX_DATAERR of sysexits(3)). */
export const PICTURE_REFUSED = 65;

/** Why a pool has no result: it is full, the job waited or ran too long, or it killed every worker that took it. */
export type PoolRefusal = "queue_full" | "deadline" | "worker_died";
