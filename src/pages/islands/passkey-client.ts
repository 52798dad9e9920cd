/** The client of the API for the pages of a session: such a page may renew the session first. */
import { createPasskeyOnlyClient, type PasskeyOnlyClient } from "../../../clients/js/src/passkeys.ts";

/** The API on the origin of the page, under the route prefix. */
export function clientOf(routePrefix: string): PasskeyOnlyClient {
  return createPasskeyOnlyClient({ baseUrl: "/", routePrefix });
}
