import { NO_CLIENT } from "../../base/request-context.ts";
import type { Sql } from "../../database/database.ts";
import type { Deps } from "../../deps.ts";
import {
  WEBHOOK_FAILING_NOTICE_MS,
  WEBHOOK_NOTICE_RECIPIENTS_MAX,
  WEBHOOK_NOTICES_BATCH,
} from "../../limits/machine-limits.ts";
import { type EmailContent, insertEmail, noticeTime } from "../../models/email/email.ts";
import { listResponsibleUsers } from "../../models/user/user.ts";
import { claimNotices, type NoticedWebhook } from "../../models/webhook/notice.ts";
import { type ComposeDeps, composeEmail } from "../steps/email/compose-email.ts";

export type NotifyDeps = ComposeDeps & Pick<Deps, "clock" | "database">;

/**
 * Mails the owners of webhooks after an hour of failures, and of webhooks disabled by the service: once for every
 * cause, over all replicas (docs/contract.md, section 26.3). Returns the number of written emails. The claim and the
 * emails are one transaction, so a crash loses no email.
 */
export async function notifyWebhookOwners(deps: NotifyDeps): Promise<number> {
  const at = new Date(deps.clock.now());
  const failingBefore = new Date(at.getTime() - WEBHOOK_FAILING_NOTICE_MS);
  return await deps.database.transaction("webhook.notify_owners", async (sql) => {
    const noticed = await claimNotices(sql, { at, failingBefore, limit: WEBHOOK_NOTICES_BATCH });
    let written = 0;
    for (const webhook of noticed) written += await writeNotices(deps, sql, webhook, at);
    return written;
  });
}

async function writeNotices(deps: NotifyDeps, sql: Sql, webhook: NoticedWebhook, at: Date): Promise<number> {
  const owners = await listResponsibleUsers(sql, webhook.organizationId, WEBHOOK_NOTICE_RECIPIENTS_MAX);
  const tenants = { organizationId: webhook.organizationId ?? undefined };
  const email = { mail: contentOf(deps, webhook), tenants, client: NO_CLIENT, at };
  for (const owner of owners) await insertEmail(sql, composeEmail(deps, { ...email, to: owner }));
  return owners.length;
}

function contentOf({ config }: Pick<Deps, "config">, webhook: NoticedWebhook): EmailContent {
  const { organizationId, url, since, reason } = webhook;
  const page = organizationId === null ? "/admin/machines" : "/machines";
  const values = {
    webhook_host: new URL(url).hostname,
    time: noticeTime(since),
    link: `${config.urls.publicBaseUrl}${page}?part=webhooks`,
    is_gone: reason === "gone",
    is_backlog: reason === "backlog",
  };
  return { kind: reason === "failing" ? "webhook_failing" : "webhook_disabled", values };
}
