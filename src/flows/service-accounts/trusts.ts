/** Trusts of service accounts in external issuers (docs/contract.md, section 35.11). */
import { normalizeName } from "../../base/display-name.ts";
import { hasFlaws, invalidFields } from "../../base/invalid-input.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { cte } from "../../database/statement.ts";
import type { Deps, SessionDeps, StoreDeps } from "../../deps.ts";
import { TRUST_AGE_DEFAULT_SECONDS, TRUSTS_MAX } from "../../limits/federation-limits.ts";
import { PROGRAM_TOKEN_SECONDS } from "../../limits/machine-limits.ts";
import { type AuditEntry, insertAudit } from "../../models/audit/audit.ts";
import { lockServiceAccount } from "../../models/service-account/service-account.ts";
import {
  countTrusts,
  deleteTrust,
  findTrust,
  insertTrust,
  type ListedTrust,
  listTrusts,
  lockTrust,
  type Trust,
  updateTrust,
} from "../../models/service-account/trust.ts";
import { type EventRow, eventColumns, logChange, logRevocations, toEvent } from "../../models/session/revocation.ts";
import { type AssertionTest, testAssertion, type VerifyAssertionDeps } from "../oauth/programs/verify-assertion.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import type { ServiceAccountAuthor, ServiceAccountReader } from "../steps/authorization/authorize-service-accounts.ts";
import { lockCredential } from "../steps/credentials/lock-credential.ts";
import { endCreatedBy } from "../steps/sessions/end-created-keys.ts";
import { tokensDeadAt } from "../steps/sessions/end-sessions.ts";
import { keyRevocation } from "../steps/sessions/read-ended.ts";
import { authorizeScopes, validateScopes } from "./authorize-scopes.ts";
import { canonicalRanges, NOT_A_RANGE } from "./keys.ts";
import { type AccountInput, findManagedAccount } from "./manage.ts";
import { trustFlaws } from "./trust-rules.ts";

const NO_SUCH_ACCOUNT = refusal("not_found", "There is no such service account.");
const NO_SUCH_TRUST = refusal("not_found", "There is no such trust.");
const TOO_MANY = refusal("conflict", `An account has at most ${TRUSTS_MAX} trusts. Delete one first.`);
const OF_PEOPLE = refusal("forbidden", "People create and change trusts.");

/** The settings of a request; absent members keep the present or the default value. */
export type TrustInput = Partial<
  Pick<
    Trust,
    | "name"
    | "issuer"
    | "keys"
    | "jwksUri"
    | "audiences"
    | "conditions"
    | "scopes"
    | "organizations"
    | "allowedIps"
    | "tokenSeconds"
    | "maxAgeSeconds"
    | "singleUse"
    | "disabled"
  >
>;

export interface ChangeTrustInput extends Omit<AccountInput, "caller"> {
  readonly caller: ServiceAccountAuthor;
  readonly settings: TrustInput;
}

type CreateProblem = Refusal<"authentication_required" | "conflict" | "forbidden" | "invalid_input" | "not_found">;

