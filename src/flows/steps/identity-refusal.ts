import { type Refusal, refusal } from "../../base/problem.ts";
import type { IdentityFailure } from "../../providers/identity/identity-provider.ts";

/** The refusal of a failure at an identity provider. The cause is for the log. */
export function identityRefusal({ kind, cause }: IdentityFailure): Refusal {
  switch (kind) {
    case "denied":
      return refusal("authentication_required", "The sign-in was not completed at the provider.", cause);
    case "unavailable":
      return refusal("internal_error", "The identity provider cannot be reached. Try again later.", cause);
    case "not_accepted":
      return refusal("authentication_required", "The provider's answer was not accepted. Sign in again.", cause);
  }
}
