import { invalidInput } from "../../base/invalid-input.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { DisplayedVersion } from "../../database/statement.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import {
  PROVIDERS,
  type Provider,
  validatePublicConfig,
  validateSecret,
} from "../../models/provider-config/provider.ts";
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
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import type { IntegrationCaller } from "../steps/authorization/authorize-integration.ts";
import type { PlatformCaller } from "../steps/authorization/authorize-platform-role.ts";

export interface Integrations {
  /** Whether secrets can be stored at all. */
  readonly secretsEnabled: boolean;
  readonly providers: readonly ProviderView[];
}

/** GET /v1/admin/integrations (docs/contract.md, section 15.2), read from PostgreSQL. `_caller`: a Viewer or higher. */
export async function listIntegrations(
  deps: Pick<Deps, "database" | "configKeys">,
  _caller: PlatformCaller,
): Promise<Result<Integrations, never>> {
  const rows = await deps.database.run("provider_config.list", listProviderRows);
  const providers = Object.values(resolveProviders(rows, deps.configKeys, {})).map(({ view }) => view);
  return ok({ secretsEnabled: deps.configKeys.current !== undefined, providers });
}

/** The name of a provider for people: Google. */
export function nameOfProvider(provider: Provider): string {
  return PROVIDERS[provider].name;
}

/** The form of one provider in the console. */
export interface ProviderForm {
  readonly name: string;
  /** Members of `public_config`. */
  readonly fields: readonly string[];
  readonly view: ProviderView;
  readonly secretsEnabled: boolean;
}

/** One provider, for the console. */
export async function readIntegration(
  deps: Pick<Deps, "database" | "configKeys">,
  caller: PlatformCaller,
  provider: string,
): Promise<Result<ProviderForm, Refusal<"not_found">>> {
  const listed = await listIntegrations(deps, caller);
  if (!listed.ok) return listed;
  const view = listed.value.providers.find((each) => each.provider === provider);
  if (!view) return err(refusal("not_found", "There is no such provider."));
  const { name, fields } = PROVIDERS[view.provider];
  return ok({ name, fields, view, secretsEnabled: listed.value.secretsEnabled });
}

export interface PutIntegrationInput extends IntegrationCaller {
  readonly enabled: boolean;
  readonly publicConfig: Readonly<Record<string, unknown>>;
  /** Absent: the stored secret is kept. */
  readonly secret: string | undefined;
  readonly clearSecret: boolean;
  readonly client: RequestContext;
}

export type PutIntegrationDeps = StoreDeps & Pick<Deps, "configKeys" | "providerConfig">;

/**
 * PUT /v1/admin/integrations/:provider (docs/contract.md, section 15.3): in use at once on this replica, announced to
 * the other replicas.
 */
export async function putIntegration(
  deps: PutIntegrationDeps,
  input: PutIntegrationInput,
): Promise<Result<ProviderView, Refusal<"invalid_input">>> {
  const written = await writeIntegration(deps, input, undefined);
  if (!written.ok) return written;
  if (!written.value) throw new Error("the upsert of a provider returned no row");
  return ok(written.value);
}

/**
 * Saves a form, which has every setting. Settings changed since the display are a `conflict`, so no administrator
 * undoes a change just made by another.
 */
export async function putDisplayedIntegration(
  deps: PutIntegrationDeps,
  { displayed, ...input }: PutIntegrationInput & { readonly displayed: DisplayedVersion },
): Promise<Result<ProviderView, Refusal<"conflict" | "invalid_input">>> {
  const written = await writeIntegration(deps, input, displayed);
  if (!written.ok) return written;
  return written.value ? ok(written.value) : err(refusal("conflict", "The settings have changed meanwhile."));
}

/** Undefined: the settings differ from the displayed settings, and no row is written. */
async function writeIntegration(
  deps: PutIntegrationDeps,
  input: PutIntegrationInput,
  displayed: DisplayedVersion | undefined,
): Promise<Result<ProviderView | undefined, Refusal<"invalid_input">>> {
  const { provider, enabled } = input;
  const publicConfig = validatePublicConfig(provider, enabled, input.publicConfig);
  if (!publicConfig.ok) return publicConfig;
  const secret = secretChange(deps, input);
  if (!secret.ok) return secret;
  const row = { provider, enabled, publicConfig: publicConfig.value, updatedAt: new Date(deps.clock.now()) };
  const written = await persistProvider(deps, input, row, { secret: secret.value, displayed });
  if (!written) return ok(undefined);
  await deps.providerConfig.changed();
  return ok(resolveProvider(provider, written, deps.configKeys, {}).view);
}

function secretChange(
  deps: PutIntegrationDeps,
  { provider, secret, clearSecret }: PutIntegrationInput,
): Result<SecretChange, Refusal<"invalid_input">> {
  if (secret === undefined) return ok(clearSecret ? "clear" : "keep");
  if (clearSecret) return err(invalidInput("secret", "conflicting", "must be absent when clear_secret is true"));
  const valid = validateSecret(provider, secret, deps.config.mail.keyPrefix);
  if (!valid.ok) return valid;
  const key = deps.configKeys.current;
  if (!key) return err(invalidInput("secret", "not_allowed", "cannot be stored while SERVICE_CONFIG_KEY is unset"));
  return ok({ sealed: sealSecret(deps, key, provider, valid.value), keyId: key.id });
}

async function persistProvider(
  deps: PutIntegrationDeps,
  { caller, client }: PutIntegrationInput,
  row: Pick<ProviderRow, "provider" | "enabled" | "publicConfig" | "updatedAt">,
  { secret, displayed }: { readonly secret: SecretChange; readonly displayed: DisplayedVersion | undefined },
): Promise<ProviderRow | undefined> {
  const { provider, updatedAt } = row;
  const entry = userAuditEvent(deps, caller.actor, client, {
    action: "provider.updated",
    at: updatedAt,
    resource: { type: "provider", id: provider },
    metadata: { provider },
  });
  const [written] = await deps.database.run("provider_config.upsert", (sql) => {
    const metadataOfRow = sql`jsonb_build_object('key_id', written."keyId")`;
    return sql<ProviderRow[]>`
      with written as (${upsertProvider(sql, row, secret, displayed)}),
      audit as (${insertAudit(sql, { ...entry, metadataOfRow }, sql`from written`)})
      select * from written`;
  });
  return written;
}
