import { invalidInput } from "../../../base/invalid-input.ts";
import type { Refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { StoreDeps } from "../../../deps.ts";
import { isProvider, type Provider } from "../../../models/provider-config/provider.ts";
import type { PlatformCaller, Principal } from "./authorize-platform-role.ts";
import { authorizeSteppedUpPlatform } from "./authorize-stepped-up-admin.ts";

/** A caller who may write or test the settings of a provider. */
export interface IntegrationCaller {
  readonly caller: PlatformCaller;
  readonly provider: Provider;
}

/**
 * Authorizes writing and testing a provider integration (docs/contract.md, sections 15.3 and 15.4): platform Admin or
 * higher, with a step-up. The provider of the path is input and validated last, so that other callers cannot enumerate
 * the providers.
 */
export async function authorizeIntegration(
  deps: StoreDeps,
  principal: Principal,
  provider: string,
): Promise<Result<IntegrationCaller, Refusal<"forbidden" | "invalid_input" | "mfa_required">>> {
  const caller = await authorizeSteppedUpPlatform(deps, principal, "providers.write");
  if (!caller.ok) return caller;
  if (!isProvider(provider)) return err(invalidInput("provider", "unknown_value", "unknown"));
  return ok({ caller: caller.value, provider });
}
