/**
 * What only the service knows of a session: whether it is live while the feed is not heard, and the role. One request
 * at a time for a session, its answer kept for a moment, and a bound on all of them.
 */
import { BoundedMap } from "./bounded-map.ts";
import { ask, type Service } from "./http.ts";

export type Role = "member" | "admin" | "owner";

export type SessionFacts = { readonly live: true; readonly role: Role } | { readonly live: false } | "cannot_tell";

/** A role that was taken away counts no longer than this. */
const ANSWER_MAX_AGE_MS = 1_000;
const ANSWERS_MAX = 10_000;
const REQUESTS_MAX = 32;
const TIMEOUT_MS = 1_000;

export interface SessionCheck {
  find(sid: string, token: string): Promise<SessionFacts>;
}

export function sessionCheck(service: Service, now: () => number): SessionCheck {
  const answers = new BoundedMap<string, { readonly facts: SessionFacts; readonly at: number }>(ANSWERS_MAX);
  const underway = new Map<string, Promise<SessionFacts>>();

  async function load(sid: string, token: string): Promise<SessionFacts> {
    const at = now();
    const facts = await introspect(service, token);
    if (facts !== "cannot_tell") answers.set(sid, { facts, at });
    return facts;
  }

  return {
    async find(sid, token) {
      const known = answers.get(sid);
      if (known && now() - known.at < ANSWER_MAX_AGE_MS) return known.facts;
      const joined = underway.get(sid);
      if (joined) return await joined;
      if (underway.size >= REQUESTS_MAX) return "cannot_tell";
      const asking = load(sid, token).finally(() => underway.delete(sid));
      underway.set(sid, asking);
      return await asking;
    },
  };
}

/** GET /v1/auth/session: 401 says that the session has ended; anything but that and 200 says nothing. */
async function introspect(service: Service, token: string): Promise<SessionFacts> {
  const url = `${service.baseUrl}${service.routePrefix}/auth/session`;
  try {
    const answer = await ask(service, url, { authorization: `Bearer ${token}` }, TIMEOUT_MS);
    if (answer.status === 401) return { live: false };
    if (answer.status !== 200) return "cannot_tell";
    return { live: true, role: JSON.parse(answer.text).capabilities.role };
  } catch {
    return "cannot_tell";
  }
}
