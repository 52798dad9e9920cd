/**
 * Session state that only the service knows: whether the session is live while the feed is unavailable, the
 * organization, the role and the permissions. A single request at a time per token, with the response cached for a
 * moment, and a bound on all requests.
 */
import { BoundedMap } from "./bounded-map.ts";
import { type Service, sendRequest } from "./http.ts";
import { Shared, Slots } from "./waiting.ts";

export type Role = "member" | "admin" | "owner";

export type SessionState =
  /**
   * `organization`: the current organization of the session, in which role and permissions apply. A role unknown to
   * this version has no rank. `enrolmentOnly`: the session lacks the factor that the organization requires.
   */
  | {
      readonly live: true;
      readonly role: Role | undefined;
      readonly permissions: ReadonlySet<string>;
      readonly organization: string;
      readonly enrolmentOnly: boolean;
    }
  | { readonly live: false }
  | "cannot_tell";

/** A removed role or permission counts no longer than this. */
const RESPONSE_MAX_AGE_MS = 1_000;
const RESPONSES_MAX = 10_000;
const REQUESTS_MAX = 32;
/** Tokens that wait for a request; further tokens get a `Retry-After`. */
const WAITING_MAX = 1_000;
/** The deadline of a request, and of the wait for a request. */
const TIMEOUT_MS = 1_000;

export interface SessionCheck {
  /** By token and not by session: a 401 concerns a token, and a session may move between two tokens. */
  find(token: string): Promise<SessionState>;
}

interface CachedSession {
  readonly request: Shared<SessionState>;
  state: SessionState;
  /** When the request was sent (monotonic ms). */
  at: number;
}

export function sessionCheck(service: Service, now: () => number): SessionCheck {
  const responses = new BoundedMap<string, CachedSession>(RESPONSES_MAX);
  const bounds = { max: REQUESTS_MAX, waitingMax: WAITING_MAX, patienceMs: TIMEOUT_MS, holdMs: TIMEOUT_MS };
  const requests = new Slots(bounds, now);

  function cachedSession(token: string): CachedSession {
    const found = responses.get(token);
    if (found) return found;
    const created: CachedSession = { request: new Shared(now), state: "cannot_tell", at: Number.NEGATIVE_INFINITY };
    responses.set(token, created);
    return created;
  }

  async function load(cached: CachedSession, token: string): Promise<SessionState> {
    const slot = await requests.acquire();
    if (!slot) return "cannot_tell";
    const at = now();
    const state = await introspect(service, token);
    requests.release(slot);
    if (state !== "cannot_tell") Object.assign(cached, { state, at });
    return state;
  }

  return {
    async find(token) {
      const cached = cachedSession(token);
      if (now() - cached.at < RESPONSE_MAX_AGE_MS) return cached.state;
      try {
        return await cached.request.run(2 * TIMEOUT_MS, () => load(cached, token));
      } catch {
        return "cannot_tell";
      }
    },
  };
}

/**
 * GET /v1/auth/session: 401 means that the token is invalid; any status except 200 and 401 leaves the state unknown.
 */
async function introspect(service: Service, token: string): Promise<SessionState> {
  const url = `${service.baseUrl}${service.routePrefix}/auth/session`;
  try {
    const response = await sendRequest(service, url, {
      headers: { authorization: `Bearer ${token}` },
      timeoutMs: TIMEOUT_MS,
    });
    if (response.status === 401) return { live: false };
    if (response.status !== 200) return "cannot_tell";
    const { user, capabilities, session } = JSON.parse(response.text);
    const [role, organization]: unknown[] = [capabilities.role, user.organization_id];
    if (typeof organization !== "string") return "cannot_tell";
    const permissions = new Set<string>(Array.isArray(capabilities.permissions) ? capabilities.permissions : []);
    const enrolmentOnly = session?.enrolment_only === true;
    return { live: true, role: isRole(role) ? role : undefined, permissions, organization, enrolmentOnly };
  } catch {
    return "cannot_tell";
  }
}

function isRole(value: unknown): value is Role {
  return value === "member" || value === "admin" || value === "owner";
}
