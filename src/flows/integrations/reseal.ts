import { NO_CLIENT } from "../../base/client-facts.ts";
import { RESEAL_ATTEMPTS_MAX } from "../../base/limits.ts";
import type { SealingKey } from "../../base/seal.ts";
import type { Deps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import type { Provider } from "../../models/provider-config/provider.ts";
import {
  listProviderRows,
  openSecret,
  type ProviderRow,
  resealProvider,
  sealSecret,
} from "../../models/provider-config/provider-config.ts";
import { userAuditEvent } from "../steps/audit-event.ts";

type StepDeps = Pick<Deps, "database" | "clock" | "random" | "configKeys">;

export interface Resealed {
  readonly provider: Provider;
  /** `unreadable`: no key at hand opens it, it stays as it is. */
  readonly outcome: "resealed" | "current" | "unreadable";
}

/**
 * `config rotate`: puts every stored secret under the current key, while the service runs: replicas that have the key before it as
 * previous one read both. A secret that an administrator writes meanwhile is left as written. Runs again without harm.
 */
export async function resealSecrets(deps: StepDeps, key: SealingKey): Promise<Resealed[]> {
  let rows = await sealedRows(deps);
  const outcomes = new Map<Provider, Resealed["outcome"]>();
  for (let attempt = 0; attempt < RESEAL_ATTEMPTS_MAX; attempt += 1) {
    for (const row of rows) outcomes.set(row.provider, await reseal(deps, key, row));
    rows = (await sealedRows(deps)).filter(
      (row) => row.keyId !== key.id && outcomes.get(row.provider) !== "unreadable",
    );
    if (rows.length === 0) break;
  }
  if (rows.length > 0) throw new Error("secrets are being written all the time; run it again");
  return [...outcomes].map(([provider, outcome]) => ({ provider, outcome }));
}

async function sealedRows({ database }: StepDeps): Promise<ProviderRow[]> {
  const rows = await database.run("provider_config.list", listProviderRows);
  return rows.filter((row) => row.sealedSecret !== null);
}

async function reseal(deps: StepDeps, key: SealingKey, row: ProviderRow): Promise<Resealed["outcome"]> {
  const { provider } = row;
  if (row.keyId === key.id) return "current";
  const secret = openSecret(deps.configKeys, row);
  if (secret === undefined) return "unreadable";
  const sealed = sealSecret(deps, key, provider, secret);
  const entry = userAuditEvent(deps, undefined, NO_CLIENT, {
    action: "provider.updated",
    at: new Date(deps.clock.now()),
    resource: { type: "provider", id: provider },
    metadata: { provider, key_id: key.id },
  });
  await deps.database.run(
    "provider_config.reseal",
    (sql) => sql`
      with resealed as (${resealProvider(sql, row, { sealed, keyId: key.id })})
      ${insertAudit(sql, { ...entry, actorType: "system" }, sql`from resealed`)}`,
  );
  return "resealed";
}
