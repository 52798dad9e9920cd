/** Emergency access to an organization that requires single sign-on (docs/contract.md, section 29.48). */
import type { RequestContext } from "../../../base/request-context.ts";
import type { Sql } from "../../../database/database.ts";
import type { Deps, EmailDeps } from "../../../deps.ts";
import { SSO_BREAK_GLASS_SESSION_MS } from "../../../limits/sso-limits.ts";
import { recordAudit } from "../../../models/audit/audit.ts";
import { noticeTime } from "../../../models/email/email.ts";
import { isSsoRequired } from "../../../models/sso-policy/sso-policy.ts";
import { userAuditEvent } from "../audit/audit-event.ts";
import { mailOwners } from "../email/mail-owners.ts";
import { singleSignOnPageUrl } from "../email/single-sign-on-page-url.ts";

export interface BreakGlassUse {
  readonly sessionId: string;
  readonly userId: string;
  readonly organizationId: string;
  readonly email: string;
  readonly at: Date;
  readonly client: RequestContext;
}

/**
 * Whether a session in an organization uses emergency access, by the policy in memory. The database decides whether the
 * session has access; a replica that has not yet read a policy of the last second records no use.
 */
export function usesBreakGlass(
  { clock, ssoDirectory }: Pick<Deps, "clock"> & { readonly ssoDirectory: Pick<Deps["ssoDirectory"], "policyOf"> },
  { userId, organizationId }: Pick<BreakGlassUse, "userId" | "organizationId">,
): boolean {
  const policy = ssoDirectory.policyOf(organizationId);
  return isSsoRequired(policy, clock.now()) && policy.breakGlass.includes(userId);
}

/** The latest end of a session of emergency access that begins at a time, in milliseconds. */
export function breakGlassEnd(beginMs: number): number {
  return beginMs + SSO_BREAK_GLASS_SESSION_MS;
}

/** Records a use of emergency access and queues a mail to all owners, in the transaction of the session. */
export async function recordBreakGlassUse(deps: EmailDeps, sql: Sql, use: BreakGlassUse): Promise<void> {
  const { sessionId, userId, organizationId, email, at, client } = use;
  const resource = { type: "session", id: sessionId } as const;
  const event = { action: "auth.sso.break_glass_used", at, resource } as const;
  await recordAudit(sql, userAuditEvent(deps, { userId, organizationId }, client, event));
  const values = {
    address: email,
    time: noticeTime(at),
    link: singleSignOnPageUrl(deps.config.urls.publicBaseUrl),
  };
  await mailOwners(deps, sql, organizationId, { kind: "sso_break_glass_used", values }, { at });
}
