import type { Endpoint } from "../http/endpoint.ts";
import type { Caller } from "../http/guards/caller.ts";
import type { Reply } from "../http/reply.ts";
import { pathOf, stepUpPath } from "./addresses.ts";

/** What decides about a page in a session that is bound to an organization. */
export interface BoundPageSpec {
  readonly boundSession?: Endpoint["boundSession"];
  readonly anonymous: boolean;
  readonly ofOrganization?: boolean;
}

export function boundSessionOf({ boundSession, anonymous, ofOrganization }: BoundPageSpec): Endpoint["boundSession"] {
  return boundSession ?? (anonymous ? "anonymous" : ofOrganization ? "served" : undefined);
}

/** A session of single sign-on without the factor that its organization requires continues at `/step-up`. */
export function factorFirst(spec: BoundPageSpec, request: Request, caller: Caller | undefined): Reply | undefined {
  if (caller?.session.ownFactor !== "required" || boundSessionOf(spec) !== "served") return undefined;
  return { status: 303, headers: { location: stepUpPath(pathOf(request)) }, cookies: [] };
}
