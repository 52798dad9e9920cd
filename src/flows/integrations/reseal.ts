import type { SealingKey } from "../../base/seal.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import { RESEAL_ATTEMPTS_MAX } from "../../limits/provider-limits.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import type { Provider } from "../../models/provider-config/provider.ts";
import {
  listProviderRows,
  openSecret,
  type ProviderRow,
  resealProvider,
  sealSecret,
} from "../../models/provider-config/provider-config.ts";
import { systemAuditEvent } from "../steps/audit/system-audit-event.ts";

type ResealDeps = StoreDeps & Pick<Deps, "configKeys">;

/** `unreadable`: no configured key opens the secret; the row is unchanged. */
export type ResealOutcome = "resealed" | "current" | "unreadable";

export interface Resealed {
  readonly provider: Provider;
  readonly outcome: ResealOutcome;
}

/**
 * Command `config rotate`: reseals every stored secret under the current key. The service keeps running: replicas with
 * the old key in `SERVICE_CONFIG_KEYS_PREVIOUS` open old and new secrets (G23). A concurrently written secret is kept.
 * Idempotent.
 */
export async function resealSecrets(deps: ResealDeps, key: SealingKey): Promise<Resealed[]> {
  let rows = await sealedRows(deps);
  const outcomes = new Map<Provider, Resealed["outcome"]>();
  for (let attempt = 0; attempt < RESEAL_ATTEMPTS_MAX; attempt += 1) {
    for (const row of rows) outcomes.set(row.provider, await reseal(deps, key, row));
    rows = (await sealedRows(deps)).filter(
      (row) => row.keyId !== key.id && outcomes.get(row.provider) !== "unreadable",
    );
    if (rows.length === 0) break;
  }
  if (rows.length > 0) throw new Error("secrets kept changing while they were resealed; run the command again");
  return [...outcomes].map(([provider, outcome]) => ({ provider, outcome }));
}

async function sealedRows({ database }: ResealDeps): Promise<ProviderRow[]> {
  const rows = await database.run("provider_config.list", listProviderRows);
  return rows.filter((row) => row.sealedSecret !== null);
}

async function reseal(deps: ResealDeps, key: SealingKey, row: ProviderRow): Promise<Resealed["outcome"]> {
  const { provider } = row;
  if (row.keyId === key.id) return "current";
  const secret = openSecret(deps.configKeys, row);
  if (secret === undefined) return "unreadable";
  const sealed = sealSecret(deps, key, provider, secret);
  const event = systemAuditEvent(deps, {
    action: "provider.updated",
    at: new Date(deps.clock.now()),
    resource: { type: "provider", id: provider },
    metadata: { provider, key_id: key.id },
  });
  await deps.database.run(
    "provider_config.reseal",
    (sql) => sql`
      with resealed as (${resealProvider(sql, row, { sealed, keyId: key.id })})
      ${insertAudit(sql, event, sql`from resealed`)}`,
  );
  return "resealed";
}
