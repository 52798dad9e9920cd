import type { Deps } from "../../deps.ts";
import { normalizeEmail } from "../../models/user/email-address.ts";
import { listSignInProviders } from "../social-sign-in/start.ts";
import { type AddressRoute, type RoutingDeps, routeAddress } from "../sso/discovery/route-address.ts";

export type SignInMethodDeps = RoutingDeps & Pick<Deps, "identityProviders">;

/** The sign-in methods that the second step of the sign-in page offers. */
export interface SignInMethods {
  readonly credentials: readonly ("password" | "email_code" | "passkey")[];
  /** The keys of identity providers. */
  readonly providers: readonly string[];
  /** The single sign-on of the organization that holds the domain of the address. */
  readonly company: AddressRoute | undefined;
}

/**
 * Lists the sign-in methods of an address by the domain of the address. The account is never read: the methods of an
 * account would reveal that the account exists (G125, G157). `email`: the submitted text; undefined before an address.
 */
export function listSignInMethods(deps: SignInMethodDeps, email: string | undefined): SignInMethods {
  const address = email === undefined ? undefined : normalizeEmail(email);
  return {
    credentials: ["password", "email_code", "passkey"],
    providers: listSignInProviders(deps),
    company: address === undefined ? undefined : routeAddress(deps, address),
  };
}