/** POST …/service-accounts/:id/trusts. */
export async function createTrust(
  deps: StoreDeps,
  input: ChangeTrustInput & {
    readonly settings: TrustInput & Pick<Trust, "name" | "issuer" | "conditions" | "scopes">;
  },
): Promise<Result<Trust, CreateProblem>> {
  const { caller, accountId, settings, client } = input;
  if (caller.key !== undefined) return err(OF_PEOPLE);
  const account = await findManagedAccount(deps, caller, accountId);
  if (!account.ok) return account;
  const at = new Date(deps.clock.now());
  const trust: Trust = {
    ...DEFAULTS,
    audiences: [deps.config.urls.publicBaseUrl],
    ...settings,
    id: deps.random.uuid(),
    serviceAccountId: account.value.id,
    createdBy: caller.responsibleId,
    createdByCredential: null,
    createdAt: at,
    updatedAt: at,
    tokensValidFrom: null,
    lastUsedAt: null,
  };
  const valid = validateTrust(deps, trust, account.value.organizationId);
  if (!valid.ok) return valid;
  const entry = userAuditEvent(deps, caller.actor, client, {
    action: "service_account.trust_created",
    at,
    resource: { type: "service_account", id: accountId },
    metadata: recordOf(valid.value),
  });
  return await deps.database.transaction("service_account_trust.create", async (sql) => {
    const permitted = await authorizeScopes(sql, caller, account.value.organizationId, valid.value);
    if (!permitted.ok) return permitted;
    const locked = await lockCredential(sql, caller.credential, at);
    if (!locked.ok) return locked;
    if (!(await lockServiceAccount(sql, accountId))) return err(NO_SUCH_ACCOUNT);
    if ((await countTrusts(sql, accountId)) >= TRUSTS_MAX) return err(TOO_MANY);
    await sql`with created as (${insertTrust(sql, valid.value)}) ${insertAudit(sql, entry, sql`from created`)}`;
    return ok(valid.value);
  });
}

const DEFAULTS = {
  keys: null,
  jwksUri: null,
  organizations: null,
  allowedIps: [],
  tokenSeconds: PROGRAM_TOKEN_SECONDS,
  maxAgeSeconds: TRUST_AGE_DEFAULT_SECONDS,
  singleUse: true,
  disabled: false,
} as const;

/** Names of fields and ids, never values of conditions, which may be personal. */
function recordOf({ id, issuer, scopes }: Trust): AuditEntry["metadata"] {
  return { trust_id: id, issuer, scopes: scopes.join(" ") };
}

/** The trust with canonical values. */
function validateTrust(
  deps: Pick<Deps, "config">,
  trust: Trust,
  organizationId: string | null,
): Result<Trust, Refusal<"invalid_input">> {
  const flaws = trustFlaws(deps, trust);
  if (hasFlaws(flaws)) return err(invalidFields(flaws));
  const allowedIps = canonicalRanges(trust.allowedIps);
  if (!allowedIps) return err(NOT_A_RANGE);
  const held = validateScopes({ organizationId }, trust);
  if (!held.ok) return held;
  const name = normalizeName(trust.name) ?? trust.name;
  return ok({ ...trust, name, allowedIps, scopes: [...new Set(trust.scopes)].sort() });
}

/** GET …/service-accounts/:id/trusts: oldest first. */
export async function readTrusts(
  deps: Pick<Deps, "database">,
  { caller, accountId }: { readonly caller: ServiceAccountReader; readonly accountId: string },
): Promise<Result<readonly ListedTrust[], Refusal<"not_found">>> {
  const account = await findManagedAccount(deps, caller, accountId);
  if (!account.ok) return account;
  return ok(await deps.database.run("service_account_trust.list", (sql) => listTrusts(sql, accountId)));
}

interface TrustOfInput extends ChangeTrustInput {
  readonly trustId: string;
}

/**
 * PATCH …/trusts/:trust_id. Tokens from before the change of a rule are invalid on every replica within a second, so
 * that a narrower trust admits no token of the wider trust.
 */
