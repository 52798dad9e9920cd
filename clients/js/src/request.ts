/** One HTTP request, with a time-out, and its answer as a result. */
import type { ClientError, Result } from "./method.ts";

export interface RequestOptions {
  readonly fetch: (request: string, init: RequestInit) => Promise<Response>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** `response` is undefined where no answer came. */
export type Answer =
  | { readonly response: Response; readonly result: Result<unknown> }
  | { readonly response?: undefined; readonly result: { readonly ok: false; readonly error: ClientError } };

/** Waits for the whole body, except for a stream, which the caller reads at its own pace. */
export async function request(url: string, init: RequestInit, options: RequestOptions): Promise<Answer> {
  const control = new AbortController();
  const abort = () => control.abort();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    abort();
  }, options.timeoutMs);
  options.signal?.addEventListener("abort", abort);
  if (options.signal?.aborted) abort();
  try {
    const response = await options.fetch(url, { ...init, signal: control.signal });
    return { response, result: await read(response) };
  } catch (error) {
    if (options.signal?.aborted) return { result: failure("aborted", "The caller aborted the request.") };
    if (late) return { result: failure("timeout", `No answer within ${options.timeoutMs} ms.`) };
    return { result: failure("network_error", error instanceof Error ? error.message : String(error)) };
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", abort);
  }
}

/** An error of the client itself. */
export function failure(
  code: "network_error" | "timeout" | "aborted" | "unexpected_answer",
  message: string,
  status = 0,
): { readonly ok: false; readonly error: ClientError } {
  return { ok: false, error: { code, message, status } };
}

async function read(response: Response): Promise<Result<unknown>> {
  const type = response.headers.get("content-type") ?? "";
  const { ok, status } = response;
  if (ok && type.startsWith("application/x-ndjson")) return { ok, data: response.body };
  if (ok && type.startsWith("image/")) return { ok, data: await response.blob() };
  const text = await response.text();
  if (ok && type.startsWith("text/plain")) return { ok, data: text };
  const body = parse(text);
  if (ok && (text === "" || body !== undefined)) return { ok, data: body };
  const { code, message } = body?.error ?? {};
  if (ok || typeof code !== "string") return failure("unexpected_answer", text.slice(0, 200), status);
  const requestId = response.headers.get("x-request-id");
  const facts = { message: String(message), status, ...(requestId === null ? {} : { requestId }) };
  if (code !== "rate_limited") return { ok: false, error: { code, ...facts } as ClientError };
  return { ok: false, error: { code, retryAfter: Number(response.headers.get("retry-after") ?? 1), ...facts } };
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of the service, or of anything that stands before it.
function parse(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
