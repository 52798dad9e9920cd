/** The end of roles by single sign-on without a rule or a connection (docs/contract.md, section 29.9). */
import type { RequestContext } from "../../../base/request-context.ts";
import type { Sql } from "../../../database/database.ts";
import { lockName } from "../../../database/statement.ts";
import type { Deps, StoreDeps } from "../../../deps.ts";
import { ROLE_WITHDRAWAL_BATCH } from "../../../limits/role-limits.ts";
import { deleteUnfoundedRoles } from "../../../models/organization-role/member-role.ts";
import { ROLES_CHANGED, type SessionEvent } from "../../../models/session/revocation.ts";
import { ssoPolicyLock } from "../../../models/sso-policy/policy-lock.ts";
import { customKeys, findPolicy } from "../../../models/sso-policy/sso-policy.ts";
import { type Actor, userAuditEvent } from "../audit/audit-event.ts";
import { recordEach } from "../audit/record-ended-credentials.ts";
import { addCreators, mailCreationsOfMembers, mailStoppedChange } from "../creations/creations.ts";
import type { ComposeDeps } from "../email/compose-email.ts";
import { logPowerChange } from "../power/end-uncovered-sessions.ts";

export interface RoleWithdrawal {
  readonly organizationId: string;
  /** Undefined: of all members. */
  readonly userId?: string;
  readonly actor: Actor;
  readonly client: RequestContext;
}

/**
 * Withdraws, in batches that are announced one by one, the roles of the source `sso` that no rule grants any more, and
 * with `sync: always` the roles of members without an identity at an active connection: no sign-in would withdraw these
 * roles. The owners get one email about what the members created. Called after the commit of the change; a later call
 * continues after a crash.
 */
export async function withdrawUnfoundedRoles(deps: WithdrawalDeps, withdrawal: RoleWithdrawal): Promise<void> {
  let step: WithdrawalStep = { isComplete: false, creatorIds: [], events: [] };
  try {
    while (!step.isComplete) {
      const { creatorIds }: WithdrawalStep = step;
      step = await deps.database.transaction("member.withdraw_roles", (sql) =>
        withdrawNext(deps, sql, withdrawal, creatorIds),
      );
      await deps.revocations.announce(step.events);
    }
  } finally {
    await mailStoppedChange(deps, step.creatorIds, withdrawal);
    deps.outbox.wake();
  }
}

type WithdrawalDeps = StoreDeps &
  ComposeDeps & {
    readonly outbox: Pick<Deps["outbox"], "wake">;
    readonly revocations: Pick<Deps["revocations"], "announce">;
  };

/** The state of a withdrawal after a transaction. */
interface WithdrawalStep {
  readonly isComplete: boolean;
  /** Whom no email names so far. */
  readonly creatorIds: readonly string[];
  /** To announce after the commit. */
  readonly events: readonly SessionEvent[];
}

async function withdrawNext(
  deps: WithdrawalDeps,
  sql: Sql,
  withdrawal: RoleWithdrawal,
  creatorIds: readonly string[],
): Promise<WithdrawalStep> {
  const { count, userIds, events, at } = await withdrawBatch(deps, sql, withdrawal);
  const { organizationId, client } = withdrawal;
  if (count === ROLE_WITHDRAWAL_BATCH) {
    const creators = await addCreators(sql, creatorIds, userIds, { organizationId, at });
    return { isComplete: false, creatorIds: creators, events };
  }
  await mailCreationsOfMembers(deps, sql, [...creatorIds, ...userIds], { organizationId, client, at });
  return { isComplete: true, creatorIds: [], events };
}

/**
 * Withdraws the roles of one user inside the transaction, and emails the owners; the caller wakes the outbox. Returns
 * the events to announce after the commit.
 */
export async function withdrawUnfoundedRolesIn(
  deps: StoreDeps & ComposeDeps,
  sql: Sql,
  withdrawal: RoleWithdrawal & { readonly userId: string },
): Promise<readonly SessionEvent[]> {
  const { userIds, events, at } = await withdrawBatch(deps, sql, withdrawal);
  const { organizationId, client } = withdrawal;
  await mailCreationsOfMembers(deps, sql, userIds, { organizationId, client, at });
  return events;
}

interface WithdrawnRoles extends Pick<WithdrawalStep, "events"> {
  readonly count: number;
  readonly userIds: readonly string[];
  readonly at: Date;
}

/** Withdraws at most `ROLE_WITHDRAWAL_BATCH` roles inside the transaction, with a record for each member. */
async function withdrawBatch(
  deps: StoreDeps & ComposeDeps,
  sql: Sql,
  { organizationId, userId, actor, client }: RoleWithdrawal,
): Promise<WithdrawnRoles> {
  const at = new Date(deps.clock.now());
  await lockName(sql, ssoPolicyLock(organizationId));
  const { roleRules, sync } = await findPolicy(sql, organizationId);
  const foundation = { ruledKeys: customKeys(roleRules), needsConnection: sync === "always" };
  const of = { organizationId, userId: userId ?? null, ...foundation };
  const withdrawn = await deleteUnfoundedRoles(sql, of, ROLE_WITHDRAWAL_BATCH);
  if (withdrawn.length === 0) return { count: 0, userIds: [], events: [], at };
  const members = Map.groupBy(withdrawn, (each) => each.userId);
  const items = [...members].map(([id, roles]) => ({ id, removed: roles.map(({ key }) => key).join(" ") }));
  for (const [removed, equal] of Map.groupBy(items, (each) => each.removed)) {
    const event = { action: "member.roles_changed", at, metadata: { added: "", removed, source: "sso" } } as const;
    const entry = { ...userAuditEvent(deps, actor, client, event), resourceType: "user" } as const;
    const named = equal.map(({ id }) => ({ id, organizationId, name: null }));
    await recordEach(deps, sql, entry, named);
  }
  const changed = { organizationId, userIds: [...members.keys()], actor, client, reason: ROLES_CHANGED, at };
  const events = await logPowerChange(deps, sql, changed);
  return { count: withdrawn.length, userIds: changed.userIds, events, at };
}

/** Withdraws the roles that only removed links of a user gave, inside the transaction. */
export async function withdrawRolesOfUser(
  deps: StoreDeps & ComposeDeps,
  sql: Sql,
  { userId, client }: { readonly userId: string; readonly client: RequestContext },
  organizationIds: readonly string[],
): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  // In one order: two transactions wait for the locks of the same policies.
  for (const organizationId of [...new Set(organizationIds)].toSorted()) {
    const actor = { userId, organizationId };
    events.push(...(await withdrawUnfoundedRolesIn(deps, sql, { organizationId, userId, actor, client })));
  }
  return events;
}
