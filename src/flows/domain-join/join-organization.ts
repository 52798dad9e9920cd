/** Joining of an organization by a verified domain (docs/contract.md, section 34.3). */
import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import { lockName } from "../../database/statement.ts";
import type { Deps, EmailDeps } from "../../deps.ts";
import { JOIN_REQUEST_LIFETIME_MS, OPEN_JOIN_REQUESTS_MAX } from "../../limits/domain-join-limits.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import { countOpenJoinRequests, deleteJoinRequest, insertJoinRequest } from "../../models/domain-join/join-request.ts";
import {
  findJoinable,
  type JoinableOrganization,
  type JoinQuestion,
  listJoinable,
  lockJoiner,
} from "../../models/domain-join/joinable-organization.ts";
import { insertMember } from "../../models/member/member.ts";
import type { SessionView } from "../../models/session/session.ts";
import { requiresSso } from "../../models/sso-policy/sso-policy.ts";
import { findUserWithAddresses, removalsSince } from "../steps/accounts/member-removal.ts";
import { type Actor, userAuditEvent } from "../steps/audit/audit-event.ts";
import { NO_SUCH_ORGANIZATION } from "../steps/authorization/authorize-member.ts";
import type { ComposeDeps } from "../steps/email/compose-email.ts";
import { ssoRequired } from "../steps/sessions/organization-rules.ts";
import { mailJoinRequest } from "./join-emails.ts";

export const TOO_MANY_REQUESTS = refusal("conflict", "The organization has too many open requests. Try again later.");
const DENIED = refusal("conflict", "The organization denied your request. Ask a member for an invitation.");

/** Emails tell owners about requests, and users about decisions. */
export type JoinDeps = Pick<EmailDeps, "clock" | "database" | "outbox"> & ComposeDeps;
export type JoinProblem = Refusal<"conflict" | "not_found" | "sso_required">;

export type Joined =
  | { readonly status: "joined"; readonly role: JoinableOrganization["role"] }
  | { readonly status: "requested"; readonly expiresAt: Date };

/** Removals of the last 180 days keep a user out, also removals of a former account of the user. */
export async function joinQuestion(
  deps: Pick<Deps, "addressKey">,
  sql: Sql,
  userId: string,
  at: Date,
): Promise<JoinQuestion> {
  return { ...(await findUserWithAddresses(deps, sql, userId)), at, removedSince: removalsSince(at) };
}

/** GET /v1/users/me/joinable-organizations. `session`: not bound to an organization. */
export async function listJoinableOrganizations(
  deps: Pick<Deps, "addressKey" | "clock" | "database">,
  session: Pick<SessionView, "userId">,
): Promise<readonly JoinableOrganization[]> {
  const at = new Date(deps.clock.now());
  return await deps.database.run("organization.list_joinable", async (sql) =>
    listJoinable(sql, await joinQuestion(deps, sql, session.userId, at)),
  );
}

export interface JoinInput {
  /** Not bound to an organization. */
  readonly session: Pick<SessionView, "userId">;
  readonly organizationId: string;
  readonly client: RequestContext;
}

/**
 * POST /v1/orgs/:org_id/join: joins, or asks to join. `not_found` covers unknown organizations and every organization
 * that the user cannot join; `sso_required` an organization whose identity provider admits the user.
 */
export async function joinByDomain(deps: JoinDeps, input: JoinInput): Promise<Result<Joined, JoinProblem>> {
  const { session, organizationId, client } = input;
  const { userId } = session;
  const joined = await deps.database.transaction("organization.join_by_domain", async (sql) => {
    await lockName(sql, `join requests of ${organizationId}`);
    await lockJoiner(sql, userId);
    const at = new Date(deps.clock.now());
    const found = await findJoinable(sql, await joinQuestion(deps, sql, userId, at), organizationId);
    if (!found) return err(NO_SUCH_ORGANIZATION);
    if (await requiresSso(sql, organizationId, { email: found.email, accountId: userId }, at)) {
      return err(ssoRequired(organizationId));
    }
    const actor = { userId, organizationId };
    if (found.mode === "join") return ok(await admitByDomain(deps, sql, found, { userId, actor, client, at }));
    return await request(deps, sql, found, { userId, actor, client, at });
  });
  if (joined.ok && joined.value.status === "requested") deps.outbox.wake();
  return joined;
}

interface Admission {
  readonly userId: string;
  readonly actor: Actor;
  readonly client: RequestContext;
  readonly at: Date;
}

/** Inserts the membership with the default role of the organization; `actor`: the user, or the approving member. */
export async function admitByDomain(
  deps: Pick<Deps, "random">,
  sql: Sql,
  { organizationId, domain, role }: JoinableOrganization,
  { userId, actor, client, at }: Admission,
): Promise<Joined> {
  await insertMember(sql, { organizationId, userId, role, at });
  await deleteJoinRequest(sql, organizationId, userId);
  const resource = { type: "user", id: userId } as const;
  const event = { action: "member.joined_by_domain", at, resource, metadata: { domain, role } } as const;
  await recordAudit(sql, userAuditEvent(deps, actor, client, event));
  return { status: "joined", role };
}

async function request(
  deps: JoinDeps,
  sql: Sql,
  { organizationId, name, domain, email, request: previous }: JoinableOrganization,
  { userId, actor, client, at }: Admission,
): Promise<Result<Joined, Refusal<"conflict">>> {
  if (previous === "denied") return err(DENIED);
  const expiresAt = new Date(at.getTime() + JOIN_REQUEST_LIFETIME_MS);
  if (previous === "open") return ok({ status: "requested", expiresAt });
  if ((await countOpenJoinRequests(sql, organizationId, at)) >= OPEN_JOIN_REQUESTS_MAX) return err(TOO_MANY_REQUESTS);
  const id = deps.random.uuid();
  await insertJoinRequest(sql, { id, organizationId, userId, domain, createdAt: at, expiresAt });
  const resource = { type: "domain_join_request", id } as const;
  const event = { action: "domain_join.requested", at, resource, metadata: { domain } } as const;
  await recordAudit(sql, userAuditEvent(deps, actor, client, event));
  await mailJoinRequest(deps, sql, { organizationId, name, address: email, client, at });
  return ok({ status: "requested", expiresAt });
}
