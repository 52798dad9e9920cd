import type { SessionDeps } from "../../deps.ts";
import { authorizeRoles } from "../../flows/steps/authorization/authorize-roles.ts";
import type { AuthenticatedCall } from "../page.ts";
import type { SignedInUserDeps } from "../signed-in-user.ts";
import type { View } from "../view.tsx";

export type RolePageDeps = SessionDeps & SignedInUserDeps;

/** Messages of refusals that no form displays. */
export function roleMessages({ t: { customRoles } }: View) {
  return { forbidden: customRoles.notYours, payment_required: customRoles.notIncluded };
}

/** Authorizes a member with a permission in an organization whose tier includes roles. */
export function mayInRoles(permission: Parameters<typeof authorizeRoles>[3]) {
  return ({ deps, call: { caller } }: { readonly deps: SessionDeps; readonly call: AuthenticatedCall }) =>
    authorizeRoles(deps, caller, caller.session.organizationId, permission);
}
