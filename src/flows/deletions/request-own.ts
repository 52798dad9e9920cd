import { invalidInput } from "../../base/invalid-input.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import type { SignInDeps } from "../../deps.ts";
import { lockEmailCode } from "../../models/email-code/email-code.ts";
import type { ActingSession } from "../../models/session/acting-session.ts";
import type { SessionView } from "../../models/session/session.ts";
import { type ConfirmedCode, confirmEmailCode, WRONG_CODE } from "../steps/authorization/confirm-email-code.ts";
import { confirmPasswordOrStepUp } from "../steps/authorization/confirm-identity.ts";
import {
  asActingSession,
  authorizeCredentialChange,
  changeCredentials,
} from "../steps/credentials/change-credentials.ts";
import {
  type ClosedAccount,
  closeAccount,
  lockBeforeClosing,
  type PendingDeletion,
} from "../steps/deletion/close-account.ts";
import { announceSuspensionChange } from "../steps/sessions/end-organization-sessions.ts";

export interface OwnDeletion {
  readonly caller: SessionView;
  /** The result of `authorizeCredentialChange`. */
  readonly authorized?: ActingSession;
  readonly password: string | undefined;
  /** An emailed code, for a user without a password. */
  readonly code: string | undefined;
  readonly client: RequestContext;
}

export type DeletionProblem =
  | "authentication_required"
  | "conflict"
  | "invalid_input"
  | "mfa_required"
  | "not_found"
  | "rate_limited";

/**
 * POST /v1/users/me/deletion (docs/contract.md, section 30.1): closes the account at once on every replica; a
 * replica erases the account after `SERVICE_ACCOUNT_DELETION_DAYS`. `conflict` names the organizations that would have
 * no owner.
 */
export async function requestOwnDeletion(
  deps: SignInDeps,
  { caller, authorized, password, code, client }: OwnDeletion,
): Promise<Result<PendingDeletion, Refusal<DeletionProblem>>> {
  if (password !== undefined && code !== undefined) {
    return err(invalidInput("code", "format", "must not be given together with a password"));
  }
  let confirmed: Confirmation | undefined;
  const outcome = await changeCredentials<
    ClosedAccount,
    "authentication_required" | "mfa_required",
    Exclude<DeletionProblem, "invalid_input">
  >(
    deps,
    caller,
    authorizeCredentialChange,
    async (acting) => {
      // An attempt with a code counts once: a repetition after a concurrent change needs no second attempt.
      if (!confirmed) {
        const confirmation = await confirm(deps, { caller, acting, password, code, client });
        if (!confirmation.ok) return confirmation;
        confirmed = confirmation.value;
      }
      const { userId } = acting;
      const { emailCode } = confirmed;
      let isUnused = true;
      // The closing of the account deletes the code; a refusal of the closing leaves the code.
      const close = async (sql: Sql) => {
        const at = new Date(deps.clock.now());
        if (!isUnused) return err({ ...WRONG_CODE, cause: "used_meanwhile" });
        return await closeAccount(deps, sql, { userId, actor: caller, reason: null, client, at });
      };
      return await asActingSession(deps, "user.request_deletion", acting, close, async (sql) => {
        if (emailCode) isUnused = (await sql`select 1 ${lockEmailCode(sql, emailCode.id)}`).length > 0;
        await lockBeforeClosing(sql, userId);
      });
    },
    authorized,
  );
  if (!outcome.ok) return outcome;
  deps.outbox.wake();
  // Organizations without another member are suspended with the account.
  await announceSuspensionChange(deps, outcome.value.events);
  return ok(outcome.value.deletion);
}

interface Confirmation {
  /** Undefined: a password or a step-up. */
  readonly emailCode?: ConfirmedCode;
}

/** The password or a step-up; from a user without a password an emailed code in place of the password. */
async function confirm(
  deps: SignInDeps,
  input: Omit<OwnDeletion, "authorized"> & { readonly acting: ActingSession },
): Promise<Result<Confirmation, Refusal<"authentication_required" | "conflict" | "mfa_required" | "rate_limited">>> {
  const { code, ...identity } = input;
  if (code !== undefined) {
    const emailCode = await confirmEmailCode(deps, { ...input, code });
    return emailCode.ok ? ok({ emailCode: emailCode.value }) : emailCode;
  }
  const confirmed = await confirmPasswordOrStepUp(deps, identity);
  const isCodeMissing =
    !confirmed.ok && confirmed.error.code === "authentication_required" && !input.acting.hasPassword;
  if (isCodeMissing) return err(CODE_MISSING);
  return confirmed.ok ? ok({}) : confirmed;
}

const CODE_MISSING = refusal("authentication_required", "Enter a code from an email to continue.");
