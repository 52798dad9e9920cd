/** Positions in lists: by index (RFC 7644, section 3.4.2.4) and by cursor (RFC 9865). */
import { createHash } from "node:crypto";
import { isUuid } from "../../../base/random.ts";
import { ok } from "../../../base/result.ts";
import { SCIM_CURSOR_LIFETIME_MS, SCIM_PAGE_DEFAULT, SCIM_PAGE_MAX } from "../../../limits/directory-limits.ts";
import { type ScimResult, scimError } from "./scim-problem.ts";

export interface PagingParameters {
  readonly startIndex: string | undefined;
  readonly count: string | undefined;
  /** Empty: the first page. */
  readonly cursor: string | undefined;
  /** As sent; a cursor belongs to the filter of the first page. */
  readonly filter: string | undefined;
}

/** `index`: from 1. `cursor`: after the resource with the id; null: from the beginning. */
export type Paging =
  | { readonly method: "index"; readonly startIndex: number; readonly count: number }
  | { readonly method: "cursor"; readonly after: string | null; readonly count: number };

const COUNT_DEFAULT = String(SCIM_PAGE_DEFAULT);
const INTEGER = /^[+-]?\d{1,15}$/;
const INVALID_CURSOR = scimError("invalidCursor", "The cursor is invalid.");
const EXPIRED_CURSOR = scimError("expiredCursor", "The cursor has expired. Start again from the first page.");

/** `nowMs`: the time of the request. */
export function readPaging(parameters: PagingParameters, nowMs: number): ScimResult<Paging> {
  const { cursor, filter } = parameters;
  const [startIndex, count] = [parameters.startIndex?.trim() || "1", parameters.count?.trim() || COUNT_DEFAULT];
  if (!INTEGER.test(count)) return scimError("invalidValue", "count must be an integer.");
  const clamped = Math.min(SCIM_PAGE_MAX, Math.max(0, Number(count)));
  if (cursor !== undefined) {
    const after = cursor === "" ? ok(null) : readCursor(cursor, filter, nowMs);
    return after.ok ? ok({ method: "cursor", after: after.value, count: clamped }) : after;
  }
  if (!INTEGER.test(startIndex)) return scimError("invalidValue", "startIndex must be an integer.");
  return ok({ method: "index", startIndex: Math.max(1, Number(startIndex)), count: clamped });
}

/** The cursor after a resource. The value holds no secret: every list is bounded to the caller's directory. */
export function makeCursor(after: string, filter: string | undefined, nowMs: number): string {
  return Buffer.from(JSON.stringify([after, nowMs, digestOf(filter)])).toString("base64url");
}

function readCursor(cursor: string, filter: string | undefined, nowMs: number): ScimResult<string> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    return INVALID_CURSOR;
  }
  if (!Array.isArray(parsed) || parsed.length !== 3) return INVALID_CURSOR;
  const [after, issuedAt, digest] = parsed as unknown[];
  if (typeof after !== "string" || !isUuid(after) || typeof issuedAt !== "number") return INVALID_CURSOR;
  if (digest !== digestOf(filter)) return INVALID_CURSOR;
  const isLive = issuedAt <= nowMs + SCIM_CURSOR_LIFETIME_MS && nowMs < issuedAt + SCIM_CURSOR_LIFETIME_MS;
  return isLive ? ok(after) : EXPIRED_CURSOR;
}

function digestOf(filter = ""): string {
  return createHash("sha256").update(filter).digest("base64url").slice(0, 16);
}
