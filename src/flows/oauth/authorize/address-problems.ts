import type { OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import { redirectUriProblem, resourceProblem, type UriProblem } from "../../../models/oauth-client/redirect-uri.ts";

export type AddressProblem = UriProblem | "duplicate";

/** The kind of address of a list: a redirect URI of an application of this type, or a resource server. */
export type AddressKind = OAuthClient["applicationType"] | "resource";

/**
 * The problem of every address of a list, in the order of the list; undefined for a valid address. A refusal of the
 * whole client names the first problem of a list only, and a form displays all problems at once.
 */
export function addressProblems(
  addresses: readonly string[],
  kind: AddressKind,
  privateHttp: boolean,
): readonly (AddressProblem | undefined)[] {
  return addresses.map((address, index) => {
    if (addresses.indexOf(address) < index) return "duplicate";
    return kind === "resource" ? resourceProblem(address) : redirectUriProblem(address, kind, privateHttp);
  });
}
