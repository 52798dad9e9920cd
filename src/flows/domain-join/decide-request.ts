/** Decisions of members about requests to join by a verified domain (docs/contract.md, section 34.3). */
import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { type Listing, type Page, pageBounds } from "../../database/listing.ts";
import type { Deps } from "../../deps.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import {
  denyJoinRequest,
  type JoinRequest,
  listJoinRequests,
  lockJoinRequest,
} from "../../models/domain-join/join-request.ts";
import { findJoinable, lockJoiner } from "../../models/domain-join/joinable-organization.ts";
import { requiresSso } from "../../models/sso-policy/sso-policy.ts";
import { mayGrant } from "../../vocabulary/member-power.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import type { OrganizationCaller } from "../steps/authorization/authorize-member.ts";
import { lockCaller, ROLE_ABOVE_CALLER } from "../steps/authorization/authorize-role-edit.ts";
import { refuseProtected } from "../steps/authorization/protected-users.ts";
import { mailJoinDecision } from "./join-emails.ts";
import { admitByDomain, type JoinDeps, joinQuestion } from "./join-organization.ts";

const NO_SUCH_REQUEST = refusal("not_found", "There is no such request.");
const OUTDATED = refusal("conflict", "The user can no longer join by the domain.");

/** GET /v1/orgs/:org_id/join-requests. */
export async function listOpenRequests(
  deps: Pick<Deps, "clock" | "database">,
  { organizationId }: Pick<OrganizationCaller, "organizationId">,
  page: Page,
): Promise<Listing<JoinRequest>> {
  const at = new Date(deps.clock.now());
  const found = await deps.database.run("domain_join.list", (sql) =>
    listJoinRequests(sql, organizationId, at, pageBounds(page)),
  );
  return { ...page, ...found };
}

interface Decision {
  /** Has `members.invite`. */
  readonly caller: OrganizationCaller;
  readonly id: string;
  readonly client: RequestContext;
}

/** POST /v1/orgs/:org_id/join-requests/:id/approve. `conflict`: the conditions of the request no longer hold. */
export async function approveRequest(
  deps: JoinDeps,
  { caller, id, client }: Decision,
): Promise<Result<void, Refusal<"conflict" | "forbidden" | "not_found">>> {
  const { organizationId, actor } = caller;
  const approved = await deps.database.transaction("domain_join.approve", async (sql) => {
    const at = new Date(deps.clock.now());
    const power = await lockCaller(sql, caller, "members.invite");
    if (!power.ok) return power;
    const request = await lockJoinRequest(sql, organizationId, id, at);
    if (!request) return err(NO_SUCH_REQUEST);
    const { userId, domain } = request;
    const unprotected = await refuseProtected(sql, caller, [userId]);
    if (!unprotected.ok) return unprotected;
    await lockJoiner(sql, userId);
    const joinable = await findJoinable(sql, await joinQuestion(deps, sql, userId, at), organizationId);
    if (!joinable) return err(OUTDATED);
    if (await requiresSso(sql, organizationId, { email: joinable.email, accountId: userId }, at)) return err(OUTDATED);
    if (!mayGrant(power.value, joinable.role)) return err(ROLE_ABOVE_CALLER);
    const resource = { type: "domain_join_request", id } as const;
    const event = { action: "domain_join.approved", at, resource, metadata: { user_id: userId, domain } } as const;
    await recordAudit(sql, userAuditEvent(deps, actor, client, event));
    await admitByDomain(deps, sql, joinable, { userId, actor, client, at });
    await mailJoinDecision(deps, sql, "join_approved", { organizationId, userId, client, at });
    return ok(undefined);
  });
  if (approved.ok) deps.outbox.wake();
  return approved;
}

/** POST /v1/orgs/:org_id/join-requests/:id/deny. */
export async function denyRequest(
  deps: JoinDeps,
  { caller, id, client }: Decision,
): Promise<Result<void, Refusal<"not_found">>> {
  const { organizationId, actor } = caller;
  const denied = await deps.database.transaction("domain_join.deny", async (sql) => {
    const at = new Date(deps.clock.now());
    const request = await lockJoinRequest(sql, organizationId, id, at);
    if (!request) return err(NO_SUCH_REQUEST);
    await denyJoinRequest(sql, id, at);
    const resource = { type: "domain_join_request", id } as const;
    const { userId, domain } = request;
    const event = { action: "domain_join.denied", at, resource, metadata: { user_id: userId, domain } } as const;
    await recordAudit(sql, userAuditEvent(deps, actor, client, event));
    await mailJoinDecision(deps, sql, "join_denied", { organizationId, userId, client, at });
    return ok(undefined);
  });
  if (denied.ok) deps.outbox.wake();
  return denied;
}
