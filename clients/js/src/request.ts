/** An HTTP request with a time-out; the response as a result. */
import type { ClientError, Result } from "./method.ts";

export interface RequestOptions {
  readonly fetch: (request: string, init: RequestInit) => Promise<Response>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** `response` is undefined where no response arrived. */
export type RequestOutcome =
  | { readonly response: Response; readonly result: Result<unknown> }
  | { readonly response?: undefined; readonly result: { readonly ok: false; readonly error: ClientError } };

/**
 * Waits for the whole body, except for a stream: the caller reads the stream at any pace and may still abort. If `init`
 * throws, no request is sent.
 */
export async function request(
  url: string,
  init: () => Promise<RequestInit>,
  { fetch, timeoutMs, signal }: RequestOptions,
): Promise<RequestOutcome> {
  const control = new AbortController();
  const abort = () => control.abort();
  let isStream = false;
  signal?.addEventListener("abort", abort);
  if (signal?.aborted) abort();
  const send = async (): Promise<RequestOutcome> => {
    const response = await fetch(url, { ...(await init()), signal: control.signal });
    const result = await read(response);
    isStream = result.ok && result.data instanceof ReadableStream;
    return { response, result };
  };
  try {
    const outcome = await withTimeout(send(), { timeoutMs, signal });
    if (!("code" in outcome)) return outcome;
    abort();
    return { result: { ok: false, error: outcome } };
  } catch (error) {
    return { result: unreachable(error) };
  } finally {
    if (!isStream) signal?.removeEventListener("abort", abort);
  }
}

/** Timers accept a signed number of 32 bits; a larger delay expires at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** Waits for work no longer than the caller would, and is then the error `timeout` or `aborted`. The work goes on. */
export async function withTimeout<T>(
  work: Promise<T>,
  { timeoutMs, signal }: Pick<RequestOptions, "timeoutMs" | "signal">,
): Promise<T | ClientError> {
  let end = () => {};
  const ended = new Promise<ClientError>((resolve) => {
    const late = () => resolve(failure("timeout", `No response within ${timeoutMs} ms.`).error);
    const timer = setTimeout(late, Math.min(timeoutMs, TIMER_MAX_MS));
    const abort = () => resolve(failure("aborted", "The caller aborted.").error);
    signal?.addEventListener("abort", abort);
    end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    };
    if (signal?.aborted) abort();
  });
  try {
    return await Promise.race([ended, work]);
  } finally {
    end();
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

/** No response arrived. */
export function unreachable(error: unknown) {
  return failure("network_error", error instanceof Error ? error.message : String(error));
}

async function read(response: Response): Promise<Result<unknown>> {
  const type = response.headers.get("content-type") ?? "";
  const { ok, status } = response;
  if (ok && type.startsWith("application/x-ndjson")) return { ok, data: response.body };
  if (ok && /^image\/|^application\/octet-stream/.test(type)) return { ok, data: await response.blob() };
  const text = await response.text();
  if (ok && type.startsWith("text/plain")) return { ok, data: text };
  const body = parse(text);
  if (ok && (text === "" || body !== undefined)) return { ok, data: body };
  const { code, message, fields, continue_at: continueAt } = body?.error ?? {};
  if (ok || typeof code !== "string") return failure("unexpected_answer", text.slice(0, 200), status);
  const requestId = response.headers.get("x-request-id");
  const details = { message: String(message), status, ...(requestId === null ? {} : { requestId }) };
  if (code === "invalid_input")
    return { ok: false, error: { code, fields: Array.isArray(fields) ? fields : [], ...details } };
  if (code === "sso_required") return { ok: false, error: { code, ...(continueAt && { continueAt }), ...details } };
  if (code !== "rate_limited") return { ok: false, error: { code, ...details } as ClientError };
  return { ok: false, error: { code, retryAfter: Number(response.headers.get("retry-after") ?? 1), ...details } };
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of the service, or of anything that stands before it.
function parse(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
