import { NOT_SIGNED_IN } from "../base/problem.ts";
import type { Deps } from "../deps.ts";
import { readOwnProfile } from "../flows/users/profile.ts";
import type { Profile } from "../models/user/profile.ts";
import { brandedView } from "./branded-view.ts";
import type { AuthenticatedCall, PageCall } from "./page.ts";
import { type SiteDeps, signedInView, type View, type Visitor, viewOf } from "./view.tsx";

export type SignedInUserDeps = SiteDeps & Pick<Deps, "database">;

export interface SignedInUser {
  readonly profile: Profile;
  readonly view: View;
}

/** The part of a call that determines the view. */
interface UserRequest extends Pick<AuthenticatedCall, "caller"> {
  readonly client: Visitor;
  readonly formPage?: string | undefined;
}

/**
 * The signed-in user, and the view in the language of the user with the brand of the session's organization. Throws if
 * the account went away during the request.
 */
export async function signedInUser(
  deps: SignedInUserDeps,
  { caller, client, formPage }: UserRequest,
): Promise<SignedInUser> {
  const profile = await readOwnProfile(deps, caller.session);
  if (!profile.ok) throw new Error(NOT_SIGNED_IN.message);
  const view = { ...signedInView(deps, profile.value, caller.session, client), formPage };
  return { profile: profile.value, view: await brandedView(deps, view, caller.session) };
}

/** The view of a visitor of a public page: in the language of the account for a signed-in user. */
export async function anonymousView(deps: SignedInUserDeps, { caller, client }: PageCall): Promise<View> {
  return caller ? (await signedInUser(deps, { caller, client })).view : viewOf(deps, client);
}
