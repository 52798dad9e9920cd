import { systemClock } from "../../base/clock.ts";
import { type DeadlineWatch, deadlineWatch } from "../../base/deadline-watch.ts";
import { invalidRequest } from "../../base/invalid-input.ts";
import type { Refusal } from "../../base/problem.ts";
import { type ReadBounds, type ReadFailure, readWithin, receiveWithin } from "../../base/read-within.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { InputRule } from "../../vocabulary/input-rules.ts";

/** Requests whose body has been read to its end. */
const readToTheEnd = new WeakSet<Request>();

/**
 * Whether part of the body is unread. The connection is then closed after the response: Bun would otherwise keep
 * receiving the rest, which a slow sender can prolong one byte at a time without reaching the idle timeout.
 */
export function isBodyLeft(request: Request): boolean {
  return !readToTheEnd.has(request) && request.body !== null;
}

/** The declared length of the body in bytes. A chunked body without a declared length may have any length. */
export function declaredLength({ headers }: Request): number {
  if (headers.has("transfer-encoding")) return Number.POSITIVE_INFINITY;
  return Number(headers.get("content-length") ?? 0);
}

/** A body larger than the bound is refused before the whole body is read (G21). */
export async function readBytes(
  request: Request,
  bounds: ReadBounds,
): Promise<Result<Uint8Array, Refusal<"invalid_input">>> {
  const { maxBytes } = bounds;
  const { headers } = request;
  const declared = headers.get("content-length");
  if (Number(declared ?? 0) > maxBytes) return err(unreadBody("too_large", maxBytes));
  const isFramedByLength = declared !== null && !headers.has("transfer-encoding");
  const read = isFramedByLength ? await readDeclared(request, bounds) : await readWithin(request.body, bounds);
  if (!read.ok) return err(unreadBody(read.error, maxBytes));
  readToTheEnd.add(request);
  return ok(read.value);
}

/** Reads a body chunk by chunk until `receive` returns false. Refuses as `readBytes` does. */
export async function receiveBytes(
  request: Request,
  bounds: ReadBounds,
  receive: (chunk: Uint8Array) => boolean,
): Promise<Result<Buffer, Refusal<"invalid_input">>> {
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > bounds.maxBytes) return err(unreadBody("too_large", bounds.maxBytes));
  const received = await receiveWithin(request.body, bounds, receive, declared || undefined);
  if (!received.ok) return err(unreadBody(received.error, bounds.maxBytes));
  const { bytes, complete } = received.value;
  if (complete) readToTheEnd.add(request);
  return ok(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

interface PendingBody {
  readonly deadlineAt: number;
  readonly expire: () => void;
}

/** A watch takes deadlines in ascending order, so each length of a deadline has a watch. */
const watches = new Map<number, DeadlineWatch<PendingBody>>();

function watchOf(deadlineMs: number): DeadlineWatch<PendingBody> {
  let watch = watches.get(deadlineMs);
  if (!watch) {
    watch = deadlineWatch<PendingBody>(systemClock, ({ expire }) => expire());
    watches.set(deadlineMs, watch);
  }
  return watch;
}

/** A body with a declared length within the bound is read at once, for a third of the CPU time of a stream. */
function readDeclared(request: Request, { deadlineMs }: ReadBounds): Promise<Result<Uint8Array, ReadFailure>> {
  const watch = watchOf(deadlineMs);
  return new Promise((settle) => {
    const deadlineAt = systemClock.monotonic() + deadlineMs;
    const pending = { deadlineAt, expire: () => settle(err("too_slow")) };
    watch.add(pending);
    const end = (read: Result<Uint8Array, ReadFailure>) => {
      watch.delete(pending);
      settle(read);
    };
    request.arrayBuffer().then(
      (body) => end(ok(new Uint8Array(body))),
      () => end(err("broken")),
    );
  });
}

function unreadBody(failure: ReadFailure, maxBytes: number): Refusal<"invalid_input"> {
  switch (failure) {
    case "too_large":
      return { ...tooLarge(maxBytes), bound: "body_size" };
    case "too_slow":
      return { ...invalidRequest("body", "malformed", "The body was not complete in time."), bound: "body_time" };
    case "broken":
      return invalidRequest("body", "malformed", "The connection ended before the body was complete.");
  }
}

function tooLarge(maxBytes: number): Refusal<"invalid_input"> {
  return invalidRequest("body", "too_long", `The body is larger than ${Math.round(maxBytes / 1024)} KiB.`);
}

/** Refuses the body as a whole; `message` is a sentence. */
export function invalidBody(message: string, rule: InputRule = "malformed"): Result<never, Refusal<"invalid_input">> {
  return err(invalidRequest("body", rule, message));
}
