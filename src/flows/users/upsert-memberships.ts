/** The memberships of an upsert: added or changed, never removed (docs/contract.md, section 36.1). */
import type { RequestContext } from "../../base/request-context.ts";
import type { Sql } from "../../database/database.ts";
import { RolledBack } from "../../database/decide.ts";
import type { SignInDeps } from "../../deps.ts";
import type { SessionEvent } from "../../models/session/revocation.ts";
import type { AdministeredUser } from "../../models/user/administered-user.ts";
import { findRecipient } from "../../models/user/user.ts";
import { membershipDiffers, putMembershipIn } from "../members/put-membership.ts";
import { type AuthorizedMembership, ofMemberships } from "./account-author.ts";

/** Whether a membership of the user differs from the given memberships. */
export async function membershipsDiffer(
  sql: Sql,
  userId: string,
  memberships: readonly AuthorizedMembership[],
): Promise<boolean> {
  for (const { caller, role, roleIds } of memberships) {
    if (await membershipDiffers(sql, caller.organizationId, userId, { role, roleIds })) return true;
  }
  return false;
}

interface Applied {
  readonly memberships: readonly AuthorizedMembership[];
  readonly user: AdministeredUser;
  readonly client: RequestContext;
  readonly at: Date;
}

/** Adds or changes memberships; a refused membership rolls the whole upsert back. Returns the events to announce. */
export async function applyMemberships(
  deps: SignInDeps,
  sql: Sql,
  { memberships, user: { userId }, client, at }: Applied,
): Promise<readonly SessionEvent[]> {
  if (memberships.length === 0) return [];
  const user = await findRecipient(sql, userId);
  if (!user) throw new Error("the user row disappeared while it was locked");
  const events: SessionEvent[] = [];
  for (const membership of memberships) {
    const put = { ...membership, user: { ...user, userId }, notify: false, client, at };
    const outcome = await putMembershipIn(deps, sql, put);
    if (!outcome.ok) throw new RolledBack(ofMemberships(outcome.error));
    events.push(...outcome.value.events);
  }
  return events;
}
