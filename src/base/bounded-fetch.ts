/** What a call to somebody else's server may cost. */
export interface FetchBounds {
  /** From the first byte sent to the last one read. */
  readonly deadlineMs: number;
  readonly maxBytes: number;
}

/**
 * fetch() whose answer has been read whole, within the bounds. A redirect is not followed: it would carry secrets elsewhere, or have us
 * ask a server of our own. Rejects when nobody answers, and beyond either bound.
 */
export async function boundedFetch(url: string | URL, init: RequestInit, bounds: FetchBounds): Promise<Response> {
  const signal = AbortSignal.timeout(bounds.deadlineMs);
  const response = await fetch(url, { ...init, redirect: "manual", signal });
  const body = await readWithin(response, bounds.maxBytes, signal);
  // A status without a body takes none, not even an empty one.
  return new Response(body.length === 0 ? null : body, { status: response.status, headers: response.headers });
}

async function readWithin(response: Response, maxBytes: number, signal: AbortSignal): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  const tooLate = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  tooLate.catch(() => undefined);
  try {
    while (reader) {
      const { done, value } = await Promise.race([reader.read(), tooLate]);
      if (done) break;
      size += value.byteLength;
      if (size > maxBytes) throw new Error(`the answer is larger than ${maxBytes} bytes`);
      chunks.push(value);
    }
  } catch (error) {
    reader?.cancel().catch(() => undefined);
    throw error;
  }
  return Buffer.concat(chunks);
}
