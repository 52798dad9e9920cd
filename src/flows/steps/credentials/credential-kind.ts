import type { RequestContext } from "../../../base/request-context.ts";
import type { Sql } from "../../../database/database.ts";
import type { SessionDeps } from "../../../deps.ts";
import type { AuditEntry } from "../../../models/audit/audit.ts";
import type { SetUpPeriod } from "../../../models/conditions/set-up-period.ts";
import type { ProviderTokenKind, TokenKind } from "../../../models/token/claims.ts";
import type { ControlState } from "../../../models/user/control.ts";
import type { CredentialsEnd } from "../../../vocabulary/control-proof.ts";
import type { ComposeDeps } from "../email/compose-email.ts";
import type { EndedAccess } from "../sessions/read-ended.ts";

/**
 * The first controlling proof of an account, the undo of a change of the address, a disowned sign-in, or the move of a
 * managed account to another mailbox, inside the transaction, with the user's row locked.
 */
export interface Removal {
  readonly userId: string;
  readonly organizationId: string | null;
  readonly proof: CredentialsEnd;
  readonly reason:
    | "control_proven"
    | "email_reverted"
    | "sign_in_disowned"
    | "credentials_ended"
    | "managed_address_changed";
  /**
   * Undefined: every credential ends. Otherwise only credentials of the period end (docs/contract.md, section 12.14);
   * sessions, trusted browsers, tokens, codes and the password end in any case.
   */
  readonly period?: SetUpPeriod;
  readonly before: ControlState;
  /** The session that the proof itself inserted, if any. */
  readonly keepSession?: string | undefined;
  readonly client: RequestContext;
  readonly at: Date;
}

export interface CredentialKind {
  /** The tables with credentials of this kind. */
  readonly tables: readonly string[];
  /** The kinds of signed tokens that end with the credential. */
  readonly tokens: readonly (TokenKind | ProviderTokenKind)[];
  /** The audit record of each ended item. Absent: the removal writes the records, or there are none. */
  readonly record?: Pick<AuditEntry, "action" | "resourceType">;
  /** In the metadata of `auth.control.proven`: as a flag or a number; `nonzero`: a number where something ended. */
  readonly summary?: "flag" | "count" | "nonzero";
  /** Whether the notice to the owner names each item. */
  readonly isNoticed: boolean;
  /**
   * Needs a permission of the organization, and serves the organization rather than a sign-in: continues after a move
   * of a managed account to another mailbox (docs/contract.md, section 29.12).
   */
  readonly servesOrganization?: true;
  /**
   * What a reset of the password does with the credentials of an account with an earlier proof (docs/contract.md,
   * section 12.16). `ended`: all end. `held`: recent ones give no sign-in until the user confirms. `listed`: recent
   * ones remain, and the user may end them. Held credentials are listed too.
   */
  readonly afterReset: "ended" | "held" | "listed";
  readonly remove: (deps: SessionDeps & ComposeDeps, sql: Sql, removal: Removal) => Promise<EndedAccess>;
}
