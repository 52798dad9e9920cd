import { type Refusal, refusal } from "../../../base/problem.ts";
import type { IdentityFailure } from "../../../providers/identity/identity-provider.ts";

/** Returns the problem of a failure at an identity provider. The cause is for the log. */
export function identityRefusal({
  kind,
  cause,
}: IdentityFailure): Refusal<"authentication_required" | "internal_error"> {
  switch (kind) {
    case "denied":
      return refusal("authentication_required", "The sign-in was not completed at the provider.", cause);
    case "unavailable":
      return providerUnreachable(cause);
    case "not_accepted":
      return refusal("authentication_required", "The provider's answer was not accepted. Sign in again.", cause);
  }
}

/** Returns the problem of an unavailable provider. The cause is for the log. */
export function providerUnreachable(cause: string): Refusal<"internal_error"> {
  return refusal("internal_error", "The identity provider cannot be reached. Try again later.", cause);
}
