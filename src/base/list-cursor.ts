/** Positions in lists by cursor (docs/contract.md, section 36.4): authenticated, of one list and its filters. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { isUuid } from "./random.ts";

const MAC_BYTES = 16;

export interface ListCursor {
  /** The id of the last item of the page before. */
  readonly after: string;
  /** The list and its filters; a cursor of other filters is invalid. */
  readonly list: string;
}

/** The cursor after an item. `key`: of the deployment, `nowMs`: time of the issue. */
export function makeListCursor(key: Buffer, { after, list }: ListCursor, nowMs: number): string {
  const content = Buffer.from(`${after}.${nowMs.toString(36)}.${digestOf(list)}`);
  return `${content.toString("base64url")}.${macOf(key, content).toString("base64url")}`;
}

/** The id after which a page begins; undefined for a cursor that is invalid, of another list, or expired. */
export function readListCursor(
  key: Buffer,
  cursor: string,
  { list, nowMs, lifetimeMs }: { readonly list: string; readonly nowMs: number; readonly lifetimeMs: number },
): string | undefined {
  const [encoded = "", mac = "", ...rest] = cursor.split(".");
  const content = Buffer.from(encoded, "base64url");
  const given = Buffer.from(mac, "base64url");
  const expected = macOf(key, content);
  if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const [after = "", issuedAt = "", digest] = content.toString().split(".");
  const ageMs = nowMs - Number.parseInt(issuedAt, 36);
  const isLive = ageMs < lifetimeMs && ageMs > -lifetimeMs;
  return isUuid(after) && digest === digestOf(list) && isLive ? after : undefined;
}

function macOf(key: Buffer, content: Buffer): Buffer {
  return createHmac("sha256", key).update("list cursor ").update(content).digest().subarray(0, MAC_BYTES);
}

function digestOf(list: string): string {
  return createHash("sha256").update(list).digest("base64url").slice(0, 16);
}
