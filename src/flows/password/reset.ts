import type { ClientFacts } from "../../base/client-facts.ts";
import { problem } from "../../base/problem.ts";
import { ok, type Result, refuse } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import {
  findMailedToken,
  hashMailedToken,
  isMailedToken,
  takeMailedToken,
} from "../../models/mailed-token/mailed-token.ts";
import { findSignInCandidate, type SignInCandidate } from "../../models/user/user.ts";
import { hashPassword } from "../steps/check-password.ts";
import type { EndNeeds } from "../steps/end-sessions.ts";
import { admitNewPassword, replacePasswordIn } from "../steps/new-password.ts";
import { circumstances, writeLetter } from "../steps/write-letter.ts";

export type ResetNeeds = EndNeeds & Pick<Deps, "hashing" | "sealing" | "outbox" | "passwordCheck">;

export interface ResetInput {
  readonly token: string;
  readonly newPassword: string;
  readonly client: ClientFacts;
}

const BAD_TOKEN = problem("authentication_required", "The link is not valid any more. Ask for a new one.");
const PURPOSE = "password_reset";

/**
 * POST /v1/auth/password/reset (contract, section 4.7): the token of the mailed link replaces the password, once, and ends all
 * sessions of the user. Refuses with `invalid_input`, `authentication_required` for a token that is unknown, used or expired,
 * `not_found` when its user is gone, `rate_limited`.
 */
export async function resetPassword(needs: ResetNeeds, input: ResetInput): Promise<Result<void>> {
  const password = await admitNewPassword(needs, "new_password", input.newPassword);
  if (!password.ok) return password;
  const user = await findUser(needs, input.token);
  if (!user.ok) return user;
  // Only the holder of a live token has us hash.
  const passwordHash = await hashPassword(needs, password.value, input.client.network);
  if (!passwordHash.ok) return passwordHash;
  return await settle(needs, input, user.value, passwordHash.value);
}

async function findUser(needs: ResetNeeds, token: string): Promise<Result<SignInCandidate>> {
  if (!isMailedToken(token)) return refuse(BAD_TOKEN);
  const at = new Date(needs.clock.now());
  const found = await needs.database.run("mailed_token.find", (sql) =>
    findMailedToken(sql, PURPOSE, hashMailedToken(token), at),
  );
  if (!found) return refuse(BAD_TOKEN);
  const { userId } = found;
  const user =
    userId &&
    (await needs.database.run("user.find_sign_in_candidate", (sql) => findSignInCandidate(sql, { userId }, { at })));
  if (!user) return refuse(problem("not_found", "This account does not exist any more."));
  return user.disabled ? refuse(BAD_TOKEN) : ok(user);
}

async function settle(
  needs: ResetNeeds,
  { token, client }: ResetInput,
  user: SignInCandidate,
  passwordHash: string,
): Promise<Result<void>> {
  const at = new Date(needs.clock.now());
  const letter = writeLetter(needs, user, client, { kind: "password_changed", values: circumstances(client, at) }, at);
  const events = await needs.database.transaction("password.reset", async (sql) => {
    const [taken] = await takeMailedToken(sql, PURPOSE, hashMailedToken(token), at);
    if (!taken) return undefined;
    const action = "auth.password_reset.consumed";
    const change = { actor: user, passwordHash, action, reason: "password_reset", client, letter, at } as const;
    return await replacePasswordIn(needs, sql, change);
  });
  if (!events) return refuse(BAD_TOKEN);
  needs.outbox.wake();
  await needs.revocations.announce(events);
  return ok(undefined);
}
