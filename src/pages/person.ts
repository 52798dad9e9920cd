import { NOT_SIGNED_IN } from "../base/problem.ts";
import type { Deps } from "../deps.ts";
import { readOwnProfile } from "../flows/users/profile.ts";
import type { Profile } from "../models/user/profile.ts";
import type { PageCall, PersonCall } from "./page.ts";
import { personView, type SiteDeps, type View, viewOf } from "./view.tsx";

export type PersonDeps = SiteDeps & Pick<Deps, "database">;

export interface Someone {
  readonly profile: Profile;
  readonly view: View;
}

/** Who is signed in, and the view in their language. Throws if the account went away during the request. */
export async function personOf(
  deps: PersonDeps,
  { caller, client }: Pick<PersonCall, "caller" | "client">,
): Promise<Someone> {
  const profile = await readOwnProfile(deps, caller.session);
  if (!profile.ok) throw new Error(NOT_SIGNED_IN.message);
  return { profile: profile.value, view: personView(deps, profile.value, caller.session, client) };
}

/** The view of a visitor of a page that is for everybody: of a user in the language of the account. */
export async function visitorView(deps: PersonDeps, { caller, client }: PageCall): Promise<View> {
  return caller ? (await personOf(deps, { caller, client })).view : viewOf(deps, client);
}
