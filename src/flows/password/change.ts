import type { ClientFacts } from "../../base/client-facts.ts";
import { problem } from "../../base/problem.ts";
import { ok, type Result, refuse } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import type { SessionView } from "../../models/session/session.ts";
import { hashPassword } from "../steps/check-password.ts";
import { type ConfirmNeeds, confirmPassword } from "../steps/confirm-password.ts";
import type { EndNeeds } from "../steps/end-sessions.ts";
import { admitNewPassword, replacePasswordIn } from "../steps/new-password.ts";
import { circumstances, writeLetterTo } from "../steps/write-letter.ts";

export type ChangeNeeds = ConfirmNeeds & EndNeeds & Pick<Deps, "sealing" | "outbox" | "passwordCheck">;

export interface ChangeInput {
  readonly caller: SessionView;
  readonly currentPassword: string;
  readonly newPassword: string;
  readonly client: ClientFacts;
}

/**
 * POST /v1/users/me/password (decisions, section 6): replaces the password and ends all other sessions. Refuses with
 * `invalid_input`, `authentication_required` for a wrong current password, `conflict` for a user without one (the reset mail is
 * the way), `rate_limited`.
 */
export async function changeOwnPassword(needs: ChangeNeeds, input: ChangeInput): Promise<Result<void>> {
  const { caller, currentPassword, client } = input;
  const admitted = await admitNewPassword(needs, "new_password", input.newPassword);
  if (!admitted.ok) return admitted;
  const confirmed = await confirmPassword(needs, { caller, password: currentPassword, client });
  if (!confirmed.ok) return confirmed;
  const passwordHash = await hashPassword(needs, admitted.value, client.network);
  if (!passwordHash.ok) return passwordHash;
  return await settle(needs, input, confirmed.value, passwordHash.value);
}

async function settle(
  needs: ChangeNeeds,
  { caller, client }: ChangeInput,
  from: string,
  passwordHash: string,
): Promise<Result<void>> {
  const at = new Date(needs.clock.now());
  const notice = { kind: "password_changed" as const, values: circumstances(client, at) };
  const letter = await writeLetterTo(needs, caller.userId, client, notice, at);
  const events = await needs.database.transaction("password.change", (sql) =>
    replacePasswordIn(needs, sql, {
      actor: caller,
      passwordHash,
      from,
      keepSession: caller.id,
      action: "auth.password.changed",
      reason: "password_changed",
      client,
      letter,
      at,
    }),
  );
  if (!events) return refuse(problem("conflict", "The password was changed a moment ago."));
  needs.outbox.wake();
  await needs.revocations.announce(events);
  return ok(undefined);
}
