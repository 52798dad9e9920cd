import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { type Listing, type Page, pageBounds } from "../../database/listing.ts";
import { type DisplayedVersion, isVersion, lockName } from "../../database/statement.ts";
import type { Deps } from "../../deps.ts";
import { ORGANIZATION_ROLES_MAX, ROLE_TEMPLATES_MAX } from "../../limits/role-limits.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import {
  countRoles,
  deleteRole,
  insertRole,
  type ListedRole,
  listOrganizationsWithRole,
  listRoles,
  type OrganizationRole,
  removeRoleFromInvitations,
  updateRole,
} from "../../models/organization-role/organization-role.ts";
import type { AuditAction } from "../../vocabulary/audit-action.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { refuseProtectedHolders } from "../steps/authorization/protected-users.ts";
import type { ChannelHolder } from "../steps/channels/channels.ts";
import { channelMetadata, notifyConfirmation } from "../steps/channels/notify-grant.ts";
import { authorizeWidening, findHolders, followRole, isWider } from "./authorize-widening.ts";
import {
  actorOf,
  authorizeNewRole,
  lockEditedRole,
  logRoleChange,
  organizationOf,
  type RoleDeps,
  type RoleOwner,
  turnOf,
} from "./role-owner.ts";
import { type RoleSettings, validateRole } from "./role-rules.ts";
import { reportWidenedTemplate } from "./widened-template.ts";

interface Administration {
  readonly owner: RoleOwner;
  readonly client: RequestContext;
}

const KEY_TAKEN = refusal("conflict", "A role or template with this key exists.");
const CHANGED_SINCE = refusal("conflict", "Another editor has changed the role since the display.");
const IN_USE = refusal(
  "conflict",
  "Members have this role. Repeat the request with reassign: true to remove the role from them.",
);

/** GET …/roles: the roles of an organization and the templates; for the platform the templates. */
export async function listUsableRoles(
  deps: Pick<Deps, "database">,
  organizationId: string | null,
  page: Page,
): Promise<Listing<ListedRole>> {
  const found = await deps.database.run("organization_role.list", (sql) =>
    listRoles(sql, organizationId, pageBounds(page)),
  );
  return { ...page, ...found };
}

/** POST …/roles (docs/contract.md, section 32.4). */
export async function createRole(
  deps: Pick<Deps, "clock" | "database" | "oauthResources" | "random">,
  { owner, client, settings }: Administration & { readonly settings: RoleSettings & { readonly key: string } },
): Promise<Result<OrganizationRole, Refusal<"conflict" | "forbidden" | "invalid_input">>> {
  const at = new Date(deps.clock.now());
  const organizationId = organizationOf(owner);
  const draft = { ...settings, id: deps.random.uuid(), organizationId, createdAt: at, updatedAt: at };
  const valid = validateRole(draft, deps.oauthResources.index());
  if (!valid.ok) return valid;
  const role = valid.value;
  const max = organizationId === null ? ROLE_TEMPLATES_MAX : ORGANIZATION_ROLES_MAX;
  return await deps.database.transaction(
    "organization_role.create",
    async (sql) => {
      // A template shares its key with no role of any organization, so new keys wait for one another.
      await lockName(sql, "keys of roles");
      const authorized = await authorizeNewRole(sql, owner, role.permissions);
      if (!authorized.ok) return authorized;
      const { total, isKeyTaken } = await countRoles(sql, organizationId, role.key);
      if (isKeyTaken) return err(KEY_TAKEN);
      if (total >= max) return err(refusal("conflict", `There are already ${max} roles.`));
      const entry = auditOf(deps, { owner, client }, "role.created", role, at);
      await sql`with created as (${insertRole(sql, role)}) ${insertAudit(sql, entry, sql`from created`)}`;
      return ok(role);
    },
    turnOf(organizationId),
  );
}

interface ChangeRoleInput extends Administration {
  readonly id: string;
  readonly change: Partial<RoleSettings>;
  /** Accepts the channels whose people lack the power (docs/contract.md, section 32.9). */
  readonly confirm?: boolean | undefined;
}

/** PATCH …/roles/:id: absent members keep their values. Sessions of holders have the new permissions at once. */
export async function updateRoleSettings(
  deps: RoleDeps,
  input: ChangeRoleInput,
): Promise<Result<OrganizationRole, Refusal<"conflict" | "forbidden" | "invalid_input" | "not_found">>> {
  return await persistSettings(deps, input, () => ok(undefined));
}

/**
 * Saves the form of a page. `conflict`: another editor has changed the role since the display, and the change is kept.
 */
