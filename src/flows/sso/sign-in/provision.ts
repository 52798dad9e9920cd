import { err, ok, type Result } from "../../../base/result.ts";
import { type Sql, violatedConstraint } from "../../../database/database.ts";
import { SSO_PROVISIONING_ATTEMPTS_MAX } from "../../../limits/sso-sign-in-limits.ts";
import { saveAttributes } from "../../../models/member/provisioned-user.ts";
import type { SessionEvent } from "../../../models/session/revocation.ts";
import type { AttemptWarning } from "../../../models/sso-connection/attempt.ts";
import { lockUsableConnection } from "../../../models/sso-connection/connection-use.ts";
import { isIdentityConstraint } from "../../../models/sso-identity/sso-identity.ts";
import { isAddressConstraint } from "../../../models/user/user-address.ts";
import type { MemberRole } from "../../../vocabulary/member-power.ts";
import { changeMemberRole } from "../../steps/accounts/change-member-role.ts";
import { type AppliedRoles, applyAdditionalRoles } from "./apply-additional-roles.ts";
import { confirmAssertedMailbox } from "./confirm-asserted-mailbox.ts";
import type { SsoDeps } from "./connection.ts";
import {
  decideProvisioning,
  followsRules,
  isAboveChannel,
  type Joining,
  leavesRoleOut,
  type Provisioning,
  type ProvisioningReason,
  roleOfMember,
  roleOfNewMember,
} from "./decide-provisioning.ts";
import { insertManagedUser, joinMember } from "./join-member.ts";
import { linkSubject, notifyLinked } from "./link-subject.ts";
import { Overtaken, readProvisioningContext, type StoredContext } from "./provisioning-context.ts";
import type { ProvisioningInput } from "./provisioning-input.ts";
import { reportConflict } from "./report-conflict.ts";
import { updateManagedUser } from "./update-managed-user.ts";

export interface ProvisionedMember {
  readonly userId: string;
  readonly warning: AttemptWarning;
  /** The member has a permission that the person behind the connection lacks. */
  readonly isAboveChannel: boolean;
}

/** The refusal, with the user for the attempts of the connection. */
export interface NotProvisioned {
  /** `changed`: the connection, the policy or the accounts changed since the response. */
  readonly reason: ProvisioningReason | "changed";
  readonly userId: string | null;
}

/** Finds, links or creates the member of a verified identity, by the rules of docs/contract.md, section 29.12. */
export async function provisionMember(
  deps: SsoDeps,
  input: ProvisioningInput,
): Promise<Result<ProvisionedMember, NotProvisioned>> {
  const { outcome, events } = await withoutOvertaking(() =>
    deps.database.transaction("sso.provision", (sql) => provision(deps, sql, input)),
  ).catch((error) => {
    if (isOvertaken(error)) return OVERTAKEN;
    throw error;
  });
  deps.outbox.wake();
  await deps.revocations.announce(events);
  return outcome;
}

/** Repeats a decision that a concurrent request overtook: a further attempt finds the rows of the first. */
export async function withoutOvertaking<T>(decide: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await decide();
    } catch (error) {
      if (attempt === SSO_PROVISIONING_ATTEMPTS_MAX || !isOvertaken(error)) throw error;
    }
  }
}

/** Whether a concurrent sign-in, invitation or registration inserted a row first. */
function isOvertaken(error: unknown): boolean {
  if (error instanceof Overtaken) return true;
  const constraint = violatedConstraint(error);
  return isIdentityConstraint(constraint) || isAddressConstraint(constraint) || constraint === "members_pkey";
}

interface Provisioned {
  readonly outcome: Result<ProvisionedMember, NotProvisioned>;
  /** Announced after the commit. */
  readonly events: readonly SessionEvent[];
}

const OVERTAKEN: Provisioned = { outcome: err({ reason: "changed", userId: null }), events: [] };

/** The user confirms the link, or links again (docs/contract.md, section 12.16). */
const HELD = err("link_required" as const);

async function provision(deps: SsoDeps, sql: Sql, input: ProvisioningInput): Promise<Provisioned> {
  if (!(await lockUsableConnection(sql, input.connection))) return OVERTAKEN;
  const context = await readProvisioningContext(deps, sql, input);
  const decision = context.held ? HELD : decideProvisioning(context);
  if (decision.ok) return await persist(deps, sql, input, context, decision.value);
  const { error: reason } = decision;
  const userId = context.identity?.user.userId ?? context.userOfAddress?.userId ?? null;
  if (reason === "identity_conflict") await reportConflict(deps, sql, input, userId);
  return { outcome: err({ reason, userId }), events: [] };
}

