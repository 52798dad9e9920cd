/** A membership that an administrator of the platform or a program gives without an invitation (section 36.3). */
import { inertName } from "../../../base/display-name.ts";
import { invalidInput } from "../../../base/invalid-input.ts";
import { type Refusal, refusal } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Sql } from "../../../database/database.ts";
import type { StoreDeps } from "../../../deps.ts";
import { ROLES_PER_MEMBER_MAX } from "../../../limits/role-limits.ts";
import { recordAudit } from "../../../models/audit/audit.ts";
import { findDirectory } from "../../../models/directory/directory.ts";
import { insertEmail, noticeTime } from "../../../models/email/email.ts";
import { insertMember } from "../../../models/member/member.ts";
import { findOrganization, lockSuspension } from "../../../models/organization/organization.ts";
import { replaceMemberRoles } from "../../../models/organization-role/member-role.ts";
import { lockRoles, type OrganizationRole } from "../../../models/organization-role/organization-role.ts";
import type { Recipient } from "../../../models/user/user.ts";
import { covers, isAtLeast, type MemberRole, mayChange } from "../../../vocabulary/member-power.ts";
import { userAuditEvent } from "../audit/audit-event.ts";
import type { OrganizationCaller } from "../authorization/authorize-member.ts";
import { ROLE_ABOVE_CALLER } from "../authorization/authorize-role-edit.ts";
import { DOMAIN_NOT_PERMITTED, permitsAddress } from "../authorization/joining-rules.ts";
import { authorizeGrant } from "../channels/authorize-grant.ts";
import { type ComposeDeps, composeEmail } from "../email/compose-email.ts";
import { liftRemoval } from "./member-removal.ts";

export interface MemberToAdd {
  /** Authorized for the organization, with the power that the caller may give. */
  readonly caller: OrganizationCaller;
  readonly user: Recipient & { readonly userId: string };
  /** True: the transaction inserted the user, so no channel reaches the account. */
  readonly isNewUser: boolean;
  readonly role: MemberRole;
  readonly roleIds: readonly string[];
  /** True: an email tells the user. */
  readonly notify: boolean;
  readonly client: RequestContext;
  readonly at: Date;
}

export type AddingProblem = Refusal<"conflict" | "forbidden" | "invalid_input">;

const HAS_DIRECTORY = refusal("conflict", "The directory of the organization manages its members.");
const IS_SUSPENDED = refusal("forbidden", "This organization is suspended.");
const UNKNOWN_ROLE = invalidInput("role_ids", "unknown_value", "a role that the organization cannot use");
const TOO_MANY_ROLES = invalidInput("role_ids", "too_long", `at most ${ROLES_PER_MEMBER_MAX}`);

/**
 * Inside a transaction: authorizes and inserts a membership of a user who is not a member, with record and email. The
 * organization is locked against a suspension. The rules of grants hold (docs/contract.md, sections 32.5, 32.9, 33.3).
 */
export async function addMember(
  deps: ComposeDeps & Pick<StoreDeps, "random">,
  sql: Sql,
  member: MemberToAdd,
): Promise<Result<void, AddingProblem>> {
  const { caller, user, role, client, at } = member;
  const { organizationId } = caller;
  const { userId } = user;
  const permitted = await permitJoining(sql, organizationId, user.email, at);
  if (!permitted.ok) return permitted;
  const roles = await findGrantedRoles(sql, caller, member.roleIds);
  if (!roles.ok) return roles;
  const granted = roles.value.flatMap(({ permissions }) => permissions);
  const power = { role, granted };
  if (!mayChange(caller, power)) return err(ROLE_ABOVE_CALLER);
  if (!member.isNewUser && (!isAtLeast("member", role) || granted.length > 0)) {
    const request = { organizationId, grant: "member_role", members: [{ userId, power }], at } as const;
    const compared = await authorizeGrant(sql, request, false);
    if (!compared.ok) return compared;
  }
  await insertMember(sql, { organizationId, userId, role, at });
  const roleIds = roles.value.map(({ id }) => id);
  if (roleIds.length > 0) await replaceMemberRoles(sql, { organizationId, userId, roleIds, source: "manual", at });
  const event = {
    action: "member.added",
    at,
    resource: { type: "user", id: userId },
    metadata: { role, ...(roleIds.length > 0 ? { roles: roles.value.map(({ key }) => key).join(" ") } : {}) },
  } as const;
  await recordAudit(sql, userAuditEvent(deps, { ...caller.actor, organizationId }, client, event));
  await liftRemoval(deps, sql, organizationId, userId);
  if (member.notify) await mailMember(deps, sql, member);
  return ok(undefined);
}

/** Locks the organization, and refuses where a directory or a policy decides about members. */
async function permitJoining(
  sql: Sql,
  organizationId: string,
  email: string,
  at: Date,
): Promise<Result<void, Refusal<"conflict" | "forbidden">>> {
  await sql`select 1 from organizations where id = ${organizationId} for key share`;
  if (await lockSuspension(sql, organizationId)) return err(IS_SUSPENDED);
  const directory = await findDirectory(sql, organizationId);
  if (directory?.status === "active") return err(HAS_DIRECTORY);
  return (await permitsAddress(sql, organizationId, email, at)) ? ok(undefined) : err(DOMAIN_NOT_PERMITTED);
}

/** The additional roles of a grant, locked, each with permissions that the caller has. */
export async function findGrantedRoles(
  sql: Sql,
  caller: OrganizationCaller,
  given: readonly string[],
): Promise<Result<readonly OrganizationRole[], Refusal<"forbidden" | "invalid_input">>> {
  const ids = [...new Set(given.map((id) => id.toLowerCase()))];
  if (ids.length === 0) return ok([]);
  if (ids.length > ROLES_PER_MEMBER_MAX) return err(TOO_MANY_ROLES);
  const roles = await lockRoles(sql, caller.organizationId, ids);
  if (roles.length < ids.length) return err(UNKNOWN_ROLE);
  const isCovered = roles.every(({ permissions }) => covers(caller, { role: "member", granted: permissions }));
  return isCovered ? ok(roles) : err(ROLE_ABOVE_CALLER);
}

async function mailMember(
  deps: ComposeDeps,
  sql: Sql,
  { caller: { organizationId }, user, client, at }: MemberToAdd,
): Promise<void> {
  const organization = await findOrganization(sql, organizationId);
  const values = {
    organization_name: inertName(organization?.name ?? ""),
    time: noticeTime(at),
    link: `${deps.config.urls.publicBaseUrl}/sign-in`,
  };
  const mail = { kind: "member_added", values } as const;
  await insertEmail(sql, composeEmail(deps, { to: user, mail, tenants: { organizationId }, client, at }));
}
