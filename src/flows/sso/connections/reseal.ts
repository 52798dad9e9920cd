import type { SealingKey } from "../../../base/seal.ts";
import type { Deps, StoreDeps } from "../../../deps.ts";
import { RESEAL_ATTEMPTS_MAX } from "../../../limits/provider-limits.ts";
import {
  listSealedValues,
  replaceSealedValue,
  resealValue,
  type SealedValue,
} from "../../../models/sso-connection/connection-secret.ts";
import type { ResealOutcome } from "../../integrations/reseal.ts";

type ResealDeps = StoreDeps & Pick<Deps, "configKeys">;

export interface ResealedConnection {
  readonly name: string;
  readonly outcome: ResealOutcome;
}

/**
 * Command `config rotate`: reseals the secrets and private keys of connections under the current key, as
 * `resealSecrets` reseals the secrets of providers. One outcome for each sealed value.
 */
export async function resealConnections(deps: ResealDeps, key: SealingKey): Promise<ResealedConnection[]> {
  const outcomes = new Map<string, ResealedConnection>();
  for (let attempt = 0; attempt < RESEAL_ATTEMPTS_MAX; attempt += 1) {
    const values = await deps.database.run("sso_connection.list_sealed", listSealedValues);
    let changed = 0;
    for (const value of values.filter(({ id }) => attempt === 0 || !outcomes.has(id))) {
      const outcome = await reseal(deps, key, value);
      if (outcome === "changed") changed += 1;
      else outcomes.set(value.id, { name: value.connectionName, outcome });
    }
    if (changed === 0) return [...outcomes.values()];
  }
  throw new Error("secrets kept changing while they were resealed; run the command again");
}

async function reseal(deps: ResealDeps, key: SealingKey, value: SealedValue): Promise<ResealOutcome | "changed"> {
  if (value.keyId === key.id) return "current";
  const sealed = resealValue(deps, deps.configKeys, key, value);
  if (sealed === undefined) return "unreadable";
  const isReplaced = await deps.database.transaction("sso_connection.reseal", (sql) =>
    replaceSealedValue(sql, value, sealed, key.id),
  );
  return isReplaced ? "resealed" : "changed";
}
