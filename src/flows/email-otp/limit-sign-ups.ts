import { type Refusal, rateLimited } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { SignInDeps } from "../../deps.ts";
import { SIGN_UP_LIFETIME_MS } from "../../limits/registration-limits.ts";
import { hashSignUpNetwork, hasRoomForSignUp } from "../../models/sign-up/sign-up.ts";
import { isRegistrationOpen } from "../../vocabulary/registration.ts";
import type { RequestInput } from "./issued-code.ts";

/**
 * Admits a request for a code to sign up: without the limit a network could send a fixed text to a million addresses.
 * The limits are equal for known and unknown addresses. Redis key `service:sign-up:<network>`; after a loss of the key
 * the count starts at zero, and the bounds of PostgreSQL hold.
 */
export async function admitSignUp(
  deps: SignInDeps,
  { application, client }: Pick<RequestInput, "application" | "client">,
): Promise<Result<void, Refusal<"rate_limited">>> {
  const { enabled, signUp } = deps.config.limits;
  if (enabled) {
    const { count, resetMs } = await deps.state.count(`service:sign-up:${client.network}`, signUp.seconds * 1000);
    if (count > signUp.count)
      return err(rateLimited("limit_sign_up", resetMs / 1000, "too many sign-ups of a network"));
  }
  const settings = deps.registration.settings(application?.registration);
  if (!isRegistrationOpen(settings, "email_code")) return ok(undefined);
  const at = new Date(deps.clock.now());
  const networkHash = hashSignUpNetwork(deps.addressKey, client.network);
  const hasRoom = await deps.database.run("sign_up.has_room", (sql) => hasRoomForSignUp(sql, networkHash, at));
  return hasRoom
    ? ok(undefined)
    : err(rateLimited("sign_ups", SIGN_UP_LIFETIME_MS / 1000, "too many pending sign-ups"));
}
