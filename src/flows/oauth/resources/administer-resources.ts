import { changedMeanwhile, type Refusal, refusal } from "../../../base/problem.ts";
import { isUuid } from "../../../base/random.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { type BoundedSearch, type ListedItem, pageOf, searchBounded } from "../../../database/bounded-list.ts";
import type { Listing, Page } from "../../../database/listing.ts";
import { type DisplayedVersion, isVersion, lockName } from "../../../database/statement.ts";
import type { Deps, StoreDeps } from "../../../deps.ts";
import { OAUTH_RESOURCES_REGISTERED_MAX } from "../../../limits/oauth-limits.ts";
import { insertAudit } from "../../../models/audit/audit.ts";
import {
  countResources,
  deleteResource,
  findResource,
  insertResource,
  listResources,
  lockResource,
  type OAuthResource,
  updateResource,
} from "../../../models/oauth-resource/oauth-resource.ts";
import type { AuditAction } from "../../../vocabulary/audit-action.ts";
import { userAuditEvent } from "../../steps/audit/audit-event.ts";
import type { PlatformCaller } from "../../steps/authorization/authorize-platform-role.ts";
import type { EndFamiliesDeps } from "../clients/end-families.ts";
import { endAccessTo } from "./end-access.ts";
import { isOwnIdentifier } from "./own-identifier.ts";
import { takesAccess, validateResource } from "./resource-rules.ts";

export type AdministerResourcesDeps = EndFamiliesDeps &
  StoreDeps & { readonly oauthResources: Pick<Deps["oauthResources"], "changed"> };

interface Administration {
  /** An Admin or higher. */
  readonly caller: PlatformCaller;
  readonly client: RequestContext;
}

const NO_SUCH_API = refusal("not_found", "There is no such API.");
const TOO_MANY = refusal("conflict", `There are already ${OAUTH_RESOURCES_REGISTERED_MAX} APIs.`);
const IDENTIFIER_TAKEN = {
  ...refusal("conflict", "An API with this identifier exists."),
  reason: "identifier_taken",
} as const;
/** A problem of forms only. */
const API_CHANGED = changedMeanwhile("The API has changed meanwhile.");

/** GET /v1/admin/resources (docs/contract.md, section 23.12): newest first. */
export async function listAllResources(
  deps: Pick<Deps, "database">,
  { page, ...input }: SearchResources & { readonly page: Page },
): Promise<Listing<OAuthResource>> {
  return pageOf(await searchResources(deps, input), page);
}

export interface SearchResources {
  readonly caller: PlatformCaller;
  readonly search?: BoundedSearch;
}

/** The matching APIs, of at most `OAUTH_RESOURCES_REGISTERED_MAX`, newest first without an order. */
export async function searchResources(
  deps: Pick<Deps, "database">,
  { search = {} }: SearchResources,
): Promise<readonly OAuthResource[]> {
  const oldestFirst = await deps.database.run("oauth_resource.list", listResources);
  return searchBounded(oldestFirst.reverse(), listedResource, search);
}

function listedResource({ name, identifier, disabled, createdAt }: OAuthResource): ListedItem {
  return { name, text: identifier, isOn: !disabled, at: createdAt };
}

/** One API, disabled or not, for the console. */
export async function readResource(
  deps: Pick<Deps, "database">,
  _caller: PlatformCaller,
  id: string,
): Promise<Result<OAuthResource, Refusal<"not_found">>> {
  const resource = isUuid(id)
    ? await deps.database.run("oauth_resource.find", (sql) => findResource(sql, id))
    : undefined;
  return resource ? ok(resource) : err(NO_SUCH_API);
}

export type ResourceSettings = Pick<
  OAuthResource,
  | "identifier"
  | "name"
  | "scopes"
  | "signingAlg"
  | "dpop"
  | "tokenLifetimeSeconds"
  | "minAcr"
  | "claims"
  | "claimMappings"
  | "openTo"
  | "organizations"
  | "disabled"
  | "preset"
  | "presetInputs"
>;

