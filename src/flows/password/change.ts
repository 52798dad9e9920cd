import { invalidFields } from "../../base/invalid-input.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { SignInDeps } from "../../deps.ts";
import type { SessionView } from "../../models/session/session.ts";
import { confirmPassword } from "../steps/authorization/confirm-password.ts";
import { replacePasswordIn, validateNewPassword } from "../steps/credentials/replace-password.ts";
import { composeEmailTo, noticeDetails } from "../steps/email/compose-email.ts";

import { hashPassword } from "../steps/sign-in/verify-password.ts";

export interface ChangeInput {
  readonly caller: SessionView;
  readonly currentPassword: string;
  readonly newPassword: string;
  readonly client: RequestContext;
}

/**
 * POST /v1/users/me/password (docs/contract.md, section 12.5): replaces the password and ends all other sessions.
 * `authentication_required` means a wrong current password, `conflict` a user without a password, who uses a reset.
 */
export async function changeOwnPassword(
  deps: SignInDeps,
  input: ChangeInput,
): Promise<Result<void, Refusal<"authentication_required" | "conflict" | "invalid_input" | "rate_limited">>> {
  const { caller, currentPassword, client } = input;
  const validated = await validateNewPassword(deps, "new_password", input.newPassword);
  if (!validated.ok) return err(invalidFields([validated.error]));
  const confirmed = await confirmPassword(deps, { caller, password: currentPassword, client });
  if (!confirmed.ok) return confirmed;
  const passwordHash = await hashPassword(deps, validated.value, client.network);
  if (!passwordHash.ok) return passwordHash;
  return await persistPassword(deps, input, confirmed.value, passwordHash.value);
}

async function persistPassword(
  deps: SignInDeps,
  { caller, client }: ChangeInput,
  from: string,
  passwordHash: string,
): Promise<Result<void, Refusal<"conflict">>> {
  const at = new Date(deps.clock.now());
  const notice = { kind: "password_changed" as const, values: noticeDetails(client, at) };
  const mail = await composeEmailTo(deps, caller.userId, client, notice, at);
  const events = await deps.database.transaction("password.change", (sql) =>
    replacePasswordIn(deps, sql, {
      actor: caller,
      passwordHash,
      from,
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
