/**
 * Fetches the metadata documents of clients (docs/contract.md, section 23.30), and the logos and key sets that clients
 * of unknown origin name, by checked connections: public addresses only, without redirects, with bounds of time, bytes
 * and parallel fetches. A failure is never kept.
 *
 * Owns: the fetches in progress. Bound: `CLIENT_DOCUMENT_FETCHES_MAX`, with parts for a host, for a network, for slow
 * hosts, and for networks without a fetch in progress.
 * A crash loses: no data.
 */
import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import type { JSONWebKeySet } from "jose";
import type { Clock } from "../base/clock.ts";
import { type FairSlots, fairSlots, hasFairSlot, type SlotUser } from "../base/fair-slots.ts";
import { err, ok, type Result } from "../base/result.ts";
import { JSON_MAX_DEPTH } from "../limits/limits.ts";
import {
  CLIENT_DOCUMENT_AGE_MAX_MS,
  CLIENT_DOCUMENT_AGE_MIN_MS,
  CLIENT_DOCUMENT_DEADLINE_MS,
  CLIENT_DOCUMENT_FAILURE_MS,
  CLIENT_DOCUMENT_FETCHES_MAX,
  CLIENT_DOCUMENT_FETCHES_PER_HOST_MAX,
  CLIENT_DOCUMENT_FETCHES_PER_NETWORK_MAX,
  CLIENT_DOCUMENT_FETCHES_PER_SLOW_HOST_MAX,
  CLIENT_DOCUMENT_FIRST_FETCHES_RESERVED,
  CLIENT_DOCUMENT_KEYS_MAX,
  CLIENT_DOCUMENT_LOGO_MAX_BYTES,
  CLIENT_DOCUMENT_MAX_BYTES,
  CLIENT_DOCUMENT_SLOW_AFTER_MS,
  CLIENT_DOCUMENT_SLOW_HOSTS_MAX,
} from "../limits/oauth-limits.ts";
import { type JsonMembers, parseJsonObject } from "../vocabulary/json-object.ts";
import { isSignatureKey, withKnownMembers } from "../vocabulary/public-jwk.ts";
import { type GuardedPostOptions, type GuardedSend, guardedPost, type ReceivedResponse } from "./guarded-post.ts";

export interface FetchedDocument {
  readonly metadata: Readonly<Record<string, unknown>>;
  /** SHA-256 of the document, base64url. */
  readonly hash: string;
  /** How long the document may be used without a fetch. */
  readonly maxAgeMs: number;
}

/** `cause` is for the log: a caller must not learn which address of this network responds (SSRF). */
export type FetchFailure = { readonly kind: "busy" } | { readonly kind: "unavailable"; readonly cause: string };

export interface DocumentRequest {
  readonly url: string;
  /** The network of the caller: a caller with slow documents delays no other caller. */
  readonly network: string;
  /** Decides about a fetch that begins. */
  readonly admit: () => Promise<boolean>;
}

export interface PictureRequest extends DocumentRequest {
  /** Undefined: the bytes are no picture. Parallel calls share the decoding. */
  readonly decode: (bytes: Buffer) => Promise<Buffer | undefined>;
}

export interface ClientDocuments {
  /** Parallel calls for an address share a fetch. */
  fetch(request: DocumentRequest): Promise<Result<FetchedDocument, FetchFailure>>;
  /** Fetches a picture that a document names, by equal rules. */
  fetchPicture(request: PictureRequest): Promise<Result<Buffer, FetchFailure>>;
  /** Fetches the key set of a client by equal rules: at most `CLIENT_DOCUMENT_KEYS_MAX` keys for signatures. */
  fetchKeys(request: DocumentRequest): Promise<Result<JSONWebKeySet, FetchFailure>>;
}

export type ClientDocumentsOptions = Pick<GuardedPostOptions, "allows" | "loopback" | "resolve" | "proxy"> &
  /** Default: `CLIENT_DOCUMENT_DEADLINE_MS`. */
  Partial<Pick<GuardedPostOptions, "deadlineMs">>;