export async function updateDisplayedRole(
  deps: RoleDeps,
  { displayed, ...input }: ChangeRoleInput & { readonly displayed: DisplayedVersion },
): Promise<Result<OrganizationRole, Refusal<"conflict" | "forbidden" | "invalid_input" | "not_found">>> {
  return await persistSettings(deps, input, ({ updatedAt }) =>
    isVersion(updatedAt, displayed) ? ok(undefined) : err(CHANGED_SINCE),
  );
}

/** `check`: a condition on the locked role. */
async function persistSettings<Problem extends Refusal>(
  deps: RoleDeps,
  { owner, client, id, change, confirm = false }: ChangeRoleInput,
  check: (role: OrganizationRole) => Result<void, Problem>,
): Promise<Result<OrganizationRole, Problem | Refusal<"conflict" | "forbidden" | "invalid_input" | "not_found">>> {
  const at = new Date(deps.clock.now());
  const changed = await deps.database.transaction(
    "organization_role.update",
    async (sql) => {
      const locked = await lockEditedRole(sql, owner, id, change.permissions ?? []);
      if (!locked.ok) return locked;
      const checked = check(locked.value);
      if (!checked.ok) return checked;
      const valid = validateRole({ ...locked.value, ...change, updatedAt: at }, deps.oauthResources.index());
      if (!valid.ok) return valid;
      const widened = { owner, before: locked.value, after: valid.value, at };
      const narrows = isWider({ before: valid.value, after: locked.value });
      const changesPower = narrows || isWider(widened);
      const unprotected = changesPower ? await refuseProtectedHolders(sql, owner.caller, id) : ok(undefined);
      if (!unprotected.ok) return unprotected;
      const granted = await authorizeWidening(sql, widened, confirm);
      if (!granted.ok) return granted;
      const entry = auditOf(deps, { owner, client }, "role.updated", valid.value, at, granted.value);
      await sql`with changed as (${updateRole(sql, valid.value)}) ${insertAudit(sql, entry, sql`from changed`)}`;
      if (owner.kind === "platform") {
        const { caller } = owner;
        await reportWidenedTemplate(deps, sql, { caller, client, before: locked.value, after: valid.value, at });
      }
      if (owner.kind === "organization") {
        const { organizationId } = owner.caller;
        await notifyConfirmation(deps, sql, { organizationId, channels: granted.value, client, at });
      }
      const holders = changesPower ? await findHolders(sql, id) : [];
      const ended = await followRole(deps, sql, holders, { actor: actorOf(owner), client, at, loses: narrows });
      return ok({ role: valid.value, events: [...ended, ...(await logRoleChange(deps, sql, id, at))] });
    },
    turnOf(organizationOf(owner)),
  );
  if (!changed.ok) return changed;
  deps.outbox.wake();
  await deps.revocations.announce(changed.value.events);
  return ok(changed.value.role);
}

interface RemoveRoleInput extends Administration {
  readonly id: string;
  /** Removes the role from members; otherwise a role with members is a `conflict`. */
  readonly reassign: boolean;
}

/** DELETE …/roles/:id. */
export async function removeRole(
  deps: RoleDeps,
  { owner, client, id, reassign }: RemoveRoleInput,
): Promise<Result<void, Refusal<"conflict" | "forbidden" | "not_found">>> {
  const at = new Date(deps.clock.now());
  const removed = await deps.database.transaction(
    "organization_role.delete",
    async (sql) => {
      const locked = await lockEditedRole(sql, owner, id, []);
      if (!locked.ok) return locked;
      const unprotected = await refuseProtectedHolders(sql, owner.caller, id);
      if (!unprotected.ok) return unprotected;
      if (!reassign && (await listOrganizationsWithRole(sql, id, 1)).length > 0) return err(IN_USE);
      const events = await logRoleChange(deps, sql, id, at);
      const holders = await findHolders(sql, id);
      await removeRoleFromInvitations(sql, id);
      const entry = auditOf(deps, { owner, client }, "role.deleted", locked.value, at);
      await sql`with deleted as (${deleteRole(sql, id)}) ${insertAudit(sql, entry, sql`from deleted`)}`;
      const ended = await followRole(deps, sql, holders, { actor: actorOf(owner), client, at, loses: true });
      return ok([...ended, ...events]);
    },
    turnOf(organizationOf(owner)),
  );
  if (!removed.ok) return removed;
  deps.outbox.wake();
  await deps.revocations.announce(removed.value);
  return ok(undefined);
}

function auditOf(
  deps: Pick<Deps, "random">,
  { owner, client }: Administration,
  action: Extract<AuditAction, "role.created" | "role.deleted" | "role.updated">,
  { id, key, permissions }: OrganizationRole,
  at: Date,
  accepted: readonly ChannelHolder[] = [],
) {
  const metadata = { key, permissions: permissions.join(" "), ...channelMetadata(accepted) };
  return userAuditEvent(deps, actorOf(owner), client, { action, at, resource: { type: "role", id }, metadata });
}
