import type { FieldFlaw } from "../../../base/invalid-input.ts";
import { type Refusal, refusal } from "../../../base/problem.ts";
import { NO_CLIENT } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import { CLIENT_APPLY_LEASE_MS } from "../../../limits/oauth-limits.ts";
import { acquireLease, releaseLease } from "../../../models/lease/lease.ts";
import { listRegisteredClients } from "../../../models/oauth-client/list-clients.ts";
import { COMMAND_ADMINISTRATOR } from "../../steps/authorization/authorize-client-administration.ts";
import {
  type AdministerClientsDeps,
  changeClient,
  changeDisplayedClient,
  createClient,
  type DisplayedClient,
  removeClient,
} from "./administer-clients.ts";
import type { ClientChange } from "./client-change.ts";
import {
  type ClientPlan,
  type ClientSet,
  type ClientUpdate,
  type DesiredClient,
  type PlanStep,
  planClients,
} from "./client-plan.ts";
import { addressPermits } from "./client-rules.ts";

const LEASE_NAME = "oauth_clients.apply";
const BY_COMMAND = { caller: COMMAND_ADMINISTRATOR, client: NO_CLIENT };
const LEASE_LOST = refusal("conflict", "Another run of clients apply has started meanwhile.");

export interface ApplyInput {
  readonly set: ClientSet;
  /** Whether clients of the set without an entry are deleted. */
  readonly prune: boolean;
  /** Called before the first change. */
  readonly onPlan: (plan: ClientPlan) => void | Promise<void>;
  /** Called after each change; `changed` has the text of a new secret. Undefined for a deletion. */
  readonly onStep: (step: PlanStep, changed: DisplayedClient | undefined) => void | Promise<void>;
}

/** `busy`: another run holds the lease, and no change was made. */
export type ApplyProblem =
  | { readonly kind: "busy" }
  | { readonly kind: "invalid"; readonly flaws: readonly FieldFlaw[] }
  | { readonly kind: "refused"; readonly step: PlanStep; readonly refusal: Refusal };

export type ApplyOutcome = Result<ClientPlan, ApplyProblem>;

/** Reads the difference between the registered clients and a set. */
export async function readPlan(
  deps: Pick<Deps, "config" | "database">,
  set: ClientSet,
  prune: boolean,
): Promise<ApplyOutcome> {
  const registered = await deps.database.run("oauth_client.list", listRegisteredClients);
  const plan = planClients(addressPermits(deps), registered, set, prune);
  return plan.ok ? plan : err({ kind: "invalid", flaws: plan.error });
}

/**
 * Changes the registered clients to the clients of a set (docs/contract.md, section 19.6). The whole set is validated
 * before the first change. Runs exclude one another by a lease; a client changed by an administrator after the plan is
 * a `conflict`. After a failure half way, a repeated run makes the remaining changes.
 */
export async function applyClients(deps: AdministerClientsDeps, input: ApplyInput): Promise<ApplyOutcome> {
  const holder = deps.random.uuid();
  if (!(await extendLease(deps, holder))) return err({ kind: "busy" });
  try {
    const plan = await readPlan(deps, input.set, input.prune);
    if (!plan.ok) return plan;
    await input.onPlan(plan.value);
    for (const step of plan.value.steps) {
      const done = (await extendLease(deps, holder)) ? await execute(deps, step) : err(LEASE_LOST);
      if (!done.ok) return err({ kind: "refused", step, refusal: done.error });
      await input.onStep(step, done.value);
    }
    return plan;
  } finally {
    await deps.database.run("lease.release", (sql) => releaseLease(sql, { name: LEASE_NAME, holder }));
  }
}

async function extendLease({ database }: Pick<Deps, "database">, holder: string): Promise<boolean> {
  const lease = { name: LEASE_NAME, holder, ms: CLIENT_APPLY_LEASE_MS };
  return (await database.run("lease.take", (sql) => acquireLease(sql, lease))) !== undefined;
}

async function execute(
  deps: AdministerClientsDeps,
  step: PlanStep,
): Promise<Result<DisplayedClient | undefined, Refusal>> {
  switch (step.action) {
    case "create":
      return await create(deps, step.desired);
    case "update":
      return await update(deps, step);
    case "delete": {
      const removed = await removeClient(deps, { ...BY_COMMAND, id: step.client.id });
      return removed.ok ? ok(undefined) : removed;
    }
  }
}

async function update(
  deps: AdministerClientsDeps,
  { client, differences }: ClientUpdate,
): Promise<Result<DisplayedClient, Refusal>> {
  const change: ClientChange = Object.fromEntries(differences.map(({ setting, after }) => [setting, after]));
  const displayedVersion = client.updatedAt.getTime();
  return await changeDisplayedClient(deps, { ...BY_COMMAND, id: client.id, change, displayedVersion });
}

/** A new client is enabled at first: the change to disabled ends no token, and a repeated run makes the change. */
async function create(
  deps: AdministerClientsDeps,
  { id, settings, disabled }: DesiredClient,
): Promise<Result<DisplayedClient, Refusal>> {
  const created = await createClient(deps, { ...BY_COMMAND, settings, id });
  if (!created.ok || !disabled) return created;
  const { client, secret } = created.value;
  const changed = await changeClient(deps, { ...BY_COMMAND, id: client.id, change: { disabled: true } });
  return changed.ok ? ok({ client: { ...client, disabled: true }, secret }) : changed;
}