const SUCCESS = 200;
/** RFC 7591 metadata is JSON; a structured suffix is permitted (RFC 6839, section 3.1). */
const JSON_TYPE = /^application\/(?:[a-z0-9!#$&^_.+-]+\+)?json(?:\s*;|$)/i;
const MAX_AGE = /(?:^|,)\s*max-age\s*=\s*"?(\d{1,9})"?/i;
const UNCACHED = /(?:^|,)\s*no-(?:store|cache)\b/i;

export function clientDocuments(clock: Clock, reach: ClientDocumentsOptions): ClientDocuments {
  const slots = fetchSlots(clock);
  const sendWithin = (maxBytes: number) => guardedPost({ deadlineMs: CLIENT_DOCUMENT_DEADLINE_MS, ...reach, maxBytes });
  const documents = boundedFetch<FetchedDocument, DocumentRequest>(clock, slots, {
    send: sendWithin(CLIENT_DOCUMENT_MAX_BYTES),
    accept: "application/json",
    read: async (response) => readDocumentResponse(response),
  });
  const pictures = boundedFetch<Buffer, PictureRequest>(clock, slots, {
    send: sendWithin(CLIENT_DOCUMENT_LOGO_MAX_BYTES),
    accept: "image/*",
    read: readPictureResponse,
  });
  const keys = boundedFetch<JSONWebKeySet, DocumentRequest>(clock, slots, {
    send: sendWithin(CLIENT_DOCUMENT_MAX_BYTES),
    accept: "application/json",
    read: async (response) => readKeysResponse(response),
  });
  return { fetch: documents, fetchPicture: pictures, fetchKeys: keys };
}

type Outcome<T> = Result<T, FetchFailure>;
type Read<T> = Result<T, { readonly cause: string }>;

/** A kind of fetched content. */
interface Content<T, Request> {
  readonly send: GuardedSend;
  readonly accept: string;
  readonly read: (response: ReceivedResponse, request: Request) => Promise<Read<T>>;
}

function boundedFetch<T, Request extends DocumentRequest>(
  clock: Clock,
  slots: FairSlots,
  content: Content<T, Request>,
) {
  const fetches = new Map<string, Promise<Outcome<T>>>();
  return async (request: Request): Promise<Outcome<T>> => {
    const { url, network, admit } = request;
    const shared = fetches.get(url);
    if (shared) return await shared;
    const { host } = new URL(url);
    if (!hasSlot(slots, { receiverId: host, ownerId: network })) return err({ kind: "busy" });
    const admitted = async (): Promise<Outcome<T>> =>
      (await admit()) ? await fetchUniformly(clock, content, request) : err({ kind: "busy" });
    const release = slots.occupy({ receiverId: host, ownerId: network });
    const fetched = admitted().finally(() => {
      fetches.delete(url);
      release();
    });
    fetches.set(url, fetched);
    return await fetched;
  };
}

/** The owners of slots are the networks of callers: a caller with slow documents delays no other caller. */
function fetchSlots(clock: Clock): FairSlots {
  return fairSlots({
    clock,
    slotsMax: CLIENT_DOCUMENT_FETCHES_MAX,
    receiverSlotsMax: CLIENT_DOCUMENT_FETCHES_PER_HOST_MAX,
    slowAfterMs: CLIENT_DOCUMENT_SLOW_AFTER_MS,
    slowReceiverSlotsMax: CLIENT_DOCUMENT_FETCHES_PER_SLOW_HOST_MAX,
    historyMax: CLIENT_DOCUMENT_SLOW_HOSTS_MAX,
  });
}

/** A network has a bound of its own. */
function hasSlot(slots: FairSlots, user: SlotUser): boolean {
  const ownerSlotsMax = CLIENT_DOCUMENT_FETCHES_PER_NETWORK_MAX;
  return hasFairSlot(slots, user, { ownerSlotsMax, reserved: CLIENT_DOCUMENT_FIRST_FETCHES_RESERVED });
}

/**
 * A failure takes one of two durations, so that the duration reveals neither a name in DNS nor a closed port of this
 * network.
 */
async function fetchUniformly<T, Request extends DocumentRequest>(
  clock: Clock,
  { send, accept, read }: Content<T, Request>,
  request: Request,
): Promise<Outcome<T>> {
  const startedAt = clock.monotonic();
  const response = await send({ url: request.url, method: "GET", headers: { accept }, body: "" });
  const fetched = response.ok ? await read(response.value, request) : response;
  if (fetched.ok) return fetched;
  const tookMs = clock.monotonic() - startedAt;
  const untilMs = tookMs <= CLIENT_DOCUMENT_FAILURE_MS ? CLIENT_DOCUMENT_FAILURE_MS : CLIENT_DOCUMENT_DEADLINE_MS;
  await clock.sleep(Math.max(0, untilMs - tookMs));
  return err({ kind: "unavailable", cause: fetched.error.cause });
}

/** The decoder recognises the format by content, whatever the type of the response. */
async function readPictureResponse(
  { status, complete, body }: ReceivedResponse,
  { decode }: PictureRequest,
): Promise<Read<Buffer>> {
  if (status !== SUCCESS) return err({ cause: `the response has the status ${status}` });
  if (!complete) return err({ cause: `the picture has more than ${CLIENT_DOCUMENT_LOGO_MAX_BYTES} bytes` });
  const picture = await decode(body);
  return picture ? ok(picture) : err({ cause: "the response is no picture" });
}

function readDocumentResponse(response: ReceivedResponse): Read<FetchedDocument> {
  const { status, headers, complete, body } = response;
  if (status !== SUCCESS) return err({ cause: `the response has the status ${status}` });
  if (!JSON_TYPE.test(headers["content-type"] ?? "")) return err({ cause: "the response is not JSON" });
  if (!complete) return err({ cause: `the document has more than ${CLIENT_DOCUMENT_MAX_BYTES} bytes` });
  const metadata = parseObject(body);
  if (!metadata) return err({ cause: "the document is not a JSON object" });
  const hash = createHash("sha256").update(body).digest("base64url");
  return ok({ metadata, hash, maxAgeMs: maxAgeOf(headers["cache-control"]) });
}

/**
 * Every key without an id is tried for a signature: the number of keys bounds the work of an assertion. Only keys for
 * signatures count, with their known members. Servers send key sets with many types.
 */
function readKeysResponse({ status, complete, body }: ReceivedResponse): Read<JSONWebKeySet> {
  if (status !== SUCCESS) return err({ cause: `the response has the status ${status}` });
  if (!complete) return err({ cause: `the key set has more than ${CLIENT_DOCUMENT_MAX_BYTES} bytes` });
  const { keys } = parseObject(body) ?? {};
  const usable = (Array.isArray(keys) ? keys : []).filter(isSignatureKey).map(withKnownMembers);
  return usable.length === 0 || usable.length > CLIENT_DOCUMENT_KEYS_MAX
    ? err({ cause: "the key set has too many keys, or no keys" })
    : ok({ keys: usable });
}

function parseObject(body: Buffer): JsonMembers | undefined {
  const parsed = isUtf8(body) ? parseJsonObject(new TextDecoder().decode(body)) : undefined;
  return parsed && !isTooDeep(parsed) ? parsed : undefined;
}

/** As deep as the bodies of requests: PostgreSQL stores no JSON of any depth. */
function isTooDeep(value: unknown, depth = 1): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth > JSON_MAX_DEPTH || Object.values(value).some((each) => isTooDeep(each, depth + 1));
}

/** The age by `Cache-Control`, within the bounds (RFC 9111, section 5.2). */
function maxAgeOf(cacheControl = ""): number {
  const seconds = UNCACHED.test(cacheControl) ? 0 : Number(MAX_AGE.exec(cacheControl)?.[1] ?? 0);
  return Math.min(CLIENT_DOCUMENT_AGE_MAX_MS, Math.max(CLIENT_DOCUMENT_AGE_MIN_MS, seconds * 1000));
}
