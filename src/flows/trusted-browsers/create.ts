import { hashOpaqueToken, makeOpaqueToken } from "../../base/opaque-token.ts";
import type { Refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import { TRUSTED_BROWSER_LIFETIME_SECONDS, TRUSTED_BROWSERS_PER_USER_MAX } from "../../limits/credential-limits.ts";
import { type AuditEntry, insertAudit } from "../../models/audit/audit.ts";
import type { ActingSession } from "../../models/session/acting-session.ts";
import type { SessionView } from "../../models/session/session.ts";
import {
  insertTrustedBrowser,
  replaceTrustedBrowsers,
  type TrustedBrowser,
} from "../../models/trusted-browser/trusted-browser.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import {
  asActingSession,
  authorizeCredentialChange,
  changeCredentials,
} from "../steps/credentials/change-credentials.ts";

export interface CreateInput {
  readonly caller: SessionView;
  /** The result of `authorizeCredentialChange`. */
  readonly authorized: ActingSession;
  /** Normalised. */
  readonly name: string | null;
  /** The cookie `service_trust` of the request, if any: the new entry replaces the entry of the cookie. */
  readonly trustToken: string | undefined;
  readonly client: RequestContext;
}

export interface CreatedBrowser {
  readonly browser: TrustedBrowser;
  /** The value of the cookie `service_trust`. */
  readonly token: string;
}

/**
 * POST /v1/auth/trusted-browsers (docs/contract.md, section 10.1): this browser skips the challenge of this user.
 * `mfa_required` means that the user has a second factor that the session did not verify, also after a concurrent
 * enrolment.
 */
export async function createTrustedBrowser(
  deps: StoreDeps,
  input: CreateInput,
): Promise<Result<CreatedBrowser, Refusal<"authentication_required" | "mfa_required" | "rate_limited">>> {
  const { caller, authorized, client } = input;
  const token = makeOpaqueToken(deps.random);
  const createdAt = new Date(deps.clock.now());
  const browser: TrustedBrowser = {
    id: deps.random.uuid(),
    name: input.name,
    userAgent: client.userAgent,
    ipAddress: client.ipAddress,
    lastIpAddress: client.ipAddress,
    createdAt,
    lastUsedAt: null,
    expiresAt: new Date(createdAt.getTime() + TRUSTED_BROWSER_LIFETIME_SECONDS * 1000),
    tokenHash: hashOpaqueToken(token) as Buffer,
  };
  const change = async (acting: ActingSession) =>
    (await persistBrowser(deps, input, acting, browser)) ? ok({ browser, token }) : undefined;
  return await changeCredentials(deps, caller, authorizeCredentialChange, change, authorized);
}

/**
 * Runs in a transaction that sees the entries of a concurrent request that committed first, so that the bound holds.
 * False after a concurrent change of the credentials or the session.
 */
async function persistBrowser(
  deps: StoreDeps,
  { caller, client, trustToken }: CreateInput,
  acting: ActingSession,
  browser: TrustedBrowser,
): Promise<boolean> {
  const { userId } = caller;
  const at = browser.createdAt;
  const replaced = { tokenHash: hashOpaqueToken(trustToken), keep: TRUSTED_BROWSERS_PER_USER_MAX - 1, at };
  const entry = userAuditEvent(deps, caller, client, {
    action: "auth.trusted_browser.created",
    at,
    resource: { type: "trusted_browser", id: browser.id },
  });
  const persisted = await asActingSession(deps, "trusted_browser.create", acting, async (sql) => {
    const ended = await sql<{ id: string }[]>`${replaceTrustedBrowsers(sql, userId, replaced)}`;
    await sql`
      with created as (${insertTrustedBrowser(sql, { ...browser, userId, client })}),
      audit_of_ended as (${auditOfReplaced(deps, sql, entry, ended)})
      ${insertAudit(sql, entry, sql`from created`)}`;
    return true;
  });
  return persisted ?? false;
}

/** CTE fragment: inserts a record for every entry that the new entry replaced. `entry`: the record of the new entry. */
function auditOfReplaced(
  deps: Pick<Deps, "random">,
  sql: Sql,
  entry: AuditEntry,
  ended: readonly { readonly id: string }[],
): Fragment {
  const ids = ended.map(({ id }) => id);
  const eventIds = ids.map(() => deps.random.uuid());
  return insertAudit(
    sql,
    {
      ...entry,
      action: "auth.trusted_browser.revoked",
      eventId: sql`ended.event_id`,
      resourceId: sql`ended.id`,
      metadata: { reason: "replaced" },
    },
    sql`from unnest(${ids}::uuid[], ${eventIds}::uuid[]) ended (id, event_id)`,
  );
}
