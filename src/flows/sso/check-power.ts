import { NO_CLIENT } from "../../base/request-context.ts";
import { pagesById } from "../../database/pages-by-id.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import { POWER_CHECK_LEASE_MS, POWER_CHECK_MEMBERS, POWER_CHECK_PAUSE_MS } from "../../limits/power-limits.ts";
import { hasWeakerActivator, listPowerfulMembers } from "../../models/channel/bound-session.ts";
import { claimPowerCheck, deletePowerCheck, type PowerCheck } from "../../models/channel/power-check.ts";
import { acquireLease, type Lease, releaseLease } from "../../models/lease/lease.ts";
import { endUncoveredOf } from "../steps/power/end-uncovered-sessions.ts";

export type PowerCheckDeps = StoreDeps & { readonly revocations: Pick<Deps["revocations"], "announce"> };

/** Runs a page in turn with the pages of other organizations. */
type Turn = <T>(work: () => Promise<T>) => Promise<T>;

const SYSTEM = { userId: null, type: "system" } as const;

/**
 * After changes of power in an organization: ends the sessions and tokens of members above the person behind the
 * connection that signed them in, by pages of members and in batches that are announced one by one (docs/contract.md,
 * section 29.12). One replica at a time, by a lease from the first page to the last. The rows of the check remain until
 * the end, so another replica continues after a crash, at the end of the lease. The snapshot is later than the changes,
 * so changes that overlapped with each other or with a sign-in are compared together.
 */
export async function checkPower(
  deps: PowerCheckDeps,
  check: PowerCheck,
  isStopped: () => boolean,
  turn: Turn = (work) => work(),
): Promise<void> {
  const name = `power check of ${check.organizationId}`;
  const held: HeldCheck = { ...check, lease: { name, holder: deps.random.uuid(), ms: POWER_CHECK_LEASE_MS } };
  if (!(await extendLease(deps, held))) return;
  try {
    if (!(await endUncovered(deps, held, isStopped, turn))) return;
    await deps.database.run("power_check.delete", (sql) => deletePowerCheck(sql, check));
  } finally {
    await deps.database.run("lease.release", (sql) => releaseLease(sql, held.lease));
  }
}

interface HeldCheck extends PowerCheck {
  readonly lease: Lease;
}

/**
 * Acquires or extends the lease; false while another replica has the check. A statement of its own: within the
 * transaction of a batch, the other replicas would wait for the lease instead of going on.
 */
async function extendLease({ database }: PowerCheckDeps, { lease }: HeldCheck): Promise<boolean> {
  return (await database.run("lease.take", (sql) => acquireLease(sql, lease))) !== undefined;
}

/** Returns whether the check is complete. */
async function endUncovered(
  deps: PowerCheckDeps,
  check: HeldCheck,
  isStopped: () => boolean,
  turn: Turn,
): Promise<boolean> {
  const { organizationId } = check;
  const isConcerned = await deps.database.run("power_check.find_activators", (sql) =>
    hasWeakerActivator(sql, organizationId),
  );
  const read = (after: string) =>
    deps.database.run("power_check.list_members", (sql) =>
      listPowerfulMembers(sql, organizationId, after, POWER_CHECK_MEMBERS),
    );
  if (!isConcerned) return true;
  for await (const userIds of pagesById(POWER_CHECK_MEMBERS, read, (id) => id)) {
    if (!(await endUncoveredPage(deps, check, userIds, { isStopped, turn }))) return false;
  }
  return true;
}

/** Returns whether the page is complete: false at a stop, and while another replica has the check. */
async function endUncoveredPage(
  deps: PowerCheckDeps,
  check: HeldCheck,
  userIds: readonly string[],
  { isStopped, turn }: { readonly isStopped: () => boolean; readonly turn: Turn },
): Promise<boolean> {
  const end = { organizationId: check.organizationId, userIds, actor: SYSTEM, client: NO_CLIENT };
  while (!isStopped()) {
    const batch = await turn(async () =>
      (await extendLease(deps, check))
        ? await deps.database.transaction("power_check.end_sessions", async (sql) =>
            (await claimPowerCheck(sql, check)) ? await endUncoveredOf(deps, sql, end) : undefined,
          )
        : undefined,
    );
    if (!batch) return false;
    await deps.revocations.announce(batch.events);
    if (batch.isComplete) return true;
    await deps.clock.sleep(POWER_CHECK_PAUSE_MS);
  }
  return false;
}
