import { inertName } from "../../../base/display-name.ts";
import { invalidInput } from "../../../base/invalid-input.ts";
import { type Refusal, refusal } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Sql } from "../../../database/database.ts";
import { lockName } from "../../../database/statement.ts";
import type { EmailDeps } from "../../../deps.ts";
import { SSO_PAUSE_MS, SSO_PAUSE_REASON_MAX_CHARACTERS } from "../../../limits/sso-limits.ts";
import { insertAudit } from "../../../models/audit/audit.ts";
import { noticeTime } from "../../../models/email/email.ts";
import { findOrganization } from "../../../models/organization/organization.ts";
import type { SessionEvent } from "../../../models/session/revocation.ts";
import { ssoPolicyLock } from "../../../models/sso-policy/policy-lock.ts";
import { findPolicy, pausePolicy, type SsoPolicy } from "../../../models/sso-policy/sso-policy.ts";
import { announcePolicy, logPolicyChange, type PolicyDeps } from "../../organization-policies/announce-policy.ts";
import { userAuditEvent } from "../../steps/audit/audit-event.ts";
import { NO_SUCH_ORGANIZATION } from "../../steps/authorization/authorize-member.ts";
import type { PlatformCaller } from "../../steps/authorization/authorize-platform-role.ts";
import { mailOwners } from "../../steps/email/mail-owners.ts";
import { singleSignOnPageUrl } from "../../steps/email/single-sign-on-page-url.ts";
import { textFlaw } from "../connections/setting-flaws.ts";

export interface PauseInput {
  /** An Admin or higher with a step-up. */
  readonly caller: PlatformCaller;
  readonly organizationId: string;
  readonly reason: string;
  readonly client: RequestContext;
}

interface Paused {
  readonly policy: SsoPolicy;
  /** To announce after the commit. */
  readonly events: readonly SessionEvent[];
}

const NOT_PAUSED = refusal("conflict", "The requirement of this organization is not paused.");
const NOT_REQUIRED = refusal("conflict", "This organization does not require single sign-on.");

/**
 * POST /v1/admin/orgs/:id/sso/pause (docs/contract.md, section 29.49): members may use their own sign-in methods for 24
 * hours. A second pause begins the 24 hours anew. Needs PostgreSQL alone.
 */
export async function pauseSsoPolicy(
  deps: EmailDeps & PolicyDeps,
  input: PauseInput,
): Promise<Result<SsoPolicy, Refusal<"conflict" | "invalid_input" | "not_found">>> {
  const { organizationId } = input;
  const reason = input.reason.trim();
  const flaw = textFlaw(reason, SSO_PAUSE_REASON_MAX_CHARACTERS);
  if (flaw) return err(invalidInput("reason", flaw.rule, flaw.text));
  const paused = await deps.database.transaction<Result<Paused, Refusal<"conflict" | "not_found">>>(
    "sso_policy.pause",
    async (sql) => {
      if (!(await findOrganization(sql, organizationId))) return err(NO_SUCH_ORGANIZATION);
      await lockName(sql, ssoPolicyLock(organizationId));
      const { mode } = await findPolicy(sql, organizationId);
      if (mode !== "required") return err(NOT_REQUIRED);
      return ok(await persistPause(deps, sql, { ...input, reason }));
    },
  );
  if (!paused.ok) return paused;
  deps.outbox.wake();
  await announcePolicy(deps, paused.value.events);
  return ok(paused.value.policy);
}

/** DELETE /v1/admin/orgs/:id/sso/pause (docs/contract.md, section 29.49): the requirement applies again at once. */
export async function endSsoPause(
  deps: EmailDeps & PolicyDeps,
  { caller, organizationId, client }: Omit<PauseInput, "reason">,
): Promise<Result<SsoPolicy, Refusal<"conflict" | "not_found">>> {
  const ended = await deps.database.transaction<Result<Paused, Refusal<"conflict" | "not_found">>>(
    "sso_policy.end_pause",
    async (sql) => {
      if (!(await findOrganization(sql, organizationId))) return err(NO_SUCH_ORGANIZATION);
      await lockName(sql, ssoPolicyLock(organizationId));
      const at = new Date(deps.clock.now());
      const { pausedUntil } = await findPolicy(sql, organizationId);
      if (pausedUntil === null || pausedUntil <= at) return err(NOT_PAUSED);
      const actor = { ...caller.actor, organizationId };
      const resource = { type: "organization", id: organizationId } as const;
      const event = { action: "sso.policy.updated", at, resource, metadata: { fields: "paused_until" } } as const;
      const entry = userAuditEvent(deps, actor, client, event);
      await sql`
        with ended as (${pausePolicy(sql, organizationId, null, at)}) ${insertAudit(sql, entry, sql`from ended`)}`;
      const events = await logPolicyChange(deps, sql, organizationId, "sso_policy_changed", at);
      return ok({ policy: await findPolicy(sql, organizationId), events });
    },
  );
  if (!ended.ok) return ended;
  await announcePolicy(deps, ended.value.events);
  return ok(ended.value.policy);
}

async function persistPause(
  deps: EmailDeps & PolicyDeps,
  sql: Sql,
  { caller, organizationId, reason, client }: PauseInput,
): Promise<Paused> {
  const at = new Date(deps.clock.now());
  const until = new Date(at.getTime() + SSO_PAUSE_MS);
  const actor = { ...caller.actor, organizationId };
  const resource = { type: "organization", id: organizationId } as const;
  const event = {
    action: "sso.policy.paused",
    at,
    resource,
    metadata: { reason, until: until.toISOString() },
  } as const;
  const entry = userAuditEvent(deps, actor, client, event);
  await sql`
    with paused as (${pausePolicy(sql, organizationId, until, at)}) ${insertAudit(sql, entry, sql`from paused`)}`;
  const events = await logPolicyChange(deps, sql, organizationId, "sso_policy_changed", at);
  const link = singleSignOnPageUrl(deps.config.urls.publicBaseUrl);
  const mail = { kind: "sso_paused", values: { reason: inertName(reason), time: noticeTime(until), link } } as const;
  await mailOwners(deps, sql, organizationId, mail, { at });
  return { policy: await findPolicy(sql, organizationId), events };
}
