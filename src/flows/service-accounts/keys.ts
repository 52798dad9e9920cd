import ipaddr from "ipaddr.js";
import { NAME_RULE, normalizeName } from "../../base/display-name.ts";
import { invalidInput } from "../../base/invalid-input.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { originOf, storedUrl } from "../../base/stored-url.ts";
import { DAY_MS } from "../../base/time-units.ts";
import { cte } from "../../database/statement.ts";
import type { Deps, SessionDeps, StoreDeps } from "../../deps.ts";
import {
  API_KEY_LIFETIME_DAYS_DEFAULT,
  API_KEY_LIFETIME_DAYS_MAX,
  API_KEYS_LISTED_MAX,
  LIVE_KEYS_MAX,
} from "../../limits/machine-limits.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import {
  type ApiKey,
  apiKeyExists,
  countLiveKeys,
  insertApiKey,
  type ListedApiKey,
  listApiKeys,
  type NewApiKey,
  revokeApiKey,
} from "../../models/service-account/api-key.ts";
import { hashKey, makeKeyText } from "../../models/service-account/key-format.ts";
import { lockServiceAccount, type ServiceAccount } from "../../models/service-account/service-account.ts";
import { type EventRow, eventColumns, logRevocations, toEvent } from "../../models/session/revocation.ts";
import { isScimOnly, type KeyScope } from "../../vocabulary/key-scope.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import type { ServiceAccountAuthor, ServiceAccountReader } from "../steps/authorization/authorize-service-accounts.ts";
import { lockCredential, programCredentialId } from "../steps/credentials/lock-credential.ts";
import { endCreatedBy } from "../steps/sessions/end-created-keys.ts";
import { keyRevocation } from "../steps/sessions/read-ended.ts";
import { authorizeScopes, boundsWithin, validateScopes } from "./authorize-scopes.ts";
import { type AccountInput, findManagedAccount } from "./manage.ts";

const NO_SUCH_ACCOUNT = refusal("not_found", "There is no such service account.");
const NO_SUCH_KEY = refusal("not_found", "There is no such API key.");
const TOO_MANY = refusal("conflict", `An account has at most ${LIVE_KEYS_MAX} live keys. Revoke one first.`);
const BAD_NAME = invalidInput("name", "format", NAME_RULE);
export const NOT_A_RANGE = invalidInput("allowed_ips", "format", "addresses or CIDR ranges, such as 192.0.2.0/24");
/** Four numbers without leading zeros, which would mean octal notation. */
const DOTTED_DECIMAL = /^(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}(?:\/|$)/;
const LIVES_TOO_LONG = invalidInput("expires_in_days", "too_large", `at most ${API_KEY_LIFETIME_DAYS_MAX} days`);
const NOT_AN_ORIGIN = invalidInput("allowed_referrers", "format", "exact origins, such as https://app.example.com");

export interface CreateKeyInput extends Omit<AccountInput, "caller"> {
  readonly caller: ServiceAccountAuthor;
  /** Null: a key without a name. */
  readonly name: string | null;
  readonly scopes: readonly KeyScope[];
  /** Addresses or CIDR ranges. */
  readonly allowedIps: readonly string[];
  /** Origins. */
  readonly allowedReferrers: readonly string[];
  /** The organizations in which a key of the platform acts; null: every organization, or the own. */
  readonly organizations: readonly string[] | null;
  readonly expiresInDays: number | undefined;
}

export interface CreatedKey {
  readonly apiKey: ApiKey;
  /** Only in this response; the table stores a hash. */
  readonly key: string;
}

/**
 * POST …/service-accounts/:id/keys (docs/contract.md, section 25.3). The audit record omits the name of the key: the
 * name is free text, may contain a personal name, and the trail keeps records beyond the key.
 */
export async function createApiKey(
  deps: StoreDeps,
  input: CreateKeyInput,
): Promise<
  Result<CreatedKey, Refusal<"authentication_required" | "conflict" | "forbidden" | "invalid_input" | "not_found">>
> {
  const name = input.name === null ? null : normalizeName(input.name);
  if (name === undefined) return err(BAD_NAME);
  const allowedIps = canonicalRanges(input.allowedIps);
  if (!allowedIps) return err(NOT_A_RANGE);
  if (!input.allowedReferrers.every(isOrigin)) return err(NOT_AN_ORIGIN);
  const isLong = (input.expiresInDays ?? 0) > API_KEY_LIFETIME_DAYS_MAX;
  if (isLong && !isScimOnly(input.scopes)) return err(LIVES_TOO_LONG);
  const account = await findManagedAccount(deps, input.caller, input.accountId);
  if (!account.ok) return account;
  const valid = validateScopes(account.value, input);
  if (!valid.ok) return valid;
  const createdAt = new Date(deps.clock.now());
  const expiresAt = new Date(createdAt.getTime() + (input.expiresInDays ?? API_KEY_LIFETIME_DAYS_DEFAULT) * DAY_MS);
  const bounds = boundsWithin(input.caller, { allowedIps, allowedReferrers: input.allowedReferrers, expiresAt });
  if (!bounds.ok) return bounds;
  const { key, keyId } = makeKeyText(deps.random, deps.config.keyPrefix);
  const apiKey: Omit<ApiKey, "revokedAt" | "lastUsedAt"> = {
    id: deps.random.uuid(),
    serviceAccountId: account.value.id,
    keyId,
    name,
    scopes: [...new Set(input.scopes)].sort(),
    organizations: input.organizations && [...new Set(input.organizations.map((id) => id.toLowerCase()))],
    ...bounds.value,
    createdBy: input.caller.responsibleId,
    createdAt,
  };
  const { credential } = input.caller;
  const setupLinkId = credential.kind === "setup_link" ? credential.id : null;
  const written = await persistKey(deps, input, account.value, {
    ...apiKey,
    setupLinkId,
    createdByCredential: programCredentialId(credential),
    keyHash: hashKey(key),
  });
  return written.ok ? ok({ apiKey: { ...apiKey, revokedAt: null, lastUsedAt: null }, key }) : written;
}

