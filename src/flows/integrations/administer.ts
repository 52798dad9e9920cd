import type { ClientFacts } from "../../base/client-facts.ts";
import { problem } from "../../base/problem.ts";
import { ok, type Result, refuse } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { judgePublicConfig, judgeSecret, type Provider } from "../../models/provider-config/provider.ts";
import {
  judgeProvider,
  judgeProviders,
  listProviderRows,
  type ProviderRow,
  type ProviderView,
  type SecretChange,
  sealSecret,
  upsertProvider,
} from "../../models/provider-config/provider-config.ts";
import type { SessionView } from "../../models/session/session.ts";
import { admitToIntegration } from "../steps/admit-to-integration.ts";
import { entryBy } from "../steps/audit-entry.ts";
import { requirePlatformRole } from "../steps/require-platform-role.ts";

export interface Integrations {
  /** Whether secrets can be stored at all. */
  readonly secretsEnabled: boolean;
  readonly providers: readonly ProviderView[];
}

/** GET /v1/admin/integrations (contract, section 4.12), as Postgres has them. Refuses with `forbidden`. */
export async function listIntegrations(
  needs: Pick<Deps, "database" | "configKeys">,
  caller: SessionView,
): Promise<Result<Integrations>> {
  const allowed = await requirePlatformRole(needs, caller, "viewer");
  if (!allowed.ok) return allowed;
  const rows = await needs.database.run("provider_config.list", listProviderRows);
  const providers = Object.values(judgeProviders(rows, needs.configKeys, {})).map(({ view }) => view);
  return ok({ secretsEnabled: needs.configKeys.current !== undefined, providers });
}

export interface PutIntegrationInput {
  readonly caller: SessionView;
  readonly provider: string;
  readonly enabled: boolean;
  readonly publicConfig: Readonly<Record<string, unknown>>;
  /** Absent: the stored one stays. */
  readonly secret: string | undefined;
  readonly clearSecret: boolean;
  readonly client: ClientFacts;
}

export type PutIntegrationNeeds = Pick<
  Deps,
  "config" | "database" | "clock" | "random" | "configKeys" | "providerConfig"
>;

/**
 * PUT /v1/admin/integrations/:provider (contract, section 4.12): in use at once here, on the other replicas within moments. Refuses with
 * `forbidden`, `mfa_required`, `invalid_input`.
 */
export async function putIntegration(
  needs: PutIntegrationNeeds,
  input: PutIntegrationInput,
): Promise<Result<ProviderView>> {
  const provider = await admitToIntegration(needs, input.caller, input.provider);
  if (!provider.ok) return provider;
  const publicConfig = judgePublicConfig(provider.value, input.enabled, input.publicConfig);
  if (!publicConfig.ok) return publicConfig;
  const secret = changeOfSecret(needs, provider.value, input);
  if (!secret.ok) return secret;
  const { enabled } = input;
  const row = {
    provider: provider.value,
    enabled,
    publicConfig: publicConfig.value,
    updatedAt: new Date(needs.clock.now()),
  };
  const written = await write(needs, input, row, secret.value);
  await needs.providerConfig.changed();
  return ok(judgeProvider(provider.value, written, needs.configKeys, {}).view);
}

function changeOfSecret(
  needs: PutIntegrationNeeds,
  provider: Provider,
  { secret, clearSecret }: PutIntegrationInput,
): Result<SecretChange> {
  if (secret === undefined) return ok(clearSecret ? "clear" : "keep");
  if (clearSecret) return refuse(problem("invalid_input", "secret: cannot be set and cleared at once"));
  const judged = judgeSecret(provider, secret, needs.config.mail.keyPrefix);
  if (!judged.ok) return judged;
  const key = needs.configKeys.current;
  if (!key) return refuse(problem("invalid_input", "secret: cannot be stored, SERVICE_CONFIG_KEY is not set"));
  return ok({ sealed: sealSecret(needs, key, provider, judged.value), keyId: key.id });
}

async function write(
  needs: PutIntegrationNeeds,
  { caller, client }: PutIntegrationInput,
  row: Pick<ProviderRow, "provider" | "enabled" | "publicConfig" | "updatedAt">,
  secret: SecretChange,
): Promise<ProviderRow> {
  const { provider, updatedAt } = row;
  const entry = entryBy(needs, caller, client, {
    action: "provider.updated",
    at: updatedAt,
    resource: { type: "provider", id: provider },
    metadata: { provider },
  });
  const [written] = await needs.database.run("provider_config.upsert", (sql) => {
    const metadataOfRow = sql`jsonb_strip_nulls(jsonb_build_object('key_id', written."keyId"))`;
    return sql<ProviderRow[]>`
      with written as (${upsertProvider(sql, row, secret)}),
      audit as (${insertAudit(sql, { ...entry, metadataOfRow }, sql`from written`)})
      select * from written`;
  });
  if (!written) throw new Error("an upsert answered no row");
  return written;
}
