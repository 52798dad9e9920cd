/** Hosts whose metadata documents identify no client, by platform administrators (docs/contract.md, section 23.30). */
import { invalidFields } from "../../../base/invalid-input.ts";
import { type Refusal, refusal } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { canonicalHost } from "../../../base/stored-url.ts";
import { pagesById } from "../../../database/pages-by-id.ts";
import type { Deps } from "../../../deps.ts";
import { BLOCKED_CLIENTS_READ_AT_ONCE, BLOCKED_HOSTS_MAX } from "../../../limits/oauth-limits.ts";
import { insertAudit } from "../../../models/audit/audit.ts";
import {
  type BlockedHost,
  clientIdsOfHost,
  deleteBlockedHost,
  insertBlockedHost,
  listBlockedHosts,
} from "../../../models/oauth-client/blocked-host.ts";
import type { AuditAction } from "../../../vocabulary/audit-action.ts";
import { userAuditEvent } from "../../steps/audit/audit-event.ts";
import type { PlatformCaller } from "../../steps/authorization/authorize-platform-role.ts";
import { endTokensOfClient } from "../clients/end-client.ts";
import type { EndFamiliesDeps } from "../clients/end-families.ts";

export type BlockHostsDeps = EndFamiliesDeps & { readonly blockedHosts: Pick<Deps["blockedHosts"], "changed"> };

interface Administration {
  readonly caller: PlatformCaller;
  readonly client: RequestContext;
}

const NO_HOST = invalidFields([
  { field: "host", rule: "format", text: "must be a host such as example.com, or *.example.com" },
]);
const NOT_BLOCKED = refusal("not_found", "The host is not blocked.");
const TOO_MANY = refusal("conflict", `There are already ${BLOCKED_HOSTS_MAX} blocked hosts.`);

/** All blocked hosts in the order of their names. */
export async function listBlocked(
  { database }: Pick<Deps, "database">,
  _caller: PlatformCaller,
): Promise<readonly BlockedHost[]> {
  return await database.run("oauth_blocked_host.list", listBlockedHosts);
}

/**
 * Blocks a host: its documents identify no client, and the tokens of its clients end. A request that fails half way can
 * be repeated. `conflict`: there are too many hosts.
 */
export async function blockHost(
  deps: BlockHostsDeps,
  { host: text, ...by }: Administration & { readonly host: string },
): Promise<Result<void, Refusal<"conflict" | "invalid_input">>> {
  const host = readHost(text);
  if (host === undefined) return err(NO_HOST);
  const createdAt = new Date(deps.clock.now());
  const event = auditOf(deps, by, "oauth.host.blocked", host, createdAt);
  const [row] = await deps.database.run(
    "oauth_blocked_host.insert",
    (sql) => sql<{ isBlocked: boolean }[]>`
      with created as (${insertBlockedHost(sql, { host, createdAt }, BLOCKED_HOSTS_MAX)}),
      audit as (${insertAudit(sql, event, sql`from created`)})
      select exists (select 1 from created)
          or exists (select 1 from oauth_blocked_hosts where host = ${host}) as "isBlocked"`,
  );
  if (!row?.isBlocked) return err(TOO_MANY);
  await deps.blockedHosts.changed();
  await endTokensOfHost(deps, host);
  return ok(undefined);
}

/** Permits the documents of a host again. Ended tokens stay ended. */
export async function unblockHost(
  deps: BlockHostsDeps,
  { host, ...by }: Administration & { readonly host: string },
): Promise<Result<void, Refusal<"not_found">>> {
  const event = auditOf(deps, by, "oauth.host.unblocked", host, new Date(deps.clock.now()));
  const rows = await deps.database.run(
    "oauth_blocked_host.delete",
    (sql) => sql`
      with deleted as (${deleteBlockedHost(sql, host)}),
      audit as (${insertAudit(sql, event, sql`from deleted`)})
      select 1 from deleted`,
  );
  if (rows.length === 0) return err(NOT_BLOCKED);
  await deps.blockedHosts.changed();
  return ok(undefined);
}

/** The host in the form of URLs, or `*.example.com`; undefined for other text. A dot at the end names the same host. */
function readHost(text: string): string | undefined {
  const trimmed = text.trim().replace(/\.$/, "");
  if (!trimmed.startsWith("*.")) return canonicalHost(trimmed);
  const domain = canonicalHost(trimmed.slice(2));
  return domain && `*.${domain}`;
}

async function endTokensOfHost(deps: BlockHostsDeps, host: string): Promise<void> {
  const read = (after: string) =>
    deps.database.run("oauth_client.ids_of_host", (sql) =>
      clientIdsOfHost(sql, host, after, BLOCKED_CLIENTS_READ_AT_ONCE),
    );
  for await (const ids of pagesById(BLOCKED_CLIENTS_READ_AT_ONCE, read, (id) => id)) {
    for (const id of ids) await endTokensOfClient(deps, id);
  }
}

function auditOf(
  deps: Pick<Deps, "random">,
  { caller, client }: Administration,
  action: Extract<AuditAction, `oauth.host.${string}`>,
  host: string,
  at: Date,
) {
  return userAuditEvent(deps, caller.actor, client, {
    action,
    at,
    resource: { type: "oauth_host", id: host },
    metadata: {},
  });
}
