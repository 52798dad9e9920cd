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
  const read = await eachWithin(body, bounds, (chunk) => chunks.push(chunk) > 0);
  return read.ok ? ok(joined(chunks)) : read;
}

/** What was received until `receive` returned false. `complete`: until the end of the body. */
export interface Received {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly complete: boolean;
}

/** Reads a body as `readWithin` does, and leaves the rest unread once `receive` returns false. */
export async function receiveWithin(
  body: ReadableStream<Uint8Array> | null,
  bounds: ReadBounds,
  receive: (chunk: Uint8Array) => boolean,
): Promise<Result<Received, ReadFailure>> {
  const chunks: Uint8Array[] = [];
  const read = await eachWithin(body, bounds, (chunk) => chunks.push(chunk) > 0 && receive(chunk));
  return read.ok ? ok({ bytes: joined(chunks), complete: read.value === "complete" }) : read;
}

function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return chunks.length === 1 && chunks[0] ? (chunks[0] as Uint8Array<ArrayBuffer>) : Buffer.concat(chunks);
}

/** Receives a body up to its bounds, and keeps nothing of it. */
export async function discardWithin(
  body: ReadableStream<Uint8Array> | null,
  bounds: ReadBounds,
): Promise<Result<void, ReadFailure>> {
  const read = await eachWithin(body, bounds, () => true);
  return read.ok ? ok(undefined) : read;
}

async function eachWithin(
  body: ReadableStream<Uint8Array> | null,
  { maxBytes, deadlineMs }: ReadBounds,
  receive: (chunk: Uint8Array) => boolean,
): Promise<Result<"complete" | "stopped", ReadFailure>> {
  if (!body) return ok("complete");
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
      if (!receive(part.value)) return ok("stopped");
    }
  } catch {
    return err("broken");
  } finally {
    clearTimeout(deadline);
    reader.releaseLock();
  }
  return tooSlow ? err("too_slow") : ok("complete");
}
