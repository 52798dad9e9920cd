import type { GuardedSend } from "./guarded-post.ts";

/** A `fetch` to servers named by customers. Rejects without a response, and for a response beyond the bounds. */
export type GuardedFetch = (url: string, init: GuardedInit) => Promise<Response>;

export interface GuardedInit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: URLSearchParams | string | null | undefined;
}

/** Statuses without a body: `new Response` rejects any body for these statuses. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * `fetch` for libraries over checked connections. Redirects are returned, never followed. Without a scope, each request
 * has a connection of its own.
 */
export function guardedFetch(send: GuardedSend, connectionScope?: string): GuardedFetch {
  return async (url, { method = "GET", headers = {}, body }) => {
    const request = { url, method: method === "GET" ? method : "POST", headers, body: String(body ?? "") } as const;
    const sent = await send({ ...request, ...(connectionScope === undefined ? {} : { connectionScope }) });
    if (!sent.ok) throw new Error(sent.error.cause);
    const { status, complete, headers: received, body: bytes } = sent.value;
    if (!complete) throw new Error("the response is too large");
    const pairs = Object.entries(received).flatMap(([name, value]) => [value ?? []].flat().map((each) => [name, each]));
    const isKnown = status >= 200 && status <= 599;
    if (!isKnown) throw new Error(`the response has the status ${status}`);
    return new Response(WITHOUT_BODY.has(status) ? null : new Uint8Array(bytes), {
      status,
      headers: pairs as [string, string][],
    });
  };
}
