import { invalidFields, invalidInput } from "../../base/invalid-input.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { SignInDeps } from "../../deps.ts";
import type { SessionView } from "../../models/session/session.ts";
import { confirmPassword } from "../steps/authorization/confirm-password.ts";
import { authorizeCredentialChange } from "../steps/credentials/change-credentials.ts";
import { replacePasswordIn, validateNewPassword } from "../steps/credentials/replace-password.ts";
import { composeEmailTo, noticeDetails } from "../steps/email/compose-email.ts";
import { isNewSession, isSteppedUp } from "../steps/sessions/step-up.ts";
import { hashPassword } from "../steps/sign-in/verify-password.ts";

export interface ChangeInput {
  readonly caller: SessionView;
  /** Absent for a user without a password. */
  readonly currentPassword: string | undefined;
  readonly newPassword: string;
  readonly client: RequestContext;
}

/**
 * POST /v1/users/me/password (docs/contract.md, section 12.5): replaces the password, or sets the first password, and
 * ends all other sessions. `authentication_required` means a wrong current password, `conflict` a user without a
 * password or a concurrent change, `mfa_required` a first password without a recent proof.
 */
export async function changeOwnPassword(
  deps: SignInDeps,
  input: ChangeInput,
): Promise<
  Result<void, Refusal<"authentication_required" | "conflict" | "invalid_input" | "mfa_required" | "rate_limited">>
> {
  const { caller, currentPassword, client } = input;
  const validated = await validateNewPassword(deps, "new_password", input.newPassword, caller);
  if (!validated.ok) return err(invalidFields([validated.error]));
  const confirmed =
    currentPassword === undefined
      ? await authorizeFirstPassword(deps, caller)
      : await confirmPassword(deps, { caller, password: currentPassword, client });
  if (!confirmed.ok) return confirmed;
  const passwordHash = await hashPassword(deps, validated.value, client.network);
  if (!passwordHash.ok) return passwordHash;
  return await persistPassword(deps, input, confirmed.value, passwordHash.value);
}

const NO_CURRENT_PASSWORD = invalidInput("current_password", "required", "is required");

/**
 * Authorizes a first password: a step-up within five minutes, or a session of at most ten minutes whose sign-in was a
 * controlling proof. Returns the stored hash, null.
 */
export async function authorizeFirstPassword(
  deps: SignInDeps,
  caller: SessionView,
): Promise<Result<null, Refusal<"authentication_required" | "invalid_input" | "mfa_required">>> {
  const acting = await authorizeCredentialChange(deps, caller);
  if (!acting.ok) return acting;
  if (acting.value.hasPassword) return err(NO_CURRENT_PASSWORD);
  const isProven = acting.value.controlProven && isNewSession(deps, acting.value);
  if (isProven || isSteppedUp(deps, acting.value)) return ok(null);
  return err(refusal("mfa_required", "Confirm with a passkey, or sign in again by an emailed code."));
}

async function persistPassword(
  deps: SignInDeps,
  { caller, client }: ChangeInput,
  from: string | null,
  passwordHash: string,
): Promise<Result<void, Refusal<"conflict">>> {
  const at = new Date(deps.clock.now());
  const notice = { kind: "password_changed" as const, values: noticeDetails(client, at) };
  const mail = await composeEmailTo(deps, caller, { mail: notice, client, at });
  const events = await deps.database.transaction("password.change", (sql) =>
    replacePasswordIn(deps, sql, {
      actor: caller,
      passwordHash,
      from,
      first: from === null,
      keepSession: caller.id,
      action: "auth.password.changed",
      reason: "password_changed",
      client,
      mail,
      at,
    }),
  );
  if (!events) return err(refusal("conflict", "The password was changed a moment ago."));
  deps.outbox.wake();
  await deps.revocations.announce(events);
  return ok(undefined);
}
