import { problem } from "../base/problem.ts";
import { ok, type Result, refuse } from "../base/result.ts";

export interface BodyBounds {
  readonly maxBytes: number;
  /** A body that trickles is given up. */
  readonly deadlineMs: number;
}

/** The bytes of a body, or `invalid_input`: larger ones are refused before they are read whole (promise 21). */
export async function readBytes(request: Request, { maxBytes, deadlineMs }: BodyBounds): Promise<Result<Uint8Array>> {
  const tooLarge = `the body is larger than ${Math.round(maxBytes / 1024)} KiB`;
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) return invalidBody(tooLarge);
  if (!request.body) return ok(new Uint8Array());
  const reader = request.body.getReader();
  let tooSlow = false;
  const deadline = setTimeout(() => {
    tooSlow = true;
    reader.cancel("too slow").catch(() => undefined);
  }, deadlineMs);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.byteLength;
      if (size > maxBytes) {
        await reader.cancel("too large").catch(() => undefined);
        return invalidBody(tooLarge);
      }
      chunks.push(part.value);
    }
  } catch {
    return invalidBody("the body broke off");
  } finally {
    clearTimeout(deadline);
  }
  if (tooSlow) return invalidBody("the body took too long");
  return ok(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
}

export function invalidBody(message: string): Result<never> {
  return refuse(problem("invalid_input", message));
}
