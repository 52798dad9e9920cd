import type { Refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { EmailDeps } from "../../../deps.ts";
import { beginOrganizationFactor } from "../../../models/organization-factor/organization-factor.ts";
import { memberFactorOwner } from "../../../models/session/own-factor.ts";
import type { SessionView } from "../../../models/session/session.ts";
import {
  describeSetup,
  type KeptSecret,
  MFA_ENABLED,
  type MfaSetup,
  newPendingSecret,
  openedSecret,
  setUpMfa,
} from "../../mfa/setup.ts";

/**
 * POST /v1/auth/mfa/setup (docs/contract.md, sections 8.3 and 29.18): the secret is for the own sessions of the user,
 * and in a session of single sign-on for the sessions of the organization only.
 */
export async function setUpFactor(
  deps: EmailDeps,
  caller: SessionView,
  kept: KeptSecret = "none",
): Promise<Result<MfaSetup, Refusal<"conflict">>> {
  const owner = memberFactorOwner(caller);
  if (!owner) return await setUpMfa(deps, caller, kept);
  const pending = newPendingSecret(deps, owner, caller.id, kept);
  const stored = await deps.database.run("organization_factor.set_up", (sql) =>
    beginOrganizationFactor(sql, owner, pending),
  );
  if (!stored) return err(MFA_ENABLED);
  const { sealedSecret, organizationName } = stored;
  return ok(describeSetup(deps, caller, openedSecret(deps, owner, sealedSecret), organizationName));
}
