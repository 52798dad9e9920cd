import { invalidInput } from "../../base/invalid-input.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { lockName } from "../../database/statement.ts";
import type { Deps, EmailDeps } from "../../deps.ts";
import { SOCIAL_PROVIDERS_MAX } from "../../limits/social-provider-limits.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { countIdentitiesOf, findFreeEpoch } from "../../models/identity/identity.ts";
import { changesSubjects } from "../../models/social-provider/config-rules.ts";
import { completeSocialConfig } from "../../models/social-provider/presets.ts";
import {
  deleteSocialProvider,
  insertSocialProvider,
  isDegraded,
  listSocialProviders,
  lockSocialProvider,
  type SocialProvider,
  updateSocialProvider,
} from "../../models/social-provider/social-provider.ts";
import type { AuditAction } from "../../vocabulary/audit-action.ts";
import {
  type GivenSocialConfig,
  isSocialProviderKey,
  type SocialProviderConfig,
} from "../../vocabulary/social-provider-config.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import type { PlatformCaller } from "../steps/authorization/authorize-platform-role.ts";
import { changesRecipient } from "../steps/credentials/stored-secrets.ts";
import { type SealedSecret, sealedChange, validatedConfig } from "./settings.ts";
import { unlinkIdentitiesOf } from "./unlink-identities.ts";

export type SocialProviderDeps = EmailDeps & Pick<Deps, "configKeys" | "socialProviders">;

/** The masked view of a provider (docs/contract.md, section 15.5). */
export interface SocialProviderView extends Omit<SocialProvider, "sealedSecret" | "identityEpoch"> {
  readonly secretSet: boolean;
  /** How many users have a linked identity of the provider. */
  readonly identities: number;
  readonly degraded: boolean;
}

interface Administration {
  /** An Admin or higher, with a step-up. */
  readonly caller: PlatformCaller;
  readonly client: RequestContext;
}

/** The secret of a request. Neither member: the stored secret stays. */
export interface GivenSecret {
  readonly secret: string | undefined;
  readonly clearSecret: boolean;
}

const NO_PROVIDER = refusal("not_found", "There is no such social provider.");
const TAKEN = refusal("conflict", "A social provider with this key exists.");
const TOO_MANY = refusal("conflict", `There are already ${SOCIAL_PROVIDERS_MAX} social providers.`);
const LINKED = refusal(
  "conflict",
  "Users have linked identities of this provider. Repeat the request with unlink_identities to end the identities.",
);
const LINKED_AT_DELETION = refusal(
  "conflict",
  "Users have linked identities of this provider. Repeat the request with confirm=true to end the identities.",
);

/** GET /v1/admin/social-providers: oldest first. `_caller`: a Viewer or higher. */
export async function listAllSocialProviders(
  deps: Pick<Deps, "database" | "configKeys">,
  _caller: PlatformCaller,
): Promise<readonly SocialProviderView[]> {
  const rows = await deps.database.run("social_provider.list", listSocialProviders);
  return await viewsOf(deps, rows);
}

/** GET /v1/admin/social-providers/:provider. */
export async function readSocialProvider(
  deps: Pick<Deps, "database" | "configKeys">,
  caller: PlatformCaller,
  provider: string,
): Promise<Result<SocialProviderView, Refusal<"not_found">>> {
  if (!isSocialProviderKey(provider)) return err(NO_PROVIDER);
  const found = (await listAllSocialProviders(deps, caller)).find((each) => each.provider === provider);
  return found ? ok(found) : err(NO_PROVIDER);
}

async function viewsOf(
  deps: Pick<Deps, "database" | "configKeys">,
  rows: readonly SocialProvider[],
): Promise<readonly SocialProviderView[]> {
  const keys = rows.map(({ provider }) => provider);
  const counts =
    keys.length === 0
      ? new Map<string, number>()
      : await deps.database.run("identity.count_of_providers", (sql) => countIdentitiesOf(sql, keys));
  return rows.map((row) => {
    const { sealedSecret, identityEpoch: _, ...displayed } = row;
    return {
      ...displayed,
      secretSet: sealedSecret !== null,
      identities: counts.get(row.provider) ?? 0,
      degraded: isDegraded(deps.configKeys, row),
    };
  });
}

async function viewOf(deps: SocialProviderDeps, row: SocialProvider): Promise<SocialProviderView> {
  const [view] = await viewsOf(deps, [row]);
  if (!view) throw new Error("a provider without a view");
  return view;
}

interface CreateInput extends Administration {
  readonly provider: string;
  readonly given: GivenSocialConfig;
  readonly secret: GivenSecret;
}

/** POST /v1/admin/social-providers. `conflict`: the key is taken, or there are too many providers. */
export async function createSocialProvider(
  deps: SocialProviderDeps,
  { provider, given, secret, ...by }: CreateInput,
): Promise<Result<SocialProviderView, Refusal<"conflict" | "invalid_input">>> {
  if (!isSocialProviderKey(provider)) {
    return err(invalidInput("provider", "format", "2 to 32 of a-z 0-9 _, first a letter, and no reserved key"));
  }
  const sealed = sealedChange(deps, provider, secret);
  if (!sealed.ok) return sealed;
  const stored = storedSecret(undefined, sealed.value);
  const config = validatedConfig(deps, completeSocialConfig(given, provider), stored.sealedSecret !== null);
  if (!config.ok) return config;
  const at = new Date(deps.clock.now());
  const settings = { provider, config: config.value, ...stored, revision: 1, createdAt: at, updatedAt: at };
  const created = await deps.database.transaction("social_provider.insert", async (sql) => {
    await lockName(sql, "social providers");
    const others = await listSocialProviders(sql);
    if (others.some((each) => each.provider === provider)) return err(TAKEN);
    if (others.length >= SOCIAL_PROVIDERS_MAX) return err(TOO_MANY);
    // Identities of a deleted provider with the same key name users of another provider.
    const row = { ...settings, identityEpoch: await findFreeEpoch(sql, provider) };
    const entry = auditOf(deps, by, "social_provider.created", provider, at);
    await sql`
      with created as (${insertSocialProvider(sql, row)})
      ${insertAudit(sql, entry, sql`from created`)}`;
    return ok(row);
  });
  if (!created.ok) return created;
  const { identityEpoch: keptEpoch } = created.value;
  await deps.socialProviders.changed();
  await unlinkIdentitiesOf(deps, { ...by, provider, name: config.value.name, keptEpoch });
  return ok(await viewOf(deps, created.value));
}

