/**
 * What only the service knows of a session: whether it is live while the feed is not heard, its organization and its
 * role there. One request at a time for a token, its answer kept for a moment, and a bound on all of them.
 */
import { BoundedMap } from "./bounded-map.ts";
import { ask, type Service } from "./http.ts";
import { Shared, Slots } from "./waiting.ts";

export type Role = "member" | "admin" | "owner";

export type SessionState =
  /** `organization`: where the session stands now, which is where it has that role. A role unknown here has no rank. */
  | { readonly live: true; readonly role: Role | undefined; readonly organization: string }
  | { readonly live: false }
  | "cannot_tell";

/** A role that was taken away counts no longer than this. */
const RESPONSE_MAX_AGE_MS = 1_000;
const RESPONSES_MAX = 10_000;
const REQUESTS_MAX = 32;
/** Tokens that wait for one of those requests; others are told to come back. */
const WAITING_MAX = 1_000;
/** Of a request, and of the wait for it. */
const TIMEOUT_MS = 1_000;

export interface SessionCheck {
  /** By token and not by session: a 401 is about one token, and a session may have moved between two of them. */
  find(token: string): Promise<SessionState>;
}

interface Known {
  readonly asking: Shared<SessionState>;
  facts: SessionState;
  /** When the service was asked (monotonic ms). */
  at: number;
}

export function sessionCheck(service: Service, now: () => number): SessionCheck {
  const responses = new BoundedMap<string, Known>(RESPONSES_MAX);
  const bounds = { max: REQUESTS_MAX, waitingMax: WAITING_MAX, patienceMs: TIMEOUT_MS, holdMs: TIMEOUT_MS };
  const requests = new Slots(bounds, now);

  function knownOf(token: string): Known {
    const found = responses.get(token);
    if (found) return found;
    const created: Known = { asking: new Shared(now), facts: "cannot_tell", at: Number.NEGATIVE_INFINITY };
    responses.set(token, created);
    return created;
  }

  async function load(known: Known, token: string): Promise<SessionState> {
    const slot = await requests.take();
    if (!slot) return "cannot_tell";
    const at = now();
    const facts = await introspect(service, token);
    requests.release(slot);
    if (facts !== "cannot_tell") Object.assign(known, { facts, at });
    return facts;
  }

  return {
    async find(token) {
      const known = knownOf(token);
      if (now() - known.at < RESPONSE_MAX_AGE_MS) return known.facts;
      try {
        return await known.asking.run(2 * TIMEOUT_MS, () => load(known, token));
      } catch {
        return "cannot_tell";
      }
    },
  };
}

/** GET /v1/auth/session: 401 says that the token is worth nothing; anything but that and 200 says nothing. */
async function introspect(service: Service, token: string): Promise<SessionState> {
  const url = `${service.baseUrl}${service.routePrefix}/auth/session`;
  try {
    const response = await ask(service, url, { headers: { authorization: `Bearer ${token}` }, timeoutMs: TIMEOUT_MS });
    if (response.status === 401) return { live: false };
    if (response.status !== 200) return "cannot_tell";
    const { user, capabilities } = JSON.parse(response.text);
    const [role, organization]: unknown[] = [capabilities.role, user.organization_id];
    if (typeof organization !== "string") return "cannot_tell";
    return { live: true, role: isRole(role) ? role : undefined, organization };
  } catch {
    return "cannot_tell";
  }
}

function isRole(value: unknown): value is Role {
  return value === "member" || value === "admin" || value === "owner";
}
