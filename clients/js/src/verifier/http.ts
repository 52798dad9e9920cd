/** The three addresses of the service that a verifier asks. */
import { within } from "./waiting.ts";

export type Fetch = (request: string, init: RequestInit) => Promise<Response>;

export interface Service {
  readonly fetch: Fetch;
  readonly baseUrl: string;
  readonly routePrefix: string;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Asks, and reads the body within the same time, also by a `fetch` that does not heed the signal. Throws where no whole
 * answer came in time.
 */
export async function ask(
  { fetch }: Service,
  url: string,
  headers: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<Answer> {
  const signal = AbortSignal.timeout(timeoutMs);
  const init = { headers: { accept: "application/json", ...headers }, redirect: "manual", signal } as const;
  const read = async (): Promise<Answer> => {
    const answer = await fetch(url, init);
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  return await within(timeoutMs, read());
}
