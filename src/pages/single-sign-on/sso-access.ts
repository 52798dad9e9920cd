import type { StoreDeps } from "../../deps.ts";
import { authorizeSsoManager, authorizeSsoReader } from "../../flows/steps/authorization/authorize-sso.ts";
import type { AuthenticatedCall } from "../page.ts";

interface SsoRequest {
  readonly deps: StoreDeps;
  readonly call: AuthenticatedCall;
}

/** Authorizes a reader of the settings of single sign-on in the session's organization. */
export function maySeeSso({ deps, call: { caller } }: SsoRequest) {
  return authorizeSsoReader(deps, caller, caller.session.organizationId);
}

/** Authorizes a change of the settings of single sign-on, with a step-up. */
export function mayManageSso({ deps, call: { caller } }: SsoRequest) {
  return authorizeSsoManager(deps, caller, caller.session.organizationId);
}
