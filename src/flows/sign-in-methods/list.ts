import type { Deps } from "../../deps.ts";
import { listSignInProviders } from "../social-sign-in/start.ts";

/** The sign-in methods that the second step of the sign-in page offers. */
export interface SignInMethods {
  readonly credentials: readonly ("password" | "email_code" | "passkey")[];
  /** The keys of identity providers. */
  readonly providers: readonly string[];
}

/**
 * Lists the sign-in methods of an address by the domain of the address. The account is never read: the methods of an
 * account would reveal that the account exists (G125). The methods are equal for every domain as long as no domain
 * belongs to a company with single sign-on.
 */
export function listSignInMethods(deps: Pick<Deps, "identityProviders">, _domain: string): SignInMethods {
  return { credentials: ["password", "email_code", "passkey"], providers: listSignInProviders(deps) };
}

/** The domain of an e-mail address, in lower case. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1).toLowerCase();
}
