/**
 * Fetches the metadata documents of clients (docs/contract.md, section 23.30) by checked connections: public addresses
 * only, without redirects, with bounds of time, bytes and parallel fetches. A failure is never kept.
 *
 * Owns: the fetches in progress. Bound: `CLIENT_DOCUMENT_FETCHES_MAX`; `CLIENT_DOCUMENT_FETCHES_PER_HOST_MAX` a host.
 * A crash loses: no data.
 */
import { createHash } from "node:crypto";
import type { Clock } from "../base/clock.ts";
import { err, ok, type Result } from "../base/result.ts";
import {
  CLIENT_DOCUMENT_AGE_MAX_MS,
  CLIENT_DOCUMENT_AGE_MIN_MS,
  CLIENT_DOCUMENT_DEADLINE_MS,
  CLIENT_DOCUMENT_FAILURE_MS,
  CLIENT_DOCUMENT_FETCHES_MAX,
  CLIENT_DOCUMENT_FETCHES_PER_HOST_MAX,
  CLIENT_DOCUMENT_MAX_BYTES,
} from "../limits/oauth-limits.ts";
import { type GuardedPostOptions, type GuardedSend, guardedPost, type ReceivedResponse } from "./guarded-post.ts";

export interface FetchedDocument {
  readonly metadata: Readonly<Record<string, unknown>>;
  /** SHA-256 of the document, base64url. */
  readonly hash: string;
  /** How long the document may be used without a fetch. */
  readonly maxAgeMs: number;
}

/** `cause` is for the log: a caller must not learn which address of this network responds (SSRF). */
export type DocumentFailure = { readonly kind: "busy" } | { readonly kind: "unavailable"; readonly cause: string };

export interface ClientDocuments {
  /** Parallel calls for an address share a fetch. `admit` decides about a fetch that begins. */
  fetch(url: string, admit: () => Promise<boolean>): Promise<Result<FetchedDocument, DocumentFailure>>;
}

export type ClientDocumentsOptions = Pick<GuardedPostOptions, "allows" | "loopback" | "resolve"> &
  /** Default: `CLIENT_DOCUMENT_DEADLINE_MS`. */
  Partial<Pick<GuardedPostOptions, "deadlineMs">>;

const SUCCESS = 200;
/** RFC 7591 metadata is JSON; a structured suffix is permitted (RFC 6839, section 3.1). */
const JSON_TYPE = /^application\/(?:[a-z0-9!#$&^_.+-]+\+)?json(?:\s*;|$)/i;
const MAX_AGE = /(?:^|,)\s*max-age\s*=\s*"?(\d{1,9})"?/i;
const UNCACHED = /(?:^|,)\s*no-(?:store|cache)\b/i;

export function clientDocuments(clock: Clock, reach: ClientDocumentsOptions): ClientDocuments {
  const bounds = { deadlineMs: CLIENT_DOCUMENT_DEADLINE_MS, maxBytes: CLIENT_DOCUMENT_MAX_BYTES };
  const send = guardedPost({ ...bounds, ...reach });
  const inProgress = new Map<string, { readonly host: string; readonly fetched: Promise<Outcome> }>();
  return {
    async fetch(url, admit) {
      const shared = inProgress.get(url);
      if (shared) return await shared.fetched;
      const { host } = new URL(url);
      const ofHost = [...inProgress.values()].filter((each) => each.host === host).length;
      const isFull = inProgress.size >= CLIENT_DOCUMENT_FETCHES_MAX || ofHost >= CLIENT_DOCUMENT_FETCHES_PER_HOST_MAX;
      if (isFull) return err({ kind: "busy" });
      const admitted = async (): Promise<Outcome> =>
        (await admit()) ? await fetchUniformly(clock, send, url) : err({ kind: "busy" });
      const fetched = admitted().finally(() => inProgress.delete(url));
      inProgress.set(url, { host, fetched });
      return await fetched;
    },
  };
}

type Outcome = Result<FetchedDocument, DocumentFailure>;

/**
 * A failure takes one of two durations, so that the duration reveals neither a name in DNS nor a closed port of this
 * network.
 */
async function fetchUniformly(clock: Clock, send: GuardedSend, url: string): Promise<Outcome> {
  const startedAt = clock.monotonic();
  const response = await send({ url, method: "GET", headers: { accept: "application/json" }, body: "" });
  const document = response.ok ? readResponse(response.value) : response;
  if (document.ok) return document;
  const tookMs = clock.monotonic() - startedAt;
  const untilMs = tookMs <= CLIENT_DOCUMENT_FAILURE_MS ? CLIENT_DOCUMENT_FAILURE_MS : CLIENT_DOCUMENT_DEADLINE_MS;
  await clock.sleep(Math.max(0, untilMs - tookMs));
  return err({ kind: "unavailable", cause: document.error.cause });
}

function readResponse(response: ReceivedResponse): Result<FetchedDocument, { readonly cause: string }> {
  const { status, headers, complete, body } = response;
  if (status !== SUCCESS) return err({ cause: `the response has the status ${status}` });
  if (!JSON_TYPE.test(headers["content-type"] ?? "")) return err({ cause: "the response is not JSON" });
  if (!complete) return err({ cause: `the document has more than ${CLIENT_DOCUMENT_MAX_BYTES} bytes` });
  const metadata = parseObject(body);
  if (!metadata) return err({ cause: "the document is not a JSON object" });
  const hash = createHash("sha256").update(body).digest("base64url");
  return ok({ metadata, hash, maxAgeMs: maxAgeOf(headers["cache-control"]) });
}

function parseObject(body: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** The age by `Cache-Control`, within the bounds (RFC 9111, section 5.2). */
function maxAgeOf(cacheControl = ""): number {
  const seconds = UNCACHED.test(cacheControl) ? 0 : Number(MAX_AGE.exec(cacheControl)?.[1] ?? 0);
  return Math.min(CLIENT_DOCUMENT_AGE_MAX_MS, Math.max(CLIENT_DOCUMENT_AGE_MIN_MS, seconds * 1000));
}
