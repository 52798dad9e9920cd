import { refusal } from "../base/problem.ts";
import { type ReadBounds, type ReadFailure, readWithin } from "../base/read-within.ts";
import { err, ok, type Result } from "../base/result.ts";

/** The bytes of a body, or `invalid_input`: larger ones are refused before they are read whole (promise 21). */
export async function readBytes(request: Request, bounds: ReadBounds): Promise<Result<Uint8Array>> {
  const { maxBytes } = bounds;
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes)
    return invalidBody(messageOf("too_large", maxBytes));
  const read = await readWithin(request.body, bounds);
  return read.ok ? ok(read.value) : invalidBody(messageOf(read.error, maxBytes));
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
