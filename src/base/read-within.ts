import { err, ok, type Result } from "./result.ts";

/** Bounds for reading a body of an external sender. */
export interface ReadBounds {
  readonly maxBytes: number;
  /** Limits senders that trickle bytes (slow bodies, G21). */
  readonly deadlineMs: number;
}

/** `broken`: the connection ended before the body. */
export type ReadFailure = "too_large" | "too_slow" | "broken";

/** Reads a body up to the bounds: a body that is too large is never held in memory completely. */
export async function readWithin(
  body: ReadableStream<Uint8Array> | null,
  bounds: ReadBounds,
): Promise<Result<Uint8Array<ArrayBuffer>, ReadFailure>> {
  const chunks: Uint8Array[] = [];
  const read = await eachWithin(body, bounds, (chunk) => chunks.push(chunk) > 0);
  return read.ok ? ok(joined(chunks)) : read;
}

/** Initial capacity for a body without a declared length. */
const FIRST_CAPACITY_BYTES = 64 * 1024;

/** The bytes received until `receive` returned false. `complete`: until the end of the body. */
export interface Received {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly complete: boolean;
}

/** Reads a body as `readWithin` does, and leaves the rest unread once `receive` returns false. */
export async function receiveWithin(
  body: ReadableStream<Uint8Array> | null,
  bounds: ReadBounds,
  receive: (chunk: Uint8Array) => boolean,
  declaredBytes: number = FIRST_CAPACITY_BYTES,
): Promise<Result<Received, ReadFailure>> {
  let buffer = new ArrayBuffer(Math.min(declaredBytes, bounds.maxBytes));
  let length = 0;
  const read = await eachWithin(body, bounds, (chunk) => {
    const goesOn = receive(chunk);
    // `transfer` frees the previous memory, as `freeMemory` does.
    if (length + chunk.length > buffer.byteLength) buffer = buffer.transfer(2 * (length + chunk.length));
    new Uint8Array(buffer).set(chunk, length);
    length += chunk.length;
    freeMemory(chunk);
    return goesOn;
  });
  return read.ok ? ok({ bytes: new Uint8Array(buffer, 0, length), complete: read.value === "complete" }) : read;
}

/**
 * Frees the memory of bytes without a further reader. The garbage collector runs too rarely for large bodies: those of
 * a second filled hundreds of MiB. Bytes that share their memory with others are left alone.
 */
export function freeMemory({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return chunks.length === 1 && chunks[0] ? (chunks[0] as Uint8Array<ArrayBuffer>) : Buffer.concat(chunks);
}

/** Receives a body up to the bounds without keeping the bytes. */
export async function discardWithin(
  body: ReadableStream<Uint8Array> | null,
  bounds: ReadBounds,
): Promise<Result<void, ReadFailure>> {
  const read = await eachWithin(body, bounds, (chunk) => {
    freeMemory(chunk);
    return true;
  });
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
