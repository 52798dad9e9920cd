import type { ClientFacts } from "../../base/client-facts.ts";
import { TRUSTED_BROWSER_LIFETIME_SECONDS, TRUSTED_BROWSERS_PER_USER_MAX } from "../../base/limits.ts";
import { refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { findMfaStatus } from "../../models/second-factor/second-factor.ts";
import type { SessionView } from "../../models/session/session.ts";
import {
  hashTrustToken,
  insertTrustedBrowser,
  makeTrustToken,
  replaceTrustedBrowsers,
  type TrustedBrowser,
} from "../../models/trusted-browser/trusted-browser.ts";
import { userAuditEvent } from "../steps/audit-event.ts";

export interface CreateInput {
  readonly caller: SessionView;
  /** As the user calls it, normalised. */
  readonly name: string | null;
  /** The cookie that the browser has already, if any: its trust is replaced. */
  readonly trustToken: string | undefined;
  readonly client: ClientFacts;
}

export interface CreatedBrowser {
  readonly browser: TrustedBrowser;
  /** The value of the cookie `service_trust`. */
  readonly token: string;
}

/**
 * POST /v1/auth/trusted-browsers (decisions, section 5): from now on this browser skips the challenge of this user. Refuses with
 * `mfa_required` when the user has a second factor that this session has not seen.
 */
export async function createTrustedBrowser(
  deps: Pick<Deps, "database" | "clock" | "random">,
  input: CreateInput,
): Promise<Result<CreatedBrowser>> {
  const { caller, client } = input;
  const mfa = await deps.database.run("mfa.find_status", (sql) => findMfaStatus(sql, caller.userId));
  if (mfa.enabledAt && caller.aal !== "aal2") {
    return err(refusal("mfa_required", "Confirm your second factor to trust this browser."));
  }
  const token = makeTrustToken(deps.random);
  const createdAt = new Date(deps.clock.now());
  const browser: TrustedBrowser = {
    id: deps.random.uuid(),
    name: input.name,
    userAgent: client.userAgent,
    ipAddress: client.ipAddress,
    createdAt,
    lastUsedAt: null,
    expiresAt: new Date(createdAt.getTime() + TRUSTED_BROWSER_LIFETIME_SECONDS * 1000),
    tokenHash: hashTrustToken(token) as Buffer,
  };
  await write(deps, input, browser);
  return ok({ browser, token });
}

async function write(
  deps: Pick<Deps, "database" | "random">,
  { caller, client, trustToken }: CreateInput,
  browser: TrustedBrowser,
): Promise<void> {
  const at = browser.createdAt;
  await deps.database.run("trusted_browser.create", (sql) => {
    const fresh = { ...browser, userId: caller.userId, client };
    const audit = insertAudit(
      sql,
      userAuditEvent(deps, caller, client, {
        action: "auth.trusted_browser.created",
        at,
        resource: { type: "trusted_browser", id: browser.id },
      }),
      sql`from created`,
    );
    const keep = TRUSTED_BROWSERS_PER_USER_MAX - 1;
    return sql`
      with replaced as (${replaceTrustedBrowsers(sql, caller.userId, hashTrustToken(trustToken), keep, at)}),
      created as (${insertTrustedBrowser(sql, fresh)})
      ${audit}`;
  });
}