async function persistKey(
  deps: Pick<Deps, "database" | "random">,
  { caller, client, scopes: requested, organizations }: CreateKeyInput,
  { organizationId }: Pick<ServiceAccount, "organizationId">,
  apiKey: NewApiKey,
): Promise<Result<void, Refusal<"authentication_required" | "conflict" | "forbidden" | "not_found">>> {
  const { id, serviceAccountId, keyId, scopes, createdAt: at } = apiKey;
  const entry = userAuditEvent(deps, caller.actor, client, {
    action: "api_key.created",
    at,
    resource: { type: "api_key", id },
    metadata: { service_account_id: serviceAccountId, key_id: keyId, scopes: scopes.join(" ") },
  });
  return await deps.database.transaction("api_key.create", async (sql) => {
    // Memberships are locked before sessions, as by a removal.
    const permitted = await authorizeScopes(sql, caller, organizationId, { scopes: requested, organizations });
    if (!permitted.ok) return permitted;
    const locked = await lockCredential(sql, caller.credential, at);
    if (!locked.ok) return locked;
    if (!(await lockServiceAccount(sql, serviceAccountId))) return err(NO_SUCH_ACCOUNT);
    if ((await countLiveKeys(sql, serviceAccountId, at)) >= LIVE_KEYS_MAX) return err(TOO_MANY);
    await sql`with created as (${insertApiKey(sql, apiKey)}) ${insertAudit(sql, entry, sql`from created`)}`;
    return ok(undefined);
  });
}

/** GET …/service-accounts/:id/keys (docs/contract.md, section 25.3): live keys first. */
export async function listKeys(
  deps: Pick<Deps, "database" | "clock">,
  { caller, accountId }: { readonly caller: ServiceAccountReader; readonly accountId: string },
): Promise<Result<readonly ListedApiKey[], Refusal<"not_found">>> {
  const account = await findManagedAccount(deps, caller, accountId);
  if (!account.ok) return account;
  const at = new Date(deps.clock.now());
  return ok(await deps.database.run("api_key.list", (sql) => listApiKeys(sql, accountId, at, API_KEYS_LISTED_MAX)));
}

/**
 * DELETE …/service-accounts/:id/keys/:key_id (docs/contract.md, section 25.3): refused on every replica within a second
 * (G55). Idempotent.
 */
export async function revokeKey(
  deps: SessionDeps,
  input: AccountInput & { readonly keyId: string },
): Promise<Result<void, Refusal<"not_found">>> {
  const { caller, accountId, keyId, client } = input;
  const account = await findManagedAccount(deps, caller, accountId);
  if (!account.ok) return account;
  const at = new Date(deps.clock.now());
  const entry = userAuditEvent(deps, caller.actor, client, {
    action: "api_key.revoked",
    at,
    resource: { type: "api_key", id: keyId },
    metadata: { service_account_id: accountId },
  });
  const revocation = keyRevocation(deps, at);
  const rows = await deps.database.transaction("api_key.revoke", async (sql) => {
    const revoked = await sql<EventRow[]>`
      with revoked as (${revokeApiKey(sql, accountId, keyId, at)}),
      events as (${logRevocations(sql, cte(sql, "revoked"), revocation)}),
      audit as (${insertAudit(sql, entry, sql`from revoked`)})
      select ${eventColumns(sql)} from events e`;
    const created =
      revoked.length === 0 ? undefined : await endCreatedBy(deps, sql, [keyId], { ...caller, client, at });
    return [...revoked.map(toEvent), ...(created?.events ?? [])];
  });
  await deps.revocations.announce(rows);
  if (rows.length > 0) return ok(undefined);
  const exists = await deps.database.run("api_key.exists", (sql) => apiKeyExists(sql, accountId, keyId));
  return exists ? ok(undefined) : err(NO_SUCH_KEY);
}

/** Ranges as CIDR; undefined if one is none. */
export function canonicalRanges(texts: readonly string[]): readonly string[] | undefined {
  const ranges = texts.map(canonicalRange);
  return ranges.every((range) => range !== undefined) ? ranges : undefined;
}

/**
 * As CIDR; undefined for any other text. IPv4-mapped IPv6 would never match, since the service knows clients by IPv4,
 * and a zone (RFC 4007) names an interface of one host.
 */
function canonicalRange(text: string): string | undefined {
  if (text.includes("%")) return undefined;
  try {
    const [address, bits] = text.includes("/") ? ipaddr.parseCIDR(text) : [ipaddr.parse(text), undefined];
    if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()) return undefined;
    // `010.0.0.1`, `10.1` and `0x7f000001` have a different meaning in most other parsers.
    if (address.kind() === "ipv4" && !DOTTED_DECIMAL.test(text)) return undefined;
    return `${address.toString()}/${bits ?? (address.kind() === "ipv4" ? 32 : 128)}`;
  } catch {
    return undefined;
  }
}

/** Whether a text is an origin as browsers send it. */
export function isOrigin(text: string): boolean {
  const url = storedUrl(text);
  return url !== undefined && originOf(url) === text;
}
