import type { SealingKey } from "../../base/seal.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import { RESEAL_ATTEMPTS_MAX } from "../../limits/provider-limits.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import {
  listSocialProviders,
  openSocialSecret,
  resealSocialProvider,
  type SocialProvider,
  sealSocialSecret,
} from "../../models/social-provider/social-provider.ts";
import type { ResealOutcome } from "../integrations/reseal.ts";
import { systemAuditEvent } from "../steps/audit/system-audit-event.ts";

type ResealDeps = StoreDeps & Pick<Deps, "configKeys">;

export interface ResealedSocialProvider {
  readonly name: string;
  readonly outcome: ResealOutcome;
}

/** Command `config rotate`: reseals the secrets of social providers under the current key (G23). */
export async function resealSocialSecrets(deps: ResealDeps, key: SealingKey): Promise<ResealedSocialProvider[]> {
  const outcomes = new Map<string, ResealedSocialProvider>();
  for (let attempt = 0; attempt < RESEAL_ATTEMPTS_MAX; attempt += 1) {
    const rows = await deps.database.run("social_provider.list", listSocialProviders);
    let changed = 0;
    for (const row of rows.filter(({ sealedSecret, provider }) => sealedSecret !== null && !outcomes.has(provider))) {
      const outcome = await reseal(deps, key, row);
      if (outcome === "changed") changed += 1;
      else outcomes.set(row.provider, { name: row.config.name, outcome });
    }
    if (changed === 0) return [...outcomes.values()];
  }
  throw new Error("secrets kept changing while they were resealed; run the command again");
}

async function reseal(deps: ResealDeps, key: SealingKey, row: SocialProvider): Promise<ResealOutcome | "changed"> {
  const { provider } = row;
  if (row.keyId === key.id) return "current";
  const secret = openSocialSecret(deps.configKeys, row);
  if (secret === undefined) return "unreadable";
  const sealed = sealSocialSecret(deps, key, provider, secret);
  const event = systemAuditEvent(deps, {
    action: "social_provider.updated",
    at: new Date(deps.clock.now()),
    resource: { type: "social_provider", id: provider },
    metadata: { provider, key_id: key.id },
  });
  const [resealed] = await deps.database.run(
    "social_provider.reseal",
    (sql) => sql`
      with resealed as (${resealSocialProvider(sql, row, { sealed, keyId: key.id })}),
      audit as (${insertAudit(sql, event, sql`from resealed`)})
      select 1 from resealed`,
  );
  return resealed ? "resealed" : "changed";
}
