import { NOT_SIGNED_IN } from "../base/problem.ts";
import type { Deps } from "../deps.ts";
import { readOwnProfile } from "../flows/users/profile.ts";
import type { Profile } from "../models/user/profile.ts";
import type { AuthenticatedCall, PageCall } from "./page.ts";
import { type SiteDeps, signedInView, type View, type Visitor, viewOf } from "./view.tsx";

export type SignedInUserDeps = SiteDeps & Pick<Deps, "database">;

export interface SignedInUser {
  readonly profile: Profile;
  readonly view: View;
}

/** Who is signed in, and the view in their language. Throws if the account went away during the request. */
export async function signedInUser(
  deps: SignedInUserDeps,
  { caller, client }: Pick<AuthenticatedCall, "caller"> & { readonly client: Visitor },
): Promise<SignedInUser> {
  const profile = await readOwnProfile(deps, caller.session);
  if (!profile.ok) throw new Error(NOT_SIGNED_IN.message);
  return { profile: profile.value, view: signedInView(deps, profile.value, caller.session, client) };
}

/** The view of a visitor of a public page: in the language of the account for a signed-in user. */
export async function anonymousView(deps: SignedInUserDeps, { caller, client }: PageCall): Promise<View> {
  return caller ? (await signedInUser(deps, { caller, client })).view : viewOf(deps, client);
}
