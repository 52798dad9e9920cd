import { refusal } from "../base/problem.ts";
import { type ReadBounds, type ReadFailure, readWithin } from "../base/read-within.ts";
import { err, ok, type Result } from "../base/result.ts";

/** Requests whose body has been read to its end. */
const readToTheEnd = new WeakSet<Request>();

/**
 * Whether some of the body has not been read. The connection is closed after such an answer: Bun would otherwise go on receiving
 * what nobody reads, one byte a second if the sender likes, until the connection's idle timeout.
 */
export function isBodyLeft(request: Request): boolean {
  return !readToTheEnd.has(request) && request.body !== null;
}

/** The bytes of a body, or `invalid_input`: larger ones are refused before they are read whole (promise 21). */
export async function readBytes(request: Request, bounds: ReadBounds): Promise<Result<Uint8Array>> {
  const { maxBytes } = bounds;
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes)
    return invalidBody(messageOf("too_large", maxBytes));
  const read = await readWithin(request.body, bounds);
  if (!read.ok) return invalidBody(messageOf(read.error, maxBytes));
  readToTheEnd.add(request);
  return ok(read.value);
}

function messageOf(failure: ReadFailure, maxBytes: number): string {
  switch (failure) {
    case "too_large":
      return `the body is larger than ${Math.round(maxBytes / 1024)} KiB`;
    case "too_slow":
      return "the body took too long";
    case "broken":
      return "the body broke off";
  }
}

export function invalidBody(message: string): Result<never> {
  return err(refusal("invalid_input", message));
}
