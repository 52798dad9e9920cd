import { refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { isProvider, type Provider } from "../../models/provider-config/provider.ts";
import type { SessionView } from "../../models/session/session.ts";
import { authorizePlatformRole, type PlatformCaller } from "./authorize-platform-role.ts";
import { requireStepUp } from "./step-up.ts";

/** Who may write or test an external service, and which. */
export interface IntegrationCaller {
  readonly caller: PlatformCaller;
  readonly provider: Provider;
}

/**
 * Authorizes writing and testing an external service (contract, section 4.12): platform Admin or higher, with a second
 * factor verified in the last five minutes. The provider of the path is input and validated last, so that nobody else
 * learns which there are. Refuses with `forbidden`, `mfa_required`, `invalid_input` for a provider that is unknown.
 */
export async function authorizeIntegration(
  deps: Pick<Deps, "database" | "clock">,
  session: SessionView,
  provider: string,
): Promise<Result<IntegrationCaller>> {
  const caller = await authorizePlatformRole(deps, session, "admin");
  if (!caller.ok) return caller;
  const steppedUp = requireStepUp(deps, session);
  if (!steppedUp.ok) return steppedUp;
  if (!isProvider(provider)) return err(refusal("invalid_input", "provider: there is no such one"));
  return ok({ caller: caller.value, provider });
}