async function persist(
  deps: SsoDeps,
  sql: Sql,
  input: ProvisioningInput,
  context: StoredContext,
  provisioning: Provisioning,
): Promise<Provisioned> {
  const { asserted, connection } = input;
  const { organizationId } = connection;
  const provenEmail = context.inDomain && asserted.emailVerified ? asserted.email : undefined;
  const userId =
    provisioning.kind === "create"
      ? await insertManagedUser(deps, sql, input, asserted.email ?? "")
      : provisioning.userId;
  const ofProof = await confirmAssertedMailbox(deps, sql, input, userId, provenEmail);
  const role = await roleAfterJoining(deps, sql, input, context, userId, provisioning.joining);
  const isNew = provisioning.kind === "create";
  const subject = { ...input, subject: asserted.subject, userId, linkedBy: "domain" } as const;
  if (isNew || provisioning.links) await linkSubject(deps, sql, subject);
  if (!isNew && provisioning.links) await notifyLinked(deps, sql, subject);
  await saveAttributes(sql, organizationId, userId, asserted.attributes);
  const member = context.identity?.user ?? context.userOfAddress;
  const isAbove = member !== undefined && isAboveChannel(member, context);
  const { events, warning } = await updateManagedUser(deps, sql, input, { userId, provenEmail, isAbove });
  const isMember = provisioning.joining === undefined;
  const ofRole = await applyRoleRules(deps, sql, input, context, { userId, role, isMember });
  const isNewRole = provisioning.joining?.by === "jit" && leavesRoleOut(context.policy, asserted, context.channelPower);
  const isLeftOut = ofRole.isLeftOut || isNewRole;
  return {
    outcome: ok({
      userId,
      warning: warning ?? (isLeftOut ? "roles_left_out" : warningOf(context, asserted)),
      isAboveChannel: isAbove,
    }),
    events: [...ofProof, ...events, ...ofRole.events],
  };
}

function warningOf({ policy }: StoredContext, asserted: ProvisioningInput["asserted"]): AttemptWarning {
  return keepsRoles(policy, asserted) ? "groups_incomplete" : null;
}

/** The role of a member, or of the new membership. */
async function roleAfterJoining(
  deps: SsoDeps,
  sql: Sql,
  input: ProvisioningInput,
  { policy, identity, userOfAddress, channelPower }: StoredContext,
  userId: string,
  joining: Joining | undefined,
): Promise<MemberRole> {
  if (joining === undefined) return (identity?.user ?? userOfAddress)?.role ?? "member";
  if (joining.by === "invitation") return await joinMember(deps, sql, input, userId, joining);
  return await joinMember(deps, sql, input, userId, {
    role: roleOfNewMember(policy, input.asserted, channelPower),
  });
}

const NO_ROLES: AppliedRoles = { events: [], isLeftOut: false };

/** Whether the identity provider left groups out that rules read. */
function keepsRoles(
  { roleRules }: StoredContext["policy"],
  { groupsIncomplete }: ProvisioningInput["asserted"],
): boolean {
  return groupsIncomplete && roleRules.some(({ from }) => from === "groups");
}

/**
 * Groups that the identity provider left out take no role away: of incomplete groups, a member keeps the present roles
 * that rules for groups could give. Rules for attributes decide as ever.
 */
function keptRoles(policy: StoredContext["policy"], asserted: ProvisioningInput["asserted"]): readonly string[] {
  if (!keepsRoles(policy, asserted)) return [];
  return policy.roleRules.filter(({ from }) => from === "groups").map(({ role }) => role);
}

async function applyRoleRules(
  deps: SsoDeps,
  sql: Sql,
  input: ProvisioningInput,
  { policy, isProvisioned, channelPower }: StoredContext,
  member: { readonly userId: string; readonly role: MemberRole; readonly isMember: boolean },
): Promise<AppliedRoles> {
  const { asserted, connection, client } = input;
  const { organizationId } = connection;
  const { userId, role: from, isMember } = member;
  const kept = isMember ? keptRoles(policy, asserted) : [];
  const follows = !isProvisioned && from !== "owner" && !(isMember && policy.sync === "first");
  const additional = follows
    ? await applyAdditionalRoles(deps, sql, input, { policy, channelPower, userId, kept })
    : NO_ROLES;
  const ruled = { role: from, isProvisioned };
  const isKept = kept.includes(from);
  const to = isKept ? from : roleOfMember(policy, asserted, ruled, channelPower);
  const isCut =
    !isKept && from === "member" && followsRules(policy, ruled) && leavesRoleOut(policy, asserted, channelPower);
  const isLeftOut = additional.isLeftOut || isCut;
  if (to === from) return { ...additional, isLeftOut };
  const changed = { organizationId, actor: { userId, organizationId }, userId, client };
  const ofRole = await changeMemberRole(deps, sql, changed, { from, to, metadata: { source: "sso" } });
  return { events: [...additional.events, ...ofRole], isLeftOut };
}
