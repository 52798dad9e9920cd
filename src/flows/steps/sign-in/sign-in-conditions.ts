/** The conditions of a sign-in, as CTEs of the statement that inserts the session. */

import type { Fragment, Sql } from "../../../database/database.ts";
import { type Cte, cte } from "../../../database/statement.ts";
import type { SessionAssurance } from "../../../models/conditions/organization-access.ts";
import { insertPersonalMember, lockActiveMembership, unmanagedUser } from "../../../models/member/member.ts";
import { insertPersonalOrganization } from "../../../models/organization/organization.ts";
import type { AdmissibleCandidate } from "../../../models/user/sign-in-candidate.ts";
import type { SignInEntry } from "../../../models/user/user.ts";
import type { AssuranceLevel, FirstFactor } from "../../../vocabulary/assurance.ts";

/** CTEs of a sign-in method in the statement that inserts the session, in order. */
export interface SignInConditions {
  /** The membership: `organization_id` and `role`. */
  readonly membership: Fragment;
  /** One row if the user may sign in. Without the row no session is inserted. */
  readonly account: Fragment;
  readonly [cte: string]: Fragment | undefined;
}

/** The CTEs that a sign-in method adds to the statement of an existing user. */
export interface SignInParts {
  /** Checks under lock whether the user may still guess; one row if so. `membership`: the CTE of the membership. */
  readonly allow?: ((sql: Sql, membership: Cte) => Fragment) | undefined;
  /**
   * Consumes the single-use credential: without the row of the credential no session is inserted. `allowed`: the CTE of
   * `allow`, joined with the CTE of `touch`, if any, so that a browser revoked meanwhile leaves the credential unused.
   */
  readonly consume?: ((sql: Sql, allowed: Cte | Fragment) => Fragment) | undefined;
  /** Updates the trusted browser: a revoked browser has no row, and no session is inserted. */
  readonly touch?: ((sql: Sql) => Fragment) | undefined;
  /** Inserts an email to the owner of the account, for the row of `account`. */
  readonly notice?: ((sql: Sql, account: Cte) => Fragment) | undefined;
  /** Only for a completed sign-in: `record` has a row for a browser to notify of, and `notice` inserts the email. */
  readonly newBrowser?:
    | {
        readonly record: (sql: Sql, account: Cte) => Fragment;
        readonly notice: (sql: Sql, recorded: Cte) => Fragment;
      }
    | undefined;
  /** Inserts a further audit record, for the row of `account`. */
  readonly record?: ((sql: Sql, account: Cte) => Fragment) | undefined;
}

/** A sign-in by a method of the user's own, or by an identity provider of an organization, that completes now. */
export interface CompletingSignIn {
  readonly method: FirstFactor;
  readonly provider?: string | undefined;
  readonly aal: AssuranceLevel;
  readonly at: Date;
  readonly address: string | null;
}

/** The assurance of the session that a sign-in leads to. */
export function ownAssurance({ method, provider, aal, at, address }: CompletingSignIn): SessionAssurance {
  const phishingResistant = method === "passkey";
  return { method, provider: provider ?? null, aal, phishingResistant, authTime: at, isBound: false, address };
}

/** The CTE with a row if the user is notified of a new browser. */
export const NEW_BROWSER = "new_browser";

/**
 * The conditions for an existing user: membership, single-use credential and account, all checked under lock.
 * `assurance`: of the session that the sign-in leads to. `lockAccount`: locks the user's row if its `from` has a row.
 */
export function existingUserConditions(
  sql: Sql,
  entry: SignInEntry & Pick<AdmissibleCandidate, "createsPersonal">,
  assurance: SessionAssurance,
  parts: SignInParts,
  lockAccount: (from: Fragment) => Fragment,
): SignInConditions {
  const [membership, allowed, consumed, touched, account] = [
    cte(sql, "membership"),
    cte(sql, "allowed"),
    cte(sql, "consumed"),
    cte(sql, "touched"),
    cte(sql, "account"),
  ];
  const ofCredential = parts.consume ? sql`, ${consumed}` : sql``;
  const ofBrowser = parts.touch ? sql`, ${touched}` : sql``;
  const { userId, createsPersonal } = entry;
  return {
    created: createsPersonal && insertPersonalOrganization(sql, userId, assurance.authTime, unmanagedUser(sql, userId)),
    membership: createsPersonal
      ? insertPersonalMember(sql, userId, assurance.authTime)
      : lockActiveMembership(sql, entry, assurance, assurance.authTime),
    allowed: parts.allow?.(sql, membership),
    touched: parts.touch?.(sql),
    consumed: parts.consume?.(sql, parts.touch ? sql`${allowed}, ${touched}` : allowed),
    account: lockAccount(sql`from ${membership}${ofCredential}${ofBrowser}`),
    notice: parts.notice?.(sql, account),
    [NEW_BROWSER]: parts.newBrowser?.record(sql, account),
    new_browser_notice: parts.newBrowser?.notice(sql, cte(sql, NEW_BROWSER)),
    recorded: parts.record?.(sql, account),
  };
}
