import { inertName } from "../../base/display-name.ts";
import { DAY_MS } from "../../base/time-units.ts";
import type { Sql } from "../../database/database.ts";
import type { Deps } from "../../deps.ts";
import { KEY_WARNING_DAYS, KEY_WARNINGS_BATCH } from "../../limits/directory-limits.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import { claimExpiringKeys, type WarnedKey } from "../../models/service-account/expiring-keys.ts";
import { systemAuditEvent } from "../steps/audit/system-audit-event.ts";
import type { ComposeDeps } from "../steps/email/compose-email.ts";
import { mailOwners } from "../steps/email/mail-owners.ts";
import { directoryLink } from "./directory-link.ts";

export type WarnDeps = ComposeDeps & Pick<Deps, "clock" | "database">;

/**
 * Warns the owners of keys of directories that end soon (docs/contract.md, section 31.9): once for every number of
 * days, over all replicas. Returns the number of warnings. The claim and the emails are one transaction, so a crash
 * loses no email.
 */
export async function warnExpiringKeys(deps: WarnDeps): Promise<number> {
  const at = new Date(deps.clock.now());
  return await deps.database.transaction("api_key.warn_expiring", async (sql) => {
    const keys = await claimExpiringKeys(sql, KEY_WARNING_DAYS, at, KEY_WARNINGS_BATCH);
    for (const key of keys) await warn(deps, sql, key, at);
    return keys.length;
  });
}

async function warn(deps: WarnDeps, sql: Sql, key: WarnedKey, at: Date): Promise<void> {
  const { id, keyId, serviceAccountId, name, organizationId, expiresAt } = key;
  const days = Math.ceil((expiresAt.getTime() - at.getTime()) / DAY_MS);
  const metadata = { service_account_id: serviceAccountId, key_id: keyId, days };
  const resource = { type: "api_key", id } as const;
  await recordAudit(
    sql,
    systemAuditEvent(deps, { action: "api_key.expiring", at, resource, organizationId, metadata }),
  );
  const values = { key_name: inertName(name), days, link: directoryLink(deps) };
  await mailOwners(deps, sql, organizationId, { kind: "api_key_expiring", values }, { at });
}
