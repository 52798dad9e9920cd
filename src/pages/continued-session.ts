/** Where a request goes before the page: to the continuation of a session, or to the set-up of a factor. */
import type { Config } from "../config/config.ts";
import type { Caller } from "../http/guards/caller.ts";
import { type Reply, reply } from "../http/reply.ts";
import { addressOf, pathWith, stepUpPath } from "./addresses.ts";

/** Query parameter after a failed continuation of a session, so that the continuation runs once. */
export const ANONYMOUS = "signed_out";

/**
 * The refresh cookie is sent under the route prefix only, so the browser makes a detour. Status 307 repeats a POST with
 * the body: a form that was open for longer than the access-token lifetime keeps the submitted values.
 */
export function continueSession(
  { config }: { readonly config: Config },
  request: Request,
  optional: boolean,
  to = addressOf(request),
): Reply {
  const location = pathWith(`${config.urls.routePrefix}/auth/continue`, { to, optional: optional ? "1" : undefined });
  return reply(request.method === "POST" ? 307 : 303, undefined, { headers: { location } });
}

/** The target of `continueSession`, marked so that the continuation does not run again. */
export function anonymousCall(to: string): string {
  return pathWith(to, { [ANONYMOUS]: "1" });
}

/** The page with the set-up of second factors; a bound session presents the factor of the identity provider. */
export function enrolmentPath({ session }: Caller): string {
  return session.organizationBound ? stepUpPath("/account") : "/account/security";
}
