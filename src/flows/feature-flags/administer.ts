import type { ClientFacts } from "../../base/client-facts.ts";
import { FEATURE_FLAGS_MAX } from "../../base/limits.ts";
import { type Listing, type Page, pageBounds } from "../../base/listing.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { type FeatureFlag, isFlagKey, listFlags, upsertFlag } from "../../models/feature-flag/feature-flag.ts";
import { userAuditEvent } from "../steps/audit-event.ts";
import type { PlatformCaller } from "../steps/authorize-platform-role.ts";

/** GET /v1/admin/feature-flags (docs/contract.md, section 14.8). */
export async function listFeatureFlags(
  deps: Pick<Deps, "database">,
  { page }: { readonly caller: PlatformCaller; readonly page: Page },
): Promise<Result<Listing<FeatureFlag>, never>> {
  const flags = await deps.database.run("feature_flag.list", listFlags);
  const { limit, offset } = pageBounds(page);
  return ok({ ...page, items: flags.slice(offset, offset + limit), total: flags.length });
}

export interface PutFlagInput {
  /** An Admin or higher. */
  readonly caller: PlatformCaller;
  readonly key: string;
  readonly enabled: boolean;
  readonly description: string | undefined;
  readonly rolloutPercent: number | undefined;
  readonly onOrganizations: readonly string[] | undefined;
  readonly offOrganizations: readonly string[] | undefined;
  readonly client: ClientFacts;
}

/**
 * PUT /v1/admin/feature-flags (docs/contract.md, section 14.9): creates or updates a flag; absent members keep their
 * values. Refuses with `invalid_input`, `conflict` at `FEATURE_FLAGS_MAX`.
 */
export async function putFeatureFlag(
  deps: Pick<Deps, "database" | "clock" | "random" | "featureFlags">,
  input: PutFlagInput,
): Promise<Result<FeatureFlag, Refusal<"conflict" | "invalid_input">>> {
  const { caller, key, enabled, description, rolloutPercent, onOrganizations, offOrganizations, client } = input;
  if (!isFlagKey(key)) return err(refusal("invalid_input", "key: 1 to 64 of a-z, 0-9, dot, hyphen, underscore"));
  const updatedAt = new Date(deps.clock.now());
  const entry = userAuditEvent(deps, caller.session, client, {
    action: "feature_flag.updated",
    at: updatedAt,
    resource: { type: "feature_flag", id: key },
    metadata: { enabled, ...(rolloutPercent === undefined ? {} : { rollout_percent: rolloutPercent }) },
  });
  const given = withoutUndefined({ description, rolloutPercent, onOrganizations, offOrganizations });
  const flag = { key, enabled, updatedAt, ...given };
  const [written] = await deps.database.run(
    "feature_flag.upsert",
    (sql) => sql<FeatureFlag[]>`
      with written as (${upsertFlag(sql, flag, FEATURE_FLAGS_MAX)}),
      audit as (${insertAudit(sql, entry, sql`from written`)})
      select * from written`,
  );
  if (!written) return err(refusal("conflict", `There are already ${FEATURE_FLAGS_MAX} feature flags.`));
  await deps.featureFlags.changed();
  return ok(written);
}

function withoutUndefined<T extends object>(members: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
}
