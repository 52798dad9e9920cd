import { type ReadBounds, readWithin } from "./read-within.ts";

/**
 * fetch() that reads the whole response within the bounds. The deadline covers the request and the reading. Redirects
 * are not followed: a redirect could send secrets to another host or point at an internal server (SSRF). Rejects when
 * the connection fails and beyond either bound.
 */
export async function boundedFetch(url: string | URL, init: RequestInit, bounds: ReadBounds): Promise<Response> {
  // The signal also aborts the reading; the deadline of `readWithin` is a second safeguard.
  const signal = AbortSignal.timeout(bounds.deadlineMs);
  const response = await fetch(url, { ...init, redirect: "manual", signal });
  const read = await readWithin(response.body, bounds);
  if (!read.ok) throw new Error(`response body not read: ${read.error}`);
  // `new Response` rejects any body, even an empty one, for a status without a body (204, 304).
  const body = read.value.length === 0 ? null : read.value;
  return new Response(body, { status: response.status, headers: response.headers });
}
