/** The three addresses of the service that a verifier asks. */

export type Fetch = (request: string, init: RequestInit) => Promise<Response>;

export interface Service {
  readonly fetch: Fetch;
  readonly baseUrl: string;
  readonly routePrefix: string;
}

/** Asks, and reads the body within the same time. Throws where no whole answer came in time. */
export async function ask(
  { fetch }: Service,
  url: string,
  headers: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }> {
  const signal = AbortSignal.timeout(timeoutMs);
  const init = { headers: { accept: "application/json", ...headers }, redirect: "manual", signal } as const;
  const answer = await fetch(url, init);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}