export async function changeTrust(
  deps: SessionDeps,
  { caller, accountId, trustId, settings, client }: TrustOfInput,
): Promise<Result<Trust, CreateProblem>> {
  if (caller.key !== undefined) return err(OF_PEOPLE);
  const account = await findManagedAccount(deps, caller, accountId);
  if (!account.ok) return account;
  const { organizationId } = account.value;
  const at = new Date(deps.clock.now());
  const changed = await deps.database.transaction("service_account_trust.update", async (sql) => {
    const before = await lockTrust(sql, accountId, trustId);
    if (!before) return err(NO_SUCH_TRUST);
    const isRenamed = Object.keys(settings).every((name) => name === "name");
    const tokensValidFrom = isRenamed ? before.tokensValidFrom : at;
    // The person who changes the rules answers for what the trust does from now on (docs/contract.md, section 32.9).
    const createdBy = isRenamed ? before.createdBy : caller.responsibleId;
    const next = { ...before, ...settings, createdBy, updatedAt: at, tokensValidFrom };
    const valid = validateTrust(deps, next, organizationId);
    if (!valid.ok) return valid;
    const permitted = await authorizeScopes(sql, caller, organizationId, valid.value);
    if (!permitted.ok) return permitted;
    const locked = await lockCredential(sql, caller.credential, at);
    if (!locked.ok) return locked;
    const entry = userAuditEvent(deps, caller.actor, client, {
      action: "service_account.trust_updated",
      at,
      resource: { type: "service_account", id: accountId },
      metadata: { ...recordOf(valid.value), changed: Object.keys(settings).sort().join(" ") },
    });
    const rows = await sql<EventRow[]>`
      with changed as (${updateTrust(sql, valid.value)}),
      events as (${logChange(sql, cte(sql, "changed"), "trust_changed", at, tokensDeadAt(deps, at))}),
      audit as (${insertAudit(sql, entry, sql`from changed`)})
      select ${eventColumns(sql)} from events e`;
    const created = isRenamed ? undefined : await endCreatedBy(deps, sql, [trustId], { ...caller, client, at });
    return ok({ trust: valid.value, events: [...rows.map(toEvent), ...(created?.events ?? [])] });
  });
  if (!changed.ok) return changed;
  await deps.revocations.announce(changed.value.events);
  return ok(changed.value.trust);
}

/** DELETE …/trusts/:trust_id: the tokens of the trust are refused on every replica within a second. */
export async function removeTrust(
  deps: SessionDeps,
  { caller, accountId, trustId, client }: Omit<TrustOfInput, "settings">,
): Promise<Result<void, Refusal<"not_found">>> {
  const account = await findManagedAccount(deps, caller, accountId);
  if (!account.ok) return account;
  const at = new Date(deps.clock.now());
  const entry = userAuditEvent(deps, caller.actor, client, {
    action: "service_account.trust_deleted",
    at,
    resource: { type: "service_account", id: accountId },
    metadata: { trust_id: trustId },
  });
  const revocation = keyRevocation(deps, at);
  const events = await deps.database.transaction("service_account_trust.delete", async (sql) => {
    const rows = await sql<EventRow[]>`
      with deleted as (${deleteTrust(sql, accountId, trustId)}),
      events as (${logRevocations(sql, cte(sql, "deleted"), revocation)}),
      audit as (${insertAudit(sql, entry, sql`from deleted`)})
      select ${eventColumns(sql)} from events e`;
    const created = rows.length === 0 ? undefined : await endCreatedBy(deps, sql, [trustId], { ...caller, client, at });
    return [...rows.map(toEvent), ...(created?.events ?? [])];
  });
  await deps.revocations.announce(events);
  return events.length > 0 ? ok(undefined) : err(NO_SUCH_TRUST);
}

/** POST …/trusts/:trust_id/test: every check of an assertion. Issues and consumes nothing. */
export async function tryAssertion(
  deps: VerifyAssertionDeps & Pick<Deps, "database">,
  input: { readonly caller: ServiceAccountReader; readonly accountId: string; readonly trustId: string },
  assertion: string,
): Promise<Result<AssertionTest, Refusal<"not_found">>> {
  const { caller, accountId, trustId } = input;
  const account = await findManagedAccount(deps, caller, accountId);
  if (!account.ok) return account;
  const trust = await deps.database.run("service_account_trust.find", (sql) => findTrust(sql, accountId, trustId));
  if (!trust) return err(NO_SUCH_TRUST);
  const { organizationId, name: accountName } = account.value;
  return ok(await testAssertion(deps, { ...trust, organizationId, accountName }, assertion));
}
