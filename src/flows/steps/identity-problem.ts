import { type Problem, problem } from "../../base/problem.ts";
import type { IdentityFailure } from "../../providers/identity/identity-provider.ts";

/** What a client learns when a provider does not vouch for anybody. The cause stays in the log. */
export function identityProblem({ kind, cause }: IdentityFailure): Problem {
  switch (kind) {
    case "denied":
      return problem("authentication_required", "The sign-in was not completed at the provider.", cause);
    case "unavailable":
      return problem("internal_error", "The identity provider cannot be reached. Try again later.", cause);
    case "not_accepted":
      return problem("authentication_required", "The provider's answer was not accepted. Sign in again.", cause);
  }
}
