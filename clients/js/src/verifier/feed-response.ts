/** Validates responses of the revocation feed. A response that differs from the documentation counts as no response. */
import type { HttpResponse } from "./http.ts";

/** A response of the feed (docs/contract.md, section 18.3). */
export interface FeedBody {
  readonly cursor: string;
  /** The time for which the content is complete, by the clock of the service. */
  readonly generated_at: string;
  /** Age of the content, by the clock of the service. */
  readonly age_ms: number;
  readonly revocations: readonly FeedEntry[];
}

export interface FeedEntry {
  readonly sid: string;
  readonly expires_at: string;
  readonly revoked_at?: string;
}

/** Clocks may differ by this (ms); entries are kept longer by as much. */
export const CLOCK_TOLERANCE_MS = 60_000;
/** The tokens of a service whose clock is further behind have expired before arrival (ms). */
const BEHIND_MAX_MS = 15 * 60_000;
const CURSOR_MAX_CHARACTERS = 256;
const SID_MAX_CHARACTERS = 256;

/**
 * Throws for a 304 that confirms no content: the request had no condition, or the response has the tag of other content
 * (RFC 9110, section 15.4.5). A cache between service and verifier may send either response.
 */
export function validateNotModified({ headers }: HttpResponse, sentTag: string | undefined): void {
  if (sentTag === undefined) throw new Error("the feed was answered with 304 to a request without a condition");
  const tag = headers.get("etag");
  if (tag !== null && opaqueTag(tag) !== opaqueTag(sentTag)) throw new Error("the feed was answered with another 304");
}

/** Tags of If-None-Match are compared without the weakness indicator (RFC 9110, section 13.1.2). */
function opaqueTag(tag: string): string {
  return tag.replace(/^W\//, "");
}

/** How long a shared cache has kept a response (ms; RFC 9111, section 5.1). Throws for an invalid header. */
export function cachedMs({ headers }: HttpResponse): number {
  const age = headers.get("age") ?? "0";
  if (!/^\d{1,9}$/.test(age)) throw new Error("the feed has an invalid Age");
  return Number(age) * 1000;
}

/** Throws for a body that is not from the feed, or from an impossible clock. `wallMs`: the local time, if known. */
export function readFeedBody(text: string, wallMs: number | undefined): FeedBody {
  const body: Partial<Record<keyof FeedBody, unknown>> | null = JSON.parse(text);
  const { cursor, generated_at, age_ms, revocations } = body ?? {};
  if (!isText(cursor, CURSOR_MAX_CHARACTERS)) throw new Error("the feed has no cursor");
  // Version 0.1.0 of the service does not send age_ms, so that the age of a response would be unknown.
  if (typeof age_ms !== "number" || !Number.isFinite(age_ms) || age_ms < 0) throw new Error("the feed has no age_ms");
  validateTime(timeOf(generated_at), age_ms, wallMs);
  if (!Array.isArray(revocations) || !revocations.every(isEntry)) throw new Error("the feed has no revocations");
  return body as FeedBody;
}

/** A time in the future would end entries before the tokens expire; a time long ago indicates a replayed response. */
function validateTime(generatedAt: number, ageMs: number, wallMs = generatedAt + ageMs): void {
  if (Number.isNaN(generatedAt)) throw new Error("the feed has no generated_at");
  if (generatedAt > wallMs + CLOCK_TOLERANCE_MS) throw new Error("the feed is of the future");
  if (generatedAt + ageMs < wallMs - BEHIND_MAX_MS) throw new Error("the feed is of the past");
}

function isEntry(entry: Partial<Record<keyof FeedEntry, unknown>> | null): entry is FeedEntry {
  const { sid, expires_at, revoked_at } = entry ?? {};
  const isRevokedAt = revoked_at === undefined || !Number.isNaN(timeOf(revoked_at));
  return isText(sid, SID_MAX_CHARACTERS) && !Number.isNaN(timeOf(expires_at)) && isRevokedAt;
}

function isText(value: unknown, maxCharacters: number): value is string {
  return typeof value === "string" && value !== "" && value.length <= maxCharacters;
}

/** NaN for a value that is not a time. */
function timeOf(value: unknown): number {
  return typeof value === "string" ? Date.parse(value) : Number.NaN;
}
