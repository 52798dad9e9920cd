import { type Refusal, rateLimited, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import type { SignInDeps } from "../../deps.ts";
import { EMAIL_CHANGES_MAX, EMAIL_CHANGES_WINDOW_MS } from "../../limits/user-email-limits.ts";
import type { ActingSession } from "../../models/session/acting-session.ts";
import type { SessionView } from "../../models/session/session.ts";
import { isCoveredByAddress } from "../../models/sso-policy/enforcement.ts";
import { findOwner, type Owner } from "../../models/user/user.ts";
import { countChangesSince } from "../../models/user-email/email-change.ts";
import { confirmIdentity } from "../steps/authorization/confirm-identity.ts";
import {
  asActingSession,
  authorizeCredentialChange,
  changeCredentials,
} from "../steps/credentials/change-credentials.ts";

export interface ChangeRequest {
  readonly caller: SessionView;
  /** The result of `authorizeCredentialChange`. */
  readonly authorized: ActingSession;
  readonly password: string | undefined;
  readonly client: RequestContext;
}

/** The problems of the confirmation of the user, and of credentials that change meanwhile. */
export type ChangeProblem = "authentication_required" | "conflict" | "mfa_required" | "rate_limited";

/**
 * Runs `change` in a transaction that holds the lock of the user, for a session that has confirmed the user (docs/
 * contract.md, section 12.14). `owner` is the state of the user under the lock.
 */
export async function changeAddresses<T, Code extends ChangeProblem | "forbidden" | "not_found">(
  deps: SignInDeps,
  { caller, authorized, password, client }: ChangeRequest,
  name: string,
  change: (sql: Sql, owner: Owner, at: Date) => Promise<Result<T, Refusal<Code>>>,
): Promise<Result<T, Refusal<Code | ChangeProblem>>> {
  return await changeCredentials<T, "authentication_required" | "mfa_required", Code | ChangeProblem>(
    deps,
    caller,
    authorizeCredentialChange,
    async (acting) => {
      const confirmed = await confirmIdentity(deps, { caller, acting, password, client });
      if (!confirmed.ok) return confirmed;
      return await asActingSession(deps, name, acting, async (sql) => {
        const owner = await findOwner(sql, acting.userId);
        return await change(sql, owner, new Date(deps.clock.now()));
      });
    },
    authorized,
  );
}

/** Refuses the sixth request within an hour, by the rows in PostgreSQL, under the lock of the user. */
export async function limitChanges(
  { config }: SignInDeps,
  sql: Sql,
  userId: string,
  at: Date,
): Promise<Result<void, Refusal<"rate_limited">>> {
  if (!config.limits.enabled) return ok(undefined);
  const since = new Date(at.getTime() - EMAIL_CHANGES_WINDOW_MS);
  const { count, firstAt } = await countChangesSince(sql, userId, since);
  if (count < EMAIL_CHANGES_MAX) return ok(undefined);
  const retryAfterMs = (firstAt?.getTime() ?? at.getTime()) + EMAIL_CHANGES_WINDOW_MS - at.getTime();
  return err(rateLimited("email_changes", retryAfterMs / 1000, "too many requests for addresses"));
}

const KEPT_ADDRESS = {
  ...refusal("forbidden", "An organization requires single sign-on for this address. Leave the organization first."),
  reason: "policy_kept_address",
} as const;

/** Refuses the end of an address by which an organization requires single sign-on of the user. */
export async function permitRelease(
  sql: Sql,
  { userId }: Owner,
  email: string,
): Promise<Result<void, Refusal<"forbidden">>> {
  return (await isCoveredByAddress(sql, userId, email)) ? err(KEPT_ADDRESS) : ok(undefined);
}

export const NOT_CONTROLLED = refusal(
  "forbidden",
  "Confirm the email address of your account first.",
  "the account has no controlling proof",
);