/** POST /v1/admin/resources. `conflict`: the identifier is registered, or there are too many APIs. */
export async function createResource(
  deps: AdministerResourcesDeps,
  { settings, ...by }: Administration & { readonly settings: ResourceSettings },
): Promise<Result<OAuthResource, Refusal<"conflict" | "invalid_input">>> {
  const at = new Date(deps.clock.now());
  const valid = validateResource({
    ...settings,
    id: deps.random.uuid(),
    managedBy: null,
    createdAt: at,
    updatedAt: at,
  });
  if (!valid.ok) return valid;
  const resource = valid.value;
  const created = await deps.database.transaction("oauth_resource.insert", async (sql) => {
    await lockName(sql, "oauth resources");
    const { total, isTaken } = await countResources(sql, resource.identifier);
    if (isTaken || isOwnIdentifier(deps.config, resource.identifier)) return err(IDENTIFIER_TAKEN);
    if (total >= OAUTH_RESOURCES_REGISTERED_MAX) return err(TOO_MANY);
    await sql`
      with created as (${insertResource(sql, resource)})
      ${insertAudit(sql, auditOf(deps, by, "oauth.resource.created", resource, at), sql`from created`)}`;
    return ok(resource);
  });
  if (created.ok) await deps.oauthResources.changed();
  return created;
}

/** The changeable settings of an API: tokens and resource servers refer to the identifier. */
export type ResourceChange = Partial<Omit<ResourceSettings, "identifier" | "preset" | "presetInputs">>;

interface ChangeInput extends Administration {
  readonly id: string;
  readonly change: ResourceChange;
}

/** PATCH /v1/admin/resources/:id: absent members keep their values; `scopes` replaces the list. */
export async function changeResource(
  deps: AdministerResourcesDeps,
  input: ChangeInput,
): Promise<Result<OAuthResource, Refusal<"invalid_input" | "not_found">>> {
  return await applyChange<never>(deps, input, () => undefined);
}

/**
 * Saves a form. An API changed since the display is a `conflict`, so that no administrator undoes the change of another
 * administrator.
 */
export async function changeDisplayedResource(
  deps: AdministerResourcesDeps,
  { displayed, ...input }: ChangeInput & { readonly displayed: DisplayedVersion },
): Promise<Result<OAuthResource, Refusal<"conflict" | "invalid_input" | "not_found">>> {
  return await applyChange(deps, input, ({ updatedAt }) => (isVersion(updatedAt, displayed) ? undefined : API_CHANGED));
}

/** `objection`: decides under lock. */
async function applyChange<Code extends "conflict">(
  deps: AdministerResourcesDeps,
  { id, change, ...by }: ChangeInput,
  objection: (before: OAuthResource) => Refusal<Code> | undefined,
): Promise<Result<OAuthResource, Refusal<Code | "invalid_input" | "not_found">>> {
  const at = new Date(deps.clock.now());
  const changed = await deps.database.transaction("oauth_resource.update", async (sql) => {
    const before = await lockResource(sql, id);
    if (!before) return err(NO_SUCH_API);
    const objected = objection(before);
    if (objected) return err(objected);
    const valid = validateResource({ ...before, ...change, updatedAt: at });
    if (!valid.ok) return valid;
    await sql`
      with updated as (${updateResource(sql, valid.value)})
      ${insertAudit(sql, auditOf(deps, by, "oauth.resource.updated", before, at), sql`from updated`)}`;
    return ok({ before, after: valid.value });
  });
  if (!changed.ok) return changed;
  const { before, after } = changed.value;
  await deps.oauthResources.changed();
  if (takesAccess(before, after)) await endAccessTo(deps, [after.identifier]);
  return ok(after);
}

/**
 * DELETE /v1/admin/resources/:id: the API is unregistered, and access tokens of users for the API end. Clients keep
 * their resources, users their consents. A request that fails half way can be repeated.
 */
export async function removeResource(
  deps: AdministerResourcesDeps,
  { id, ...by }: Administration & { readonly id: string },
): Promise<Result<void, Refusal<"not_found">>> {
  const found = await readResource(deps, by.caller, id);
  if (!found.ok) return found;
  const { identifier } = found.value;
  await endAccessTo(deps, [identifier]);
  const at = new Date(deps.clock.now());
  const removed = await deps.database.transaction("oauth_resource.delete", async (sql) => {
    const before = await lockResource(sql, id);
    if (!before) return err(NO_SUCH_API);
    await sql`
      with deleted as (${deleteResource(sql, id)})
      ${insertAudit(sql, auditOf(deps, by, "oauth.resource.deleted", before, at), sql`from deleted`)}`;
    return ok(undefined);
  });
  if (!removed.ok) return removed;
  await deps.oauthResources.changed();
  // Tokens issued since.
  await endAccessTo(deps, [identifier]);
  return removed;
}

/** The identifier identifies a deleted API in the audit trail. */
function auditOf(
  deps: Pick<Deps, "random">,
  { caller, client }: Administration,
  action: Extract<AuditAction, `oauth.resource.${string}`>,
  { id, identifier }: OAuthResource,
  at: Date,
) {
  const resource = { type: "oauth_resource", id } as const;
  return userAuditEvent(deps, caller.actor, client, { action, at, resource, metadata: { identifier } });
}
