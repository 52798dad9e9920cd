import { clampPage } from "../../database/listing.ts";
import type { Deps } from "../../deps.ts";
import { listOwnPasskeys } from "../../flows/passkeys/list.ts";
import type { SessionView } from "../../models/session/session.ts";
import type { Profile } from "../../models/user/profile.ts";

/** The factors that a user can present in a step-up. */
export interface SecondFactors {
  readonly authenticator: boolean;
  readonly passkey: boolean;
}

const ONE_PASSKEY = clampPage(1, 1);

export async function findSecondFactors(
  deps: Pick<Deps, "reads">,
  caller: SessionView,
  { mfaEnabled }: Pick<Profile, "mfaEnabled">,
): Promise<SecondFactors> {
  const { total } = await listOwnPasskeys(deps, { caller, page: ONE_PASSKEY });
  return { authenticator: mfaEnabled, passkey: total > 0 };
}
