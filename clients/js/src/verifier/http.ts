/** The three addresses of the service that a verifier requests. */
import { within } from "./waiting.ts";

export type Fetch = (request: string, init: RequestInit) => Promise<Response>;

export interface Service {
  readonly fetch: Fetch;
  readonly baseUrl: string;
  readonly routePrefix: string;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface Question {
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Maximum size of the body. Default: 1 MiB. */
  readonly maxBytes?: number;
}

const MAX_BYTES = 1024 * 1024;

/**
 * Sends a request and reads the body within a common deadline, also with a `fetch` that ignores the signal. Throws
 * where no complete response arrived in time, and where the body is too long.
 */
export async function sendRequest(
  { fetch }: Service,
  url: string,
  { headers, timeoutMs, maxBytes = MAX_BYTES }: Question,
): Promise<HttpResponse> {
  const signal = AbortSignal.timeout(timeoutMs);
  const init = { headers: { accept: "application/json", ...headers }, redirect: "manual", signal } as const;
  const read = async (): Promise<HttpResponse> => {
    const response = await fetch(url, init);
    return { status: response.status, headers: response.headers, text: await textOf(response, maxBytes) };
  };
  return await within(timeoutMs, read());
}

async function textOf({ body }: Response, maxBytes: number): Promise<string> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (;;) {
    const { value } = (await reader?.read()) ?? {};
    if (!value) return text + decoder.decode();
    bytes += value.length;
    text += decoder.decode(value, { stream: true });
    if (bytes <= maxBytes) continue;
    reader?.cancel().catch(() => undefined);
    throw new Error(`the answer has more than ${maxBytes} bytes`);
  }
}
