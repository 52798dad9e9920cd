import { type ReadBounds, readWithin } from "./read-within.ts";

/**
 * fetch() whose answer has been read whole, within the bounds; the deadline counts from the first byte sent to the last one read. A
 * redirect is not followed: it would carry secrets elsewhere, or have us ask a server of our own. Rejects when nobody answers, and
 * beyond either bound.
 */
export async function boundedFetch(url: string | URL, init: RequestInit, bounds: ReadBounds): Promise<Response> {
  // The signal ends the reading too: its own deadline is the same again, and only a net below.
  const signal = AbortSignal.timeout(bounds.deadlineMs);
  const response = await fetch(url, { ...init, redirect: "manual", signal });
  const read = await readWithin(response.body, bounds);
  if (!read.ok) throw new Error(`the answer was not read: ${read.error}`);
  // A status without a body takes none, not even an empty one.
  const body = read.value.length === 0 ? null : read.value;
  return new Response(body, { status: response.status, headers: response.headers });
}
