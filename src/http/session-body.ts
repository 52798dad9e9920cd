import type { Deps } from "../deps.ts";
import type { SessionOfCaller } from "../flows/sessions/list.ts";
import { withOrigin } from "../flows/steps/sessions/describe-origin.ts";
import type { SessionListItem } from "../models/session/session.ts";

/** A session of a user for administrators: the fields of a session without `current`. */
export function userSessionBody(deps: Pick<Deps, "geolocation">, session: SessionListItem) {
  const { current: _current, ...body } = sessionItemBody({ ...withOrigin(deps, session), current: false });
  return body;
}

/** The wire form of a session (docs/contract.md, section 4.3). */
export function sessionItemBody(session: SessionOfCaller) {
  return {
    id: session.id,
    current: session.current,
    name: session.name,
    device: session.device,
    location: session.location,
    created_at: session.createdAt.toISOString(),
    last_used_at: session.lastUsedAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
    ip_address: session.ipAddress,
    last_ip_address: session.lastIpAddress,
    user_agent: session.userAgent,
    auth_method: session.authMethod,
    aal: session.aal,
  };
}
