import { invalidInput } from "../../../base/invalid-input.ts";
import { isOpaqueToken } from "../../../base/opaque-token.ts";
import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { hashToken } from "../../../base/token-hash.ts";
import type { SessionDeps } from "../../../deps.ts";
import type { SessionEvent } from "../../../models/session/revocation.ts";

/** The link of a notice, which reverts what the notice reports. */
export interface RevertLink {
  readonly tokenHash: Buffer;
  readonly at: Date;
}

type Outcome = Result<void, Refusal<"authentication_required" | "invalid_input">>;

const DEAD_LINK = refusal("authentication_required", "The link is not valid any more.");

/**
 * Reverts what the link reports. `revert` returns the events to announce after the commit; undefined: the link is
 * unknown, used, void or expired.
 */
export async function followRevertLink(
  deps: Pick<SessionDeps, "clock" | "revocations">,
  token: string,
  revert: (link: RevertLink) => Promise<readonly SessionEvent[] | undefined>,
): Promise<Outcome> {
  if (!isOpaqueToken(token)) return err(invalidInput("token", "format", "not a token of this service"));
  const at = new Date(deps.clock.now());
  const events = await revert({ tokenHash: hashToken(token), at });
  if (!events) return err(DEAD_LINK);
  await deps.revocations.announce(events);
  return ok(undefined);
}
