import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { DAY_MS } from "../../base/time-units.ts";
import type { Sql } from "../../database/database.ts";
import type { SessionDeps, StoreDeps } from "../../deps.ts";
import { CREATIONS_LISTED_MAX } from "../../limits/review-limits.ts";
import { listDepartedPowers } from "../../models/channel/confirmed-power.ts";
import { type Creation, type CreationScope, listCreations } from "../../models/creation/creation.ts";
import { type CreatingCredential, findCreatingCredentials } from "../../models/creation/made-with.ts";
import { findPower } from "../../models/member/members.ts";
import { findRecipient } from "../../models/user/user.ts";
import { type MemberPower, mayChange } from "../../vocabulary/member-power.ts";
import type { OrganizationCaller } from "../steps/authorization/authorize-member.ts";
import { refuseProtected } from "../steps/authorization/protected-users.ts";
import { endCreations } from "../steps/creations/creations.ts";
import { FULL_POWER, joinPowers } from "../steps/power/holder-power.ts";

export interface CreationsInput {
  /** Holds `members.remove`. */
  readonly caller: OrganizationCaller;
  /** A member or a former member. */
  readonly userId: string;
}

export interface MemberCreation extends Creation {
  /** The key or set-up link of the person that created the item; null: the person, in a session. */
  readonly madeWith: CreatingCredential | null;
}

export interface MemberCreations {
  readonly items: readonly MemberCreation[];
  /** The name or address of the person; null without an item: the list reveals no user of other organizations. */
  readonly person: string | null;
}

/** What a member or former member created and is still valid (docs/contract.md, section 13.12). */
export async function readCreations(
  { database, clock }: StoreDeps,
  { caller: { organizationId }, userId }: CreationsInput,
): Promise<MemberCreations> {
  const scope = { organizationId, userId, at: new Date(clock.now()) };
  const items = await database.run("creation.list", (sql) => listWithCredentials(sql, scope));
  if (items.length === 0) return { items, person: null };
  const person = await database.run("user.find_recipient", (sql) => findRecipient(sql, userId));
  return { items, person: person?.displayName ?? person?.email ?? null };
}

async function listWithCredentials(sql: Sql, scope: CreationScope): Promise<readonly MemberCreation[]> {
  const items = await listCreations(sql, scope, CREATIONS_LISTED_MAX);
  const oldest = items.at(-1)?.createdAt ?? scope.at;
  // A record is written in the transaction of its item, by the clock of the replica.
  const since = new Date(oldest.getTime() - DAY_MS);
  const found = await findCreatingCredentials(sql, { ...scope, ids: items.map(({ id }) => id), since });
  return items.map((item) => ({ ...item, madeWith: found.get(item.id) ?? null }));
}

const HIGHER_POWER = refusal("forbidden", "Your role does not permit this.");

/**
 * The power of a member; of a former member, the power at the departure. Unless a connection has kept that power, only
 * owners are certain to have every permission that the person had.
 */
async function powerOfCreator(sql: Sql, organizationId: string, userId: string): Promise<MemberPower> {
  const member = await findPower(sql, organizationId, userId);
  if (member) return member;
  const [first, ...more] = await listDepartedPowers(sql, userId, organizationId);
  return first ? more.reduce<MemberPower>(joinPowers, first) : FULL_POWER;
}

/**
 * Ends the keys and links of a person, for a caller with a step-up. `forbidden`: the person has a permission that the
 * caller lacks, or had that permission at the departure.
 */
export async function endMemberCreations(
  deps: SessionDeps,
  { caller, userId, client }: CreationsInput & { readonly client: RequestContext },
): Promise<Result<void, Refusal<"forbidden">>> {
  const { organizationId, actor } = caller;
  const outcome = await deps.database.transaction("creation.end", async (sql) => {
    if (!mayChange(caller, await powerOfCreator(sql, organizationId, userId))) return err(HIGHER_POWER);
    const unprotected = await refuseProtected(sql, caller, [userId]);
    if (!unprotected.ok) return unprotected;
    const scope = { organizationId, userId, at: new Date(deps.clock.now()) };
    return ok(await endCreations(deps, sql, scope, { actor, client }));
  });
  if (!outcome.ok) return outcome;
  await deps.revocations.announce(outcome.value);
  return ok(undefined);
}
