import type { ClientFacts } from "../../base/client-facts.ts";
import { refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { validatePublicConfig, validateSecret } from "../../models/provider-config/provider.ts";
import {
  listProviderRows,
  type ProviderRow,
  type ProviderView,
  resolveProvider,
  resolveProviders,
  type SecretChange,
  sealSecret,
  upsertProvider,
} from "../../models/provider-config/provider-config.ts";
import { userAuditEvent } from "../steps/audit-event.ts";
import type { IntegrationCaller } from "../steps/authorize-integration.ts";
import type { PlatformCaller } from "../steps/authorize-platform-role.ts";

export interface Integrations {
  /** Whether secrets can be stored at all. */
  readonly secretsEnabled: boolean;
  readonly providers: readonly ProviderView[];
}

/** GET /v1/admin/integrations (contract, section 4.12), as Postgres has them. `_caller`: a Viewer or higher. */
export async function listIntegrations(
  deps: Pick<Deps, "database" | "configKeys">,
  _caller: PlatformCaller,
): Promise<Result<Integrations>> {
  const rows = await deps.database.run("provider_config.list", listProviderRows);
  const providers = Object.values(resolveProviders(rows, deps.configKeys, {})).map(({ view }) => view);
  return ok({ secretsEnabled: deps.configKeys.current !== undefined, providers });
}

export interface PutIntegrationInput extends IntegrationCaller {
  readonly enabled: boolean;
  readonly publicConfig: Readonly<Record<string, unknown>>;
  /** Absent: the stored one stays. */
  readonly secret: string | undefined;
  readonly clearSecret: boolean;
  readonly client: ClientFacts;
}

export type PutIntegrationDeps = Pick<
  Deps,
  "config" | "database" | "clock" | "random" | "configKeys" | "providerConfig"
>;

/**
 * PUT /v1/admin/integrations/:provider (contract, section 4.12): in use at once here, on the other replicas within moments. Refuses with
 * `invalid_input`.
 */
export async function putIntegration(
  deps: PutIntegrationDeps,
  input: PutIntegrationInput,
): Promise<Result<ProviderView>> {
  const { provider, enabled } = input;
  const publicConfig = validatePublicConfig(provider, enabled, input.publicConfig);
  if (!publicConfig.ok) return publicConfig;
  const secret = changeOfSecret(deps, input);
  if (!secret.ok) return secret;
  const row = { provider, enabled, publicConfig: publicConfig.value, updatedAt: new Date(deps.clock.now()) };
  const written = await write(deps, input, row, secret.value);
  await deps.providerConfig.changed();
  return ok(resolveProvider(provider, written, deps.configKeys, {}).view);
}

function changeOfSecret(
  deps: PutIntegrationDeps,
  { provider, secret, clearSecret }: PutIntegrationInput,
): Result<SecretChange> {
  if (secret === undefined) return ok(clearSecret ? "clear" : "keep");
  if (clearSecret) return err(refusal("invalid_input", "secret: cannot be set and cleared at once"));
  const judged = validateSecret(provider, secret, deps.config.mail.keyPrefix);
  if (!judged.ok) return judged;
  const key = deps.configKeys.current;
  if (!key) return err(refusal("invalid_input", "secret: cannot be stored, SERVICE_CONFIG_KEY is not set"));
  return ok({ sealed: sealSecret(deps, key, provider, judged.value), keyId: key.id });
}

async function write(
  deps: PutIntegrationDeps,
  { caller, client }: PutIntegrationInput,
  row: Pick<ProviderRow, "provider" | "enabled" | "publicConfig" | "updatedAt">,
  secret: SecretChange,
): Promise<ProviderRow> {
  const { provider, updatedAt } = row;
  const entry = userAuditEvent(deps, caller.session, client, {
    action: "provider.updated",
    at: updatedAt,
    resource: { type: "provider", id: provider },
    metadata: { provider },
  });
  const [written] = await deps.database.run("provider_config.upsert", (sql) => {
    const metadataOfRow = sql`jsonb_build_object('key_id', written."keyId")`;
    return sql<ProviderRow[]>`
      with written as (${upsertProvider(sql, row, secret)}),
      audit as (${insertAudit(sql, { ...entry, metadataOfRow }, sql`from written`)})
      select * from written`;
  });
  if (!written) throw new Error("an upsert answered no row");
  return written;
}
