import { err, ok, type Result } from "./result.ts";

/** Bounds for reading a body of an external sender. */
export interface ReadBounds {
  readonly maxBytes: number;
  /** Limits senders that trickle bytes (slow bodies, G21). */
  readonly deadlineMs: number;
}

/** `broken`: the connection ended before the body. */
export type ReadFailure = "too_large" | "too_slow" | "broken";

/** Reads a body up to its bounds: one that is too large is never held in memory completely. */
export async function readWithin(
  body: ReadableStream<Uint8Array> | null,
  bounds: ReadBounds,
): Promise<Result<Uint8Array<ArrayBuffer>, ReadFailure>> {
  const chunks: Uint8Array[] = [];
  const read = await eachWithin(body, bounds, (chunk) => chunks.push(chunk));
  if (!read.ok) return read;
  return ok(chunks.length === 1 && chunks[0] ? (chunks[0] as Uint8Array<ArrayBuffer>) : Buffer.concat(chunks));
}

/** Receives a body up to its bounds, and keeps nothing of it. */
export async function discardWithin(
  body: ReadableStream<Uint8Array> | null,
  bounds: ReadBounds,
): Promise<Result<void, ReadFailure>> {
  return await eachWithin(body, bounds, () => undefined);
}

async function eachWithin(
  body: ReadableStream<Uint8Array> | null,
  { maxBytes, deadlineMs }: ReadBounds,
  receive: (chunk: Uint8Array) => void,
): Promise<Result<void, ReadFailure>> {
  if (!body) return ok(undefined);
  const reader = body.getReader();
  let tooSlow = false;
  const deadline = setTimeout(() => {
    tooSlow = true;
    reader.cancel("too slow").catch(() => undefined);
  }, deadlineMs);
  let size = 0;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.byteLength;
      if (size > maxBytes) {
        await reader.cancel("too large").catch(() => undefined);
        return err("too_large");
      }
      receive(part.value);
    }
  } catch {
    return err("broken");
  } finally {
    clearTimeout(deadline);
  }
  return tooSlow ? err("too_slow") : ok(undefined);
}