interface ChangeInput extends CreateInput {
  /** Confirms a change after which the subjects of linked identities may name other users. */
  readonly unlinkIdentities: boolean;
}

/** PATCH /v1/admin/social-providers/:provider: absent members keep their values; preset and protocol are constant. */
export async function changeSocialProvider(
  deps: SocialProviderDeps,
  { provider, given, secret, unlinkIdentities, ...by }: ChangeInput,
): Promise<Result<SocialProviderView, Refusal<"conflict" | "invalid_input" | "not_found">>> {
  // The key is a path segment: PostgreSQL rejects NUL.
  if (!isSocialProviderKey(provider)) return err(NO_PROVIDER);
  const sealed = sealedChange(deps, provider, secret);
  if (!sealed.ok) return sealed;
  const at = new Date(deps.clock.now());
  const changed = await deps.database.transaction("social_provider.update", async (sql) => {
    const before = await lockSocialProvider(sql, provider);
    if (!before) return err(NO_PROVIDER);
    const { preset, protocol } = before.config;
    const merged = { ...before.config, ...given, preset, protocol };
    const isForAnother = changesRecipient("social_providers.sealed_secret", before.config, merged);
    const stored = storedSecret(isForAnother ? undefined : before, sealed.value);
    const config = validatedConfig(deps, merged, stored.sealedSecret !== null);
    if (!config.ok) return config;
    const isRenamed = changesSubjects(before.config, config.value);
    if (isRenamed && !unlinkIdentities && (await countIdentitiesOf(sql, [provider])).size > 0) return err(LINKED);
    const identityEpoch = before.identityEpoch + (isRenamed ? 1 : 0);
    const revision = before.revision + 1;
    const after = { ...before, ...stored, config: config.value, identityEpoch, revision, updatedAt: at };
    const fields = changedFields(before.config, after.config, sealed.value);
    const entry = auditOf(deps, by, "social_provider.updated", provider, at, { fields: fields.join(" ") });
    await sql`
      with updated as (${updateSocialProvider(sql, after)})
      ${insertAudit(sql, entry, sql`from updated`)}`;
    return ok(after);
  });
  if (!changed.ok) return changed;
  const { config, identityEpoch } = changed.value;
  await deps.socialProviders.changed();
  await unlinkIdentitiesOf(deps, { ...by, provider, name: config.name, keptEpoch: identityEpoch });
  return ok(await viewOf(deps, changed.value));
}

/** DELETE /v1/admin/social-providers/:provider: linked identities end, after a confirmation. */
export async function removeSocialProvider(
  deps: SocialProviderDeps,
  { provider, isConfirmed, ...by }: Administration & { readonly provider: string; readonly isConfirmed: boolean },
): Promise<Result<void, Refusal<"conflict" | "not_found">>> {
  if (!isSocialProviderKey(provider)) return err(NO_PROVIDER);
  const at = new Date(deps.clock.now());
  const removed = await deps.database.transaction("social_provider.delete", async (sql) => {
    const before = await lockSocialProvider(sql, provider);
    if (!before) return err(NO_PROVIDER);
    if (!isConfirmed && (await countIdentitiesOf(sql, [provider])).size > 0) return err(LINKED_AT_DELETION);
    const entry = auditOf(deps, by, "social_provider.deleted", provider, at);
    await sql`
      with deleted as (${deleteSocialProvider(sql, provider)})
      ${insertAudit(sql, entry, sql`from deleted`)}`;
    return ok(before);
  });
  if (!removed.ok) return removed;
  await deps.socialProviders.changed();
  await unlinkIdentitiesOf(deps, { ...by, provider, name: removed.value.config.name, keptEpoch: null });
  return ok(undefined);
}

function storedSecret(
  before: Pick<SocialProvider, "sealedSecret" | "keyId"> | undefined,
  change: SealedSecret,
): Pick<SocialProvider, "sealedSecret" | "keyId"> {
  if (change === "clear" || (change === "keep" && !before)) return { sealedSecret: null, keyId: null };
  if (change === "keep") return { sealedSecret: before?.sealedSecret ?? null, keyId: before?.keyId ?? null };
  return { sealedSecret: change.sealed, keyId: change.keyId };
}

/** The names of the changed members, never the values. */
function changedFields(before: SocialProviderConfig, after: SocialProviderConfig, secret: SealedSecret): string[] {
  const names = Object.keys(after) as (keyof SocialProviderConfig)[];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return secret === "keep" ? changed : [...changed, "secret"];
}

function auditOf(
  deps: Pick<Deps, "random">,
  { caller, client }: Administration,
  action: Extract<AuditAction, `social_provider.${string}`>,
  provider: string,
  at: Date,
  more: { readonly fields?: string } = {},
) {
  const resource = { type: "social_provider", id: provider } as const;
  return userAuditEvent(deps, caller.actor, client, { action, at, resource, metadata: { provider, ...more } });
}
