import { refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { isProvider, type Provider } from "../../models/provider-config/provider.ts";
import type { SessionView } from "../../models/session/session.ts";
import { authorizePlatformRole } from "./authorize-platform-role.ts";
import { requireStepUp } from "./step-up.ts";

/**
 * Who may write and test an external service (contract, section 4.12): platform Admin or higher, with a second factor shown in the last five
 * minutes. Returns which service. Refuses with `forbidden`, `mfa_required`, `invalid_input` for one that is unknown.
 */
export async function authorizeIntegration(
  deps: Pick<Deps, "database" | "clock">,
  caller: SessionView,
  provider: string,
): Promise<Result<Provider>> {
  const allowed = await authorizePlatformRole(deps, caller, "admin");
  if (!allowed.ok) return allowed;
  const steppedUp = requireStepUp(deps, caller);
  if (!steppedUp.ok) return steppedUp;
  return isProvider(provider) ? ok(provider) : err(refusal("invalid_input", "provider: there is no such one"));
}
