/** The figures of the console's overview. Each statement reads an index and is bounded (`console-limits.ts`). */
import type { Refusal } from "../../base/problem.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import {
  ATTENTION_COUNTED_MAX,
  ATTENTION_ITEMS_MAX,
  AUDIT_CHART_SPAN_HOURS,
  EMAIL_ATTEMPTS_FAILED,
  KEY_EXPIRY_NOTICE_MS,
} from "../../limits/console-limits.ts";
import { countFailedEmails } from "../../models/email/email.ts";
import { type ExpiringKey, listExpiringKeys } from "../../models/service-account/expiring-keys.ts";
import type { ConnectionOrganization, HeldConnection } from "../../models/sso-connection/held-connection.ts";
import { type FailingWebhook, listFailingWebhooks } from "../../models/webhook/notice.ts";
import { SIGN_INS } from "../../vocabulary/audit-action.ts";
import { type AuditChart, chartAuditLogs } from "../audit/chart.ts";
import type { PlatformCaller } from "../steps/authorization/authorize-platform-role.ts";

type OverviewDeps = Pick<Deps, "reads" | "clock" | "ssoDirectory">;

/** A figure of the last day, and the figure of the day before. */
export interface DayFigure {
  readonly count: number;
  readonly before: number;
}

/** The first items, and the number of all items up to `ATTENTION_COUNTED_MAX`. */
interface AttentionList<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

export interface PlatformFigures {
  readonly signIns: DayFigure;
  readonly failures: DayFigure;
  readonly failedEmails: number;
  readonly expiringKeys: AttentionList<ExpiringKey>;
  readonly failingWebhooks: AttentionList<FailingWebhook>;
  readonly companySignIns: AttentionList<CompanySignIn>;
}

/** An organization whose members sign in at its own identity provider. */
export interface CompanySignIn {
  readonly organization: ConnectionOrganization;
  /** The active connections, oldest first. */
  readonly connections: readonly HeldConnection[];
}

const HOUR_MS = 3_600_000;
const BOUNDS = { limit: ATTENTION_ITEMS_MAX, countedMax: ATTENTION_COUNTED_MAX };

/** The figures for the console. `caller`: a Viewer or higher. */
export async function readPlatformFigures(
  deps: OverviewDeps,
  caller: PlatformCaller,
): Promise<Result<PlatformFigures, Refusal<"invalid_input">>> {
  const at = new Date(deps.clock.now());
  const until = new Date(at.getTime() + KEY_EXPIRY_NOTICE_MS);
  const [signIns, failedEmails, expiringKeys, failingWebhooks] = await Promise.all([
    countSignIns(deps, caller, at),
    deps.reads.run("outbox.count_failed", caller.reader, (sql) =>
      countFailedEmails(sql, EMAIL_ATTEMPTS_FAILED, ATTENTION_COUNTED_MAX),
    ),
    deps.reads.run("api_key.list_expiring", caller.reader, (sql) => listExpiringKeys(sql, { at, until }, BOUNDS)),
    deps.reads.run("webhook.list_failing", caller.reader, (sql) => listFailingWebhooks(sql, BOUNDS)),
  ]);
  if (!signIns.ok) return signIns;
  const companySignIns = listCompanySignIns(deps);
  return ok({ ...signIns.value, failedEmails, expiringKeys, failingWebhooks, companySignIns });
}

/** The first organizations by name. Reads the memory of this replica. */
function listCompanySignIns({ ssoDirectory }: Pick<OverviewDeps, "ssoDirectory">): AttentionList<CompanySignIn> {
  const all = ssoDirectory.ofEveryOrganization().flatMap((connections) => {
    const [first] = connections;
    return first ? [{ organization: first.organization, connections }] : [];
  });
  const byName = all.sort((one, other) => (one.organization.name < other.organization.name ? -1 : 1));
  return { items: byName.slice(0, ATTENTION_ITEMS_MAX), total: all.length };
}

/** The day of the audit trail's preset: from the whole hour of a day ago, until now. */
async function countSignIns(
  deps: OverviewDeps,
  caller: PlatformCaller,
  at: Date,
): Promise<Result<Pick<PlatformFigures, "signIns" | "failures">, Refusal<"invalid_input">>> {
  const dayMs = AUDIT_CHART_SPAN_HOURS * HOUR_MS;
  const begins = Math.floor(at.getTime() / HOUR_MS) * HOUR_MS - dayMs;
  const chartOf = (from: number, to: number) => {
    const period = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
    return chartAuditLogs(deps, { caller, actorId: undefined, action: SIGN_INS, ...period });
  };
  const [day, before] = await Promise.all([
    chartOf(begins, at.getTime()),
    chartOf(begins - dayMs, at.getTime() - dayMs),
  ]);
  if (!day.ok) return day;
  if (!before.ok) return before;
  const succeeded = ({ total, failures }: AuditChart) => total - failures;
  return ok({
    signIns: { count: succeeded(day.value), before: succeeded(before.value) },
    failures: { count: day.value.failures, before: before.value.failures },
  });
}
