/** The figures of the console's overview. Each statement reads an index and is bounded (`console-limits.ts`). */
import type { Deps } from "../../deps.ts";
import {
  ATTENTION_COUNTED_MAX,
  ATTENTION_ITEMS_MAX,
  EMAIL_ATTEMPTS_FAILED,
  KEY_EXPIRY_NOTICE_MS,
} from "../../limits/console-limits.ts";
import { countFailedEmails } from "../../models/email/email.ts";
import { type ExpiringKey, listExpiringKeys } from "../../models/service-account/expiring-keys.ts";
import type { ConnectionOrganization, HeldConnection } from "../../models/sso-connection/held-connection.ts";
import { type FailingWebhook, listFailingWebhooks } from "../../models/webhook/notice.ts";
import type { PlatformCaller } from "../steps/authorization/authorize-platform-role.ts";

type OverviewDeps = Pick<Deps, "reads" | "clock" | "ssoDirectory">;

/** The first items, and the number of all items up to `ATTENTION_COUNTED_MAX`. */
interface AttentionList<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

export interface PlatformFigures {
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

const BOUNDS = { limit: ATTENTION_ITEMS_MAX, countedMax: ATTENTION_COUNTED_MAX };

/** The figures for the console. `caller`: a Viewer or higher. */
export async function readPlatformFigures(deps: OverviewDeps, caller: PlatformCaller): Promise<PlatformFigures> {
  const at = new Date(deps.clock.now());
  const until = new Date(at.getTime() + KEY_EXPIRY_NOTICE_MS);
  const [failedEmails, expiringKeys, failingWebhooks] = await Promise.all([
    deps.reads.run("outbox.count_failed", caller.reader, (sql) =>
      countFailedEmails(sql, EMAIL_ATTEMPTS_FAILED, ATTENTION_COUNTED_MAX),
    ),
    deps.reads.run("api_key.list_expiring", caller.reader, (sql) => listExpiringKeys(sql, { at, until }, BOUNDS)),
    deps.reads.run("webhook.list_failing", caller.reader, (sql) => listFailingWebhooks(sql, BOUNDS)),
  ]);
  return { failedEmails, expiringKeys, failingWebhooks, companySignIns: listCompanySignIns(deps) };
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
